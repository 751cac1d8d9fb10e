package explore_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// countingStore counts the traces that are assembled.
type countingStore struct {
	store.Store
	assembled int
}

func (s *countingStore) Observations() store.Table[row] {
	return &countingTable{s.Store.Observations(), s}
}

type countingTable struct {
	store.Table[row]
	of *countingStore
}

func (t *countingTable) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*row, error] {
	t.of.assembled += len(l.TraceIDs)
	return t.Table.Lookup(ctx, scope, l)
}

// TestManyTracesOfOneMillisecond pages through traces that all began in the same millisecond, before and after which there
// are others. The cost of a page must not depend on how many they are.
func TestManyTracesOfOneMillisecond(t *testing.T) {
	opened, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	const at, many, limit = 1_800_000_000_000_000, 6000, 100
	s := &countingStore{Store: opened}
	scope := domain.OfProject("p")
	var rows []row
	var want []string // newest first
	add := func(id string, start domain.Micros) {
		rows = append(rows, row{TraceID: id, ID: "o", StartTime: start, Environment: "e"})
		want = append(want, id)
	}
	add("newer", at+1000)
	for n := many; n > 0; n-- {
		add(fmt.Sprintf("t%04d", n), at+domain.Micros(n%1000))
	}
	for n := range 250 {
		add(fmt.Sprintf("older%03d", n), at-domain.Micros(n+1)*1000)
	}
	if err := opened.Observations().Append(t.Context(), scope, rows); err != nil {
		t.Fatal(err)
	}
	if err := opened.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	finder := &traces.Finder{Store: s, Scope: scope}
	explorer := &explore.Explorer{Store: s, Scope: scope, Traces: finder}
	check := func(what string, end int, got, want []string, err error) {
		t.Helper()
		if most := finder.FarWalk(end) + 2*limit; err != nil || !slices.Equal(got, want) || s.assembled > most {
			t.Errorf("%s: %d traces, %v…, want %d, %v…; %d are assembled, at most %d are needed: %v", what, len(got), got[:min(3, len(got))],
				len(want), want[:min(3, len(want))], s.assembled, most, err)
		}
		s.assembled = 0
	}
	for _, offset := range []int{0, limit, 500, many - limit, len(rows) - limit} {
		got, total, err := finder.Find(t.Context(), new(traces.Query), offset, limit)
		check(fmt.Sprintf("public list from %d on", offset), min(offset+limit, 1000), got, want[offset:offset+limit], err)
		if total != len(rows) {
			t.Errorf("%d traces in all, want %d", total, len(rows))
		}
	}
	for _, what := range []string{"list", "list of ids"} {
		var after *explore.TracePlace
		for offset := 0; offset < len(rows); offset += limit {
			var got []string
			var next *explore.TracePlace
			if what == "list of ids" {
				got, next, err = explorer.TraceIDs(t.Context(), new(explore.Selection), after, limit)
			} else {
				var page []*explore.TraceRow
				page, next, err = explorer.TraceRows(t.Context(), new(explore.Selection), explore.Order{}, after, limit, explore.Shown{})
				for _, one := range page {
					got = append(got, one.Summary.ID)
				}
			}
			check(fmt.Sprintf("%s from %d on", what, offset), limit, got, want[offset:min(offset+limit, len(want))], err)
			if after = next; (next == nil) != (offset+limit >= len(rows)) {
				t.Fatalf("%s ends after %d of %d traces", what, offset+limit, len(rows))
			}
		}
	}
}
