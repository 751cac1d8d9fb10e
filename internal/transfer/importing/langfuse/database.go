package langfuse

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"almanac/internal/access/secretbox"
	"almanac/internal/domain"
	"almanac/internal/store/clickhouse"
	"almanac/internal/transfer/importing"
)

// DatabaseOptions configures access to the databases of an installation, and to its hashed and encrypted secrets.
type DatabaseOptions struct {
	Postgres      string // a URL, as configured in the installation
	ClickHouse    string // the address of the HTTP interface; empty to leave traces, observations and scores out
	Salt          string // empty: keys are checked against the slower hash
	EncryptionKey string // empty: connections are left out
	// Secrets seals what is decrypted.
	Secrets *secretbox.Box
	// Scope returns the scope of a project, for which a secret is sealed.
	Scope func(projectID string) domain.ProjectScope
	// Media opens a file in the media bucket and returns its length. It returns fs.ErrNotExist if there is no such
	// file. If nil, media are left out.
	Media func(ctx context.Context, path string) (body io.ReadCloser, length int64, err error)
	// Here reports whether a project exists in the target by now. Rows of other projects are skipped.
	Here func(ctx context.Context, projectID string) (bool, error)
}

// Database is an import source that reads all organizations of an installation from its databases.
type Database struct {
	options  DatabaseOptions
	postgres *sql.DB
	events   *clickhouse.Foreign
	address  string // addresses of both, without credentials
	secrets  *decrypter
	rows     rows
	columns  map[string][]string // by table in PostgreSQL
	inEvents map[string][]string // by table in ClickHouse
	projects []string
	configs  map[string]domain.ScoreConfig
	runs     map[string]string // target ids of runs by source id; loaded on demand
}

// OpenDatabase connects to the databases and reads which tables and columns exist.
func OpenDatabase(ctx context.Context, o DatabaseOptions) (_ *Database, err error) {
	d := &Database{options: o}
	if d.secrets, err = newDecrypter(o.EncryptionKey); err != nil {
		return nil, err
	}
	address, shown, err := postgresAddress(o.Postgres)
	if err != nil {
		return nil, err
	}
	d.address = shown
	if o.ClickHouse != "" {
		a, err := clickhouse.ParseAddress(o.ClickHouse)
		if err != nil {
			return nil, err
		}
		d.events, d.address = clickhouse.OpenForeign(a), d.address+" and "+a.String()
	}
	if d.postgres, err = sql.Open("pgx", address); err != nil {
		return nil, errors.New("the address of PostgreSQL is not a URL such as postgresql://user:password@host:5432/postgres")
	}
	d.postgres.SetMaxOpenConns(2)
	if err := d.look(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// postgresAddress returns a connection URL without parameters that only Prisma understands, for a read-only session,
// and an address to show.
func postgresAddress(text string) (address, shown string, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", "", errors.New("the address of PostgreSQL is not a URL such as postgresql://user:password@host:5432/postgres")
	}
	query := u.Query()
	if schema := query.Get("schema"); schema != "" {
		query.Set("search_path", schema)
	}
	for _, name := range []string{
		"schema", "connection_limit", "pool_timeout", "pgbouncer", "socket_timeout", "statement_cache_size", "sslidentity", "sslpassword",
		"sslaccept",
	} {
		query.Del(name)
	}
	query.Set("default_transaction_read_only", "on")
	u.RawQuery = query.Encode()
	shown = "postgresql://" + u.Host + u.Path
	if schema := query.Get("search_path"); schema != "" {
		shown += " schema " + schema
	}
	return u.String(), shown, nil
}

// Close closes the connections.
func (d *Database) Close() error {
	if d.events != nil {
		d.events.Close()
	}
	return d.postgres.Close()
}

// Identity identifies the databases by address.
func (d *Database) Identity() string { return "langfuse databases " + d.address }

func (d *Database) look(ctx context.Context) error {
	d.columns = make(map[string][]string)
	found, err := d.postgres.QueryContext(ctx,
		"SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()")
	if err != nil {
		return fmt.Errorf("cannot read which tables the source has: %w", err)
	}
	defer found.Close() //nolint:errcheck // only read
	for found.Next() {
		var table, column string
		if err := found.Scan(&table, &column); err != nil {
			return err
		}
		d.columns[table] = append(d.columns[table], column)
	}
	if err := found.Err(); err != nil {
		return fmt.Errorf("cannot read which tables the source has: %w", err)
	}
	if d.columns["projects"] == nil {
		return errors.New("the database has no table projects: it is not a Langfuse database, or Langfuse uses another schema " +
			"(?schema=NAME)")
	}
	if d.projects, err = d.texts(ctx, "SELECT id FROM projects"); err != nil {
		return err
	}
	slices.Sort(d.projects) // not by the collation of the database, since cursors are looked up in this order
	if d.events == nil {
		return nil
	}
	d.inEvents = make(map[string][]string)
	for row, err := range d.events.Rows(ctx, "SELECT table AS t, name AS n FROM system.columns WHERE database = currentDatabase()") {
		var column struct{ T, N string }
		if err == nil {
			err = json.Unmarshal(row, &column)
		}
		if err != nil {
			return fmt.Errorf("cannot read which tables ClickHouse has: %w", err)
		}
		d.inEvents[column.T] = append(d.inEvents[column.T], column.N)
	}
	return nil
}

// texts returns the first column of a query.
func (d *Database) texts(ctx context.Context, query string) (list []string, err error) {
	found, err := d.postgres.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer found.Close() //nolint:errcheck // only read
	for found.Next() {
		var text string
		if err := found.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, found.Err()
}

// databaseTable is a table of this source.
type databaseTable struct {
	name string
	read func(ctx context.Context, d *Database, cursor string) iter.Seq2[*importing.Page, error]
}

// by turns a method into a reader.
func by(
	read func(*Database, context.Context, string) iter.Seq2[*importing.Page, error],
) func(context.Context, *Database, string) iter.Seq2[*importing.Page, error] {
	return func(ctx context.Context, d *Database, cursor string) iter.Seq2[*importing.Page, error] {
		return read(d, ctx, cursor)
	}
}

// databaseTables are in dependency order.
var databaseTables = []databaseTable{
	{importing.Organizations, organizationRows.pages},
	{importing.Projects, projectRows.pages},
	{importing.Users, userRows.pages},
	{importing.Members, memberRows.pages},
	{"project_members", projectMemberRows.pages},
	{importing.Keys, keyRows.pages},
	{importing.BlobStorage, bucketRows.pages},
	{importing.ScoreConfigs, scoreConfigRows.pages},
	{importing.Models, modelRows.pages},
	{importing.LLMConnections, connectionRows.pages},
	{importing.Prompts, promptRows.pages},
	{importing.Datasets, datasetRows.pages},
	{importing.DatasetItems, itemRows.pages},
	{importing.Traces, by((*Database).traces)},
	{importing.Observations, by((*Database).observations)},
	{"events", by((*Database).eventRows)},
	{importing.DatasetRuns, runRows.pages},
	{importing.DatasetRunItems, by((*Database).runItems)},
	{importing.Scores, by((*Database).scores)},
	{importing.AnnotationQueues, queueRows.pages},
	{importing.AnnotationItems, queueItemRows.pages},
	{importing.AnnotationMembers, assignmentRows.pages},
	{importing.Comments, commentRows.pages},
	{importing.Widgets, widgetRows.pages},
	{importing.Dashboards, dashboardRows.pages},
	{importing.Evaluators, evaluatorRows.pages},
	{importing.EvaluationRules, ruleRows.pages},
	{importing.Media, mediaRows.pages},
	{importing.AuditLog, auditRows.pages},
}

// Tables returns all known tables, whether the source has them or not.
func (d *Database) Tables(context.Context) ([]string, error) {
	names := make([]string, 0, len(databaseTables))
	for _, t := range databaseTables {
		names = append(names, t.name)
	}
	return names, nil
}

// Pages reads a table. A table that the source does not have is empty and has a note.
func (d *Database) Pages(ctx context.Context, table, cursor string) iter.Seq2[*importing.Page, error] {
	n := slices.IndexFunc(databaseTables, func(t databaseTable) bool { return t.name == table })
	return databaseTables[n].read(ctx, d, cursor)
}

// relation defines how a PostgreSQL table is read: as JSON objects whose members have the API's names.
type relation[R any] struct {
	table string
	// columns are the columns to read; the source may lack some.
	columns string
	// query, if set, returns a query to read instead of the table.
	query func(d *Database) string
	// keys are the columns that order and identify rows, each with its type. The first is the project, unless own is
	// set, in which case rows belong to no project.
	keys []string
	own  bool
	// add adds a row to a page.
	add func(d *Database, page *importing.Page, row *R)
}

// has reports whether PostgreSQL has a column.
func (d *Database) has(table, column string) bool { return slices.Contains(d.columns[table], column) }

// fixed returns a constant query.
func fixed(query string) func(*Database) string { return func(*Database) string { return query } }

// skip records a row that is left out.
func skip(page *importing.Page, reason, id string) {
	page.Skipped = append(page.Skipped, importing.Skip{Reason: reason, Example: id})
}

// skippedProject is the reason for leaving out rows of a project that was deleted or could not be imported.
const skippedProject = "its project does not exist here"

// rowsAtOnce is the number of PostgreSQL rows read at a time.
const rowsAtOnce = 200

func (r relation[R]) pages(ctx context.Context, d *Database, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		there, known := d.columns[r.table]
		if !known {
			yield(&importing.Page{Note: "the source has no table " + r.table}, nil)
			return
		}
		var missing []string
		for name := range strings.FieldsSeq(r.columns) {
			if !slices.Contains(there, name) {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 && !yield(&importing.Page{
			Note: "the source has no columns " + strings.Join(missing, ", ") + " in " + r.table, Cursor: cursor,
		}, nil) {
			return
		}
		for {
			pages, last, err := r.some(ctx, d, cursor)
			if err != nil {
				yield(nil, fmt.Errorf("cannot read the table %s of the source: %w", r.table, err))
				return
			}
			for _, page := range pages {
				cursor = page.Cursor
				if !yield(page, nil) {
					return
				}
			}
			if last {
				return
			}
		}
	}
}

// some reads the rows after a cursor, in pages of one project each.
func (r relation[R]) some(ctx context.Context, d *Database, cursor string) (pages []*importing.Page, last bool, err error) {
	query, args, err := r.statement(d, cursor)
	if err != nil {
		return nil, false, err
	}
	found, err := d.postgres.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, false, err
	}
	defer found.Close() //nolint:errcheck // only read
	count, project := 0, ""
	for ; found.Next(); count++ {
		var text, key string
		if err := found.Scan(&text, &key); err != nil {
			return nil, false, err
		}
		var keys []string
		if err := json.Unmarshal([]byte(key), &keys); err != nil {
			return nil, false, err
		}
		if len(pages) == 0 || !r.own && project != keys[0] {
			here := true
			if !r.own {
				if here, err = d.options.Here(ctx, keys[0]); err != nil {
					return nil, false, err
				}
			}
			project, pages = keys[0], append(pages, new(importing.Page))
			if here && !r.own {
				pages[len(pages)-1].ProjectID = project
			}
		}
		page := pages[len(pages)-1]
		page.Cursor = key
		if page.ProjectID == "" && !r.own {
			skip(page, skippedProject, keys[len(keys)-1])
			continue
		}
		row := new(R)
		if err := json.Unmarshal(camelCase(text), row); err != nil {
			page.Skipped = append(page.Skipped, importing.Skip{Reason: "the row cannot be read", Example: keys[len(keys)-1]})
			continue
		}
		r.add(d, page, row)
	}
	return pages, count < rowsAtOnce, found.Err()
}

func (r relation[R]) statement(d *Database, cursor string) (string, []any, error) {
	var names, texts, values []string
	var args []any
	var after []string
	if cursor != "" {
		if err := json.Unmarshal([]byte(cursor), &after); err != nil || len(after) != len(r.keys) {
			return "", nil, fmt.Errorf("%q is not a cursor", cursor)
		}
	}
	for n, key := range r.keys {
		name, kind, _ := strings.Cut(key, " ")
		names, texts = append(names, "t."+name), append(texts, "t."+name+"::text")
		if after != nil {
			values, args = append(values, "$"+strconv.Itoa(n+1)+"::text::"+kind), append(args, after[n])
		}
	}
	from := "SELECT * FROM " + r.table
	if r.query != nil {
		from = r.query(d)
	}
	statement := "SELECT row_to_json(t)::text, json_build_array(" + strings.Join(texts, ", ") + ")::text FROM (" + from + ") t"
	if after != nil {
		statement += " WHERE (" + strings.Join(names, ", ") + ") > (" + strings.Join(values, ", ") + ")"
	}
	return statement + " ORDER BY " + strings.Join(names, ", ") + " LIMIT " + strconv.Itoa(rowsAtOnce), args, nil
}
