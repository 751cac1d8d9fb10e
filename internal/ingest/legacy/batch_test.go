package legacy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// TestConcurrentBatches changes one trace and one observation concurrently: no change may be lost. Updates do not name
// the trace, so it has to be looked up.
func TestConcurrentBatches(t *testing.T) {
	const writers, changes = 8, 10
	b := newBench(t)
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b.table, b.in.Table = s.Observations(), s.Observations()
	b.send(ev(0, "span-create", `{"id":"o","traceId":"T"}`))
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for n := range changes {
				b.send(
					ev(1, "span-update", fmt.Sprintf(`{"id":"o","metadata":{"o-%d-%d":1}}`, w, n)),
					ev(1, "span-create", fmt.Sprintf(`{"id":"o-%d-%d","traceId":"T"}`, w, n)),
				)
				b.send(ev(1, "trace-create", fmt.Sprintf(`{"id":"T","userId":"u-%d-%d","tags":["%d"],"metadata":{"t-%d-%d":1}}`, w,
					n, w, w, n)))
			}
		})
	}
	group.Wait()
	rows := b.rows("T")
	if len(rows) != 2+writers*changes {
		t.Errorf("%d rows", len(rows))
	}
	trace := rows["t-T"]
	for w := range writers {
		for n := range changes {
			for _, part := range []struct{ id, key string }{{"o", "o"}, {"t-T", "t"}} {
				if key := fmt.Sprintf(`"%s-%d-%d":1`, part.key, w, n); !strings.Contains(rows[part.id].Metadata, key) {
					t.Errorf("%s was lost", key)
				}
			}
		}
	}
	for id, row := range rows {
		if row.UserID != trace.UserID || len(row.Tags) != writers || id != trace.ID && row.ParentID != trace.ID {
			t.Errorf("%s has the user %s of the trace's %s, parent %s", id, row.UserID, trace.UserID, row.ParentID)
		}
	}
}

// TestLargeBatch sends events about more traces and observations than fit into one append, and then changes rows that
// are too large to be held in memory together.
func TestLargeBatch(t *testing.T) {
	b := newBench(t)
	b.table = newTable()
	b.in.Table = b.table
	const things = 2*maxThings + 1
	var events []Event
	for n := range things {
		events = append(events, ev(1, "span-create", fmt.Sprintf(`{"id":"o%d","traceId":"T"}`, n)))
	}
	b.send(append(events, ev(2, "trace-create", `{"id":"T","userId":"u"}`))...)
	rows := b.rows("T")
	if len(rows) != things+1 || rows["o0"].UserID != "u" || rows["o0"].ParentID != "t-T" {
		t.Errorf("%d rows, %+v", len(rows), rows["o0"])
	}

	long := strings.Repeat("x", 5<<20)
	for n := range 9 {
		b.send(ev(1, "span-create", fmt.Sprintf(`{"id":"large%d","traceId":"L","input":%q}`, n, long)))
	}
	events = events[:0]
	for n := range 9 {
		events = append(events, ev(2, "span-update", fmt.Sprintf(`{"id":"large%d","output":"done"}`, n)))
	}
	b.send(events...)
	b.send(ev(3, "trace-create", `{"id":"L","userId":"u"}`)) // rewrites all of them in several appends
	for id, row := range b.rows("L") {
		if id != "t-L" && (row.Output != "done" || len(row.Input) != len(long) || row.UserID != "u") {
			t.Errorf("%s has the output %q and the user %q", id, row.Output, row.UserID)
		}
	}
}

// TestMemory tests batches without enough memory for the rows they change.
func TestMemory(t *testing.T) {
	b := newBench(t)
	b.send(ev(1, "span-create", `{"id":"o","traceId":"T","input":"`+strings.Repeat("x", 1<<20)+`"}`))
	update := ev(2, "span-update", `{"id":"o","output":"x"}`)
	b.in.Memory = ingest.NewBudget(2<<20, time.Millisecond)
	held := b.in.Memory.Reserve("")
	if err := held.Grow(t.Context(), 2<<20-1); err != nil {
		t.Fatal(err)
	}
	if err := b.try(update)[0]; !errors.Is(err, store.ErrBusy) {
		t.Errorf("others hold it: %v", err)
	}
	held.Release()
	b.send(update)
	b.in.Memory = ingest.NewBudget(1000, time.Millisecond)
	if got := issuesOfError(t, b.try(update)[0]); !strings.Contains(got, "too large to be changed") {
		t.Errorf("there is never as much: %s", got)
	}
}

// TestMetadataIsBounded adds to metadata until it is too large.
func TestMetadataIsBounded(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("x", 4<<20)
	for n := range 3 {
		b.send(ev(1, "span-update", fmt.Sprintf(`{"id":"o","traceId":"T","metadata":{"k%d":%q}}`, n, long)))
	}
	errs := b.try(ev(1, "span-update", fmt.Sprintf(`{"id":"o","name":"never","metadata":{"k":%q}}`, long+long)),
		ev(2, "span-update", `{"id":"o","version":"2"}`))
	if got := issuesOfError(t, errs[0]); !strings.Contains(got, `"path":["body","metadata"]`) || errs[1] != nil {
		t.Errorf("%s, %v", got, errs[1])
	}
	if row := b.row("T", "o"); row.Name != "" || row.Version != "2" {
		t.Errorf("name %q, version %q", row.Name, row.Version)
	}
}

// brokenTable fails to append.
type brokenTable struct {
	Table
	appending error
}

func (b *brokenTable) Append(ctx context.Context, s domain.ProjectScope, rows []domain.Observation) error {
	if b.appending != nil {
		return b.appending
	}
	return b.Table.Append(ctx, s, rows)
}

// TestStoreFails checks that every affected event gets the error of the store, and no other event does.
func TestStoreFails(t *testing.T) {
	b := newBench(t)
	b.in.Table = &brokenTable{b.table, store.ErrDiskFull}
	errs := b.try(ev(1, "span-create", `{"id":"a"}`), ev(1, "span-create", `{}`), ev(1, "trace-create", `{}`))
	if !errors.Is(errs[0], store.ErrDiskFull) || errors.Is(errs[1], store.ErrDiskFull) || !errors.Is(errs[2], store.ErrDiskFull) {
		t.Errorf("%v", errs)
	}
}

// TestRetellingFails changes a trace while the store fails halfway: a retry of the event completes the change.
func TestRetellingFails(t *testing.T) {
	b := newBench(t)
	b.send(ev(1, "trace-create", `{"id":"T","userId":"old"}`), ev(1, "span-create", `{"id":"o","traceId":"T"}`))
	broken := &brokenTable{b.table, store.ErrBusy}
	b.in.Table = broken
	change := ev(2, "trace-create", `{"id":"T","userId":"new"}`)
	if err := b.try(change)[0]; !errors.Is(err, store.ErrBusy) {
		t.Errorf("%v", err)
	}
	broken.appending = nil
	b.send(change)
	if rows := b.rows("T"); rows["o"].UserID != "new" || rows["t-T"].UserID != "new" {
		t.Errorf("%+v", rows)
	}
}

func TestMetricsAndLastEvent(t *testing.T) {
	b := newBench(t)
	registry := prometheus.NewRegistry()
	options := b.in.Options
	var last domain.Micros
	options.Metrics, options.Stored = registry, func(at domain.Micros) { last = at }
	b.in = New(options)
	private := ev(-9, "trace-create", `{"public":true}`)
	private.MayPublish = false
	b.try(private, ev(-9, "trace-create", `{}`), ev(-5, "span-create", `{"id":"a"}`), ev(1, "span-create", `{}`), ev(1, "whatever", `{}`))
	want := `# HELP almanac_legacy_events_total Events about traces and observations that came to the batch ingestion endpoint, by type and by what became of them.
# TYPE almanac_legacy_events_total counter
almanac_legacy_events_total{result="invalid",type="other"} 1
almanac_legacy_events_total{result="invalid",type="span-create"} 1
almanac_legacy_events_total{result="ok",type="span-create"} 1
almanac_legacy_events_total{result="ok",type="trace-create"} 1
almanac_legacy_events_total{result="unpublished",type="trace-create"} 1
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	if last != at(-5) {
		t.Errorf("the last event was at %v", last.Time())
	}
	b.send(ev(3600, "span-create", `{"id":"b","traceId":"future"}`))
	if last != at(0) {
		t.Errorf("clocks that are ahead count for more than now: %v", last.Time())
	}
}
