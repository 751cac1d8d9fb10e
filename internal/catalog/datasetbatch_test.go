package catalog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// takesAll is a check that every item of a batch passes.
func takesAll(domain.Dataset) (func(*domain.DatasetItem) string, error) {
	return func(*domain.DatasetItem) string { return "" }, nil
}

func write(id, input string) catalog.ItemWrite {
	return catalog.ItemWrite{Change: catalog.DatasetItemChange{ID: id, Input: json.RawMessage(input)}}
}

// batch writes items and returns the outcomes as a text: created, changed, unchanged (=) or why one was refused.
func (d *datasets) batch(datasetID string, isDryRun bool, check catalog.ItemsCheck, writes ...catalog.ItemWrite) string {
	d.Helper()
	outcomes, err := d.PutDatasetItems(d.Context(), d.scope, datasetID, writes, check, isDryRun, catalogtest.Tester)
	if err != nil {
		d.Fatal(err)
	}
	var texts []string
	for _, o := range outcomes {
		texts = append(texts, map[catalog.ItemOutcome]string{
			catalog.ItemCreated: "created", catalog.ItemChanged: "changed", catalog.ItemUnchanged: "=", catalog.ItemRefused: o.Refusal,
		}[o.Outcome])
	}
	return strings.Join(texts, ", ")
}

func (d *datasets) wantBatch(got, want string) {
	d.Helper()
	if got != want {
		d.Errorf("became %q, want %q", got, want)
	}
}

func (d *datasets) active(name string) int {
	d.Helper()
	set, err := d.Dataset(d.Context(), d.scope, name)
	if err != nil {
		d.Fatal(err)
	}
	return set.ActiveItems
}

func TestItemsAreWrittenAtOnce(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		set, other := d.dataset("set"), d.dataset("other")
		d.item("other", catalog.DatasetItemChange{ID: "theirs", Input: json.RawMessage(`1`)})
		old := d.item("set", catalog.DatasetItemChange{ID: "old", Input: json.RawMessage(`1`), Metadata: json.RawMessage(`{"n":1}`)})
		d.item("set", catalog.DatasetItemChange{ID: "gone", Input: json.RawMessage(`1`)})
		if err := d.DeleteDatasetItem(ctx, d.scope, "gone", catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		odd := func(domain.Dataset) (func(*domain.DatasetItem) string, error) {
			return func(i *domain.DatasetItem) string {
				if string(i.Input) == "3" {
					return "odd"
				}
				return ""
			}, nil
		}
		kept := write("old", `5`)
		kept.KeepExisting = true
		writes := []catalog.ItemWrite{
			write("a", `2`), write("b", `3`), write("c", `null`), write("a", `4`), write("theirs", `1`), kept, write("gone", `6`),
			write("x\x00", `1`),
		}
		const want = "created, odd, An item needs an input, An earlier row has the same id, An item of another dataset has this id, =, " +
			"created, The id has characters that cannot be stored"
		d.wantBatch(d.batch(set.ID, true, odd, writes...), want)
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != "old" {
			d.Errorf("a dry run left %s", got)
		}
		d.wantBatch(d.batch(set.ID, false, odd, writes...), want)
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != "a gone old" || d.active("set") != 3 {
			d.Errorf("the list is %s, and %d are counted", got, d.active("set"))
		}
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID, At: &old.WrittenAt}); got != "old" {
			d.Errorf("earlier, the list was %s", got)
		}

		// Again, nothing changes, not even the versions.
		d.wantBatch(d.batch(set.ID, false, takesAll, write("a", `2`), write("gone", `6`)), "=, =")
		if versions, err := d.DatasetItemVersions(ctx, d.scope, set.ID, "a", time.Time{}, 10); err != nil || len(versions) != 1 {
			d.Errorf("there are versions %v, %v", versions, err)
		}

		// A change keeps what it does not give.
		d.wantBatch(d.batch(set.ID, false, takesAll, write("old", `7`)), "changed")
		changed, err := d.DatasetItem(ctx, d.scope, "old")
		if err != nil || string(changed.Input) != "7" || string(changed.Metadata) != `{"n":1}` || !changed.WrittenAt.After(old.WrittenAt) {
			d.Errorf("changed to %+v, %v", changed, err)
		}

		status := func(status string, ids ...string) (writes []catalog.ItemWrite) {
			for _, id := range ids {
				writes = append(writes, catalog.ItemWrite{Change: catalog.DatasetItemChange{ID: id, Status: status}})
			}
			return writes
		}
		d.wantBatch(d.batch(set.ID, false, takesAll, status(domain.ItemArchived, "a", "old", "none", "theirs")...),
			"changed, changed, An item needs an input, An item of another dataset has this id")
		d.wantBatch(d.batch(set.ID, false, takesAll, status(domain.ItemActive, "a", "gone")...), "changed, =")
		d.wantBatch(d.batch(set.ID, false, takesAll, status(catalog.ItemDeleted, "old", "gone", "none")...), "changed, changed, =")
		if got := d.listed(catalog.DatasetItemQuery{DatasetID: set.ID}); got != "a" || d.active("set") != 1 {
			d.Errorf("the list is %s, and %d are counted", got, d.active("set"))
		}
		if d.active("other") != 1 {
			d.Errorf("the other dataset counts %d", d.active("other"))
		}

		// What was deleted is seen in versions only.
		versions, err := d.DatasetItemVersions(ctx, d.scope, set.ID, "old", time.Time{}, 10)
		var statuses []string
		for _, v := range versions {
			statuses = append(statuses, v.Status)
		}
		if got := strings.Join(statuses, " "); err != nil || got != "DELETED ARCHIVED ACTIVE ACTIVE" {
			d.Errorf("the versions are %s, %v", got, err)
		}
		if before, err := d.DatasetItemVersions(ctx, d.scope, set.ID, "old", versions[1].At, 1); err != nil || len(before) != 1 ||
			before[0] != versions[2] {
			d.Errorf("before the second there is %v, %v", before, err)
		}
		if at, err := d.DatasetItemAt(ctx, d.scope, "old", versions[1].At); err != nil || at.Status != domain.ItemArchived ||
			string(at.Input) != "7" {
			d.Errorf("when it was archived: %+v, %v", at, err)
		}
		for _, at := range []time.Time{versions[0].At, versions[3].At.Add(-time.Millisecond)} {
			_, err := d.DatasetItemAt(ctx, d.scope, "old", at)
			catalogtest.WantError(d.T, "before it was there, and after", err, domain.ErrNotFound)
		}

		// Nothing of it is in another project.
		_, err = d.PutDatasetItems(ctx, d.other, set.ID, []catalog.ItemWrite{write("a", `1`)}, takesAll, false, catalogtest.Tester)
		catalogtest.WantError(d.T, "a dataset of another project", err, domain.ErrNotFound)
		_, err = d.DatasetItemAt(ctx, d.other, "a", time.Now().Add(time.Hour))
		catalogtest.WantError(d.T, "an item of another project", err, domain.ErrNotFound)
		if versions, err := d.DatasetItemVersions(ctx, d.other, set.ID, "a", time.Time{}, 10); err != nil || len(versions) > 0 {
			d.Errorf("another project sees %v, %v", versions, err)
		}
		if versions, err := d.DatasetItemVersions(ctx, d.scope, other.ID, "a", time.Time{}, 10); err != nil || len(versions) > 0 {
			d.Errorf("another dataset has %v, %v", versions, err)
		}
	})
}

// TestItemsOfABatchThatOthersChange shows that what was decided is decided again if somebody else was faster.
func TestItemsOfABatchThatOthersChange(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		set := d.dataset("set")
		d.item("set", catalog.DatasetItemChange{ID: "a", Input: json.RawMessage(`1`)})
		checks := 0
		check := func(domain.Dataset) (func(*domain.DatasetItem) string, error) {
			return func(*domain.DatasetItem) string {
				if checks++; checks == 1 { // after the item was read, before it is written
					d.item("set", catalog.DatasetItemChange{ID: "a", Metadata: json.RawMessage(`"by others"`)})
				}
				return ""
			}, nil
		}
		d.wantBatch(d.batch(set.ID, false, check, write("a", `2`)), "changed")
		got, err := d.DatasetItem(d.Context(), d.scope, "a")
		if err != nil || string(got.Input) != "2" || string(got.Metadata) != `"by others"` || checks != 2 {
			d.Errorf("after %d checks it is %+v, %v", checks, got, err)
		}
	})
}

func TestVersionsOfADataset(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		set := d.dataset("set")
		d.wantBatch(d.batch(set.ID, false, takesAll, write("a", `1`), write("b", `2`), write("c", `3`)), "created, created, created")
		d.item("set", catalog.DatasetItemChange{ID: "b", Status: domain.ItemArchived})
		last := catalog.ItemWrite{Change: catalog.DatasetItemChange{ID: "c", Status: catalog.ItemDeleted}}
		d.wantBatch(d.batch(set.ID, false, takesAll, write("a", `4`), last), "changed, changed")

		versions, err := d.DatasetVersions(ctx, d.scope, set.ID, time.Time{}, 10)
		if err != nil || len(versions) != 3 {
			d.Fatalf("there are %v, %v", versions, err)
		}
		for n, want := range []catalog.DatasetVersion{{Items: 2, Deleted: 1}, {Items: 1, Archived: 1}, {Items: 3}} {
			want.At = versions[n].At
			if versions[n] != want {
				d.Errorf("version %d is %+v, want %+v", n, versions[n], want)
			}
		}
		older, err := d.DatasetVersions(ctx, d.scope, set.ID, versions[0].At, 1)
		if err != nil || len(older) != 1 || older[0] != versions[1] {
			d.Errorf("before the last there is %v, %v", older, err)
		}
		for n, want := range []string{"a=4 b=2", "a=1 b=2 c=3", "a=1 b=2 c=3"} {
			at := versions[n].At
			var exported []string
			for item, err := range d.DatasetItemsAt(ctx, d.scope, set.ID, at) {
				if err != nil {
					d.Fatal(err)
				}
				exported = append(exported, item.ID+"="+string(item.Input))
			}
			var browsed []string
			previews, err := d.BrowseItems(ctx, d.scope, catalog.ItemsQuery{DatasetID: set.ID, At: &at, Limit: 10})
			if err != nil {
				d.Fatal(err)
			}
			for _, p := range previews {
				browsed = append(browsed, p.ID+"="+*p.Input)
			}
			slices.Sort(exported)
			slices.Sort(browsed)
			if strings.Join(exported, " ") != want || !slices.Equal(exported, browsed) {
				d.Errorf("as of version %d: %v and %v, want %s", n, exported, browsed, want)
			}
		}
		if versions, err := d.DatasetVersions(ctx, d.other, set.ID, time.Time{}, 10); err != nil || len(versions) > 0 {
			d.Errorf("another project sees %v, %v", versions, err)
		}
		for range d.DatasetItemsAt(ctx, d.other, set.ID, versions[0].At) {
			d.Error("another project sees items")
		}
	})
}

// TestManyItemsAtOnce needs more than one statement for everything.
func TestManyItemsAtOnce(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		set := d.dataset("set")
		var first, second []catalog.ItemWrite
		for n := range 1000 {
			first = append(first, write(fmt.Sprintf("i%d", n), `1`))
			second = append(second, write(fmt.Sprintf("i%d", n+1), `2`))
		}
		d.wantBatch(d.batch(set.ID, false, takesAll, first...), strings.TrimSuffix(strings.Repeat("created, ", 1000), ", "))
		d.wantBatch(d.batch(set.ID, false, takesAll, second...), strings.Repeat("changed, ", 999)+"created")
		if d.active("set") != 1001 {
			d.Errorf("%d items are counted", d.active("set"))
		}
	})
}
