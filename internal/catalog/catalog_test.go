package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestAuditLog(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		scope, p := catalogtest.Seed(t, c, "o")
		catalogtest.Seed(t, c, "other")
		if _, err := c.UpdateProject(ctx, scope, p.ID, tenants.ProjectChange{Name: "New name"},
			domain.Actor{Kind: "api-key", ID: "k9"}); err != nil {
			t.Fatal(err)
		}
		k, err := c.CreateKey(ctx, scope, tenants.NewKey{
			ProjectID: p.ID, PublicKey: "pk", SecretHash: "planted-hash", DisplaySecret: "sk...", Permissions: domain.AllPermissions(),
		}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		// A failed change leaves no trace.
		if _, err := c.CreateKey(ctx, scope, tenants.NewKey{ProjectID: p.ID, PublicKey: "pk"}, catalogtest.Tester); err == nil {
			t.Fatal("a duplicate was accepted")
		}
		if _, err := c.DeleteProjectKey(ctx, scope, p.ID, k.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteProject(ctx, scope, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		log, err := catalogtest.OldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := catalogtest.Actions(log); got != "create organization, create project, update project, create apiKey, delete apiKey, delete project" {
			t.Errorf("audit log: %s", got)
		}
		update := log[2]
		if update.Actor != (domain.Actor{Kind: "api-key", ID: "k9"}) || update.ProjectID != p.ID ||
			!strings.Contains(string(update.Before), `"Project of o"`) || !strings.Contains(string(update.After), `"New name"`) {
			t.Errorf("the update is recorded as %+v", update)
		}
		for _, e := range log {
			if strings.Contains(string(e.Before)+string(e.After), "planted-hash") {
				t.Errorf("%s %s holds the hash of a secret", e.Action, e.ResourceKind)
			}
		}
	})
}

func TestRecordDeletion(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		scope, p := catalogtest.Seed(t, c, "o")
		if err := c.RecordDeletion(ctx, domain.OfProject(p.ID), "trace", []string{"t1", "t2"}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.RecordDeletion(ctx, domain.OfProject("none"), "trace", []string{"t3"}, catalogtest.Tester); !errors.Is(err,
			domain.ErrNotFound) {
			t.Errorf("of a project that is not there: %v", err)
		}
		log, err := catalogtest.OldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := catalogtest.Actions(log); got != "create organization, create project, delete trace, delete trace" {
			t.Fatalf("audit log: %s", got)
		}
		for n, id := range []string{"t1", "t2"} {
			e := log[2+n]
			if e.ResourceID != id || e.ProjectID != p.ID || e.Actor != catalogtest.Tester || e.Before != nil || e.After != nil {
				t.Errorf("the deletion is recorded as %+v", e)
			}
		}
	})
}

func TestReopenKeepsEverything(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		_, p := catalogtest.Seed(t, c, "o")
		again := catalogtest.Open(t, address)
		if got, err := again.Project(t.Context(), domain.OfProject(p.ID)); err != nil || got.Name != p.Name {
			t.Errorf("Project = %+v, %v", got, err)
		}
		if faults, err := again.Verify(t.Context()); err != nil || len(faults) > 0 {
			t.Errorf("Verify = %q, %v", faults, err)
		}
		if err := again.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestNewerSchemaIsRefused(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		err := c.DB.Update(t.Context(), func(s tables.Session) error {
			_, err := s.Exec(t.Context(), "INSERT INTO schema_versions (version, at) VALUES (?, ?)", 999, 0)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]func(context.Context, string) (*catalog.Catalog, error){
			"Open": catalog.Open, "OpenCurrent": catalog.OpenCurrent, "OpenOrCreate": catalog.OpenOrCreate,
		} {
			if _, err := open(t.Context(), address); err == nil ||
				!strings.Contains(err.Error(), "schema version 999, written by a newer version of Almanac") {
				t.Errorf("%s = %v", name, err)
			}
		}
	})
}

func TestOpenCurrentDoesNotMigrate(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		catalogtest.Seed(t, c, "o")
		for _, open := range []func(context.Context, string) (*catalog.Catalog, error){catalog.OpenCurrent, catalog.OpenOrCreate} {
			current, err := open(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			if all, err := current.Organizations(t.Context()); err != nil || len(all) != 1 {
				t.Errorf("Organizations = %v, %v", all, err)
			}
			if err := current.Close(); err != nil {
				t.Error(err)
			}
		}
		err := c.DB.Update(t.Context(), func(s tables.Session) error {
			_, err := s.Exec(t.Context(), "DELETE FROM schema_versions WHERE version > 1")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []func(context.Context, string) (*catalog.Catalog, error){catalog.OpenCurrent, catalog.OpenOrCreate} {
			if _, err := open(t.Context(), address); err == nil || !strings.Contains(err.Error(), "start the server once") {
				t.Errorf("opening an older schema = %v", err)
			}
		}
	})
}

func TestOpenFailures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "not-a-directory")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(damaged, []byte(strings.Repeat("this is not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{
		"path below a file": filepath.Join(file, "catalog.db"),
		"not a database":    damaged,
		"no server there":   "postgres://nobody@/x?host=" + t.TempDir(),
	} {
		if c, err := catalog.Open(t.Context(), address); err == nil {
			t.Errorf("%s: opened", name)
			_ = c.Close()
		}
	}
}

// TestConcurrentWriters covers two processes on one SQLite file (the server and `almanac keys`) as well as many
// goroutines in one process.
func TestConcurrentWriters(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		scope, p := catalogtest.Seed(t, c, "o")
		second := catalogtest.Open(t, address)
		const each = 20
		var wg sync.WaitGroup
		for writer, catalog := range []*catalogtest.Catalog{c, c, second, second} {
			wg.Go(func() {
				for n := range each {
					if _, err := catalog.CreateKey(context.Background(), scope, tenants.NewKey{
						ProjectID: p.ID, PublicKey: fmt.Sprintf("pk-%d-%d", writer, n),
					}, catalogtest.Tester); err != nil {
						t.Errorf("writer %d, key %d: %v", writer, n, err)
					}
				}
			})
		}
		wg.Wait()
		if keys, err := c.ProjectKeys(t.Context(), scope, p.ID); err != nil || len(keys) != 4*each {
			t.Errorf("%d keys, %v; want %d", len(keys), err, 4*each)
		}
	})
}
