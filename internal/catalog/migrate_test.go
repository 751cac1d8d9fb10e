package catalog

import (
	"context"
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

// openAt opens a new database whose schema is that of an earlier version.
func openAt(t *testing.T, address string, version int) *Catalog {
	t.Helper()
	c, err := open(t.Context(), address, func(c *Catalog, ctx context.Context) error {
		all, err := readMigrations(migrationFiles)
		if err != nil {
			return err
		}
		return c.update(ctx, func(s session) error {
			if _, err := s.exec(ctx, createVersions); err != nil {
				return err
			}
			for _, m := range all {
				if m.version > version {
					break
				}
				if _, err := s.exec(ctx, m.statements); err != nil {
					return err
				}
				if _, err := s.exec(ctx, "INSERT INTO schema_versions (version, at) VALUES (?, 1)", m.version); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestKeysKeepWhatTheyCould: keys from before permissions were split hold what does the same today, and nothing beyond it.
func TestKeysKeepWhatTheyCould(t *testing.T) {
	for name, address := range map[string]string{"sqlite": filepath.Join(t.TempDir(), "catalog.db"), "postgres": newPostgresURL(t)} {
		t.Run(name, func(t *testing.T) {
			want := map[string]string{
				"*":                                    "*",
				"":                                     "feedback:write",
				"traces:read":                          "traces:read,comments:read,feedback:write",
				"traces:write":                         "traces:write,traces:delete,comments:write,feedback:write",
				"traces:read,traces:write,scores:read": "traces:read,traces:write,traces:delete,scores:read,comments:read,comments:write,feedback:write",
				"scores:write,prompts:write,datasets:write": "scores:write,scores:delete,prompts:write,prompts:delete,datasets:write,datasets:delete,feedback:write",
				"prompts:read,datasets:read,project:admin":  "prompts:read,datasets:read,feedback:write,project:admin",
				"scores:read,scores:write,project:admin":    "scores:read,scores:write,scores:delete,feedback:write,project:admin",
			}
			old := openAt(t, address, 12)
			if err := old.update(t.Context(), func(s session) error {
				if _, err := s.exec(t.Context(), "INSERT INTO organizations (id, name, metadata, created_at, updated_at) VALUES ('o', 'o', '{}', 1, 1)"); err != nil {
					return err
				}
				for permissions := range want {
					if _, err := s.exec(t.Context(), "INSERT INTO api_keys ("+keyColumns+") VALUES (?, 'o', NULL, ?, '', '', NULL, ?, 1, NULL, NULL)",
						permissions, "pk "+permissions, permissions); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if err := old.Close(); err != nil {
				t.Fatal(err)
			}
			c := openTest(t, address)
			for permissions, now := range want {
				if key, err := c.KeyByPublic(t.Context(), "pk "+permissions); err != nil || key.Permissions.String() != now {
					t.Errorf("a key with %q has %q (%v), want %q", permissions, key.Permissions, err, now)
				}
			}
		})
	}
}
