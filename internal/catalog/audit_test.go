package catalog_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// idsOf reads a log to its end.
func idsOf(t *testing.T, c *catalogtest.Catalog, organization string, f catalog.AuditFilter) (resources []string, last tables.Position) {
	t.Helper()
	for e, err := range c.AuditLogOfInstance(t.Context(), organization, f) {
		if err != nil {
			t.Fatal(err)
		}
		resources, last = append(resources, e.ResourceID), tables.Position{At: e.At, ID: e.ID}
	}
	return resources, last
}

func TestAuditOrigin(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		scope, p := catalogtest.Seed(t, c, "o")
		origin := domain.Origin{Address: "2001:db8::1", RequestID: "r-1", Client: "curl/8 \x00 ü"}
		if err := c.DeleteProject(domain.WithOrigin(t.Context(), origin), scope, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		log, err := catalogtest.OldestFirst(t.Context(), c, scope)
		if err != nil {
			t.Fatal(err)
		}
		origin.Client = "curl/8 \uFFFD ü" // what no database stores
		if got := log[2].Origin; got != origin {
			t.Errorf("the origin is %+v", got)
		}
		if got := log[0].Origin; got != (domain.Origin{}) {
			t.Errorf("the origin of what nobody asked for is %+v", got)
		}
	})
}

// TestAuditFilters checks that each field of the filter selects entries, alone and with others, and that none come from
// another organization.
func TestAuditFilters(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		clock := time.UnixMilli(1_700_000_000_000).UTC()
		start := clock
		c.DB.Now = func() time.Time { return clock }
		scope, p := catalogtest.Seed(t, c, "o")
		other, _ := catalogtest.Seed(t, c, "other")
		for n, e := range []domain.AuditEntry{
			{
				OrganizationID: "o", Actor: domain.Actor{Kind: "api-key", ID: "k1"}, Action: "create", ResourceKind: "thing",
				ResourceID: "t0",
			},
			{
				OrganizationID: "o", ProjectID: p.ID, Actor: domain.Actor{Kind: "api-key", ID: "k2"}, Action: "create",
				ResourceKind: "other", ResourceID: "t1",
			},
			{
				OrganizationID: "o", ProjectID: p.ID, Actor: domain.Actor{Kind: "admin"}, Action: "update", ResourceKind: "thing",
				ResourceID: "t2", Before: tables.StateOf(nil),
			},
			{
				OrganizationID: "other", ProjectID: p.ID, Actor: domain.Actor{Kind: "api-key", ID: "k1"}, Action: "create",
				ResourceKind: "thing", ResourceID: "t0",
			},
		} {
			e.After = tables.StateOf(nil)
			clock = start.Add(time.Duration(n+1) * time.Second)
			if err := c.DB.Update(ctx, func(s tables.Session) error { return s.Audit(ctx, e) }); err != nil {
				t.Fatal(err)
			}
		}
		at := func(second int) time.Time { return start.Add(time.Duration(second) * time.Second) }
		for _, test := range []struct {
			name string
			f    catalog.AuditFilter
			want string
		}{
			{"from", catalog.AuditFilter{From: at(1)}, "t2 t1 t0"},
			{"from a later time", catalog.AuditFilter{From: at(1).Add(time.Millisecond)}, "t2 t1"},
			{"to, which is left out", catalog.AuditFilter{From: at(1), To: at(3)}, "t1 t0"},
			{"the project", catalog.AuditFilter{From: at(1), ProjectID: p.ID}, "t2 t1"},
			{"the kind of actor", catalog.AuditFilter{Actor: domain.Actor{Kind: "api-key"}}, "t1 t0"},
			{"the actor", catalog.AuditFilter{Actor: domain.Actor{ID: "k2"}}, "t1"},
			{"the action", catalog.AuditFilter{Action: "update"}, "t2"},
			{"the kind of thing", catalog.AuditFilter{ResourceKind: "thing"}, "t2 t0"},
			{"the thing", catalog.AuditFilter{ResourceID: "t1"}, "t1"},
			{"the limit", catalog.AuditFilter{Limit: 2}, "t2 t1"},
			{
				"several", catalog.AuditFilter{
					ResourceKind: "thing", Actor: domain.Actor{Kind: "api-key", ID: "k1"}, From: at(1), To: at(2),
				}, "t0",
			},
			{"nothing", catalog.AuditFilter{ResourceKind: "thing", Action: "delete"}, ""},
			{"a text that cannot be kept", catalog.AuditFilter{ResourceID: "t1\x00"}, ""},
			{"a text that is not UTF-8", catalog.AuditFilter{ProjectID: "\xff"}, ""},
			{"a position that cannot be", catalog.AuditFilter{After: tables.Position{At: at(9), ID: "\x00"}}, ""},
		} {
			var got []string
			for e, err := range c.AuditLog(ctx, scope, test.f) {
				if err != nil {
					t.Fatal(err)
				}
				if e.OrganizationID != "o" {
					t.Errorf("%s: an entry of %s", test.name, e.OrganizationID)
				}
				got = append(got, e.ResourceID)
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%s: %q, want %q", test.name, text, test.want)
			}
		}
		if got, _ := idsOf(t, c, "other", catalog.AuditFilter{From: at(1)}); strings.Join(got, " ") != "t0" {
			t.Errorf("of another organization: %v", got)
		}
		if got, _ := idsOf(t, c, "", catalog.AuditFilter{From: at(1)}); strings.Join(got, " ") != "t0 t2 t1 t0" {
			t.Errorf("of all organizations: %v", got)
		}
		// The log outlives what it describes.
		for _, organization := range []domain.OrganizationScope{scope, other} {
			projects, err := c.Projects(ctx, organization)
			if err != nil || len(projects) != 1 {
				t.Fatal(projects, err)
			}
			if err := c.DeleteProject(ctx, organization, projects[0].ID, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.DeleteOrganization(ctx, scope, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if got, _ := idsOf(t, c, "o", catalog.AuditFilter{}); len(got) != 7 || got[0] != "o" {
			t.Errorf("of an organization that is gone: %v", got)
		}
	})
}

// TestAuditWalk pages through a log with many entries of the same times, while more are written.
func TestAuditWalk(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		const entries, page = 23, 4
		clock := time.UnixMilli(1_700_000_000_000)
		c.DB.Now = func() time.Time { return clock }
		catalogtest.Seed(t, c, "o")
		write := func(id string) {
			t.Helper()
			if err := c.DB.Update(t.Context(), func(s tables.Session) error {
				return s.Audit(t.Context(), domain.AuditEntry{
					OrganizationID: "o", Action: "create", ResourceKind: "thing", ResourceID: id, After: tables.StateOf(nil),
				})
			}); err != nil {
				t.Fatal(err)
			}
		}
		var want []string
		for n := range entries {
			clock = clock.Add(time.Duration(n/10%2) * time.Millisecond)
			want = append(want, strconv.Itoa(n))
			write(want[n])
		}
		slices.Reverse(want)
		end := clock.Add(time.Millisecond)
		for n, f := range []catalog.AuditFilter{{}, {To: end}} { // the second finds what the first wrote
			organization := []string{"o", ""}[n]
			f.ResourceKind, f.Limit = "thing", page
			var got []string
			for {
				some, last := idsOf(t, c, organization, f)
				got = append(got, some...)
				if len(some) < page {
					break
				}
				f.After = last
				clock = clock.Add(time.Second)
				write("later")
			}
			if !slices.Equal(got, want) {
				t.Errorf("the walk saw %v, want %v", got, want)
			}
		}
	})
}
