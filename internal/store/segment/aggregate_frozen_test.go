package segment

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// sortedGroups returns groups sorted by their keys.
func sortedGroups(t *testing.T, groups *store.Groups, err error) []store.Group {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(groups.Rows, func(a, b store.Group) int {
		return cmp.Or(strings.Compare(fmt.Sprint(a.Keys), fmt.Sprint(b.Keys)), strings.Compare(fmt.Sprint(a.Nulls), fmt.Sprint(b.Nulls)))
	})
	return groups.Rows
}

// TestKeptSums repeats the same queries while rows are added, replaced and deleted: every result must equal that of
// adding the rows one by one.
func TestKeptSums(t *testing.T) {
	type R = domain.Observation
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scopes := []domain.ProjectScope{domain.OfProject("p"), domain.OfProject("q")}
	row := func(n int) R {
		start := domain.Micros(1_790_000_000_000_000 + int64(n)*1_000_000)
		r := R{
			TraceID: fmt.Sprint("t", n/5), ID: strconv.Itoa(n), StartTime: start, UserID: fmt.Sprint("u", n%37),
			SessionID: fmt.Sprint("s", n/11), Level: []string{"", "ERROR", ""}[n%3],
			Name: fmt.Sprint("name", n%7), Tags: [][]string{nil, {"a", "b", "a"}, {"b"}}[n%3], TotalTokens: domain.IntOf(int64(n % 10)),
		}
		if n%4 > 0 {
			r.TotalCost, r.EndTime = domain.FloatOf(float64(n%97)/8), start+domain.Micros(n%1000)*1000
		}
		if n%6 == 0 {
			r.ParentID, r.UserID = "x", ""
		}
		return r
	}
	fill := func(from, to int) {
		for _, scope := range scopes {
			var rows []R
			for n := from; n < to; n++ {
				rows = append(rows, row(n))
			}
			if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	column := filter.ObservationColumn
	by := func(names ...string) (list []*filter.Column[R]) {
		for _, name := range names {
			list = append(list, column(name))
		}
		return list
	}
	all := []store.Measure[R]{
		{Function: store.Count},
		{Function: store.Sum, Column: column("totalCost")},
		{Function: store.Average, Column: column("totalTokens")},
		{Function: store.Min, Column: column("startTime")},
		{Function: store.Max, Column: column("endTime")},
		{Function: store.Distinct, Column: column("traceId")},
		{Function: store.Distinct, Column: column("totalTokens")},
		{Function: store.Count, Column: column("sessionId")},
	}
	some := filter.Must(filter.NewTexts(column("userId"), filter.AnyOf, []string{"u3", "u5", "u3", "nobody"}))
	begins := filter.Must(filter.NewText(column("userId"), filter.StartsWith, "u1"))
	set := filter.Must(filter.NewNull(column("userId"), false))
	where := func(list ...filter.Condition[R]) []filter.Condition[R] { return list }
	queries := []store.AggregateQuery[R]{
		{GroupBy: by("userId"), Measures: all},
		{GroupBy: by("userId"), Measures: all, Where: where(some)},
		{GroupBy: by("userId", "level", "tags"), Measures: all, Where: where(some)},
		{GroupBy: by("userId", "level"), Measures: all, Where: where(some, begins)},
		{GroupBy: by("userId", "level"), Measures: all, Where: where(begins)},
		{GroupBy: by("userId"), Where: where(set)},
		{GroupBy: by("userId"), Measures: all[:1], From: row(300).StartTime, To: row(4000).StartTime},
		{GroupBy: by("tags"), Measures: all[:1]},
		{GroupBy: by("tags"), Measures: all[:1], Where: where(begins)},
		{GroupBy: by("name"), Measures: all[:1]},
		{GroupBy: by("traceName"), Measures: all[:1]},
		{GroupBy: by("isRootObservation"), Measures: all},
		{GroupBy: by("promptName"), Measures: all[:1]},
		{GroupBy: by("totalTokens"), Measures: all[:2]},
	}
	check := func(when string) {
		t.Helper()
		for range 3 {
			for n, q := range queries {
				for _, scope := range scopes {
					got, err := s.Observations().Aggregate(t.Context(), scope, q)
					found := sortedGroups(t, got, err)
					rows := s.Observations().Scan(t.Context(), scope, store.Query[R]{From: q.From, To: q.To, Where: q.Where})
					want, err := store.GroupRows(t.Context(), rows, func(r *R) domain.Micros { return r.StartTime }, q)
					if diff := gocmp.Diff(sortedGroups(t, want, err), found); diff != "" {
						t.Fatalf("%s, query %d: (-want +got)\n%s", when, n, diff)
					}
				}
			}
		}
	}
	fill(0, 3000)
	check("at first")
	if bytes, hits, _ := s.observations.cache.stats(); bytes == 0 || hits == 0 || s.observations.cache.sums.Bytes() == 0 {
		t.Fatalf("nothing was kept: %d bytes, %d hits", bytes, hits)
	}
	fill(3000, 5000)
	check("with more rows")
	changed := row(17)
	changed.UserID, changed.TotalCost = "u3", domain.FloatOf(1000)
	if err := s.Observations().Append(t.Context(), scopes[0], []R{changed}); err != nil {
		t.Fatal(err)
	}
	check("with a row replaced")
	if _, err := s.Observations().Delete(t.Context(), scopes[0], store.Selection{TraceIDs: []string{"t700", "t3"}}); err != nil {
		t.Fatal(err)
	}
	check("with rows deleted")
}

// TestSumsThatAreTooMany checks that sums that do not fit are not cached, and are not computed in vain again.
func TestSumsThatAreTooMany(t *testing.T) {
	c := newCache(10_000, 10_000)
	of := func(query uint64, groups int, size int64) {
		for n := range groups {
			c.putSums(sumsKey{group: uint64(n), query: query}, &partialSums{size: size})
		}
	}
	if c.worthSums(7) {
		t.Error("what was never asked for is worth keeping")
	}
	if !c.worthSums(7) {
		t.Error("what is asked for again is not worth keeping")
	}
	of(7, 9, 600)
	if c.worthSums(7) {
		t.Error("sums that take half of the memory go on growing")
	}
	c.forget(0)
	c.forget(1)
	if !c.worthSums(7) {
		t.Error("sums of row groups that are gone still count")
	}
	c.worthSums(8)
	of(8, 12, 600)
	if c.worthSums(8) {
		t.Error("what is full goes on growing")
	}
	if _, kept := c.getSums(sumsKey{group: 2, query: 7}); !kept {
		t.Error("sums that were used lately are pushed out")
	}
	for range 100 {
		c.worthSums(6)
	}
	if c.forget(5); !c.worthSums(8) {
		t.Error("a query that once found no room never gets any")
	}
	of(6, 12, 300)
	if _, kept := c.getSums(sumsKey{group: 3, query: 7}); kept {
		t.Error("sums that nobody asks for any more are in the way of others")
	}
	for n := range 20 {
		c.put(cacheKey{uint64(n), 2, 0}, nil, 1000)
	}
	if bytes, _, _ := c.stats(); bytes < 18_000 || bytes > 20_000 {
		t.Errorf("%d bytes are kept: pages push sums out, or there is no limit", bytes)
	}
	c.worthSums(9)
	of(9, 1, 700)
	if _, kept := c.getSums(sumsKey{group: 0, query: 9}); kept || c.worthSums(9) {
		t.Error("sums that are large for one row group are kept, or made again")
	}
}
