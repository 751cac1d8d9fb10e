package catalog

import (
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
)

// TestServersThatStartAtOnce opens one new database from several sides: one migrates, the others wait, all can use it.
func TestServersThatStartAtOnce(t *testing.T) {
	for name, address := range map[string]string{"sqlite": filepath.Join(t.TempDir(), "catalog.db"), "postgres": newPostgresURL(t)} {
		t.Run(name, func(t *testing.T) {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					c, err := Open(t.Context(), address)
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					if err := c.requireCurrent(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestPendingMigrations(t *testing.T) {
	all := []migration{{version: 1}, {version: 2}, {version: 5}}
	missing, current, target := pending([]int{1, 5}, all)
	if len(missing) != 1 || missing[0].version != 2 || current != 5 || target != 5 {
		t.Errorf("pending = %v, %d, %d", missing, current, target)
	}
	if missing, current, _ := pending(nil, all); len(missing) != 3 || current != 0 {
		t.Errorf("of a new database = %v, %d", missing, current)
	}
	if refuseNewer(6, 5) == nil || refuseNewer(5, 5) != nil {
		t.Error("a newer database is not told from a current one")
	}
}

func TestNamesOfMigrations(t *testing.T) {
	files := fstest.MapFS{"migrations/00010_b.sql": {Data: []byte("B")}, "migrations/00009_a.sql": {Data: []byte("A")}}
	if list, err := readMigrations(files); err != nil || len(list) != 2 || list[0].statements != "A" || list[1].version != 10 {
		t.Errorf("readMigrations = %v, %v", list, err)
	}
	files["migrations/first.sql"] = &fstest.MapFile{}
	if _, err := readMigrations(files); err == nil {
		t.Error("a migration without a version is accepted")
	}
}
