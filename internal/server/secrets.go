package server

import (
	"fmt"
	"log/slog"

	"almanac/internal/access/secretbox"
	"almanac/internal/config"
	"almanac/internal/datadir"
)

// openSecrets returns the box that encrypts secrets in the catalog: with the operator's key, or with one that is
// generated at the first start and kept in the data directory.
func openSecrets(options config.Serve, log *slog.Logger) (*secretbox.Box, error) {
	if options.EncryptionKey != "" {
		key, err := secretbox.ParseKey(options.EncryptionKey.Reveal())
		if err != nil {
			return nil, fmt.Errorf("--encryption-key: %w", err)
		}
		return secretbox.New(key), nil
	}
	file := datadir.KeyFile(options.Data)
	key, created, err := secretbox.KeyFile(file)
	if err != nil {
		return nil, err
	}
	if created {
		log.Info("generated the encryption key for secrets in the catalog: without it they cannot be read; almanac backup includes it",
			"file", file)
	}
	return secretbox.New(key), nil
}
