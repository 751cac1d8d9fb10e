package clickhouse

import (
	"context"
	"strings"
	"testing"
)

// TestIndexIsSearched checks that names are looked up in the primary key of the index. With full scans, every append
// and lookup would get slower with each stored row.
func TestIndexIsSearched(t *testing.T) {
	server := sharedServer(t)
	const database = "test_index"
	s := openTest(t, server, database, Options{})
	t.Cleanup(func() {
		_ = s.Close()
		if _, err := server.Query(context.WithoutCancel(t.Context()), "DROP DATABASE "+database); err != nil {
			t.Error(err)
		}
	})
	for _, table := range []string{"observations", "scores"} {
		fill := "INSERT INTO " + database + "." + table + "_index SELECT sipHash64(number), number FROM numbers(100000)"
		if _, err := server.Query(t.Context(), fill); err != nil {
			t.Fatal(err)
		}
		names := hashesOf("i", "'p'", "['a', 'b']") + " UNION ALL " + hashesOf("i", "'q'", "['c']")
		plan, err := server.Query(t.Context(), "EXPLAIN indexes = 1 "+placesOf(database+"."+table, names))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan, "hash in 3-element set") {
			t.Errorf("the index of %s is not searched for hashes:\n%s", table, plan)
		}
	}
}
