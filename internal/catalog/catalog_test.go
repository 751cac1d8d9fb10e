package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/rows"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if server := postgres.server; server != nil {
		if err := server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "cannot stop PostgreSQL:", err)
			code = 1
		}
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// postgres is the one server that all tests of the package share, started by the first that needs it.
var postgres struct {
	once   sync.Once
	server *pgtest.Server
	err    error
	count  int
}

// newPostgresURL returns the address of a fresh, empty database.
func newPostgresURL(t *testing.T) string {
	t.Helper()
	postgres.once.Do(func() { postgres.server, postgres.err = pgtest.Start() })
	if postgres.err != nil {
		t.Fatal(postgres.err)
	}
	admin, err := sql.Open("pgx", postgres.server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	postgres.count++
	name := fmt.Sprintf("test%d", postgres.count)
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return postgres.server.URL(name)
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, c *Catalog, address string)) {
	for name, address := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "cat alog%.db") },
		"postgres": newPostgresURL,
	} {
		t.Run(name, func(t *testing.T) {
			where := address(t)
			c := openTest(t, where)
			test(t, c, where)
			checkStates(t, c)
		})
	}
}

func openTest(t *testing.T, address string) *Catalog {
	t.Helper()
	c, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

var tester = domain.Actor{Kind: "cli", ID: "test"}

// seed makes an organization with one project.
func seed(t *testing.T, c *Catalog, id string) (domain.OrganizationScope, domain.Project) {
	t.Helper()
	if _, err := c.CreateOrganization(t.Context(), id, "Organization "+id, tester); err != nil {
		t.Fatal(err)
	}
	scope := domain.OfOrganization(id)
	p, err := c.CreateProject(t.Context(), scope, tenants.NewProject{Name: "Project of " + id}, tester)
	if err != nil {
		t.Fatal(err)
	}
	return scope, p
}

func wantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

func TestOrganizations(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		created, err := c.CreateOrganization(ctx, "o1", "Acme", tester)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Organization(ctx, domain.OfOrganization("o1"))
		if err != nil || got.Name != "Acme" || string(got.Metadata) != "{}" || !got.CreatedAt.Equal(created.CreatedAt) {
			t.Errorf("Organization = %+v, %v", got, err)
		}
		_, err = c.CreateOrganization(ctx, "o1", "Again", tester)
		wantError(t, "the same id", err, domain.ErrConflict)
		_, err = c.Organization(ctx, domain.OfOrganization("o2"))
		wantError(t, "an unknown id", err, domain.ErrNotFound)
		all, err := c.Organizations(ctx)
		if err != nil || len(all) != 1 {
			t.Errorf("Organizations = %v, %v", all, err)
		}
	})
}

func TestProjects(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		mine, p := seed(t, c, "mine")
		theirs, foreign := seed(t, c, "theirs")

		if p.Name != "Project of mine" || p.OrganizationID != "mine" || p.OrganizationName != "Organization mine" || string(p.Metadata) != "{}" || p.RetentionDays != 0 {
			t.Errorf("created %+v", p)
		}
		got, err := c.Project(ctx, domain.OfProject(p.ID))
		if err != nil || got.ID != p.ID || got.Name != p.Name {
			t.Errorf("Project = %+v, %v", got, err)
		}

		_, err = c.CreateProject(ctx, mine, tenants.NewProject{Name: p.Name}, tester)
		wantError(t, "a name that is taken", err, domain.ErrConflict)
		_, err = c.CreateProject(ctx, theirs, tenants.NewProject{Name: p.Name}, tester)
		if err != nil {
			t.Errorf("the same name in another organization: %v", err)
		}
		second, err := c.CreateProject(ctx, mine, tenants.NewProject{Name: "Second", Metadata: json.RawMessage(`{"a":1}`), RetentionDays: 30}, tester)
		if err != nil || second.RetentionDays != 30 || string(second.Metadata) != `{"a":1}` {
			t.Errorf("second = %+v, %v", second, err)
		}

		kept, err := c.UpdateProject(ctx, mine, second.ID, tenants.ProjectChange{Name: "Renamed"}, tester)
		if err != nil || kept.Name != "Renamed" || kept.RetentionDays != 30 || string(kept.Metadata) != `{"a":1}` {
			t.Errorf("an update of the name alone gave %+v, %v", kept, err)
		}
		changed, err := c.UpdateProject(ctx, mine, second.ID, tenants.ProjectChange{Name: "Renamed", Metadata: json.RawMessage(`{}`), RetentionDays: new(0)}, tester)
		if err != nil || changed.RetentionDays != 0 || string(changed.Metadata) != `{}` {
			t.Errorf("an update of everything gave %+v, %v", changed, err)
		}
		_, err = c.UpdateProject(ctx, mine, second.ID, tenants.ProjectChange{Name: p.Name}, tester)
		wantError(t, "renaming to a name that is taken", err, domain.ErrConflict)

		all, err := c.Projects(ctx, mine)
		if err != nil || len(all) != 2 {
			t.Errorf("Projects = %v, %v", all, err)
		}

		// Another organization's project does not exist for this one.
		_, err = c.UpdateProject(ctx, mine, foreign.ID, tenants.ProjectChange{Name: "Taken over"}, tester)
		wantError(t, "updating a foreign project", err, domain.ErrNotFound)
		wantError(t, "deleting a foreign project", c.DeleteProject(ctx, mine, foreign.ID, tester), domain.ErrNotFound)
		_, err = c.ProjectKeys(ctx, mine, foreign.ID)
		wantError(t, "keys of a foreign project", err, domain.ErrNotFound)
		_, err = c.CreateKey(ctx, mine, tenants.NewKey{ProjectID: foreign.ID, PublicKey: "pk-x", Permissions: domain.AllPermissions()}, tester)
		wantError(t, "a key for a foreign project", err, domain.ErrNotFound)
		if got, err := c.Project(ctx, domain.OfProject(foreign.ID)); err != nil || got.Name != foreign.Name {
			t.Errorf("the foreign project is now %+v, %v", got, err)
		}

		if _, err := c.CreateKey(ctx, mine, tenants.NewKey{ProjectID: second.ID, PublicKey: "pk-second"}, tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteProject(ctx, mine, second.ID, tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.Project(ctx, domain.OfProject(second.ID))
		wantError(t, "a deleted project", err, domain.ErrNotFound)
		_, err = c.KeyByPublic(ctx, "pk-second")
		wantError(t, "a key of a deleted project", err, domain.ErrNotFound)
		wantError(t, "deleting twice", c.DeleteProject(ctx, mine, second.ID, tester), domain.ErrNotFound)
	})
}

func TestKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		mine, p := seed(t, c, "mine")
		theirs, _ := seed(t, c, "theirs")
		expires := time.Date(2030, 1, 2, 3, 4, 5, 6e6, time.UTC)

		key, err := c.CreateKey(ctx, mine, tenants.NewKey{
			ProjectID: p.ID, PublicKey: "pk-1", SecretHash: "hash", DisplaySecret: "sk-...1", Note: new("for ci"),
			Permissions: domain.PermissionsOf(domain.TracesRead), ExpiresAt: &expires,
		}, tester)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := c.KeyByPublic(ctx, "pk-1")
		if err != nil {
			t.Fatal(err)
		}
		if stored.ID != key.ID || stored.SecretHash != "hash" || stored.ProjectID != p.ID || stored.OrganizationID != "mine" ||
			*stored.Note != "for ci" || stored.Permissions.String() != "traces:read" || !stored.ExpiresAt.Equal(expires) || stored.LastUsedAt != nil {
			t.Errorf("stored = %+v", stored)
		}
		_, err = c.CreateKey(ctx, theirs, tenants.NewKey{PublicKey: "pk-1"}, tester)
		wantError(t, "a public key that is taken", err, domain.ErrConflict)

		organizationKey, err := c.CreateKey(ctx, mine, tenants.NewKey{PublicKey: "pk-org", Permissions: domain.AllPermissions()}, tester)
		if err != nil || organizationKey.ProjectID != "" {
			t.Errorf("organization key = %+v, %v", organizationKey, err)
		}
		if ofProject, err := c.ProjectKeys(ctx, mine, p.ID); err != nil || len(ofProject) != 1 || ofProject[0].PublicKey != "pk-1" {
			t.Errorf("ProjectKeys = %+v, %v", ofProject, err)
		}
		if all, err := c.Keys(ctx, mine); err != nil || len(all) != 2 {
			t.Errorf("Keys = %+v, %v", all, err)
		}

		used := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
		c.db.Now = func() time.Time { return used }
		ahead := used.Add(10 * 365 * 24 * time.Hour)
		if err := c.RecordKeyUse(ctx, map[string]time.Time{key.ID: ahead}); err != nil { // by a clock that is set back then
			t.Fatal(err)
		}
		if err := c.RecordKeyUse(ctx, map[string]time.Time{key.ID: used, "gone": used}); err != nil {
			t.Fatal(err)
		}
		if err := c.RecordKeyUse(ctx, map[string]time.Time{key.ID: used.Add(-time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if stored, err := c.KeyByPublic(ctx, "pk-1"); err != nil || stored.LastUsedAt == nil || !stored.LastUsedAt.Equal(used) {
			t.Errorf("last used = %v, %v; want %v", stored.LastUsedAt, err, used)
		}
		c.db.Now = time.Now

		for _, replace := range []struct {
			id, before string
			want       bool
		}{{key.ID, "another hash", false}, {"gone", "hash", false}, {key.ID, "hash", true}, {key.ID, "hash", false}} {
			if replaced, err := c.ReplaceKeyHash(ctx, replace.id, replace.before, "new"); err != nil || replaced != replace.want {
				t.Errorf("ReplaceKeyHash(%+v) = %v, %v", replace, replaced, err)
			}
		}
		if stored, err := c.KeyByPublic(ctx, "pk-1"); err != nil || stored.SecretHash != "new" {
			t.Errorf("the hash is %q, %v", stored.SecretHash, err)
		}

		_, err = c.DeleteProjectKey(ctx, theirs, p.ID, key.ID, tester)
		wantError(t, "deleting another organization's key", err, domain.ErrNotFound)
		_, err = c.DeleteProjectKey(ctx, mine, p.ID, organizationKey.ID, tester)
		wantError(t, "deleting an organization key as a project key", err, domain.ErrNotFound)
		if deleted, err := c.DeleteProjectKey(ctx, mine, p.ID, key.ID, tester); err != nil || deleted.PublicKey != "pk-1" {
			t.Errorf("DeleteProjectKey = %+v, %v", deleted, err)
		}
		_, err = c.KeyByPublic(ctx, "pk-1")
		wantError(t, "a deleted key", err, domain.ErrNotFound)
		if _, err := c.RevokeKey(ctx, "pk-org", tester); err != nil {
			t.Error(err)
		}
		_, err = c.RevokeKey(ctx, "pk-org", tester)
		wantError(t, "revoking twice", err, domain.ErrNotFound)
	})
}

func TestEnsureOwner(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		scope, _ := seed(t, c, "o")
		if exists, err := c.UserExists(ctx, "ada@example.org"); err != nil || exists {
			t.Errorf("UserExists before = %v, %v", exists, err)
		}
		for n, want := range []bool{true, false, false} {
			created, err := c.EnsureOwner(ctx, scope, "ada@example.org", "Ada", "hash", tester)
			if err != nil || created != want {
				t.Errorf("call %d: created = %v, %v; want %v", n, created, err, want)
			}
		}
		if exists, err := c.UserExists(ctx, "ada@example.org"); err != nil || !exists {
			t.Errorf("UserExists after = %v, %v", exists, err)
		}
		log, err := oldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := actions(log); got != "create organization, create project, create user, create membership" {
			t.Errorf("audit log: %s", got)
		}
		if _, err := c.ProvisionUser(ctx, scope, "bob@example.org", "Bob", new(domain.RoleViewer), tester); err != nil {
			t.Fatal(err)
		}
		if _, err := c.EnsureOwner(ctx, scope, "bob@example.org", "Bob", "hash", tester); err != nil {
			t.Fatal(err)
		}
		changes := changesOf(t, c, scope)
		if last := changes[len(changes)-1]; last != `update membership {"role":"VIEWER"} {"role":"OWNER"}` {
			t.Errorf("a member who becomes an owner is recorded as %s", last)
		}
	})
}

func TestAuditLog(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		scope, p := seed(t, c, "o")
		seed(t, c, "other")
		if _, err := c.UpdateProject(ctx, scope, p.ID, tenants.ProjectChange{Name: "New name"}, domain.Actor{Kind: "api-key", ID: "k9"}); err != nil {
			t.Fatal(err)
		}
		k, err := c.CreateKey(ctx, scope, tenants.NewKey{ProjectID: p.ID, PublicKey: "pk", SecretHash: "planted-hash", DisplaySecret: "sk...", Permissions: domain.AllPermissions()}, tester)
		if err != nil {
			t.Fatal(err)
		}
		// What fails leaves no trace.
		if _, err := c.CreateKey(ctx, scope, tenants.NewKey{ProjectID: p.ID, PublicKey: "pk"}, tester); err == nil {
			t.Fatal("a duplicate was accepted")
		}
		if _, err := c.DeleteProjectKey(ctx, scope, p.ID, k.ID, tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteProject(ctx, scope, p.ID, tester); err != nil {
			t.Fatal(err)
		}
		log, err := oldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := actions(log); got != "create organization, create project, update project, create apiKey, delete apiKey, delete project" {
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
	onBoth(t, func(t *testing.T, c *Catalog, _ string) {
		ctx := t.Context()
		scope, p := seed(t, c, "o")
		if err := c.RecordDeletion(ctx, domain.OfProject(p.ID), "trace", []string{"t1", "t2"}, tester); err != nil {
			t.Fatal(err)
		}
		if err := c.RecordDeletion(ctx, domain.OfProject("none"), "trace", []string{"t3"}, tester); !errors.Is(err, domain.ErrNotFound) {
			t.Errorf("of a project that is not there: %v", err)
		}
		log, err := oldestFirst(ctx, c, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := actions(log); got != "create organization, create project, delete trace, delete trace" {
			t.Fatalf("audit log: %s", got)
		}
		for n, id := range []string{"t1", "t2"} {
			e := log[2+n]
			if e.ResourceID != id || e.ProjectID != p.ID || e.Actor != tester || e.Before != nil || e.After != nil {
				t.Errorf("the deletion is recorded as %+v", e)
			}
		}
	})
}

func actions(log []domain.AuditEntry) string {
	var texts []string
	for _, e := range log {
		texts = append(texts, e.Action+" "+e.ResourceKind)
	}
	return strings.Join(texts, ", ")
}

func TestReopenKeepsEverything(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, address string) {
		_, p := seed(t, c, "o")
		again := openTest(t, address)
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
	onBoth(t, func(t *testing.T, c *Catalog, address string) {
		err := c.db.Update(t.Context(), func(s rows.Session) error {
			_, err := s.Exec(t.Context(), "INSERT INTO schema_versions (version, at) VALUES (?, ?)", 999, 0)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]func(context.Context, string) (*Catalog, error){"Open": Open, "OpenCurrent": OpenCurrent, "OpenOrMake": OpenOrMake} {
			if _, err := open(t.Context(), address); err == nil || !strings.Contains(err.Error(), "schema version 999, written by a newer Almanac") {
				t.Errorf("%s = %v", name, err)
			}
		}
	})
}

func TestOpenCurrentDoesNotMigrate(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, address string) {
		seed(t, c, "o")
		for _, open := range []func(context.Context, string) (*Catalog, error){OpenCurrent, OpenOrMake} {
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
		err := c.db.Update(t.Context(), func(s rows.Session) error {
			_, err := s.Exec(t.Context(), "DELETE FROM schema_versions WHERE version > 1")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []func(context.Context, string) (*Catalog, error){OpenCurrent, OpenOrMake} {
			if _, err := open(t.Context(), address); err == nil || !strings.Contains(err.Error(), "start its server once") {
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
		if c, err := Open(t.Context(), address); err == nil {
			t.Errorf("%s: opened", name)
			_ = c.Close()
		}
	}
}

// TestConcurrentWriters covers two processes on one SQLite file (the server and `almanac keys`) as well as many
// goroutines in one.
func TestConcurrentWriters(t *testing.T) {
	onBoth(t, func(t *testing.T, c *Catalog, address string) {
		scope, p := seed(t, c, "o")
		second := openTest(t, address)
		const each = 20
		var wg sync.WaitGroup
		for writer, catalog := range []*Catalog{c, c, second, second} {
			wg.Go(func() {
				for n := range each {
					if _, err := catalog.CreateKey(context.Background(), scope, tenants.NewKey{ProjectID: p.ID, PublicKey: fmt.Sprintf("pk-%d-%d", writer, n)}, tester); err != nil {
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
