package explore

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
	"almanac/internal/store/segment"
)

// TestSearchGoesOn searches for words when every time window takes too long: pages are short, say how far they
// searched, and continue until everything is found, in the same order as without a time limit. Traces overlap: some
// started long before the row that was found.
func TestSearchGoesOn(t *testing.T) {
	s, err := segment.Open(t.TempDir(), segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	scope := domain.OfProject("p")
	const minute = 60 * 1_000_000
	var rows []domain.Observation
	for n := range 300 {
		start := domain.Micros(1_790_000_000_000_000 + int64(n)*3*minute)
		root := domain.Observation{TraceID: fmt.Sprint("t", n), ID: "root", StartTime: start, Input: "two words apart"}
		child := domain.Observation{
			TraceID: root.TraceID, ID: "child", ParentID: "root", StartTime: start + domain.Micros(n%50)*minute, Input: "words two",
		}
		if n%7 == 0 {
			child.Input = "here two words stand together"
		}
		rows = append(rows, root, child)
	}
	if err := s.Observations().Append(t.Context(), scope, rows); err != nil {
		t.Fatal(err)
	}
	selection := &Selection{Where: []condition{filter.Must(filter.Search("stand together"))}}
	for _, haste := range []bool{false, true} {
		slow := &costly{Store: s, clock: time.Unix(0, 0), oldest: rows[0].StartTime}
		if haste {
			slow.perDay = 24 * hour / firstWindow * (DefaultTimeLimit / listShare) // the first window takes as long as a page may
		}
		e := &Explorer{
			Store: slow, Scope: scope, Traces: &traces.Finder{Store: s, Scope: scope}, now: func() time.Time { return slow.clock },
		}
		for _, limit := range []int{5, 200} {
			var found []string
			pages, unfinished, last := 0, 0, domain.Micros(0)
			for after := (*Cursor)(nil); pages < 1000; pages++ {
				page, next, err := e.Observations(t.Context(), selection, Order{}, after, limit, Shown{})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range page {
					found = append(found, r.TraceID)
				}
				if after = next; next == nil {
					break
				}
				if back := next.SearchedBack(); back != 0 {
					unfinished++
					if last != 0 && back >= last {
						t.Fatalf("page %d searched until %d, as the one before", pages, back)
					}
					last = back
				} else if len(page) != limit {
					t.Fatalf("page %d is short: %d rows", pages, len(page))
				}
			}
			// in one go
			want, _, err := (&Explorer{Store: s, Scope: scope}).Observations(t.Context(), selection, Order{Column: "latency"}, nil,
				200, Shown{})
			if err != nil || len(found) != len(want) || len(found) != 43 || haste != (unfinished > 3) {
				t.Errorf("observations, haste %t: %d in %d pages, %d of them unfinished; at once %d, %v", haste, len(found), pages,
					unfinished, len(want), err)
			}

			var ids []string
			unfinished = 0
			pages = 0
			for after := (*TracePlace)(nil); pages < 1000; pages++ {
				page, next, err := e.TraceRows(t.Context(), selection, Order{}, after, limit, Shown{})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range page {
					ids = append(ids, r.TraceID)
				}
				if after = next; next == nil {
					break
				}
				if next.SearchedBack() != 0 {
					unfinished++
				}
			}
			var expected []string
			for n := 294; n >= 0; n -= 7 {
				expected = append(expected, fmt.Sprint("t", n))
			}
			if !slices.Equal(ids, expected) || haste != (unfinished > 3) {
				t.Errorf("traces, haste %t, %d a page, %d pages, %d unfinished: %v", haste, limit, pages, unfinished, ids)
			}
		}
	}
}
