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
	"almanac/internal/limits/memory"
	"almanac/internal/netguard"
)

// Bucket is the destination of objects.
type Bucket interface {
	// Upload writes an object, replacing one of the same name. If the reader or the upload fails, the object does not
	// exist or is unchanged.
	Upload(ctx context.Context, name, contentType string, r io.Reader) error
	// Download returns an object and its length, or blob.ErrNotFound.
	Download(ctx context.Context, name string) (io.ReadCloser, int64, error)
	// Delete removes an object. It is not an error if there is none.
	Delete(ctx context.Context, name string) error
	Close()
}

// Allowed is what the operator of the server permits for integrations, which others configure.
type Allowed struct {
	// Guard decides which addresses can be reached.
	Guard netguard.Guard
	// ServerCredentials permits integrations without a key to use the credentials of the server's machine.
	ServerCredentials bool
}

// OpenBucket returns the bucket of an integration without connecting to it.
func OpenBucket(b *domain.BlobStorageIntegration, secret string, allowed Allowed) (Bucket, error) {
	if err := allowed.checkKeys(b); err != nil {
		return nil, err
	}
	bucket, err := openBucket(b, secret, allowed.Guard, 0)
	if err != nil {
		return nil, &configError{"The bucket cannot be used: " + err.Error()}
	}
	return bucket, nil
}

// checkKeys refuses an integration without a key, unless it may use the credentials of the server's machine. These are
// used only with Amazon: another endpoint would learn the machine's session token, and an invalid region would lead the
// library to a host other than Amazon's.
func (a Allowed) checkKeys(b *domain.BlobStorageIntegration) error {
	switch {
	case b.AccessKeyID != nil && *b.AccessKeyID != "":
		return nil
	case b.Type != domain.BlobS3 || b.Endpoint != nil:
		return &configError{
			"The export has no access key. Enter one with its secret: the server's own credentials are used for Amazon S3 only, never at " +
				"an endpoint.",
		}
	case !a.ServerCredentials:
		return &configError{"The export has no access key. Enter one with its secret, or ask the operator of the server to let exports " +
			"use the server's own credentials (--export-with-server-credentials)."}
	case strings.Trim(b.Region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return &configError{"The region is not the name of one, such as eu-central-1."}
	}
	return nil
}

// openBucket returns the bucket of an integration. Wait is the retry delay of the Azure client; 0 for the default.
func openBucket(b *domain.BlobStorageIntegration, secret string, guard netguard.Guard, wait time.Duration) (Bucket, error) {
	key, endpoint := "", ""
	if b.AccessKeyID != nil {
		key = *b.AccessKeyID
	}
	if b.Endpoint != nil {
		endpoint = *b.Endpoint
	}
	if b.Type == domain.BlobAzure {
		return blob.OpenContainer(blob.ContainerOptions{
			Name: b.BucketName, Account: key, Key: secret, Endpoint: endpoint, Client: guard.Client(netguard.Bucket), RetryDelay: wait,
		})
	}
	query := url.Values{"region": {b.Region}, "path-style": {strconv.FormatBool(b.ForcePathStyle)}}
	if endpoint != "" {
		query.Set("endpoint", endpoint)
	}
	address := url.URL{Scheme: "s3", Host: b.BucketName, RawQuery: query.Encode()}
	return blob.OpenBucket(blob.BucketOptions{
		Address: address.String(), AccessKey: key, SecretKey: secret, Client: guard.Client(netguard.Bucket),
	})
}

// configError is an error that only a change of the integration can fix.
type configError struct{ message string }

func (e *configError) Error() string { return e.message }

// explain returns the message shown to users for a failed run, and whether they must fix the integration before it
// makes sense to continue.
func explain(err error) (message string, mend bool) {
	if config, ok := errors.AsType[*configError](err); ok {
		return config.message, true
	}
	if errors.Is(err, netguard.ErrPrivate) {
		return "The storage is in the private network of the server, which its operator does not allow (--allow-private-connections).", true
	}
	if errors.Is(err, netguard.ErrTooMuch) {
		return "The storage failed; it is tried again. Its answer is longer than any of a storage.", false
	}
	if errors.Is(err, memory.ErrTooLarge) {
		return "A row takes more memory than the server has for one export. The operator of the server can allow more with --memory and " +
			"--request-memory; " +
			"enable the export again then.", true
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

// withoutAddress returns the message of an HTTP client error without the URL, which may contain a secret.
func withoutAddress(err error) string {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return strings.ReplaceAll(wrapped.Err.Error(), wrapped.URL, "the storage")
	}
	return err.Error()
}

// shortened cuts a message to maxMessage characters.
func shortened(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if utf8.RuneCountInString(text) <= maxMessage {
		return text
	}
	return string([]rune(text)[:maxMessage-1]) + "…"
}

// orEOF returns err, or io.EOF if it is nil.
func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// isPipe reports whether a write failed because the upload did.
func isPipe(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || strings.Contains(err.Error(), "the upload ended")
}
