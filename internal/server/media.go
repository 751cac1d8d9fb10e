package server

import (
	"fmt"
	"log/slog"

	"almanac/internal/access/auth"
	"almanac/internal/access/secretbox"
	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/media"
)

// openMedia opens the storage of media.
func openMedia(options config.Serve, c *catalog.Catalog, secrets *secretbox.Box, log *slog.Logger) (endpoint.Media, error) {
	var (
		blobs blob.Store
		err   error
		where = "a bucket"
	)
	if options.BlobsInBucket() {
		blobs, err = blob.OpenBucket(blob.BucketOptions{
			Address: options.Blob, AccessKey: options.BlobAccessKey, SecretKey: options.BlobSecretKey.Reveal(),
			SessionToken: options.BlobSessionToken.Reveal(), Client: blob.TrustedClient(),
		})
	} else {
		where = options.BlobDirectory(datadir.MediaDir(options.Data))
		blobs, err = blob.OpenDirectory(where)
	}
	if err != nil {
		return endpoint.Media{}, fmt.Errorf("cannot open the media storage (--blob): %w", err)
	}
	if options.ExtractMedia {
		log.Info("extracting media from spans", "where", where)
	}
	return endpoint.Media{
		Library: &media.Library{Catalog: c, Blobs: blobs}, Links: auth.NewMediaLinks(secrets.Derive("signed URLs")),
		MaxBytes: int64(options.MaxMedia),
	}, nil
}
