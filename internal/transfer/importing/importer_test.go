package importing_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/transfer/importing"
	"almanac/test/importtest"
)

// listed is a source with one table. It fails after its last page unless failure is nil.
type listed struct {
	pages   []importing.Page
	failure error
}

func (*listed) Identity() string                         { return "list" }
func (*listed) Tables(context.Context) ([]string, error) { return []string{"scores"}, nil }

func (l *listed) Pages(_ context.Context, _, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		behind, _ := strconv.Atoi(cursor)
		for n := behind; n < len(l.pages); n++ {
			page := l.pages[n]
			page.Cursor = strconv.Itoa(n + 1)
			if !yield(&page, nil) {
				return
			}
		}
		if l.failure != nil {
			yield(nil, l.failure)
		}
	}
}

// TestAuditByProject checks that what was imported into each project is recorded once, even if the import is
// interrupted after the last page.
func TestAuditByProject(t *testing.T) {
	c, events := importtest.Open(t)
	actor := domain.Actor{Kind: "cli"}
	owner := domain.OfOrganization("o")
	if _, err := c.CreateOrganization(t.Context(), "o", "Org", actor); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c", "gone"} {
		if _, err := c.CreateProject(t.Context(), owner, tenants.NewProject{ID: id, Name: id}, actor); err != nil {
			t.Fatal(err)
		}
	}
	score := func(ids ...string) (rows []domain.Score) {
		for _, id := range ids {
			rows = append(rows, domain.Score{ID: id, Name: "n", TraceID: "t", Timestamp: 1, CreatedAt: 1, UpdatedAt: 1})
		}
		return rows
	}
	source := &listed{failure: errors.New("cut off"), pages: []importing.Page{
		{ProjectID: "a", Scores: score("a1", "a2")},
		{ProjectID: "gone", Scores: score("g1")},
		{ProjectID: "b", Scores: score("b1"), Skipped: []importing.Skip{{Reason: "bad", Example: "b2"}}, Note: "of b"},
		{ProjectID: "c", Skipped: []importing.Skip{{Reason: "bad", Example: "c1"}}},
		{ProjectID: "a", Scores: score("a3")},
		{Note: "of nobody"},
	}}
	run := importing.Import{Source: source, Target: &importing.Target{
		Catalog: c, Events: importing.EventsOf(events), Actor: actor,
		Project: func(id string) (domain.ProjectScope, error) {
			return domain.OfProject(id), nil
		},
	}}
	if _, err := run.Run(t.Context()); !errors.Is(err, source.failure) {
		t.Fatal(err)
	}
	if err := c.DeleteProject(t.Context(), owner, "gone", actor); err != nil {
		t.Fatal(err)
	}
	source.failure = nil
	reports, err := run.Run(t.Context())
	if err != nil || len(reports) != 1 || reports[0].Imported != 5 || reports[0].Counted != 7 || len(reports[0].Notes) != 2 {
		t.Fatalf("%+v, %v", reports, err)
	}
	entries := make(map[string]importing.Report)
	for entry, err := range c.AuditLogOfInstance(t.Context(), "o", catalog.AuditFilter{ResourceKind: "import"}) {
		if err != nil {
			t.Fatal(err)
		}
		var after struct {
			Table  string
			Report importing.Report
		}
		if err := json.Unmarshal(entry.After, &after); err != nil || after.Table != "scores" || entry.ResourceID != "list" {
			t.Errorf("%s, %v", entry.After, err)
		}
		if _, twice := entries[entry.ProjectID]; twice {
			t.Errorf("%s has two entries", entry.ProjectID)
		}
		entries[entry.ProjectID] = after.Report
	}
	if a := entries["a"]; a.Imported != 3 || a.Counted != 3 || a.Skipped != nil || a.Notes != nil {
		t.Errorf("of a: %+v", a)
	}
	b := entries["b"]
	if b.Imported != 1 || b.Counted != 2 || len(b.Skipped) != 1 || b.Skipped[0].Example != "b2" || len(b.Notes) != 1 {
		t.Errorf("of b: %+v", b)
	}
	if len(entries) != 2 || b.Digest == entries["a"].Digest || b.Digest == (importing.Digest{}) {
		t.Errorf("entries %+v", entries)
	}
}

// TestDeletedRowsStay checks that it is reported only once, however many rows are affected, that deleted rows stay
// because another trace has rows with their ids.
func TestDeletedRowsStay(t *testing.T) {
	c, events := importtest.Open(t)
	actor, scope := domain.Actor{Kind: "cli"}, domain.OfProject("p")
	if _, err := c.CreateOrganization(t.Context(), "o", "Org", actor); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateProject(t.Context(), domain.OfOrganization("o"), tenants.NewProject{ID: "p", Name: "p"}, actor); err != nil {
		t.Fatal(err)
	}
	row := func(trace, id string) domain.Observation {
		return domain.Observation{TraceID: trace, ID: id, StartTime: 1}
	}
	gone := func(ids ...string) (keys []domain.RowKey) {
		for _, id := range ids {
			keys = append(keys, domain.RowKey{TraceID: "t1", ID: id})
		}
		return keys
	}
	source := &listed{pages: []importing.Page{
		{ProjectID: "p", Observations: []domain.Observation{
			row("t1", "a"), row("t1", "b"), row("t1", "c"), row("t1", "own"), row("t2", "a"), row("t2", "b"), row("t2", "c"),
		}},
		{ProjectID: "p", GoneObservations: gone("b", "a", "own")},
		{ProjectID: "p", GoneObservations: gone("c")},
	}}
	run := importing.Import{Source: source, Target: &importing.Target{
		Catalog: c, Events: importing.EventsOf(events), Actor: actor,
		Project: func(string) (domain.ProjectScope, error) {
			return scope, nil
		},
	}}
	reports, err := run.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"deleted rows are kept if another trace has a row with the same id"}
	if r := reports[0]; !slices.Equal(r.Notes, want) || r.Skipped != nil || r.Imported != 7 || r.Counted != 7 {
		t.Errorf("%+v", r)
	}
	left := 0
	for row, err := range events.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
		if err != nil || row.ID == "own" {
			t.Errorf("%s/%s, %v", row.TraceID, row.ID, err)
		}
		left++
	}
	if left != 6 {
		t.Errorf("%d rows are left", left)
	}
}
