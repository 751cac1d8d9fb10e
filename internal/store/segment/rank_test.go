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
			rows[n] = domain.Score{
				ID: strconv.Itoa(from + n), TraceID: fmt.Sprintf("trace %d", from+n), Timestamp: domain.Micros(1 + (from+n)*7919%groups),
			}
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

// TestRankCountsKeys ranks groups with long keys: those that are kept are counted, those that are replaced are not.
func TestRankCountsKeys(t *testing.T) {
	const groups, keyBytes = 10_000, 800
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	for from := 0; from < groups; from += 1000 {
		rows := make([]domain.Score, 1000)
		for n := range rows {
			rows[n] = domain.Score{ID: strconv.Itoa(from + n), TraceID: fmt.Sprintf("%0*d", keyBytes, from+n), Timestamp: 1}
		}
		if err := s.Scores().Append(t.Context(), scope, rows); err != nil {
			t.Fatal(err)
		}
	}
	rank := func(limit int) (*store.Ranking, int64, error) {
		lease := memory.NewBudget(memory.Sizes{Shared: 6 << 20}, 0).Lease("")
		defer lease.Release()
		found, err := s.Scores().Rank(memory.With(t.Context(), lease), scope, store.RankQuery[domain.Score]{
			Key: filter.Scores().MustColumn("traceId"), KeysAscending: true, Limit: limit,
		})
		return found, lease.Held(), err
	}
	if _, _, err := rank(groups); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("%d keys of %d bytes fit into 6 MB: %v", groups, keyBytes, err)
	}
	const some = 100
	if found, held, err := rank(some); err != nil || len(found.Places) != some || held > 4*some*keyBytes {
		t.Errorf("%d bytes are held for %d keys of %d bytes, %v", held, some, keyBytes, err)
	}
}

// TestRankReadsKeysTogether ranks groups that differ in nothing but their keys, as sessions do by their cost if none has
// any. Reading their keys one by one would decode a page for each.
func TestRankReadsKeysTogether(t *testing.T) {
	const groups = 100_000
	s, err := Open(t.TempDir(), Options{CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	rows := make([]domain.Score, groups)
	for n := range rows {
		rows[n] = domain.Score{ID: strconv.Itoa(n), TraceID: fmt.Sprintf("trace %06d", n*7919%groups), Timestamp: 1}
	}
	if err := errors.Join(s.Scores().Append(t.Context(), scope, rows), s.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
	lease := memory.NewBudget(memory.Sizes{Shared: 16 << 20}, 0).Lease("")
	q := store.RankQuery[domain.Score]{Key: filter.Scores().MustColumn("traceId"), KeysAscending: true, Limit: 50}
	q.Judge = func(_ *store.RankTotals) (store.RankOrder, store.Verdict) {
		return store.RankOrder{}, store.Wanted
	}
	for _, c := range []struct {
		skip, after, first int
	}{{0, -1, 0}, {70, -1, 70}, {0, 50_000, 50_001}, {3, 99_960, 99_964}} {
		q.Skip, q.After = c.skip, nil
		if c.after >= 0 {
			q.After = &store.RankPlace{Key: fmt.Sprintf("trace %06d", c.after)}
		}
		before := pagesAskedFor(s)
		found, err := s.Scores().Rank(memory.With(t.Context(), lease), scope, q)
		if err != nil || found.Total != groups || len(found.Places) != min(50, groups-c.first) {
			t.Fatalf("%+v: %v, %v", c, found, err)
		}
		for n := range found.Places {
			if want := fmt.Sprintf("trace %06d", c.first+n); found.Places[n].Key != want {
				t.Fatalf("%+v: place %d has %s, want %s", c, n, found.Places[n].Key, want)
			}
		}
		if asked := pagesAskedFor(s) - before; asked > groups/10 {
			t.Errorf("%+v: %d pages were asked for", c, asked)
		}
	}
}

// pagesAskedFor returns how many pages were looked up so far.
func pagesAskedFor(s *Store) int64 {
	_, hits, misses := s.scores.cache.stats()
	return hits + misses
}

// TestTalliesInPasses counts values of groups whose rows lie in two row groups and in memory, with little memory too. A column
// with too many values is not counted, and does not keep the others from being counted.
func TestTalliesInPasses(t *testing.T) {
	const groups, each = store.MaxTallied/3 + 10, 3
	s, err := Open(t.TempDir(), Options{CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	for part := range each {
		rows := make([]domain.Score, groups)
		for n := range rows {
			rows[n] = domain.Score{
				ID: fmt.Sprintf("%d-%d", n, part), TraceID: fmt.Sprintf("trace %06d", n), Timestamp: 1, Name: []string{"a", "b", "a"}[part],
				Environment: strconv.Itoa(n % 7),
			}
		}
		err := s.Scores().Append(t.Context(), scope, rows)
		if err == nil && part < each-1 {
			err = s.Flush(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	q := store.RankQuery[domain.Score]{Key: filter.Scores().MustColumn("traceId")}
	for _, column := range []string{"name", "environment", "id"} {
		q.Tallies = append(q.Tallies, store.RankTally[domain.Score]{Column: filter.Scores().MustColumn(column)})
	}
	q.Judge = func(*store.RankTotals) (store.RankOrder, store.Verdict) { return store.RankOrder{}, store.Wanted }
	for _, size := range []int64{1 << 30, 24 << 20} {
		lease := memory.NewBudget(memory.Sizes{Shared: size}, 0).Lease("")
		found, err := s.Scores().Rank(memory.With(t.Context(), lease), scope, q)
		if err != nil {
			t.Fatalf("with %d bytes: %v", size, err)
		}
		counts := make([]map[string]int, len(found.Tallies))
		for n, tallied := range found.Tallies {
			counts[n] = make(map[string]int)
			for i, value := range tallied.Values {
				counts[n][value] = tallied.Counts[i]
			}
		}
		if counts[0]["a"] != groups || counts[0]["b"] != groups || len(counts[0]) != 2 {
			t.Errorf("with %d bytes, names: %v", size, counts[0])
		}
		if sum := counts[1]["0"] + counts[1]["6"]; len(counts[1]) != 7 || sum < 2*(groups/7) || sum > 2*(groups/7)+2 {
			t.Errorf("with %d bytes, environments: %v", size, counts[1])
		}
		if !found.Tallies[2].TooMany || len(found.Tallies[2].Values) > 0 {
			t.Errorf("with %d bytes, %d ids were counted", size, len(found.Tallies[2].Values))
		}
	}
}
