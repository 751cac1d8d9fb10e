package scheduled

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"

	ours "almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/peer"
)

// Bucket is where objects are written to.
type Bucket interface {
	// Put writes an object in the place of the one that has this name. If the reader fails, or it returns an error, the object is not
	// there, or is the one that was there before.
	Put(ctx context.Context, name, contentType string, r io.Reader) error
	Close()
}

// dialTimeout is how long a connection may take.
const dialTimeout = 15 * time.Second

// OpenBucket returns the bucket of an integration. It does not talk to it. Unless private addresses are allowed, an endpoint that
// somebody gave must be in the internet.
func OpenBucket(b *domain.BlobStorageIntegration, secret string, private bool) (Bucket, error) {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if b.Endpoint != nil && !private {
		dialer = peer.PublicDialer(dialTimeout)
	}
	if b.Type == domain.BlobAzure {
		return openAzure(b, secret, dialer)
	}
	query := url.Values{"region": {b.Region}, "path-style": {strconv.FormatBool(b.ForcePathStyle)}}
	if b.Endpoint != nil {
		query.Set("endpoint", *b.Endpoint)
	}
	options := ours.BucketOptions{
		Address:   (&url.URL{Scheme: "s3", Host: b.BucketName, RawQuery: query.Encode()}).String(),
		SecretKey: secret, Dial: dialer.DialContext,
	}
	if b.AccessKeyID != nil {
		options.AccessKey = *b.AccessKeyID
	}
	bucket, err := ours.OpenBucket(options)
	if err != nil {
		return nil, &configError{"The bucket cannot be used: " + err.Error()}
	}
	return s3Bucket{bucket}, nil
}

// s3Bucket is a bucket of S3, or of another store that speaks its protocol; Google's does.
type s3Bucket struct{ *ours.Bucket }

// Put sends an object in parts.
func (b s3Bucket) Put(ctx context.Context, name, contentType string, r io.Reader) error {
	return b.Upload(ctx, name, contentType, r)
}

// azureContainer is a container of Azure Blob Storage.
type azureContainer struct {
	client    *azblob.Client
	container string
	transport *http.Transport
}

func openAzure(b *domain.BlobStorageIntegration, secret string, dialer *net.Dialer) (Bucket, error) {
	account := ""
	if b.AccessKeyID != nil {
		account = *b.AccessKeyID
	}
	credential, err := azblob.NewSharedKeyCredential(account, secret)
	if err != nil {
		return nil, &configError{"The account key is not one of Azure: it is base64."}
	}
	address := "https://" + account + ".blob.core.windows.net/"
	if b.Endpoint != nil {
		address = *b.Endpoint
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
	transport.DialContext, transport.ResponseHeaderTimeout = dialer.DialContext, time.Minute
	client, err := azblob.NewClientWithSharedKeyCredential(address, credential, &azblob.ClientOptions{ClientOptions: azcore.ClientOptions{
		Transport: &http.Client{Transport: transport}, Retry: policy.RetryOptions{MaxRetries: 3, RetryDelay: 250 * time.Millisecond, MaxRetryDelay: 5 * time.Second},
	}})
	if err != nil {
		return nil, &configError{"The address of the storage cannot be used: " + err.Error()}
	}
	return &azureContainer{client, b.BucketName, transport}, nil
}

// azureBlock is how much of an upload is held. Azure takes 50,000 blocks of one object.
const azureBlock = 8 << 20

// Put sends an object in blocks, which become one when all of them are there.
func (c *azureContainer) Put(ctx context.Context, name, contentType string, r io.Reader) error {
	_, err := c.client.UploadStream(ctx, c.container, name, r, &azblob.UploadStreamOptions{
		BlockSize: azureBlock, Concurrency: 1, HTTPHeaders: &blob.HTTPHeaders{BlobContentType: &contentType},
	})
	return err
}

// Close closes connections that nobody uses.
func (c *azureContainer) Close() { c.transport.CloseIdleConnections() }

// configError is a fault that only a change of the integration mends.
type configError struct{ message string }

func (e *configError) Error() string { return e.message }

// explain says what people are told about a failed run, and whether they have to mend the integration before it makes sense to go on.
func explain(err error) (message string, mend bool) {
	if config, ok := errors.AsType[*configError](err); ok {
		return config.message, true
	}
	if errors.Is(err, peer.ErrPrivate) {
		return "The storage is in the private network of the server, which its operator does not allow (--allow-private-connections).", true
	}
	status, code, text := 0, "", ""
	if answer, ok := ours.AnswerOf(err); ok {
		status, code, text = answer.Status, answer.Code, answer.Message
	} else if answer, ok := errors.AsType[*azcore.ResponseError](err); ok {
		status, code = answer.StatusCode, answer.ErrorCode
	}
	if status == 0 {
		if _, ok := errors.AsType[net.Error](err); ok || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return "The storage cannot be reached: " + withoutAddress(err), false
		}
		return "The export failed: the log of the server says why. It is tried again.", false
	}
	said := strings.TrimSpace(fmt.Sprintf("It answered %d %s", status, code))
	if text != "" {
		said += ": " + text
	}
	switch code {
	case "NoSuchBucket", "ContainerNotFound", "InvalidBucketName", "InvalidResourceName":
		return "The bucket does not exist. Create it, or correct its name. " + said, true
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "AuthenticationFailed", "InvalidAuthenticationInfo":
		return "The storage does not accept the credentials. " + said, true
	case "AccessDenied", "AllAccessDisabled", "AuthorizationFailure", "AuthorizationPermissionMismatch", "InsufficientAccountPermissions":
		return "The credentials do not allow writing to the bucket. " + said, true
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "InvalidRegion", "IllegalLocationConstraintException":
		return "The bucket is in another region. " + said, true
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "The storage does not accept the credentials. " + said, true
	case http.StatusNotFound:
		return "The bucket does not exist. Create it, or correct its name. " + said, true
	}
	return "The storage failed; it is tried again. " + said, false
}

// withoutAddress returns the text of an error of the HTTP client without the address, which may hold something secret.
func withoutAddress(err error) string {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return strings.ReplaceAll(wrapped.Err.Error(), wrapped.URL, "the storage")
	}
	return err.Error()
}

// shortened cuts what is too long to be kept.
func shortened(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= maxMessage {
		return text
	}
	return string([]rune(text)[:maxMessage-1]) + "…"
}

// orEOF returns an error; io.EOF if there is none.
func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// isPipe reports whether writing failed since the upload did.
func isPipe(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || strings.Contains(err.Error(), "the upload ended")
}
