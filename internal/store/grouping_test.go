package store_test

import (
	"errors"
	"iter"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

func scoreColumn(t *testing.T, name string) *filter.Column[domain.Score] {
	t.Helper()
	column, ok := filter.Scores().Column(name)
	if !ok {
		t.Fatal("there is no column " + name)
	}
	return column
}

func timeOfScore(s *domain.Score) domain.Micros { return s.Timestamp }

// manyScores yields distinct scores, each with a name of at least nameBytes.
func manyScores(count, nameBytes int) iter.Seq2[*domain.Score, error] {
	return func(yield func(*domain.Score, error) bool) {
		for n := range count {
			if !yield(&domain.Score{
				ID: strconv.Itoa(n), Name: strconv.Itoa(n) + strings.Repeat("x", nameBytes), Value: domain.FloatOf(float64(n)),
			}, nil) {
				return
			}
		}
	}
}

// TestGroupsAreCounted checks that the memory of groups is taken from the lease, that the result keeps its part of it,
// and that a failure keeps nothing.
func TestGroupsAreCounted(t *testing.T) {
	const groups, size = 50, 20 << 10
	query := store.AggregateQuery[domain.Score]{
		GroupBy:  []*filter.Column[domain.Score]{scoreColumn(t, "name")},
		Measures: []store.Measure[domain.Score]{{Function: store.Quantile, Column: scoreColumn(t, "value"), Quantile: 0.5}},
	}
	budget := memory.NewBudget(memory.Sizes{Shared: 64 << 20}, 0)
	ctx := memory.With(t.Context(), budget.Lease(""))
	found, err := store.GroupRows(ctx, manyScores(groups, size), timeOfScore, query)
	if err != nil || len(found.Rows) != groups {
		t.Fatal(found, err)
	}
	if held := budget.Held(); held != found.Held || held < (groups-4)*size || held > 2*groups*size {
		t.Errorf("%d bytes are held, and %d for %d groups of %d", held, found.Held, groups, size)
	}
	budget = memory.NewBudget(memory.Sizes{Shared: 64 << 20}, 0)
	ctx = memory.With(t.Context(), budget.Lease(""))
	query.MaxBytes = groups * size / 2
	if _, err := store.GroupRows(ctx, manyScores(groups, size), timeOfScore, query); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("half of the memory that it takes: %v", err)
	}
	if held := budget.Held(); held != 0 {
		t.Errorf("%d bytes are held after a failure", held)
	}
}

// TestMergedGroups checks that merging groupers that each saw a part of the rows yields the same result as one grouper.
func TestMergedGroups(t *testing.T) {
	value := scoreColumn(t, "value")
	query := store.AggregateQuery[domain.Score]{
		Measures: []store.Measure[domain.Score]{
			{Function: store.Count},
			{Function: store.Count, Column: value},
			{Function: store.Sum, Column: value},
			{Function: store.Min, Column: value},
			{Function: store.Max, Column: value},
			{Function: store.Distinct, Column: value},
			{Function: store.Quantile, Column: value, Quantile: 0.5},
		},
	}
	if err := query.Check(); err != nil {
		t.Fatal(err)
	}
	grouping := store.NewGrouping(t.Context(), timeOfScore, &query)
	defer grouping.Release()
	all := []*store.Grouper[domain.Score]{grouping.NewGrouper(), grouping.NewGrouper(), grouping.NewGrouper()}
	for n, v := range []domain.OptFloat{domain.FloatOf(4), domain.FloatOf(-2), {}, domain.FloatOf(4), domain.FloatOf(7)} {
		if err := all[n%2+1].Add(&domain.Score{Value: v}); err != nil { // the first stays empty
			t.Fatal(err)
		}
	}
	for _, other := range all[1:] {
		if err := all[0].Merge(other); err != nil {
			t.Fatal(err)
		}
	}
	groups := grouping.Result(all[0], 1)
	want := []float64{5, 4, 13, -2, 7, 3, 4}
	if len(groups.Rows) != 1 {
		t.Fatalf("%d groups", len(groups.Rows))
	}
	for n, got := range groups.Rows[0].Values {
		if !got.Set || got.Value != want[n] {
			t.Errorf("measure %d is %+v, want %v", n, got, want[n])
		}
	}
}
