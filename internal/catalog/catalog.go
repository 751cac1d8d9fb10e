package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"almanac/internal/catalog/blobs"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/people"
	"almanac/internal/catalog/prompting"
	"almanac/internal/catalog/rows"
	"almanac/internal/catalog/sqldb"
	"almanac/internal/catalog/tenants"
)

// The groups of tables with packages of their own.
type (
	blobsCatalog     = blobs.Catalog
	exportsCatalog   = exports.Catalog
	peopleCatalog    = people.Catalog
	promptingCatalog = prompting.Catalog
	tenantsCatalog   = tenants.Catalog
)

// Catalog is an open control-plane database. Its methods may be called from many goroutines.
type Catalog struct {
	db *rows.DB
	*blobsCatalog
	*exportsCatalog
	*peopleCatalog
	*promptingCatalog
	*tenantsCatalog
}

// New returns the catalog in a database that has this program's schema.
func New(db *rows.DB) *Catalog {
	return &Catalog{db, blobs.New(db), exports.New(db), people.New(db), prompting.New(db), tenants.New(db)}
}

// Open opens the database at the address, a PostgreSQL URL or the path of an SQLite file, which is created if it
// does not exist, and brings its schema up to this program's version. It is for the server.
func Open(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, (*Catalog).migrate)
}

// OpenDB opens a database as Open does, for New. Tests look at its rows and set its clock.
func OpenDB(ctx context.Context, address string) (*rows.DB, error) {
	c, err := Open(ctx, address)
	if err != nil {
		return nil, err
	}
	return c.db, nil
}

// OpenCurrent opens a database that has this program's schema already and changes nothing. It is for commands that run
// beside a server, which may be of another version.
func OpenCurrent(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, (*Catalog).requireCurrent)
}

// OpenOrMake opens a database as OpenCurrent does; in an empty one it makes the schema. It is for commands that a new installation can
// begin with.
func OpenOrMake(ctx context.Context, address string) (*Catalog, error) {
	return open(ctx, address, func(c *Catalog, ctx context.Context) error {
		_, current, _, err := c.age(ctx)
		switch {
		case err != nil:
			return err
		case current == 0:
			return c.migrate(ctx)
		}
		return c.requireCurrent(ctx)
	})
}

// OpenAsIs opens a database with this program's schema or an earlier one, and changes nothing. Of an earlier one only Verify and
// Backup are of use.
func OpenAsIs(ctx context.Context, address string) (c *Catalog, earlier bool, err error) {
	c, err = open(ctx, address, func(c *Catalog, ctx context.Context) error {
		missing, _, _, err := c.age(ctx)
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

// OpenSQLite opens a database file as Open does, through a driver that wraps SQLite's: tests make statements fail in it.
func OpenSQLite(ctx context.Context, path string, wrap func(driver.Driver) driver.Driver) (*Catalog, error) {
	return prepared(ctx, (*Catalog).migrate, func() (*sqldb.DB, error) { return sqldb.OpenSQLite(ctx, path, wrap) })
}

// CheckBackup refuses a copy of an SQLite database that a newer program has written. The file is not changed, and nobody may be
// changing it.
func CheckBackup(ctx context.Context, path string) error {
	db, err := sqldb.OpenCopy(path)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // only read
	_, _, _, err = New(&rows.DB{SQL: db}).age(ctx)
	return err
}

// prepared returns the catalog in a database once its schema is as it should be.
func prepared(ctx context.Context, prepare func(*Catalog, context.Context) error, openDB func() (*sqldb.DB, error)) (*Catalog, error) {
	db, err := openDB()
	if err != nil {
		return nil, fmt.Errorf("cannot open the catalog database: %w", err)
	}
	c := New(&rows.DB{SQL: db, Now: time.Now})
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

// Close releases the database. Nothing is left to write: every method that returned is durable.
func (c *Catalog) Close() error { return c.db.SQL.Close() }

// Ping reports whether the database answers.
func (c *Catalog) Ping(ctx context.Context) error {
	if err := c.db.SQL.Read.PingContext(ctx); err != nil {
		return fmt.Errorf("the catalog database does not answer: %w", err)
	}
	return nil
}

// Verify checks the database file for damage and returns a text for each fault found.
func (c *Catalog) Verify(ctx context.Context) ([]string, error) {
	found, err := rows.QueryAll(ctx, c.db.Reader(), rows.ScanValue[string], c.db.SQL.Verify)
	if err != nil {
		return nil, fmt.Errorf("cannot verify the catalog: %w", err)
	}
	if len(found) == 1 && found[0] == "ok" {
		return nil, nil
	}
	return found, nil
}

// IsOutOfSpace reports whether an error means that the database has run out of something that may come back, such as space on its
// disk. Nothing was changed then.
func (c *Catalog) IsOutOfSpace(err error) bool { return c.db.SQL.IsOutOfSpace(err) }
