// Package catalogtest holds what tests of the catalog and its groups of tables share. Each test runs on both databases.
package catalogtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// Catalog is a catalog with its database.
type Catalog struct {
	*catalog.Catalog
	DB *tables.DB
}

// OnBoth runs a test on SQLite and on PostgreSQL. The schema already exists: creating it takes longer than most tests.
func OnBoth(t *testing.T, test func(t *testing.T, c *Catalog, address string)) {
	for name, address := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return File(t) },
		"postgres": func(t *testing.T) string { return pgtest.Copy(t, fill) },
	} {
		t.Run(name, func(t *testing.T) {
			where := address(t)
			c := Open(t, where)
			test(t, c, where)
			checkStates(t, c)
		})
	}
}

// File returns the path of a fresh SQLite database with the schema.
func File(t testing.TB) string {
	t.Helper()
	content, err := model()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cat alog%.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// model returns the database file that every test on SQLite starts with a copy of.
var model = sync.OnceValues(func() (content []byte, err error) {
	directory, err := os.MkdirTemp("", "almanac-catalog-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	path := filepath.Join(directory, "catalog.db")
	if err := fill(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // just written
})

// fill creates the schema in an empty database.
func fill(address string) error {
	c, err := catalog.Open(context.Background(), address)
	if err != nil {
		return err
	}
	return c.Close()
}

// Open opens a catalog until the test ends.
func Open(t testing.TB, address string) *Catalog {
	t.Helper()
	db, err := catalog.OpenDB(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	c := &Catalog{catalog.New(db), db}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// Tester is the actor of changes in tests.
var Tester = domain.Actor{Kind: "cli", ID: "test"}

// Seed creates an organization with one project.
func Seed(t testing.TB, c *Catalog, id string) (domain.OrganizationScope, domain.Project) {
	t.Helper()
	if _, err := c.CreateOrganization(t.Context(), id, "Organization "+id, Tester); err != nil {
		t.Fatal(err)
	}
	scope := domain.OfOrganization(id) //nolint:forbidigo // it was just made
	p, err := c.CreateProject(t.Context(), scope, tenants.NewProject{Name: "Project of " + id}, Tester)
	if err != nil {
		t.Fatal(err)
	}
	return scope, p
}

// WantError fails the test unless err is the wanted error.
func WantError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", what, err, want)
	}
}

// OldestFirst returns all entries of an organization, oldest first.
func OldestFirst(ctx context.Context, c *Catalog, scope domain.OrganizationScope) ([]domain.AuditEntry, error) {
	var log []domain.AuditEntry
	for e, err := range c.AuditLog(ctx, scope, catalog.AuditFilter{}) {
		if err != nil {
			return nil, err
		}
		log = append(log, *e)
	}
	slices.Reverse(log)
	return log, nil
}

// Actions summarizes entries in a string.
func Actions(log []domain.AuditEntry) string {
	var texts []string
	for _, e := range log {
		texts = append(texts, e.Action+" "+e.ResourceKind)
	}
	return strings.Join(texts, ", ")
}

// checkStates checks the audit log of a test: an entry must have the state before and after a change where there is
// one. Traces and scores are kept elsewhere and may have had none. Rows that a test inserted itself are not checked.
func checkStates(t *testing.T, c *Catalog) {
	t.Helper()
	for e, err := range c.AuditLogOfInstance(t.Context(), "", catalog.AuditFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		var before, after bool
		switch e.Action {
		case "create":
			after = true
		case "update":
			before, after = true, true
		case "delete":
			before = e.ResourceKind != "trace" && e.ResourceKind != "score"
		default:
			continue
		}
		if (e.Before != nil) != before || (e.After != nil) != after {
			t.Errorf("%s of %s %s is recorded with the states %q and %q", e.Action, e.ResourceKind, e.ResourceID, e.Before, e.After)
		}
	}
}

// Ticking gives a catalog a clock that advances by a millisecond whenever it is read, so that no two times are equal.
func Ticking(c *Catalog) {
	clock := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	c.DB.Now = func() time.Time { clock = clock.Add(time.Millisecond); return clock }
}

// Projects is a catalog with two projects.
type Projects struct {
	*testing.T
	*Catalog
	Scope, Other domain.ProjectScope
}

// OnBothWithProjects is like OnBoth with two projects.
func OnBothWithProjects(t *testing.T, test func(Projects)) {
	OnBoth(t, func(t *testing.T, c *Catalog, _ string) {
		_, project := Seed(t, c, "a")
		_, other := Seed(t, c, "b")
		test(Projects{t, c, domain.OfProject(project.ID), domain.OfProject(other.ID)}) //nolint:forbidigo // they were just made
	})
}

// WantUnused fails the test unless the given keys of blobs may be removed after some time.
func (p Projects) WantUnused(after time.Duration, want ...string) {
	p.Helper()
	now := p.DB.Now
	defer func() { p.DB.Now = now }()
	p.DB.Now = func() time.Time { return now().Add(after) }
	keys, err := p.UnusedBlobs(p.Context(), 100)
	givenUp, other := p.GivenUpBlobs(p.Context(), "", 100)
	if err := errors.Join(err, other); err != nil {
		p.Fatal(err)
	}
	keys = append(keys, givenUp...)
	slices.Sort(keys)
	if diff := cmp.Diff(want, keys); diff != "" {
		p.Errorf("unused after %v: %s", after, diff)
	}
}
