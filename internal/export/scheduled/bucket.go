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

	"almanac/internal/blob"
	"almanac/internal/domain"
	"almanac/internal/peer"
)

// Bucket is where objects are written to.
type Bucket interface {
	// Upload writes an object in the place of the one that has this name. If the reader fails, or it returns an error, the object is not
	// there, or is the one that was there before.
	Upload(ctx context.Context, name, contentType string, r io.Reader) error
	Close()
}

const (
	// dialTimeout is how long a connection may take.
	dialTimeout = 15 * time.Second
	// patience is how long a storage may take nothing of what is sent to it, or may stop within an answer.
	patience = time.Minute
)

// Allowed is what the operator of the server allows integrations, which others configure.
type Allowed struct {
	// Private: endpoints may be in the private network.
	Private bool
	// ServerCredentials: integrations without a key of their own may use the credentials of the server's machine.
	ServerCredentials bool
}

// OpenBucket returns the bucket of an integration. It does not talk to it. Unless private addresses are allowed, an endpoint that
// somebody gave must be in the internet.
func OpenBucket(b *domain.BlobStorageIntegration, secret string, allowed Allowed) (Bucket, error) {
	if err := allowed.checkKeys(b); err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: dialTimeout}
	if b.Endpoint != nil && !allowed.Private {
		dialer = peer.PublicDialer(dialTimeout)
	}
	bucket, err := openBucket(b, secret, unstalled{dialer.DialContext, patience}.dial, 0)
	if err != nil {
		return nil, &configError{"The bucket cannot be used: " + err.Error()}
	}
	return bucket, nil
}

// checkKeys refuses an integration that has no key of its own, unless it may act as the server's machine, and then only towards Amazon: an
// endpoint would learn the machine's session token, and a region that is none would lead the library to another host than Amazon's.
func (a Allowed) checkKeys(b *domain.BlobStorageIntegration) error {
	switch {
	case b.AccessKeyID != nil && *b.AccessKeyID != "":
		return nil
	case b.Type != domain.BlobS3 || b.Endpoint != nil:
		return &configError{"The export has no access key. Enter one with its secret: the server's own credentials are used for Amazon S3 only, never at an endpoint."}
	case !a.ServerCredentials:
		return &configError{"The export has no access key. Enter one with its secret, or ask the operator of the server to let exports " +
			"use the server's own credentials (--export-with-server-credentials)."}
	case strings.Trim(b.Region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return &configError{"The region is not the name of one, such as eu-central-1."}
	}
	return nil
}

// openBucket returns the bucket of an integration. The client of Azure waits so long before it sends a request again; 0 for as long as it should.
func openBucket(b *domain.BlobStorageIntegration, secret string, dial dialFunc, wait time.Duration) (Bucket, error) {
	key, endpoint := "", ""
	if b.AccessKeyID != nil {
		key = *b.AccessKeyID
	}
	if b.Endpoint != nil {
		endpoint = *b.Endpoint
	}
	if b.Type == domain.BlobAzure {
		return blob.OpenContainer(blob.ContainerOptions{
			Name: b.BucketName, Account: key, Key: secret, Endpoint: endpoint, Dial: dial, RetryDelay: wait,
		})
	}
	query := url.Values{"region": {b.Region}, "path-style": {strconv.FormatBool(b.ForcePathStyle)}}
	if endpoint != "" {
		query.Set("endpoint", endpoint)
	}
	address := url.URL{Scheme: "s3", Host: b.BucketName, RawQuery: query.Encode()}
	return blob.OpenBucket(blob.BucketOptions{Address: address.String(), AccessKey: key, SecretKey: secret, Dial: dial})
}

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
	if answer, ok := blob.AnswerOf(err); ok {
		status, code, text = answer.Status, answer.Code, answer.Message
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
