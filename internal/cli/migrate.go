package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/store/clickhouse"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/migrate"
)

type migrateCommand struct {
	Data string        `help:"Data directory of the installation to copy. A server may be running on it." default:"./almanac-data" placeholder:"DIR"`
	To   config.Secret `help:"Where events go: clickhouse://user:password@host:8123/database?cluster=NAME." placeholder:"URL"`
	// The others are named like the options of the servers that will use them.
	Catalog          config.Secret `help:"Where the catalog goes: the URL of an empty PostgreSQL database." placeholder:"URL"`
	Blob             string        `help:"Where media go: s3://BUCKET/PREFIX?region=REGION&endpoint=URL." placeholder:"URL"`
	BlobAccessKey    string        `help:"Access key of the bucket." placeholder:"KEY" also:"AWS_ACCESS_KEY_ID"`
	BlobSecretKey    config.Secret `help:"Secret key of the bucket." placeholder:"KEY" also:"AWS_SECRET_ACCESS_KEY"`
	BlobSessionToken config.Secret `help:"Session token of the bucket, for temporary credentials." placeholder:"TOKEN" also:"AWS_SESSION_TOKEN"`
	KeepIntegrations bool          `help:"Leave scheduled exports enabled in the copied catalog, and keep the id by which their buckets know this installation. Use it in the last run, when the server is stopped for good."`
}

// Help returns the text shown below the options of the command.
func (*migrateCommand) Help() string {
	return `Copies the data directory of a server to storage that several servers can share. Everything acknowledged before the command started is copied; every day of every project is read back and compared. The data directory is not changed.

It can be interrupted and run again: nothing is copied twice. So run it once while the server is running, which may take a long time; then stop the server, run it again to copy what has arrived since, and start the new servers with the same --catalog and --blob, with the value of --to as --store, and with the encryption key of this installation.`
}

func (m *migrateCommand) Run(t *terminal) (err error) {
	if m.To == "" && m.Catalog == "" && m.Blob == "" {
		return errors.New("no destination: set at least one of --to, --catalog and --blob")
	}
	if m.Catalog != "" && !catalog.IsPostgres(m.Catalog.Reveal()) {
		return errors.New("--catalog is not the URL of a PostgreSQL database: it must start with postgres://")
	}
	if _, err := os.Stat(datadir.CatalogFile(m.Data)); err != nil {
		return fmt.Errorf("there is no catalog in %s: set the data directory with --data: %w", m.Data, err)
	}
	began := time.Now()
	work, err := m.snapshot(t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	source, err := catalog.Open(t.ctx, datadir.CatalogFile(work)) // nobody else uses it, so migrations may run
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // only read
	// The catalog comes first: events must not arrive before their project.
	for _, step := range []func(*terminal, *catalog.Catalog, string) error{m.copyCatalog, m.copyEvents, m.copyMedia} {
		if err := step(t, source, work); err != nil {
			return err
		}
	}
	t.printf("Copied everything as of %s.\n", began.UTC().Format("2006-01-02 15:04:05 MST"))
	if _, err := os.Stat(datadir.KeyFile(m.Data)); err == nil && m.Catalog != "" {
		t.printf("Servers on the new catalog need the key in %s as --encryption-key (ALMANAC_ENCRYPTION_KEY_FILE): without it the "+
			"secrets in the catalog cannot be read.\n",
			datadir.KeyFile(m.Data))
	}
	return nil
}

// snapshot copies the events and the catalog next to the data directory, so that event files are linked instead of
// copied. A snapshot left by an earlier run is removed.
func (m *migrateCommand) snapshot(t *terminal) (string, error) {
	work := filepath.Clean(m.Data) + ".migrating"
	if err := os.RemoveAll(work); err != nil {
		return "", fmt.Errorf("cannot remove the snapshot of an earlier run: %w", err)
	}
	if err := datadir.MakeEmpty(t.disk, work); err != nil {
		return "", err
	}
	fail := func(err error) (string, error) { return "", errors.Join(err, os.RemoveAll(work)) }
	there, err := hasEvents(m.Data)
	if err != nil {
		return fail(err)
	}
	if there && m.To != "" {
		t.say("taking a snapshot of the events")
		if err := segment.Backup(t.disk, datadir.EventsDir(m.Data), datadir.EventsDir(work),
			t.progress("taking a snapshot of the events")); err != nil {
			return fail(err)
		}
	}
	c, _, err := openCatalogAsIs(t.ctx, config.Storage{Data: m.Data})
	if err != nil {
		return fail(err)
	}
	defer c.Close() //nolint:errcheck // only read
	if err := c.Backup(t.ctx, t.disk, datadir.CatalogFile(work)); err != nil {
		return fail(err)
	}
	return work, nil
}

func (m *migrateCommand) copyCatalog(t *terminal, source *catalog.Catalog, _ string) (err error) {
	if m.Catalog == "" {
		return nil
	}
	target, err := catalog.Open(t.ctx, m.Catalog.Reveal())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	rows, err := source.CopyTo(t.ctx, target)
	if err != nil {
		return err
	}
	t.printf("catalog       %12d rows copied\n", rows)
	if m.KeepIntegrations {
		return nil
	}
	return becomeCopy(t, m.Catalog.Reveal(), "almanac migrate")
}

func (m *migrateCommand) copyEvents(t *terminal, source *catalog.Catalog, work string) (err error) {
	if there, err := hasEvents(work); m.To == "" || !there {
		return err
	}
	address, err := clickhouse.ParseAddress(m.To.Reveal())
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	projects, err := source.AllProjects(t.ctx)
	if err != nil {
		return err
	}
	scopes := make([]domain.ProjectScope, len(projects))
	for n, p := range projects {
		scopes[n] = domain.OfProject(p.ID)
	}
	from, err := segment.Open(datadir.EventsDir(work), segment.OptionsFor(0)) //nolint:forbidigo // a snapshot of our own
	if err != nil {
		return fmt.Errorf("cannot open the snapshot of the events: %w", err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	stats := from.Stats()
	all := stats.Observations.Rows + stats.Scores.Rows
	t.say("copying %d rows of %d projects", all, len(scopes))
	to, err := clickhouse.Open(t.ctx, address, clickhouse.Options{Patience: time.Minute})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	seen, last := int64(0), time.Now()
	total, err := migrate.Events(t.ctx, from, to, scopes, func(d migrate.Day) {
		seen += d.Rows
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			t.say("%d of %d rows copied and compared; finished %s of %s in project %s", seen, all, d.Kind, d.Date.Format(time.DateOnly),
				d.Project)
		}
	})
	if err != nil {
		return err
	}
	t.printf("events        %12d rows copied and compared, %d of them in this run, %d removed\n", total.Rows, total.Copied, total.Removed)
	return nil
}

func (m *migrateCommand) copyMedia(t *terminal, _ *catalog.Catalog, _ string) error {
	if m.Blob == "" {
		return nil
	}
	directory := datadir.MediaDir(m.Data)
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	to, err := blob.OpenBucket(blob.BucketOptions{
		Address: m.Blob, AccessKey: m.BlobAccessKey, SecretKey: m.BlobSecretKey.Reveal(),
		SessionToken: m.BlobSessionToken.Reveal(), Client: blob.TrustedClient(),
	})
	if err != nil {
		return fmt.Errorf("--blob: %w", err)
	}
	defer to.Close()
	last := time.Now()
	files, copied, err := migrate.Media(t.ctx, directory, to, func(files, copied int64) {
		if now := time.Now(); now.Sub(last) >= time.Second {
			last = now
			t.say("%d media files copied, %d of them in this run", files, copied)
		}
	})
	if err != nil {
		return err
	}
	t.printf("media         %12d files copied, %d of them in this run\n", files, copied)
	return nil
}
