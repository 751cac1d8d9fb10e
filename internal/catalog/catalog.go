package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/inbox"
	"almanac/internal/catalog/media"
	"almanac/internal/catalog/people"
	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/sqldb"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// The groups of tables that have their own packages.
type (
	blobsCatalog     = media.Catalog
	exportsCatalog   = exports.Catalog
	peopleCatalog    = people.Catalog
	promptingCatalog = prompts.Catalog
	tenantsCatalog   = tenants.Catalog
)

// Catalog is an open control-plane database. It is safe for concurrent use.
type Catalog struct {
	db *tables.DB
	*blobsCatalog
	*exportsCatalog
	*peopleCatalog
	*promptingCatalog
	*tenantsCatalog

	Inbox *inbox.Catalog

	AnnotationQueues tables.Entity[domain.AnnotationQueue]
	Comments         tables.Entity[domain.Comment]
	Dashboards       tables.Entity[domain.Dashboard]
	EvaluationRules  tables.Entity[domain.EvaluationRule]
	Evaluators       tables.Entity[domain.Evaluator]
	LLMConnections   tables.Entity[domain.LLMConnection]
	LLMSchemas       tables.Entity[domain.LLMSchema]
	LLMTools         tables.Entity[domain.LLMTool]
	ModelDefinitions tables.Entity[domain.Model] // the projects' own
	Playgrounds      tables.Entity[domain.Playground]
	ScoreConfigs     tables.Entity[domain.ScoreConfig]
	Widgets          tables.Entity[domain.Widget]
}

// New returns the catalog stored in a database that already has this program's schema.
func New(db *tables.DB) *Catalog {
	return &Catalog{
		db, media.New(db), exports.New(db), people.New(db), prompts.New(db), tenants.New(db),
		inbox.New(db), annotationQueues.In(db, tables.OrderedID), comments.In(db, tables.OrderedID), dashboards.In(db, tables.OrderedID),
		rules.In(db, tables.OrderedID), evaluators.In(db, tables.OrderedID),
		llmConnections.In(db, tables.OrderedID), llmSchemas.In(db, tables.OrderedID), llmTools.In(db, tables.OrderedID),
		models.In(db, domain.NewID), playgrounds.In(db, domain.NewID), scoreConfigs.In(db, domain.NewID),
		widgets.In(db, tables.OrderedID),
	}
}

// Open opens the database at the address, a PostgreSQL URL or the path of an SQLite file, creating the file if it does
// not exist, and migrates its schema to this program's version. It is for the server.
func Open(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, (*Catalog).migrate)
}

// OpenDB opens a database as Open does, for use with New. Tests use it to inspect rows and to set the clock.
func OpenDB(ctx context.Context, address string) (*tables.DB, error) {
	c, err := Open(ctx, address)
	if err != nil {
		return nil, err
	}
	return c.db, nil
}

// OpenCurrent opens a database that already has this program's schema, and changes nothing. It is for commands that run
// beside a server, whose version may differ.
func OpenCurrent(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, (*Catalog).requireCurrent)
}

// OpenOrCreate opens a database as OpenCurrent does, but creates the schema if the database is empty. It is for
// commands that may be the first to run in a new installation.
func OpenOrCreate(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, func(c *Catalog, ctx context.Context) error {
		_, current, _, err := c.schemaStatus(ctx)
		switch {
		case err != nil:
			return err
		case current == 0:
			return c.migrate(ctx)
		}
		return c.requireCurrent(ctx)
	})
}

// OpenAsIs opens a database with this program's schema or an earlier one, and changes nothing. With an earlier schema,
// only Verify and Backup are useful.
func OpenAsIs(ctx context.Context, address string) (c *Catalog, earlier bool, err error) {
	c, err = open(ctx, address, func(c *Catalog, ctx context.Context) error {
		missing, _, _, err := c.schemaStatus(ctx)
		earlier = len(missing) > 0
		return err
	})
	return c, earlier, err
}

func open(ctx context.Context, address string, prepare func(*Catalog, context.Context) error) (*Catalog, error) {
	return prepared(ctx, prepare, func() (*sqldb.DB, error) {
		if IsPostgres(address) {
			return sqldb.OpenPostgres(ctx, address)
		}
		return sqldb.OpenSQLite(ctx, address, nil)
	})
}

// OpenSQLite opens a database file as Open does, through a driver that wraps the SQLite driver. Tests use it to make
// statements fail.
func OpenSQLite(ctx context.Context, path string, wrap func(driver.Driver) driver.Driver) (*Catalog, error) {
	return prepared(ctx, (*Catalog).migrate, func() (*sqldb.DB, error) { return sqldb.OpenSQLite(ctx, path, wrap) })
}

// OpenBackup opens a copy of an SQLite database, as written by Backup, for reading. The file is not changed, and nothing
// else may change it meanwhile. With an earlier schema, only Verify and Backup are useful.
func OpenBackup(ctx context.Context, path string) (c *Catalog, earlier bool, err error) {
	c, err = prepared(ctx, func(c *Catalog, ctx context.Context) error {
		missing, _, _, err := c.schemaStatus(ctx)
		earlier = len(missing) > 0
		return err
	}, func() (*sqldb.DB, error) { return sqldb.OpenCopy(path) })
	return c, earlier, err
}

// CheckBackup refuses a copy of an SQLite database that was written by a newer program, as OpenBackup does.
func CheckBackup(ctx context.Context, path string) error {
	c, _, err := OpenBackup(ctx, path)
	if err != nil {
		return err
	}
	return c.Close()
}

// prepared opens a database, prepares its schema and returns the catalog in it.
func prepared(ctx context.Context, prepare func(*Catalog, context.Context) error, openDB func() (*sqldb.DB, error)) (*Catalog, error) {
	db, err := openDB()
	if err != nil {
		return nil, fmt.Errorf("cannot open the catalog database: %w", err)
	}
	c := New(&tables.DB{SQL: db, Now: time.Now})
	if err := prepare(c, ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return c, nil
}

// IsPostgres reports whether the address is a PostgreSQL URL rather than the path of a file.
func IsPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Close releases the database. There is nothing to flush: a write is durable once its method has returned.
func (c *Catalog) Close() error { return c.db.SQL.Close() }

// Ping checks that the database responds.
func (c *Catalog) Ping(ctx context.Context) error {
	if err := c.db.SQL.Read.PingContext(ctx); err != nil {
		return fmt.Errorf("the catalog database is not responding: %w", err)
	}
	return nil
}

// Verify checks the database file for damage and returns a message for each fault found.
func (c *Catalog) Verify(ctx context.Context) ([]string, error) {
	found, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], c.db.SQL.Verify)
	if err != nil {
		return nil, fmt.Errorf("cannot verify the catalog: %w", err)
	}
	if len(found) == 1 && found[0] == "ok" {
		return nil, nil
	}
	return found, nil
}

// IsOutOfSpace reports whether err means that the database has temporarily run out of a resource, such as disk space.
// In that case nothing was changed.
func (c *Catalog) IsOutOfSpace(err error) bool { return c.db.SQL.IsOutOfSpace(err) }

// IsUnavailable reports whether err means that the database cannot be reached for now.
func (c *Catalog) IsUnavailable(err error) bool { return c.db.SQL.IsUnavailable(err) }
