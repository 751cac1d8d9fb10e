package segment

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// TestRankWithLittleMemory ranks more groups than the lease has room for: in several passes with the same result, unless
// it is the result that does not fit. Then passes would not help, and none is begun.
func TestRankWithLittleMemory(t *testing.T) {
	const groups = 100_000
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	for from := 0; from < groups; from += 20_000 {
		rows := make([]domain.Score, 20_000)
		for n := range rows {
			rows[n] = domain.Score{ID: strconv.Itoa(from + n), TraceID: fmt.Sprintf("trace %d", from+n), Timestamp: domain.Micros(1 + (from+n)*7919%groups)}
		}
		if err := s.Scores().Append(t.Context(), scope, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	rank := func(lease *memory.Lease, skip, limit int) (found *store.Ranking, judged int64, err error) {
		var count atomic.Int64
		found, err = s.Scores().Rank(memory.With(t.Context(), lease), scope, store.RankQuery[domain.Score]{
			Key:      filter.Scores().MustColumn("traceId"),
			Measures: []store.RankMeasure[domain.Score]{{Function: store.Max, Column: filter.Scores().MustColumn("timestamp")}},
			Judge: func(t *store.RankTotals) (store.RankOrder, store.Verdict) {
				count.Add(1)
				return store.RankOrder{Value: t.Values[0]}, store.Wanted
			},
			Skip: skip, Limit: limit,
		})
		return found, count.Load(), err
	}
	want, _, err := rank(nil, 1000, 50)
	if err != nil || want.Total != groups || len(want.Places) != 50 {
		t.Fatal(want, err)
	}
	lease := memory.NewBudget(memory.Sizes{Shared: 1 << 20}, 0).Lease("")
	got, _, err := rank(lease, 1000, 50)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("with 1 MB: %v, %v, want %v", got, err, want)
	}
	if held := lease.Held(); held > 100<<10 {
		t.Errorf("%d bytes are still held for %d places", held, len(want.Places))
	}
	lease.Release()

	lease = memory.NewBudget(memory.Sizes{Shared: 5 << 20}, 0).Lease("")
	_, judged, err := rank(lease, 0, groups)
	if !errors.Is(err, store.ErrTooLarge) || !errors.Is(err, memory.ErrTooLarge) || judged > groups {
		t.Errorf("all of them with 5 MB: %v after %d decisions", err, judged)
	}
	if held := lease.Held(); held != 0 {
		t.Errorf("%d bytes are held after a failure", held)
	}
}
