package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strconv"

	"almanac/internal/blob"
	"almanac/internal/config"
)

// mediaSource says where an installation that is imported from its databases keeps its media.
type mediaSource struct {
	SourceMediaBucket    string        `help:"With --postgres: the media bucket of the installation, on S3 or a compatible service. If not set, media are left out." placeholder:"NAME" also:"LANGFUSE_S3_MEDIA_UPLOAD_BUCKET"`
	SourceMediaEndpoint  string        `help:"Endpoint URL of the S3-compatible service. Default: Amazon S3." placeholder:"URL" also:"LANGFUSE_S3_MEDIA_UPLOAD_ENDPOINT"`
	SourceMediaRegion    string        `help:"Region of the bucket." placeholder:"REGION" also:"LANGFUSE_S3_MEDIA_UPLOAD_REGION"`
	SourceMediaAccessKey string        `help:"Access key of the bucket. If not set, the usual AWS credential sources are used." placeholder:"KEY" also:"LANGFUSE_S3_MEDIA_UPLOAD_ACCESS_KEY_ID"`
	SourceMediaSecretKey config.Secret `help:"Secret key of the bucket." placeholder:"KEY" also:"LANGFUSE_S3_MEDIA_UPLOAD_SECRET_ACCESS_KEY"`
	SourceMediaPathStyle bool          `help:"Put the bucket name in the path of requests to the endpoint; if false, in the host name." default:"true" negatable:"" also:"LANGFUSE_S3_MEDIA_UPLOAD_FORCE_PATH_STYLE"`
}

// openMedia returns a function that reads a file of the bucket, nil if no bucket is named, and a function that closes
// the bucket.
func (m *mediaSource) openMedia() (read func(context.Context, string) (io.ReadCloser, int64, error), stop func(), err error) {
	if m.SourceMediaBucket == "" {
		return nil, func() {}, nil
	}
	query := url.Values{}
	if m.SourceMediaRegion != "" {
		query.Set("region", m.SourceMediaRegion)
	}
	if m.SourceMediaEndpoint != "" {
		query.Set("endpoint", m.SourceMediaEndpoint)
		query.Set("path-style", strconv.FormatBool(m.SourceMediaPathStyle))
	}
	address := url.URL{Scheme: "s3", Host: m.SourceMediaBucket, RawQuery: query.Encode()}
	bucket, err := blob.OpenBucket(blob.BucketOptions{
		Address: address.String(), AccessKey: m.SourceMediaAccessKey, SecretKey: m.SourceMediaSecretKey.Reveal(),
		Client: blob.TrustedClient(),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("--source-media-bucket: %w", err)
	}
	return func(ctx context.Context, path string) (io.ReadCloser, int64, error) {
		body, length, err := bucket.Download(ctx, path)
		switch {
		case errors.Is(err, blob.ErrNotFound):
			err = fs.ErrNotExist
		case err != nil:
			err = fmt.Errorf("cannot read %s in the bucket %s of the source: %w", path, m.SourceMediaBucket, err)
		}
		return body, length, err
	}, bucket.Close, nil
}
