package scheduled

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/failing"
)

// TestDeletionsBesideArrivalsAndRuns adds rows of a trace, and runs exports, before and after each call that its
// deletion makes, while each of these calls in turn is the last one that its server makes. A reader of the files must
// see what the store has.
func TestDeletionsBesideArrivalsAndRuns(t *testing.T) {
	failures := new(failing.Switch)
	for n := range 4 {
		exported, byTime := n%2 == 1, n/2 == 1
		w := newWorld(t, nil)
		if exported {
			w.append(domain.Observation{TraceID: "first", ID: "o", StartTime: start, Name: "n"})
			w.step()
		}
		// Two catalogs on the same file, so that only the deletion fails.
		failingCatalog, err := catalog.OpenSQLite(t.Context(), w.file, failures.Driver)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = failingCatalog.Close() })
		rounds := 0
		row := func(id, version string) domain.Observation {
			return domain.Observation{
				TraceID: fmt.Sprint("t", rounds), ID: id, StartTime: domain.Micros(start + rounds),
				Name: fmt.Sprint(version, " of round ", rounds),
			}
		}
		arrive := func() { w.append(row("late", "late"), row("twice", "second")) }
		run := func() { w.step() }
		for at := range 3 {
			for name, events := range map[string][]func(){
				"arrival": {arrive}, "run": {run}, "arrival, run": {arrive, run}, "run, arrival": {run, arrive},
				"run, arrival, run": {run, arrive, run},
			} {
				failures.Reset()
				for failed := "none yet"; failed != ""; {
					rounds++
					young := row("twice", "first")
					young.StartTime += 1000
					w.append(row("early", "first"), young)
					selection := store.Selection{TraceIDs: []string{young.TraceID}}
					if byTime {
						selection = store.Selection{Before: row("", "").StartTime + 1}
					}
					beset := &failing.Interleaved{Store: failures.Store(w.embedded), At: at, Happen: func() {
						for _, event := range events {
							event()
						}
					}}
					dying := &Recorder{Store: beset, Catalog: failingCatalog, Log: slog.New(slog.DiscardHandler)}
					failures.Arm()
					_, err := dying.Observations().Delete(t.Context(), w.scope, selection)
					if failed = failures.Disarm(); err != nil && !errors.Is(err, failing.ErrInjected) {
						t.Fatal(err)
					}
					if byTime { // the next deletion removes what arrived late
						if _, err := w.store.Observations().Delete(t.Context(), w.scope, selection); err != nil {
							t.Fatal(err)
						}
					}
					if !exported { // the next round begins with a first run again
						w.age()
						w.wantUnion(fmt.Sprintf("%s before call %d, and %q failed", name, at, failed))
						w.save(func(b *domain.BlobStorageIntegration) { b.ExportMode = domain.ExportFromToday; b.ExportStartDate = nil })
						w.save(nil)
						clear(w.bucket.objects)
					}
				}
				if exported {
					w.age()
					w.wantUnion(fmt.Sprintf("%s before call %d", name, at))
				}
				if t.Failed() {
					return
				}
			}
		}
		if rounds < 100 {
			t.Errorf("there were only %d rounds", rounds)
		}
	}
}

// TestTooManyDeletions deletes rows that were never exported because the integration is disabled: they are recorded up
// to a bound, beyond which exports start over.
func TestTooManyDeletions(t *testing.T) {
	w := newWorld(t, nil)
	recorder := &Recorder{Store: w.embedded, Catalog: w.catalog.Catalog, Log: slog.New(slog.DiscardHandler), maxNoted: 6_000}
	w.store = recorder
	w.append(domain.Observation{TraceID: "first", ID: "o", StartTime: start + 1_000_000, Name: "n"})
	w.step()
	w.save(func(b *domain.BlobStorageIntegration) { b.Enabled = false })
	arrived := 0
	expire := func(rows int) (noted int64) {
		t.Helper()
		for range rows {
			arrived++
			w.append(domain.Observation{
				TraceID: "t", ID: fmt.Sprintf("%020d", arrived), StartTime: domain.Micros(start + arrived), Name: "n",
			})
		}
		removed, err := w.store.Observations().Delete(t.Context(), w.scope, store.Selection{Before: domain.Micros(start + arrived + 1)})
		if err != nil || removed != rows {
			t.Fatalf("%d are deleted, %v", removed, err)
		}
		noted, err = w.catalog.NotedDeletions(t.Context(), w.scope)
		if err != nil {
			t.Fatal(err)
		}
		return noted
	}
	for range 2 {
		if noted := expire(50); noted < 50*20 || w.state().LastSyncAt == nil {
			t.Errorf("%d bytes are noted of rows that are few: %+v", noted, w.state())
		}
	}
	if noted := expire(100); noted != 0 || w.state().LastSyncAt != nil {
		t.Errorf("%d bytes are noted of too many rows: %+v", noted, w.state())
	}
	if noted := expire(100); noted != 0 {
		t.Errorf("%d bytes are noted of what no file has", noted)
	}
	w.append(domain.Observation{TraceID: "later", ID: "o", StartTime: start + 1_000_000, Name: "n"})
	w.save(nil)
	clear(w.bucket.objects) // the reader starts over as well
	w.wantUnion("anew")
	for _, name := range w.files(manifestsFolder)[:1] {
		if manifest := string(w.bucket.objects[name]); !strings.Contains(manifest, `"minTimestamp":null`) {
			t.Errorf("the first manifest is %s", manifest)
		}
	}
}

// age makes deletions so old that they are exported although their end was never recorded.
func (w *world) age() {
	w.Helper()
	w.statement("UPDATE export_deletions SET created_at = 0")
}

// statement executes a statement on the catalog.
func (w *world) statement(text string) {
	w.Helper()
	if _, err := w.catalog.DB.SQL.Write.ExecContext(w.Context(), text); err != nil {
		w.Fatal(err)
	}
}
