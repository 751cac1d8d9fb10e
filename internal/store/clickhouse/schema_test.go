package clickhouse

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// TestColumnsOfSchema compares the columns known to the program with those created by the schema. Their order does not
// matter: every statement names them.
func TestColumnsOfSchema(t *testing.T) {
	var all []string
	for _, m := range migrations {
		text, err := schemaFiles.ReadFile("schema/" + m.everywhere)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, statements(string(text))...)
	}
	made := map[string][]string{}
	for _, sql := range all {
		if added := regexp.MustCompile(`ALTER TABLE (\w+)\{local\}.* ADD COLUMN IF NOT EXISTS (.+)`).FindStringSubmatch(sql); added != nil {
			made[added[1]] = append(made[added[1]], added[2])
		}
		table := regexp.MustCompile(`CREATE TABLE IF NOT EXISTS (\w+)\{local\}`).FindStringSubmatch(sql)
		if table == nil {
			continue
		}
		for _, column := range regexp.MustCompile(`(?m)^    ([a-z_]+) ([A-Z]\w+(?:\(\w+\))?)`).FindAllStringSubmatch(sql, -1) {
			made[table[1]] = append(made[table[1]], column[1]+" "+column[2])
		}
	}
	for table, known := range map[string][]string{
		"observations": describe(observationsDefinition().columns), "scores": describe(scoresDefinition().columns),
	} {
		want := append([]string{"project_id String", "place Int64"}, append(known, "deleted UInt8", "version UInt64")...)
		slices.Sort(want)
		slices.Sort(made[table])
		if d := cmp.Diff(want, made[table]); d != "" {
			t.Errorf("%s (-known +made):\n%s", table, d)
		}
	}
}

func describe[R any](columns []column[R]) []string {
	var all []string
	for _, c := range columns {
		all = append(all, c.name+" "+c.typ)
	}
	return all
}

// TestExpressions checks that every catalogue column is computed from existing columns of the tables.
func TestExpressions(t *testing.T) {
	checkExpressions(t, observationsDefinition(), filter.Observations())
	checkExpressions(t, scoresDefinition(), filter.Scores())
}

func checkExpressions[R any](t *testing.T, d *definition[R], catalogue *filter.Catalogue[R]) {
	t.Helper()
	known := map[string]bool{}
	for _, c := range d.columns {
		known[c.name] = c.get != nil
	}
	columns := slices.Concat(catalogue.Columns(), catalogue.Unlisted())
	for _, c := range columns {
		e, ok := d.expressionOf(c.ID()), d.sources[c.ID()] != ""
		if !ok || c.Nullable() != (e.null != "") && c.Kind() != filter.Time {
			t.Errorf("%s of %s: there %v, null if %q, nullable %v", c.ID(), d.name, ok, e.null, c.Nullable())
		}
		for _, name := range d.sourcesOf(c) {
			if !known[name] {
				t.Errorf("%s of %s is made of %q, which is no column", c.ID(), d.name, name)
			}
		}
	}
	if len(d.sources) != len(columns) {
		t.Errorf("%s have sources of %d columns, the catalogue has %d", d.name, len(d.sources), len(columns))
	}
	for id := range d.expressions {
		if d.sources[id] == "" {
			t.Errorf("%s have an expression for %s, which is no column", d.name, id)
		}
	}
}

// TestCluster checks the statements for a cluster, without running one.
func TestCluster(t *testing.T) {
	one, cluster := Address{Database: "db"}, Address{Database: "db", Cluster: "main"}
	for _, m := range migrations {
		for _, file := range []string{m.everywhere, m.cluster} {
			if file == "" {
				continue
			}
			text, err := schemaFiles.ReadFile("schema/" + file)
			if err != nil {
				t.Fatal(err)
			}
			for _, sql := range statements(string(text)) {
				filled := cluster.fill(sql)
				if !strings.Contains(filled, " ON CLUSTER main") || strings.ContainsAny(filled, "{}") {
					t.Errorf("a cluster is told\n%s", filled)
				}
				if strings.Contains(filled, "MergeTree") && !strings.Contains(filled, "ReplicatedReplacingMergeTree") {
					t.Errorf("a cluster is told to keep one copy:\n%s", filled)
				}
				if file == m.everywhere && strings.ContainsAny(one.fill(sql), "{}") {
					t.Errorf("one server is told\n%s", one.fill(sql))
				}
			}
		}
	}
	want := "ENGINE = ReplicatedMergeTree('/almanac/main/db/migrations', '{shard}-{replica}') ORDER BY version"
	if got := cluster.fill(migrationsTable); !strings.Contains(got, want) {
		t.Errorf("the table of migrations of a cluster is\n%s", got)
	}
	s := &table[domain.Score]{definition: scoresDefinition(), store: &Store{client: newClient(Address{Cluster: "main", Quorum: "2"})}}
	if got := s.insertSettings(); got["insert_quorum"] != "2" || got["distributed_foreground_insert"] != "1" {
		t.Errorf("rows are inserted into a cluster with %v", got)
	}
}

func TestMigrate(t *testing.T) {
	server := sharedServer(t)
	const database = "test_migrate"
	if _, err := server.Query(t.Context(), "DROP DATABASE IF EXISTS "+database); err != nil {
		t.Fatal(err)
	}
	// Servers that start at the same time do not disturb each other.
	var starting sync.WaitGroup
	for range 3 {
		starting.Go(func() {
			if err := openTest(t, server, database, Options{}).Close(); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	s := openTest(t, server, database, Options{})
	if got, err := s.version(t.Context()); got != len(migrations) || err != nil {
		t.Errorf("version %d after migrating, %v, want %d", got, err, len(migrations))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Query(t.Context(), fmt.Sprintf("INSERT INTO %s.almanac_migrations (version) SELECT %d", database,
		len(migrations)+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s.client.address, Options{}); err == nil || !strings.Contains(err.Error(), "newer version of Almanac") {
		t.Errorf("tables of a newer program are opened: %v", err)
	}
	wrong := s.client.address
	wrong.password = "wrong-password"
	if _, err := Open(t.Context(), wrong, Options{}); err == nil || strings.Contains(err.Error(), "wrong-password") {
		t.Errorf("opened with a wrong password, or shown: %v", err)
	}
}
