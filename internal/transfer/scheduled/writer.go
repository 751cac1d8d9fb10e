package scheduled

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"almanac/internal/blob"
	"almanac/internal/domain"
)

const (
	// writerObject is the name of the object that says which installation exports a project. It has no extension, so
	// that nobody takes it for exported rows.
	writerObject = "almanac-writer"
	// testObject is the name of the object that a test writes and removes.
	testObject = "almanac-test"
	// maxWriter is the maximum size of the object, in bytes.
	maxWriter = 4 << 10
	// testTimeout is the time limit of a test.
	testTimeout = 30 * time.Second
)

// writer is the content of the object.
type writer struct {
	Instance string    `json:"instance"`
	Since    time.Time `json:"since"`
}

// objectOf returns the name of an object of a project that contains no rows.
func objectOf(b *domain.BlobStorageIntegration, name string) string {
	return b.Prefix + b.ProjectID + "/" + name
}

// checkWriter refuses a place that another installation exports to, such as the original of a restored copy: each would
// overwrite the files of the other. The first installation that writes there leaves its id. If the credentials do not
// permit reading, nothing can be checked.
func (r *Exports) checkWriter(ctx context.Context, bucket Bucket, b *domain.BlobStorageIntegration) error {
	instance, err := r.Catalog.InstanceID(ctx)
	if err != nil {
		return err
	}
	found, err := readWriter(ctx, bucket, b)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return r.writeWriter(ctx, bucket, b, instance)
	case isDenied(err):
		r.Log.Warn("cannot read who exports to this bucket: allow the key of the export to read the object", "project", b.ProjectID,
			"bucket", b.BucketName, "object", objectOf(b, writerObject))
		return nil
	case err != nil:
		return fmt.Errorf("cannot read %s: %w", objectOf(b, writerObject), err)
	case found.Instance != instance:
		return &configError{fmt.Sprintf("Another installation of Almanac has exported this project to this bucket and prefix since %s. "+
			"Choose another prefix; or, if that installation will never export again, take the bucket over.",
			found.Since.UTC().Format(time.DateOnly))}
	}
	return nil
}

func readWriter(ctx context.Context, bucket Bucket, b *domain.BlobStorageIntegration) (w writer, err error) {
	body, _, err := bucket.Download(ctx, objectOf(b, writerObject))
	if err != nil {
		return w, err
	}
	defer body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(body, maxWriter))
	if err != nil {
		return w, err
	}
	if json.Unmarshal(text, &w) != nil || w.Instance == "" {
		return w, &configError{
			"The object " + objectOf(b, writerObject) +
				" in the bucket was not written by Almanac. Choose another prefix, or take the bucket over.",
		}
	}
	return w, nil
}

func (r *Exports) writeWriter(ctx context.Context, bucket Bucket, b *domain.BlobStorageIntegration, instance string) error {
	text, err := json.Marshal(writer{instance, r.Now().UTC()})
	if err != nil {
		return err
	}
	if err := bucket.Upload(ctx, objectOf(b, writerObject), "application/json", bytes.NewReader(text)); err != nil {
		return fmt.Errorf("cannot write %s: %w", objectOf(b, writerObject), err)
	}
	return nil
}

// isDenied reports whether a storage knows the credentials but does not permit the request.
func isDenied(err error) bool {
	answer, ok := blob.AnswerOf(err)
	if !ok || answer.Status != http.StatusForbidden {
		return false
	}
	switch answer.Code {
	case "AccessDenied", "AuthorizationFailure", "AuthorizationPermissionMismatch", "InsufficientAccountPermissions":
		return true
	}
	return false
}

// TakeOver makes this installation the one that exports a project to its bucket. The error is a message for people.
func (r *Exports) TakeOver(ctx context.Context, b *domain.BlobStorageIntegration) error {
	return r.try(ctx, b, func(ctx context.Context, bucket Bucket) error {
		instance, err := r.Catalog.InstanceID(ctx)
		if err != nil {
			return err
		}
		return r.writeWriter(ctx, bucket, b, instance)
	})
}

// Test writes a small object to the bucket of an integration and removes it, and checks that no other installation
// exports there. The error is a message for people.
func (r *Exports) Test(ctx context.Context, b *domain.BlobStorageIntegration) error {
	return r.try(ctx, b, func(ctx context.Context, bucket Bucket) error {
		name := objectOf(b, testObject)
		if err := bucket.Upload(ctx, name, "text/plain", strings.NewReader("Almanac tests whether it can write here.\n")); err != nil {
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
		if err := bucket.Delete(ctx, name); err != nil && !isDenied(err) { // exports remove nothing
			return fmt.Errorf("cannot remove %s: %w", name, err)
		}
		if _, err := readWriter(ctx, bucket, b); errors.Is(err, blob.ErrNotFound) {
			return nil // the first run will say who writes
		}
		return r.checkWriter(ctx, bucket, b)
	})
}

// MessageError is an error whose text is meant for people who manage an integration.
type MessageError struct{ Message string }

func (e *MessageError) Error() string { return e.Message }

// try opens the bucket of an integration for one action.
func (r *Exports) try(ctx context.Context, b *domain.BlobStorageIntegration, act func(context.Context, Bucket) error) error {
	ctx, cancel := context.WithTimeout(ctx, testTimeout)
	defer cancel()
	err := func() error {
		bucket, err := r.openBucket(b)
		if err != nil {
			return err
		}
		defer bucket.Close()
		return act(ctx, bucket)
	}()
	if err == nil {
		return nil
	}
	r.Log.Info("the storage of an export cannot be used", "project", b.ProjectID, "bucket", b.BucketName, "error", shortened(err.Error()))
	message, _ := explain(err)
	return &MessageError{shortened(strings.ReplaceAll(message, " It is tried again.", ""))}
}

// openBucket opens the bucket of an integration with its decrypted secret.
func (r *Exports) openBucket(b *domain.BlobStorageIntegration) (Bucket, error) {
	secret := ""
	if b.SealedSecret != nil {
		var err error
		if secret, err = r.Secrets.Open(*b.SealedSecret, b.SecretPlace()); err != nil {
			return nil, &configError{"The stored secret cannot be decrypted: the server has another key. Enter the secret again."}
		}
	}
	return r.Open(b, secret)
}
