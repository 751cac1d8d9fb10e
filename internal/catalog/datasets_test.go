package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// datasets is a catalog with a project, and shorthands for tests.
type datasets struct {
	*testing.T
	*catalogtest.Catalog
	organization domain.OrganizationScope
	scope        domain.ProjectScope
	other        domain.ProjectScope
}

func onBothWithDatasets(t *testing.T, test func(*datasets)) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		test(&datasets{t, c, organization, domain.OfProject(p.ID), domain.OfProject(other.ID)})
	})
}

// accept is a check that every item passes.
var accept = catalog.WriteCheck{}

func acceptAll(items iter.Seq2[*domain.DatasetItem, error]) error {
	for _, err := range items {
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *datasets) dataset(name string) domain.Dataset {
	d.Helper()
	return d.putDataset(catalog.DatasetChange{Name: name})
}

func (d *datasets) putDataset(change catalog.DatasetChange) domain.Dataset {
	d.Helper()
	put, err := d.PutDataset(d.Context(), d.scope, change, acceptAll, catalogtest.Tester)
	if err != nil {
		d.Fatal(err)
	}
	return put
}

func (d *datasets) item(dataset string, change catalog.DatasetItemChange) domain.DatasetItem {
	d.Helper()
	item, err := d.PutDatasetItem(d.Context(), d.scope, dataset, change, accept, catalogtest.Tester)
	if err != nil {
		d.Fatal(err)
	}
	return item
}

// listed returns the ids of the items that a query finds, in order, and checks the total.
func (d *datasets) listed(q catalog.DatasetItemQuery) string {
	d.Helper()
	items, total, err := d.DatasetItems(d.Context(), d.scope, q, 0, 1000)
	if err != nil {
		d.Fatal(err)
	}
	all := collected(d, items)
	if total != len(all) {
		d.Errorf("%d items are counted, %d listed", total, len(all))
	}
	return ids(all)
}

func ids(items []domain.DatasetItem) string {
	var list []string
	for _, item := range items {
		list = append(list, item.ID)
	}
	return strings.Join(list, " ")
}

func collected[T any](t testing.TB, items iter.Seq2[*T, error]) []T {
	t.Helper()
	var all []T
	for item, err := range items {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *item)
	}
	return all
}

func TestDatasets(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		first := d.putDataset(catalog.DatasetChange{
			Name: "qa/en", Description: new("first"), Metadata: json.RawMessage(`{"n":12345678901234567890}`),
			InputSchema: catalog.SchemaChange{true, json.RawMessage(`{"type":"string"}`)},
		})
		got, err := d.Dataset(ctx, d.scope, "qa/en")
		if diff := cmp.Diff(first, got); err != nil || diff != "" {
			d.Errorf("read back: %v %s", err, diff)
		}
		if string(got.Metadata) != `{"n":12345678901234567890}` || got.ExpectedOutputSchema != nil || got.ActiveItems != 0 ||
			tables.Millis(got.LastWrite) != 0 {
			d.Errorf("created %+v", got)
		}

		kept := d.dataset("qa/en")
		if kept.ID != first.ID || *kept.Description != "first" || string(kept.InputSchema) != `{"type":"string"}` ||
			kept.CreatedAt != first.CreatedAt {
			d.Errorf("an update of nothing gave %+v", kept)
		}
		changed := d.putDataset(catalog.DatasetChange{
			Name: "qa/en", Description: new(""), Metadata: json.RawMessage(`[]`), InputSchema: catalog.SchemaChange{Given: true},
			ExpectedOutputSchema: catalog.SchemaChange{true, json.RawMessage(`{}`)},
		})
		if *changed.Description != "" || string(changed.Metadata) != `[]` || changed.InputSchema != nil ||
			string(changed.ExpectedOutputSchema) != `{}` {
			d.Errorf("an update of everything gave %+v", changed)
		}

		d.DB.Now = func() time.Time { return first.CreatedAt.Add(time.Hour) }
		var names []string
		for _, name := range []string{"b", "c"} {
			names = append(names, d.dataset(name).ID)
		}
		slices.Sort(names) // they have the same time
		list, total, err := d.Datasets(ctx, d.scope, 0, 10)
		if err != nil || total != 3 {
			d.Fatalf("%d datasets, %v", total, err)
		}
		all := collected(d, list)
		if len(all) != 3 || all[0].ID != names[0] || all[1].ID != names[1] || all[2].ID != first.ID {
			d.Errorf("the list is %+v, want %v before %s", all, names, first.ID)
		}
		list, _, err = d.Datasets(ctx, d.scope, 1, 1)
		if page := collected(d, list); err != nil || len(page) != 1 || page[0].ID != names[1] {
			d.Errorf("the second page is %+v, %v", page, err)
		}

		for _, name := range []string{"qa", "QA/EN", "", "a\x00b", "\xff"} {
			_, err = d.Dataset(ctx, d.scope, name)
			catalogtest.WantError(d.T, fmt.Sprintf("dataset %q", name), err, domain.ErrNotFound)
		}
		_, err = d.Dataset(ctx, d.other, "qa/en")
		catalogtest.WantError(d.T, "a dataset of another project", err, domain.ErrNotFound)
		if theirs, err := d.PutDataset(ctx, d.other, catalog.DatasetChange{Name: "qa/en"}, acceptAll, catalogtest.Tester); err != nil ||
			theirs.ID == first.ID || theirs.Description != nil {
			d.Errorf("the same name in another project gave %+v, %v", theirs, err)
		}
	})
}

func TestDatasetItems(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		set := d.dataset("set")
		d.dataset("other")
		a := d.item("set", catalog.DatasetItemChange{
			ID: "a", Input: json.RawMessage(`{"q":1.50,"big":12345678901234567890}`), ExpectedOutput: json.RawMessage(`"x"`),
			Metadata:      json.RawMessage(`[1]`),
			SourceTraceID: new("t1"), SourceObservationID: new("o1"),
		})
		want := domain.DatasetItem{
			ID: "a", DatasetID: set.ID, DatasetName: "set", Status: domain.ItemActive,
			Input:          json.RawMessage(`{"q":1.50,"big":12345678901234567890}`),
			ExpectedOutput: json.RawMessage(`"x"`), Metadata: json.RawMessage(`[1]`), SourceTraceID: new("t1"),
			SourceObservationID: new("o1"), WrittenAt: a.WrittenAt,
		}
		got, err := d.DatasetItem(ctx, d.scope, "a")
		if diff := cmp.Diff([]domain.DatasetItem{want, want}, []domain.DatasetItem{a, got}); err != nil || diff != "" {
			d.Errorf("created and read: %v %s", err, diff)
		}
		b := d.item("set", catalog.DatasetItemChange{Input: json.RawMessage(`1`)})
		if len(b.ID) != 36 || !b.WrittenAt.After(a.WrittenAt) {
			d.Errorf("an item without an id became %+v", b)
		}

		// An update merges field by field.
		merged := d.item("set", catalog.DatasetItemChange{ID: "a", Input: json.RawMessage(`2`), Metadata: json.RawMessage(`null`)})
		want.Input, want.Metadata, want.WrittenAt = json.RawMessage(`2`), nil, merged.WrittenAt
		if diff := cmp.Diff(want, merged); diff != "" || !merged.WrittenAt.After(b.WrittenAt) {
			d.Errorf("merged: %s", diff)
		}
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != "a "+b.ID {
			d.Errorf("the list is %s", got)
		}

		// Earlier states.
		for _, at := range []struct {
			at   time.Time
			want string
		}{
			{a.WrittenAt.Add(-time.Millisecond), ""},
			{a.WrittenAt, "a"},
			{b.WrittenAt, b.ID + " a"},
			{merged.WrittenAt, "a " + b.ID},
			{merged.WrittenAt.Add(time.Hour), "a " + b.ID},
		} {
			if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID, At: &at.at}); got != at.want {
				d.Errorf("at %v: %q, want %q", at.at, got, at.want)
			}
		}
		items, _, err := d.DatasetItems(ctx, d.scope, catalog.DatasetItemQuery{DatasetID: set.ID, At: &a.WrittenAt}, 0, 10)
		if old := collected(d, items); err != nil || string(old[0].Input) != `{"q":1.50,"big":12345678901234567890}` {
			d.Errorf("the first version is %s, %v", old[0].Input, err)
		}

		// Archived items are not listed, but can be read.
		archived := d.item("set", catalog.DatasetItemChange{ID: "a", Status: domain.ItemArchived})
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != b.ID {
			d.Errorf("with an archived item the list is %s", got)
		}
		if got, err := d.DatasetItem(ctx, d.scope, "a"); err != nil || got.Status != domain.ItemArchived || string(got.Input) != "2" {
			d.Errorf("archived: %+v, %v", got, err)
		}

		// An id belongs to one dataset of the project, even after the item is deleted.
		elsewhere := func() {
			d.Helper()
			_, err := d.PutDatasetItem(ctx, d.scope, "other", catalog.DatasetItemChange{ID: "a"}, accept, catalogtest.Tester)
			if found := new(catalog.ItemElsewhereError); !errors.As(err, &found) || found.DatasetID != set.ID || found.ItemID != "a" {
				d.Errorf("an id of another dataset: %v", err)
			}
		}
		elsewhere()
		if err := d.DeleteDatasetItem(ctx, d.scope, "a", catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		elsewhere()
		_, err = d.DatasetItem(ctx, d.scope, "a")
		catalogtest.WantError(d.T, "a deleted item", err, domain.ErrNotFound)
		catalogtest.WantError(d.T, "deleting twice", d.DeleteDatasetItem(ctx, d.scope, "a", catalogtest.Tester), domain.ErrNotFound)
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID, At: &merged.WrittenAt}); got != "a "+b.ID {
			d.Errorf("before the deletion: %s", got)
		}
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID, At: &archived.WrittenAt}); got != b.ID {
			d.Errorf("when it was archived: %s", got)
		}

		// It starts afresh when it is written again.
		revived := d.item("set", catalog.DatasetItemChange{ID: "a", ExpectedOutput: json.RawMessage(`true`)})
		if revived.Status != domain.ItemActive || revived.Input != nil || revived.SourceTraceID != nil ||
			string(revived.ExpectedOutput) != "true" {
			d.Errorf("revived as %+v", revived)
		}
		if got := d.listed(catalog.DatasetItemQuery{}); got != "a "+b.ID {
			d.Errorf("the list of the project is %s", got)
		}

		// By source, in all datasets.
		d.item("other", catalog.DatasetItemChange{ID: "e", SourceTraceID: new("t1"), SourceObservationID: new("o2")})
		d.item("set", catalog.DatasetItemChange{ID: "d", SourceTraceID: new("t1"), SourceObservationID: new("o1")})
		for _, q := range []struct {
			query catalog.DatasetItemQuery
			want  string
		}{
			{catalog.DatasetItemQuery{SourceTraceID: new("t1")}, "d e"},
			{catalog.DatasetItemQuery{SourceTraceID: new("t1"), SourceObservationID: new("o2")}, "e"},
			{catalog.DatasetItemQuery{SourceObservationID: new("o1")}, "d"},
			{catalog.DatasetItemQuery{SourceTraceID: new("t1"), DatasetID: set.ID}, "d"},
			{catalog.DatasetItemQuery{SourceTraceID: new("")}, ""},
			{catalog.DatasetItemQuery{SourceTraceID: new("t\x00")}, ""},
			{catalog.DatasetItemQuery{SourceObservationID: new("\xff")}, ""},
			{catalog.DatasetItemQuery{DatasetID: set.ID, SourceTraceID: new("t1"), At: &a.WrittenAt}, "a"},
		} {
			if got := d.listed(q.query); got != q.want {
				d.Errorf("%+v: %q, want %q", q.query, got, q.want)
			}
		}

		// Other projects have their own ids and see none of these.
		for _, id := range []string{"a", "nope", "\x00", "\xff"} {
			_, err = d.DatasetItem(ctx, d.other, id)
			catalogtest.WantError(d.T, "an item of another project", err, domain.ErrNotFound)
			catalogtest.WantError(d.T, "deleting an item of another project", d.DeleteDatasetItem(ctx, d.other, id, catalogtest.Tester),
				domain.ErrNotFound)
		}
		_, err = d.PutDatasetItem(ctx, d.other, "set", catalog.DatasetItemChange{ID: "a"}, accept, catalogtest.Tester)
		catalogtest.WantError(d.T, "an item for a dataset of another project", err, domain.ErrNotFound)
		if items, total, err := d.DatasetItems(ctx, d.other, catalog.DatasetItemQuery{SourceTraceID: new("t1")}, 0, 10); err != nil ||
			total != 0 || len(collected(d, items)) > 0 {
			d.Errorf("another project finds %d items, %v", total, err)
		}
		if _, err := d.PutDataset(ctx, d.other, catalog.DatasetChange{Name: "set"}, acceptAll, catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		if _, err := d.PutDatasetItem(ctx, d.other, "set", catalog.DatasetItemChange{ID: "a"}, accept, catalogtest.Tester); err != nil {
			d.Errorf("the same id in another project: %v", err)
		}
	})
}

// TestItemChecks shows that a refused item leaves no trace.
func TestItemChecks(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		d.putDataset(catalog.DatasetChange{Name: "set", InputSchema: catalog.SchemaChange{true, json.RawMessage(`{"type":"object"}`)}})
		refused := errors.New("refused")
		item := d.item("set", catalog.DatasetItemChange{ID: "a", Input: json.RawMessage(`1`), Metadata: json.RawMessage(`2`)})
		_, err := d.PutDatasetItem(ctx, d.scope, "set", catalog.DatasetItemChange{ID: "a", Input: json.RawMessage(`3`)},
			catalog.WriteCheck{Valid: func(set domain.Dataset, merged domain.DatasetItem) error {
				if string(set.InputSchema) != `{"type":"object"}` || string(merged.Input) != "3" || string(merged.Metadata) != "2" {
					d.Errorf("checked %+v against %s", merged, set.InputSchema)
				}
				return refused
			}}, catalogtest.Tester)
		if !errors.Is(err, refused) {
			d.Errorf("error %v", err)
		}
		if got, err := d.DatasetItem(ctx, d.scope, "a"); err != nil || string(got.Input) != "1" || got.WrittenAt != item.WrittenAt {
			d.Errorf("after a refused write: %+v, %v", got, err)
		}
		if set, err := d.Dataset(ctx, d.scope, "set"); err != nil || set.LastWrite != item.WrittenAt {
			d.Errorf("after a refused write the last one is of %v, want %v", set.LastWrite, item.WrittenAt)
		}

		// A schema is checked against all items except deleted ones, and not stored if that fails.
		d.item("set", catalog.DatasetItemChange{ID: "b", Status: domain.ItemArchived})
		d.item("set", catalog.DatasetItemChange{ID: "c"})
		if err := d.DeleteDatasetItem(ctx, d.scope, "c", catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		schema := catalog.DatasetChange{Name: "set", ExpectedOutputSchema: catalog.SchemaChange{true, json.RawMessage(`{}`)}}
		var checked []domain.DatasetItem
		_, err = d.PutDataset(ctx, d.scope, schema, func(items iter.Seq2[*domain.DatasetItem, error]) error {
			checked = collected(d, items)
			return refused
		}, catalogtest.Tester)
		if !errors.Is(err, refused) || ids(checked) != "b a" {
			d.Errorf("checked %s: %v", ids(checked), err)
		}
		if set, err := d.Dataset(ctx, d.scope, "set"); err != nil || set.ExpectedOutputSchema != nil {
			d.Errorf("a refused schema is stored: %+v, %v", set, err)
		}
		// Items written during the check are checked before the schema is stored.
		calls := 0
		_, err = d.PutDataset(ctx, d.scope, schema, func(items iter.Seq2[*domain.DatasetItem, error]) error {
			checked = collected(d, items)
			if calls++; calls == 1 {
				d.item("set", catalog.DatasetItemChange{ID: "late"})
				return nil
			}
			return refused
		}, catalogtest.Tester)
		if !errors.Is(err, refused) || ids(checked) != "late" {
			d.Errorf("at last %s was checked: %v", ids(checked), err)
		}
		// Removing a schema needs no check.
		if _, err := d.PutDataset(ctx, d.scope, catalog.DatasetChange{Name: "set", InputSchema: catalog.SchemaChange{Given: true}}, nil,
			catalogtest.Tester); err != nil {
			d.Error(err)
		}
		if set := d.putDataset(schema); string(set.ExpectedOutputSchema) != `{}` || set.InputSchema != nil {
			d.Errorf("the schemas are %+v", set)
		}
	})
}

// TestParallelItems writes to one dataset from many goroutines and two processes: nothing is lost and every version has
// a distinct time.
func TestParallelItems(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		second := catalogtest.Open(t, address)
		const count = 99
		var wg sync.WaitGroup
		put := func(n int, dataset, id string) error {
			_, err := []*catalogtest.Catalog{c, second}[n%2].PutDatasetItem(context.Background(), scope, dataset,
				catalog.DatasetItemChange{ID: id, Input: json.RawMessage(`1`)}, accept, catalogtest.Tester)
			return err
		}
		for n := range 2 {
			wg.Go(func() {
				if _, err := []*catalogtest.Catalog{c, second}[n].PutDataset(context.Background(), scope,
					catalog.DatasetChange{Name: "set"}, acceptAll, catalogtest.Tester); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for n := range count {
			wg.Go(func() {
				if err := put(n, "set", fmt.Sprint("i", n)); err != nil {
					t.Error(err)
				}
				if err := put(n, "set", "shared"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		set, err := c.Dataset(t.Context(), scope, "set")
		if err != nil || set.ActiveItems != count+1 {
			t.Fatalf("%d items, %v", set.ActiveItems, err)
		}
		times, err := tables.QueryAll(t.Context(), c.DB.Reader(), tables.ScanValue[int64],
			"SELECT valid_from FROM dataset_item_versions ORDER BY valid_from")
		if err != nil || len(times) != 2*count || len(slices.Compact(times)) != 2*count {
			t.Errorf("%d versions have %d times, %v", len(times), len(slices.Compact(times)), err)
		}
		items, total, err := c.DatasetItems(t.Context(), scope, catalog.DatasetItemQuery{DatasetID: set.ID}, 0, 1000)
		if err != nil || total != count+1 || len(collected(t, items)) != count+1 {
			t.Errorf("%d items are listed, %v", total, err)
		}

		// Of two writers of one id in two datasets, one wins and the other learns where the item is.
		if _, err := c.PutDataset(t.Context(), scope, catalog.DatasetChange{Name: "other"}, acceptAll, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		for n := range 20 {
			var results [2]error
			for which, dataset := range []string{"set", "other"} {
				wg.Go(func() { results[which] = put(which, dataset, fmt.Sprint("contested", n)) })
			}
			wg.Wait()
			winner := slices.Index(results[:], nil)
			if elsewhere := new(catalog.ItemElsewhereError); winner < 0 || !errors.As(results[1-winner], &elsewhere) {
				t.Errorf("of two writers: %v", results)
			}
		}
	})
}

// TestLargeItems reads lists that do not fit into one part.
func TestLargeItems(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		set := d.dataset("set")
		large := json.RawMessage(`"` + strings.Repeat("x", 4<<20/3) + `"`)
		want := ""
		for n := range 10 {
			item := d.item("set", catalog.DatasetItemChange{ID: fmt.Sprint("i", n), Input: large})
			want = strings.TrimSpace(item.ID + " " + want)
		}
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != want {
			d.Errorf("the list is %s", got)
		}
		items, total, err := d.DatasetItems(d.Context(), d.scope, catalog.DatasetItemQuery{DatasetID: set.ID}, 2, 7)
		if got := ids(collected(d, items)); err != nil || total != 10 || got != "i7 i6 i5 i4 i3 i2 i1" {
			d.Errorf("a page is %s of %d, %v", got, total, err)
		}
		set, err = d.Dataset(d.Context(), d.scope, "set")
		if err != nil {
			d.Fatal(err)
		}
		// The whole dataset is read as of the start of the read.
		var got []domain.DatasetItem
		for item, err := range d.AllDatasetItems(d.Context(), d.scope, set) {
			if err != nil {
				d.Fatal(err)
			}
			got = append(got, *item)
			d.item("set", catalog.DatasetItemChange{ID: "i0", Input: json.RawMessage("1")})
			d.item("set", catalog.DatasetItemChange{Input: json.RawMessage("1")})
		}
		if ids(got) != want {
			d.Errorf("all items are %s", ids(got))
		}
		var names []string
		for item, err := range d.DatasetItemIDs(d.Context(), d.scope, set) {
			if err != nil {
				d.Fatal(err)
			}
			names = append(names, item.ID)
		}
		if strings.Join(names, " ") != want {
			d.Errorf("all ids are %s", names)
		}
	})
}

// TestItemHistory compares the catalog with a plain history of all writes, at every point in time.
func TestItemHistory(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		round := 0
		rapid.Check(d.T, func(t *rapid.T) {
			round++
			name := fmt.Sprint("set", round)
			set := d.dataset(name)
			state := map[string]domain.DatasetItem{}
			history := []map[string]domain.DatasetItem{}
			var times []time.Time
			for range rapid.IntRange(1, 12).Draw(t, "steps") {
				id := fmt.Sprintf("%d-%s", round, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id"))
				next := maps.Clone(state)
				if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
					err := d.DeleteDatasetItem(d.Context(), d.scope, id, catalogtest.Tester)
					if _, there := state[id]; there != (err == nil) {
						t.Fatalf("deleting %s: %v", id, err)
					}
					if err != nil {
						continue
					}
					delete(next, id)
				} else {
					status := rapid.SampledFrom([]string{"", domain.ItemActive, domain.ItemArchived}).Draw(t, "status")
					item, err := d.PutDatasetItem(d.Context(), d.scope, name, catalog.DatasetItemChange{ID: id, Status: status}, accept,
						catalogtest.Tester)
					if err != nil {
						t.Fatal(err)
					}
					next[id] = item
				}
				current, err := d.Dataset(d.Context(), d.scope, name)
				if err != nil {
					t.Fatal(err)
				}
				state = next
				history, times = append(history, next), append(times, current.LastWrite)
			}
			for n, then := range history {
				if want, got := activeIDs(then), d.listed(catalog.DatasetItemQuery{DatasetID: set.ID, At: &times[n]}); got != want {
					t.Fatalf("after write %d: %q, want %q", n, got, want)
				}
			}
			if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != activeIDs(state) {
				t.Fatalf("now: %q, want %q", got, activeIDs(state))
			}
		})
	})
}

// activeIDs returns the ids of the active items, the most recently written first.
func activeIDs(state map[string]domain.DatasetItem) string {
	var active []domain.DatasetItem
	for _, item := range state {
		if item.Status == domain.ItemActive {
			active = append(active, item)
		}
	}
	slices.SortFunc(active, func(a, b domain.DatasetItem) int { return b.WrittenAt.Compare(a.WrittenAt) })
	return ids(active)
}

func TestDatasetAudit(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		d.dataset("set")
		set := d.dataset("set")
		d.item("set", catalog.DatasetItemChange{ID: "a", Input: json.RawMessage(`"planted payload"`)})
		d.item("set", catalog.DatasetItemChange{ID: "a", Status: domain.ItemArchived})
		if err := d.DeleteDatasetItem(ctx, d.scope, "a", catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		d.item("set", catalog.DatasetItemChange{ID: "a"})
		link, err := d.LinkDatasetRunItem(ctx, d.scope, catalog.DatasetRunLink{RunName: "r", ItemID: "a"}, catalogtest.Tester)
		if err != nil {
			d.Fatal(err)
		}
		if _, err := d.LinkDatasetRunItem(ctx, d.scope, catalog.DatasetRunLink{
			RunName: "r", ItemID: "a", TraceID: "another", ObservationID: new("o"),
		}, catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		if err := d.DeleteDatasetRun(ctx, d.scope, domain.DatasetRun{ID: link.RunID, DatasetID: set.ID}, catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		log, err := catalogtest.OldestFirst(ctx, d.Catalog, d.organization)
		if err != nil {
			d.Fatal(err)
		}
		want := "create dataset, update dataset, create datasetItem, update datasetItem, delete datasetItem, create datasetItem, create datasetRunItem, update datasetRunItem, delete datasetRun"
		if got := catalogtest.Actions(log[2:]); got != want {
			d.Errorf("audit log: %s", got)
		}
		if again := log[len(log)-2]; string(again.Before) != string(log[len(log)-3].After) ||
			!strings.Contains(string(again.After), `"observationId":"o"`) || !strings.Contains(string(again.After), `"traceId":"another"`) {
			d.Errorf("the second link is recorded as a change from %s to %s", again.Before, again.After)
		}
		for _, e := range log[2:] {
			if e.ProjectID != d.scope.ProjectID() || e.Actor != catalogtest.Tester ||
				strings.Contains(string(e.Before)+string(e.After), "planted") {
				d.Errorf("recorded as %+v", e)
			}
		}
	})
}

// TestItemsAreCheckedBeforeTheyAreWritten: applying a schema can take seconds, so others write meanwhile. If the schema
// or the item changes in that time, the item is checked again.
func TestItemsAreCheckedBeforeTheyAreWritten(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		d.putDataset(catalog.DatasetChange{Name: "set"})
		var schemas []string
		_, err := d.PutDatasetItem(d.Context(), d.scope, "set", catalog.DatasetItemChange{ID: "a", Input: json.RawMessage(`1`)},
			catalog.WriteCheck{
				Valid: func(set domain.Dataset, _ domain.DatasetItem) error {
					if schemas = append(schemas, string(set.InputSchema)); len(schemas) == 1 {
						d.putDataset(catalog.DatasetChange{
							Name: "set", InputSchema: catalog.SchemaChange{true, json.RawMessage(`{"type":"number"}`)},
						})
					}
					return nil
				},
			}, catalogtest.Tester)
		if want := []string{"", `{"type":"number"}`}; err != nil || !slices.Equal(schemas, want) {
			d.Errorf("it was checked against %q, want %q: %v", schemas, want, err)
		}
	})
}
