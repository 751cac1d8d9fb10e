package cli

import (
	"context"
	"errors"
	"fmt"

	"almanac/internal/access/secretbox"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/langfuse"
)

// databaseSource holds the options of an import from the databases of an installation.
type databaseSource struct {
	Postgres            config.Secret `help:"Import from the databases of an installation instead of its API: URL of its PostgreSQL database, as in its DATABASE_URL. All projects are imported, with their API keys." placeholder:"URL" xor:"source"`
	Clickhouse          config.Secret `help:"With --postgres: its ClickHouse database over HTTP, clickhouse://USER:PASSWORD@HOST:8123/default. If not set, traces, observations and scores are left out." placeholder:"URL"`
	Salt                config.Secret `help:"With --postgres: the SALT of the installation, so that its API keys work here." placeholder:"SALT" also:"SALT"`
	SourceEncryptionKey config.Secret `help:"With --postgres: the ENCRYPTION_KEY of the installation, so that the secrets of LLM connections and buckets are imported." placeholder:"KEY" also:"ENCRYPTION_KEY"`
	mediaSource         `embed:""`
	EncryptionKey       config.Secret `help:"With --postgres: the encryption key of this server, if it is started with --encryption-key. If not set, the key in the data directory is used." placeholder:"KEY"`
}

// box returns the box that seals secrets with the key of the server.
func (d *databaseSource) box(t *terminal, s config.Storage) (*secretbox.Box, error) {
	if d.EncryptionKey != "" {
		key, err := secretbox.ParseKey(d.EncryptionKey.Reveal())
		if err != nil {
			return nil, fmt.Errorf("--encryption-key: %w", err)
		}
		return secretbox.New(key), nil
	}
	if s.Catalog != "" && s.EventsInClickHouse() && s.BlobsInBucket() {
		return nil, errors.New("--encryption-key is required: servers without a data directory are started with one")
	}
	file := datadir.KeyFile(s.Data)
	key, _, err := secretbox.KeyFile(file)
	if err != nil {
		return nil, err
	}
	t.say("secrets are encrypted with the key in %s; if the server is started with --encryption-key, give the same key to this command",
		file)
	return secretbox.New(key), nil
}

func (l *importLangfuseCommand) fromDatabases(ctx context.Context, t *terminal, into *installation) (err error) {
	box, err := l.box(t, l.Storage)
	if err != nil {
		return err
	}
	media, closeMedia, err := l.openMedia()
	if err != nil {
		return err
	}
	defer closeMedia()
	source, err := langfuse.OpenDatabase(ctx, langfuse.DatabaseOptions{
		Postgres: l.Postgres.Reveal(), ClickHouse: l.Clickhouse.Reveal(), Salt: l.Salt.Reveal(),
		EncryptionKey: l.SourceEncryptionKey.Reveal(),
		Secrets:       box, Scope: domain.OfProject, Media: media,
		Here: func(ctx context.Context, id string) (bool, error) {
			_, err := into.catalog.Project(ctx, domain.OfProject(id))
			if errors.Is(err, domain.ErrNotFound) {
				return false, nil
			}
			return err == nil, err
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	// the source has checked that it exists
	target := into.target(func(id string) (domain.ProjectScope, error) { return domain.OfProject(id), nil })
	return t.runImport(ctx, &importing.Import{Source: source, Target: target, Restart: l.Restart})
}
