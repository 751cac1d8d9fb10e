package export

import (
	"fmt"
	"strconv"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store/segment"
)

// TestExportsWithinALease exports many sessions, users and traces with a lease that they would not fit into. Between
// batches, it holds no more than is needed to remember them.
func TestExportsWithinALease(t *testing.T) {
	const entities = 200_000
	w := newWorld(t)
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for from := 0; from < entities; from += 10_000 {
		batch := make([]domain.Observation, 10_000)
		for n := range batch {
			id := strconv.Itoa(from + n)
			batch[n] = domain.Observation{
				TraceID: fmt.Sprintf("%032x", from+n), ID: fmt.Sprintf("%016x", from+n),
				StartTime: domain.Micros(1_800_000_000_000_000 + (from+n)*1000),
				UserID:    "user-" + id, SessionID: "a-session-with-a-rather-long-identifier-" + id,
			}
		}
		if err := s.Observations().Append(t.Context(), w.scope, batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	budget := memory.NewBudget(memory.SizesOf(40<<20), 0)
	reader := &Reader{Catalog: w.catalog, Store: s, Scope: w.scope}
	for _, name := range []string{Users, Sessions, Traces} {
		ctx, release := budget.Work(t.Context(), "p")
		table, err := reader.Open(ctx, &Request{Table: name, Format: JSONL})
		if err != nil {
			t.Fatal(err)
		}
		rows, most := 0, int64(0)
		if err := table.rows(ctx, func([]Value) error {
			rows++
			most = max(most, memory.Of(ctx).Held())
			return nil
		}); err != nil || rows != entities {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
		t.Logf("%s: up to %d MB", name, most>>20)
		if held := memory.Of(ctx).Held(); held > 1<<20 {
			t.Errorf("%s: %d KB are still held", name, held>>10)
		}
		release()
	}
}
