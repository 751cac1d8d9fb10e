package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/media"
	"almanac/internal/store"
	"almanac/internal/store/clickhouse"
	"almanac/internal/store/eventdir"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/localstore"
	"almanac/internal/transfer/scheduled"
)

// installation is what an import writes to. No other import writes to its data directory meanwhile.
type installation struct {
	catalog *catalog.Catalog
	events  importing.Events
	media   *media.Library
	closers []func() error
}

// openInstallation opens the storage that the options name, as the server does. The parts that live in the data
// directory are created if they do not exist. If a server runs on the directory, it writes the events.
func (t *terminal) openInstallation(ctx context.Context, s config.Storage) (_ *installation, err error) {
	i := new(installation)
	defer func() {
		if err != nil {
			err = errors.Join(err, i.close())
		}
	}()
	if s.Catalog == "" || !s.EventsInClickHouse() {
		directory, err := datadir.Open(s.Data)
		switch {
		case errors.Is(err, datadir.ErrInUse) && localstore.Exists(s.Data):
			return i, t.joinServer(ctx, i, s)
		case err != nil:
			return nil, err
		}
		i.closers = append(i.closers, directory.Close)
	}
	if err := i.openCatalog(ctx, s); err != nil {
		return nil, err
	}
	if err := i.openStore(ctx, s); err != nil {
		return nil, err
	}
	return i, i.openMedia(s)
}

// joinServer opens what a running server of the data directory shares with other processes, and has the server write
// events. Its caches are told what the import changes in the catalog.
func (t *terminal) joinServer(ctx context.Context, i *installation, s config.Storage) error {
	only, err := datadir.LockImport(s.Data)
	if err != nil {
		return err
	}
	i.closers = append(i.closers, only.Close)
	client := localstore.NewClient(s.Data, func(err error) { t.say("waiting for the server: %v", err) })
	i.closers = append(i.closers, client.Close)
	if err := client.Ping(ctx); err != nil { // before anything is written, above all to a catalog of another version
		return err
	}
	t.say("importing into the server that runs on %s", s.Data)
	if i.catalog, err = openCatalog(ctx, s); err != nil {
		return err
	}
	i.closers = append(i.closers, i.catalog.Close)
	if s.Catalog == "" {
		i.catalog.Subscribe(func(change tables.Change) {
			if err := client.Announce(ctx, change); err != nil {
				t.say("the server may show earlier settings of %s until it is restarted: %v", change.Kind, err)
			}
		})
	}
	i.events = importing.Events{Observations: client.Observations(), Scores: client.Scores()}
	return i.openMedia(s)
}

func (i *installation) openCatalog(ctx context.Context, s config.Storage) (err error) {
	if s.Catalog == "" { // nobody else has it open, so migrations may run
		i.catalog, err = catalog.Open(ctx, datadir.CatalogFile(s.Data))
	} else {
		i.catalog, err = catalog.OpenOrCreate(ctx, s.CatalogAddress(""))
	}
	if err == nil {
		i.closers = append(i.closers, i.catalog.Close)
	}
	return err
}

func (i *installation) openStore(ctx context.Context, s config.Storage) error {
	var opened store.Store
	if s.EventsInClickHouse() {
		address, err := clickhouse.ParseAddress(s.Store.Reveal())
		if err != nil {
			return fmt.Errorf("--store: %w", err)
		}
		events, err := clickhouse.Open(ctx, address, clickhouse.Options{Patience: time.Minute})
		if err != nil {
			return fmt.Errorf("cannot open the event store: %w", err)
		}
		opened = events
	} else {
		options := segment.OptionsFor(0)
		options.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
		events, err := eventdir.Open(ctx, i.catalog, s, options)
		if err != nil {
			return fmt.Errorf("cannot open the event store: %w", err)
		}
		opened = events
	}
	i.closers = append(i.closers, opened.Close)
	// Scheduled exports must also record what an import deletes.
	i.events = importing.EventsOf(&scheduled.Recorder{
		Store: opened, Catalog: i.catalog, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	return nil
}

func (i *installation) openMedia(s config.Storage) error {
	i.media = &media.Library{Catalog: i.catalog}
	if s.BlobsInBucket() {
		bucket, err := blob.OpenBucket(blob.BucketOptions{
			Address: s.Blob, AccessKey: s.BlobAccessKey, SecretKey: s.BlobSecretKey.Reveal(),
			SessionToken: s.BlobSessionToken.Reveal(), Client: blob.TrustedClient(),
		})
		if err != nil {
			return fmt.Errorf("--blob: %w", err)
		}
		i.media.Blobs = bucket
		i.closers = append(i.closers, func() error { bucket.Close(); return nil })
		return nil
	}
	directory, err := blob.OpenDirectory(s.BlobDirectory(datadir.MediaDir(s.Data)))
	if err != nil {
		return fmt.Errorf("cannot open the media directory (--blob): %w", err)
	}
	i.media.Blobs = directory
	return nil
}

// close closes everything that was opened, in reverse order.
func (i *installation) close() (err error) {
	for n := range i.closers {
		err = errors.Join(err, i.closers[len(i.closers)-1-n]())
	}
	i.closers = nil
	return err
}

// target returns the target of an import. The function project maps a project of the source to one of this
// installation.
func (i *installation) target(project func(sourceID string) (domain.ProjectScope, error)) *importing.Target {
	return &importing.Target{Catalog: i.catalog, Events: i.events, Media: i.media, Actor: operator, Project: project}
}

// wantedProject is a project that an import needs.
type wantedProject struct {
	id, name                         string
	organizationID, organizationName string
	retentionDays                    int
	metadata                         []byte
}

// ensureProject creates a project and its organization unless it exists. It reports whether the project was created.
func (i *installation) ensureProject(ctx context.Context, p wantedProject) (made bool, err error) {
	_, err = i.catalog.Project(ctx, domain.OfProject(p.id))
	if err == nil || !errors.Is(err, domain.ErrNotFound) {
		return false, err
	}
	if p.organizationID == "" {
		organizations, err := i.catalog.Organizations(ctx)
		if err != nil {
			return false, err
		}
		if len(organizations) > 1 {
			return false,
				fmt.Errorf("there is no project %q, and the organization to create it in is unknown: create it with almanac projects "+
					"create", p.id)
		}
		for _, o := range organizations {
			p.organizationID = o.ID
		}
	}
	if p.organizationID == "" {
		p.organizationID, p.organizationName = domain.NewID(), "Imported"
	}
	if _, err := i.catalog.Organization(ctx, domain.OfOrganization(p.organizationID)); errors.Is(err, domain.ErrNotFound) {
		if _, err := i.catalog.CreateOrganization(ctx, p.organizationID, p.organizationName, operator); err != nil {
			return false, fmt.Errorf("cannot create the organization %q: %w", p.organizationID, err)
		}
	} else if err != nil {
		return false, err
	}
	n := tenants.NewProject{ID: p.id, Name: p.name, RetentionDays: p.retentionDays}
	if len(p.metadata) > 0 && p.metadata[0] == '{' {
		n.Metadata = p.metadata
	}
	_, err = i.catalog.CreateProject(ctx, domain.OfOrganization(p.organizationID), n, operator)
	return err == nil, err
}

// projectFor returns the project to import into: the one with the given id, or the only one. If the installation has no
// projects, the one with the given id is created.
func (i *installation) projectFor(ctx context.Context, t *terminal, id string) (string, error) {
	if id != "" {
		projects, err := allProjects(ctx, i.catalog)
		if err != nil {
			return "", err
		}
		if len(projects) == 0 {
			return id, i.makeProject(ctx, t, wantedProject{id: id, name: id})
		}
	}
	p, err := oneProject(ctx, i.catalog, id)
	return p.ID, err
}

// makeProject creates a project unless it exists.
func (i *installation) makeProject(ctx context.Context, t *terminal, p wantedProject) error {
	made, err := i.ensureProject(ctx, p)
	if err != nil {
		return fmt.Errorf("cannot create the project %q: %w", p.id, err)
	}
	if made {
		t.say("created the project %s", p.id)
	}
	return nil
}

// runImport runs an import, reports progress, and prints the result for each table.
func (t *terminal) runImport(ctx context.Context, i *importing.Import) error {
	began, last := time.Now(), time.Now()
	i.Progress = func(r importing.Report, finished bool) {
		if now := time.Now(); finished && r.Counted > 0 || now.Sub(last) >= time.Second {
			last = now
			t.say("%s: %d records, %s", r.Table, r.Counted, now.Sub(began).Round(time.Second))
		}
	}
	reports, err := i.Run(ctx)
	t.printReports(reports)
	if err != nil {
		return fmt.Errorf("the import is incomplete: %w\nRun the same command again to resume it", err)
	}
	return nil
}

func (t *terminal) printReports(reports []importing.Report) {
	w := tabwriter.NewWriter(t.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TABLE\tCOUNTED\tIMPORTED\tUNCHANGED\tSKIPPED\tDIGEST")
	var remarks []string
	for _, r := range reports {
		skipped := int64(0)
		for _, s := range r.Skipped {
			skipped += s.Count
			remarks = append(remarks, fmt.Sprintf("%s: %d skipped, %s (for example %q)", r.Table, s.Count, s.Reason, s.Example))
		}
		for _, note := range r.Notes {
			remarks = append(remarks, r.Table+": "+note)
		}
		digest := r.Digest.String()
		if r.Counted == skipped {
			digest = "-"
		}
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\n", r.Table, r.Counted, r.Imported, r.Unchanged, skipped, digest)
	}
	_ = w.Flush()
	if len(remarks) > 0 {
		t.printf("\n%s\n", strings.Join(remarks, "\n"))
	}
}
