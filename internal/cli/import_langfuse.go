package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/config"
	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/almanac"
	"almanac/internal/transfer/importing/langfuse"
)

type importLangfuseCommand struct {
	From              string        `help:"Address of the installation to import from." placeholder:"URL" xor:"source" also:"LANGFUSE_BASE_URL"`
	PublicKey         string        `help:"Public key of the project to import." placeholder:"KEY" also:"LANGFUSE_PUBLIC_KEY"`
	SecretKey         config.Secret `help:"Its secret key." placeholder:"KEY" also:"LANGFUSE_SECRET_KEY"`
	KeepKey           bool          `help:"Let clients keep using this key pair: they only have to change the address."`
	RequestsPerMinute int           `help:"Maximum number of requests per minute. Default: as many as the source allows." placeholder:"NUMBER"`
	SourceVersion     int           `help:"Major version of the source, 3 or 4. Default: as reported by the source." placeholder:"NUMBER"`

	Files string `help:"Import files instead of using the API of an installation: directory with the files of its scheduled export to blob storage." placeholder:"DIR" xor:"source"`

	databaseSource `embed:""`

	Since   *time.Time `help:"Only traces, observations and scores from this time or later, such as 2026-11-01T00:00:00Z." placeholder:"TIME"`
	Project string     `help:"Id of the project to import into. Default: the project with the same id as in the source, which is created if it does not exist." placeholder:"ID"`
	Restart bool       `help:"Start over, even if an earlier import was interrupted."`

	config.Storage `embed:""`
}

// Help returns the text shown below the options of the command.
func (*importLangfuseCommand) Help() string {
	return `Imports a project from Langfuse 3 or 4: traces, observations, scores, prompts with all versions and labels, datasets, runs and experiments, score configs, annotation queues, comments, models, media, dashboards, evaluators and rules. Ids, times, costs and authors are preserved. The server of --data may be running.

Through the API, with the keys of the project:
  almanac import langfuse --from https://cloud.langfuse.com --public-key pk-lf-… --secret-key sk-lf-… --keep-key
From the files of a scheduled export, copied from the bucket:
  almanac import langfuse --files ./bucket
From its databases, with API keys and secrets, and media from its bucket:
  almanac import langfuse --postgres postgresql://… --clickhouse clickhouse://… --salt … --source-encryption-key …

An interrupted import is resumed by running the same command again. An import can be repeated, and imports nothing twice. Later changes made here to prompts, datasets and other settings are kept; traces, observations and scores get the values of the source again. The report counts imported and skipped records, with reasons, and has a digest for each table.`
}

func (l *importLangfuseCommand) Run(t *terminal) (err error) {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	switch {
	case l.Postgres != "" && (l.Project != "" || l.Since != nil || l.KeepKey):
		return errors.New("--postgres imports all projects as they are, with their keys: omit --project, --since and --keep-key")
	case l.Postgres != "":
	case l.Files == "" && l.From == "":
		return errors.New("nothing to import from: set --from, --public-key and --secret-key for the API of an installation, --postgres " +
			"and --clickhouse for its databases, or --files for files of a scheduled export")
	case l.Files == "" && (l.PublicKey == "" || l.SecretKey == ""):
		return errors.New("--from requires the keys of a project: --public-key and --secret-key")
	case l.KeepKey && l.Files != "":
		return errors.New("--keep-key works only with --from: files come without a key")
	}
	into, err := t.openInstallation(ctx, l.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, into.close()) }()
	if l.Postgres != "" {
		return l.fromDatabases(ctx, t, into)
	}
	if l.Files != "" {
		return l.fromFiles(ctx, t, into)
	}
	return l.fromAPI(ctx, t, into)
}

func (l *importLangfuseCommand) fromAPI(ctx context.Context, t *terminal, into *installation) error {
	options := langfuse.Options{
		URL: l.From, PublicKey: l.PublicKey, SecretKey: l.SecretKey.Reveal(), RequestsPerMinute: l.RequestsPerMinute,
		Version: l.SourceVersion,
		Into:    l.Project,
	}
	if l.Since != nil {
		options.Since = *l.Since
	}
	source, err := langfuse.Open(ctx, options)
	if err != nil {
		return err
	}
	p := source.Project()
	wanted := wantedProject{
		id: p.ID, name: p.Name, organizationID: p.Organization.ID, organizationName: p.Organization.Name, metadata: p.Metadata,
	}
	if p.RetentionDays != nil {
		wanted.retentionDays = *p.RetentionDays
	}
	t.say("importing project %q (%s) of version %d from %s", p.Name, p.ID, source.Version(), l.From)
	return l.run(ctx, t, into, source, map[string]wantedProject{p.ID: wanted})
}

func (l *importLangfuseCommand) fromFiles(ctx context.Context, t *terminal, into *installation) error {
	options := langfuse.FileOptions{Directory: l.Files}
	if l.Since != nil {
		options.Since = *l.Since
	}
	ours, err := almanac.IsOurs(l.Files)
	if err != nil {
		return err
	}
	if ours { // their deletions have to be applied as well
		e := importExportCommand{Paths: []string{l.Files}, Project: l.Project, Restart: l.Restart}
		return e.run(ctx, t, into, domain.MicrosOf(options.Since))
	}
	source, err := langfuse.OpenFiles(options)
	if err != nil {
		return err
	}
	wanted := make(map[string]wantedProject)
	for _, id := range source.Projects() {
		wanted[id] = wantedProject{id: id, name: id}
	}
	if l.Project != "" && len(wanted) > 1 {
		return fmt.Errorf("the files belong to %d projects, but --project names only one to import them into: import the directory of a "+
			"single project", len(wanted))
	}
	return l.run(ctx, t, into, source, wanted)
}

// run imports the projects of a source, creating them if they do not exist.
func (l *importLangfuseCommand) run(
	ctx context.Context, t *terminal, into *installation, source importing.Source, wanted map[string]wantedProject,
) error {
	scopes := make(map[string]domain.ProjectScope, len(wanted))
	for id, w := range wanted {
		if l.Project != "" {
			if _, err := into.catalog.Project(ctx, domain.OfProject(l.Project)); err != nil {
				return err
			}
			scopes[id] = domain.OfProject(l.Project)
		} else {
			if err := into.makeProject(ctx, t, w); err != nil {
				return err
			}
			scopes[id] = domain.OfProject(id)
		}
		if l.KeepKey {
			if err := l.keepKey(ctx, t, into.catalog, scopes[id]); err != nil {
				return err
			}
		}
	}
	return t.runImport(ctx, &importing.Import{
		Source: source, Into: l.Project, Restart: l.Restart,
		Target: into.target(func(id string) (domain.ProjectScope, error) {
			scope, ok := scopes[id]
			if !ok {
				return scope, fmt.Errorf("the source has a project %q that did not exist when the import started", id)
			}
			return scope, nil
		}),
	})
}

// keepKey adds the key that the import uses to the project here.
func (l *importLangfuseCommand) keepKey(ctx context.Context, t *terminal, c *catalog.Catalog, scope domain.ProjectScope) error {
	p, err := c.Project(ctx, scope)
	if err != nil {
		return err
	}
	pair := domain.KeyPair{PublicKey: l.PublicKey, SecretKey: l.SecretKey.Reveal()}
	known, err := c.KeyByPublic(ctx, pair.PublicKey)
	switch {
	case err == nil && known.ProjectID == p.ID:
		return nil
	case err == nil:
		return fmt.Errorf("the key %s belongs to another project here: omit --keep-key", pair.PublicKey)
	case !errors.Is(err, domain.ErrNotFound):
		return err
	}
	if _, err := c.CreateKey(ctx, domain.OfOrganization(p.OrganizationID), tenants.NewKey{
		ProjectID: p.ID, PublicKey: pair.PublicKey, SecretHash: auth.HashSecret(pair.SecretKey), DisplaySecret: pair.DisplaySecret(),
		Note: new("imported"), Permissions: domain.AllPermissions(),
	}, operator); err != nil {
		return fmt.Errorf("cannot keep the key %s: %w", pair.PublicKey, err)
	}
	t.say("the key %s now works here as well", pair.PublicKey)
	return nil
}
