package catalog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func (d *datasets) link(link catalog.DatasetRunLink) domain.DatasetRunItem {
	d.Helper()
	linked, err := d.LinkDatasetRunItem(d.Context(), d.scope, link, catalogtest.Tester)
	if err != nil {
		d.Fatal(err)
	}
	return linked
}

func TestDatasetRuns(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		set := d.dataset("set")
		for _, id := range []string{"a", "b", "c"} {
			d.item("set", catalog.DatasetItemChange{ID: id})
		}
		first := d.link(catalog.DatasetRunLink{RunName: "run 1", ItemID: "a", TraceID: "t1", ObservationID: new("o1")})
		id := domain.ExperimentID(d.scope.ProjectID(), set.ID, "run 1")
		want := domain.DatasetRunItem{
			ID: domain.RunItemID(id, "a"), RunID: id, RunName: "run 1", DatasetItemID: "a", TraceID: "t1", ObservationID: new("o1"),
			CreatedAt: first.CreatedAt,
		}
		if diff := cmp.Diff(want, first); diff != "" {
			d.Error(diff)
		}
		run, err := d.DatasetRun(ctx, d.scope, id)
		if err != nil || run.Description != nil || run.Metadata != nil || run.Name != "run 1" || run.DatasetID != set.ID ||
			run.DatasetName != "set" {
			d.Errorf("the run is %+v, %v", run, err)
		}
		// The first link that describes the run decides.
		d.link(catalog.DatasetRunLink{
			RunName: "run 1", ItemID: "b", RunDescription: new("described"), RunMetadata: json.RawMessage(`{"n":1.0}`),
		})
		d.link(catalog.DatasetRunLink{RunName: "run 1", ItemID: "b"})
		last := d.link(catalog.DatasetRunLink{
			RunName: "run 1", ItemID: "c", RunDescription: new("again"), RunMetadata: json.RawMessage(`{}`),
		})
		if run, err = d.DatasetRun(ctx, d.scope, id); err != nil || *run.Description != "described" || string(run.Metadata) != `{"n":1.0}` {
			d.Errorf("the run is %+v, %v", run, err)
		}
		if !run.UpdatedAt.Before(last.CreatedAt) {
			d.Errorf("a link that changes nothing touched the run: %v, %v", run.UpdatedAt, last.CreatedAt)
		}
		// Linking again replaces the link.
		again := d.link(catalog.DatasetRunLink{RunName: "run 1", ItemID: "a", TraceID: "t2"})
		if again.ID != first.ID || !again.CreatedAt.After(last.CreatedAt) {
			d.Errorf("linked again as %+v", again)
		}
		links := collected(d, d.DatasetRunItems(ctx, run))
		if len(links) != 3 || links[0].DatasetItemID != "a" || links[1].DatasetItemID != "c" || links[2].DatasetItemID != "b" {
			d.Fatalf("the links are %+v", links)
		}
		if diff := cmp.Diff(again, links[0]); diff != "" {
			d.Error(diff)
		}

		// A time sent by the client.
		given := time.Date(2020, 1, 2, 3, 4, 5, 6e6, time.UTC)
		d.DB.Now = func() time.Time { return run.CreatedAt.Add(time.Hour) }
		second := d.link(catalog.DatasetRunLink{RunName: "run 2", ItemID: "a", CreatedAt: &given})
		if !second.CreatedAt.Equal(given) || second.RunID == id {
			d.Errorf("linked as %+v", second)
		}
		runs, total, err := d.DatasetRuns(ctx, d.scope, set, 0, 10)
		if all := collected(d, runs); err != nil || total != 2 || len(all) != 2 || all[0].Name != "run 2" || all[1].Name != "run 1" {
			d.Errorf("runs %+v, %v", all, err)
		}
		runs, _, err = d.DatasetRuns(ctx, d.scope, set, 1, 1)
		if page := collected(d, runs); err != nil || len(page) != 1 || page[0].Name != "run 1" {
			d.Errorf("a page of runs is %+v, %v", page, err)
		}

		// Other projects see none of it.
		_, err = d.DatasetRun(ctx, d.other, id)
		catalogtest.WantError(d.T, "a run of another project", err, domain.ErrNotFound)
		catalogtest.WantError(d.T, "deleting a run of another project", d.DeleteDatasetRun(ctx, d.other, run, catalogtest.Tester),
			domain.ErrNotFound)
		_, err = d.LinkDatasetRunItem(ctx, d.other, catalog.DatasetRunLink{RunName: "run 1", ItemID: "a"}, catalogtest.Tester)
		catalogtest.WantError(d.T, "linking an item of another project", err, domain.ErrNotFound)
		if runs, _, err := d.DatasetRuns(ctx, d.other, set, 0, 10); err != nil || len(collected(d, runs)) > 0 {
			d.Errorf("another project sees runs, %v", err)
		}

		if err := d.DeleteDatasetRun(ctx, d.scope, run, catalogtest.Tester); err != nil {
			d.Fatal(err)
		}
		_, err = d.DatasetRun(ctx, d.scope, id)
		catalogtest.WantError(d.T, "a deleted run", err, domain.ErrNotFound)
		deletions, err := d.DatasetRunDeletions(ctx, d.scope, set)
		if want := d.DB.Now().UTC().Truncate(time.Millisecond); err != nil || len(deletions) != 1 || !deletions[id].Equal(want) {
			d.Errorf("deletions %v, %v; want %s at %v", deletions, err, id, want)
		}
		if deletions, err := d.DatasetRunDeletions(ctx, d.other, set); err != nil || len(deletions) > 0 {
			d.Errorf("another project sees the deletions %v, %v", deletions, err)
		}
		if links := collected(d, d.DatasetRunItems(ctx, run)); len(links) > 0 {
			d.Errorf("a deleted run has the links %v", links)
		}
		if links := collected(d, d.DatasetRunItems(ctx, domain.DatasetRun{ID: second.RunID})); len(links) != 1 {
			d.Errorf("the other run has %d links", len(links))
		}
	})
}

// TestRunItemsAreTakenFromAVersion links items that no longer exist, or do not exist yet.
func TestRunItemsAreTakenFromAVersion(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		ctx := d.Context()
		d.dataset("set")
		active := d.item("set", catalog.DatasetItemChange{ID: "a"})
		archived := d.item("set", catalog.DatasetItemChange{ID: "a", Status: domain.ItemArchived})
		earlier := active.WrittenAt.Add(-time.Millisecond)
		for name, c := range map[string]struct {
			item string
			at   *time.Time
			ok   bool
		}{
			"archived":            {"a", nil, false},
			"when it was active":  {"a", &active.WrittenAt, true},
			"when it was not":     {"a", &archived.WrittenAt, false},
			"before it was there": {"a", &earlier, false},
			"unknown":             {"x", nil, false},
			"impossible":          {"\x00", nil, false},
		} {
			_, err := d.LinkDatasetRunItem(ctx, d.scope, catalog.DatasetRunLink{RunName: "r", ItemID: c.item, At: c.at}, catalogtest.Tester)
			if c.ok {
				if err != nil {
					d.Errorf("%s: %v", name, err)
				}
				continue
			}
			catalogtest.WantError(d.T, name, err, domain.ErrNotFound)
		}
	})
}

// TestParallelLinks links items of one run concurrently, as an experiment does.
func TestParallelLinks(t *testing.T) {
	onBothWithDatasets(t, func(d *datasets) {
		d.dataset("set")
		const count = 40
		for n := range count {
			d.item("set", catalog.DatasetItemChange{ID: fmt.Sprint("i", n)})
		}
		var wg sync.WaitGroup
		for n := range count {
			wg.Go(func() {
				if _, err := d.LinkDatasetRunItem(context.Background(), d.scope, catalog.DatasetRunLink{
					RunName: "r", ItemID: fmt.Sprint("i", n), RunDescription: new("x"),
				}, catalogtest.Tester); err != nil {
					d.Error(err)
				}
			})
		}
		wg.Wait()
		set, err := d.Dataset(d.Context(), d.scope, "set")
		if err != nil {
			d.Fatal(err)
		}
		run := domain.DatasetRun{ID: domain.ExperimentID(d.scope.ProjectID(), set.ID, "r")}
		times := map[time.Time]bool{}
		for _, link := range collected(d, d.DatasetRunItems(d.Context(), run)) {
			times[link.CreatedAt] = true
		}
		if len(times) != count {
			d.Errorf("%d links have %d times", count, len(times))
		}
	})
}
