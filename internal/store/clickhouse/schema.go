package clickhouse

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// migration is a step from one version of the tables to the next. All statements are idempotent, so that a step may be
// interrupted, or run by two servers at the same time.
type migration struct {
	everywhere string // file for every installation
	cluster    string // additional file for clusters; "" if none
}

// migrations are in order; the first creates version 1. Released migrations must not be changed.
var migrations = []migration{
	{"001_tables.sql", "001_cluster.sql"},
	{"002_words.sql", ""},
	{"003_browser_key.sql", "003_cluster.sql"},
	{"004_arrivals.sql", ""},
	{"005_versions.sql", ""},
	{"006_inherited.sql", "006_cluster.sql"},
}

// migrationsTable records the versions that the tables have reached.
const migrationsTable = `CREATE TABLE IF NOT EXISTS almanac_migrations{on_cluster} (
	version UInt32,
	applied DateTime DEFAULT now()
) ENGINE = {replicated_once}MergeTree ORDER BY version`

// migrate brings the database up to date.
func (s *Store) migrate(ctx context.Context) error {
	a := s.client.address
	// A user who may not create a database must have been given one.
	if err := s.run(ctx, "CREATE DATABASE IF NOT EXISTS "+a.Database+"{on_cluster}", true); err != nil && !hasCode(err, codeAccessDenied) {
		return fmt.Errorf("creating the database %s: %w", a.Database, err)
	}
	if err := s.run(ctx, migrationsTable, false); err != nil {
		return fmt.Errorf("creating the table of migrations: %w", err)
	}
	version, err := s.version(ctx)
	if err != nil {
		return fmt.Errorf("reading the version of the tables: %w", err)
	}
	if version > len(migrations) {
		return fmt.Errorf("the tables have version %d, written by a newer version of Almanac; this version supports up to %d", version,
			len(migrations))
	}
	for ; version < len(migrations); version++ {
		if err := s.apply(ctx, migrations[version]); err != nil {
			return fmt.Errorf("migrating the tables to version %d: %w", version+1, err)
		}
		if err := s.run(ctx, fmt.Sprintf("INSERT INTO almanac_migrations (version) SELECT %d", version+1), false); err != nil {
			return fmt.Errorf("recording version %d of the tables: %w", version+1, err)
		}
	}
	return nil
}

// version returns the version of the tables; 0 if there are none.
func (s *Store) version(ctx context.Context) (int, error) {
	answer, err := s.client.open(ctx, &statement{
		sql: "SELECT toUInt8(1), toInt64(max(version)) FROM almanac_migrations FORMAT RowBinary", plain: true,
	})
	if err != nil {
		return 0, err
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	if !d.next() {
		return 0, errors.Join(d.err, errors.New("ClickHouse returned no rows"))
	}
	return int(d.int()), d.err
}

func (s *Store) apply(ctx context.Context, m migration) error {
	files := []string{m.everywhere}
	if s.client.address.Cluster != "" && m.cluster != "" {
		files = append(files, m.cluster)
	}
	for _, file := range files {
		text, err := schemaFiles.ReadFile("schema/" + file)
		if err != nil {
			return fmt.Errorf("reading %s: %w", file, err)
		}
		for n, sql := range statements(string(text)) {
			if err := s.run(ctx, sql, false); err != nil {
				return fmt.Errorf("statement %d of %s: %w", n+1, file, err)
			}
		}
	}
	return nil
}

// run executes a statement of the schema. If nowhere is set, the database need not exist.
func (s *Store) run(ctx context.Context, sql string, nowhere bool) error {
	return s.client.exec(ctx, &statement{sql: s.client.address.fill(sql), plain: true, nowhere: nowhere})
}

// fill replaces the placeholders that differ between a single server and a cluster.
func (a *Address) fill(sql string) string {
	pairs := []string{
		"{database}", a.Database, "{local}", "", "{on_cluster}", "", "{replicated}", "", "{replicated_once}", "",
		"{dedup}", ",\n    non_replicated_deduplication_window = 1000",
	}
	if a.Cluster != "" {
		pairs = []string{
			"{database}", a.Database, "{local}", "_local", "{on_cluster}", " ON CLUSTER " + a.Cluster, "{replicated}", "Replicated",
			"{cluster}", a.Cluster, "{dedup}", "",
			// A single table for all shards: its path does not contain the shard, so that every server is a replica of
			// it.
			"{replicated_once}MergeTree", "ReplicatedMergeTree('/almanac/" + a.Cluster + "/" + a.Database +
				"/migrations', '{shard}-{replica}')",
		}
	}
	return strings.NewReplacer(pairs...).Replace(sql)
}

// statements returns the statements of a file, without comments.
func statements(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	var all []string
	for sql := range strings.SplitSeq(strings.Join(lines, ""), ";\n") {
		if sql = strings.TrimSpace(sql); sql != "" {
			all = append(all, sql)
		}
	}
	return all
}
