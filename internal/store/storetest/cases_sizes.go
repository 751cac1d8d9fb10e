package storetest

import (
	"maps"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// sizesOfDays checks that every day counts its visible rows, and that longer strings take more space.
func sizesOfDays(t *testing.T, f *fixture) {
	const day = 24 * 60 * 60 * 1_000_000
	o, s := testerOf(f, observations()), testerOf(f, scores())
	first := domain.Micros(20_000 * day)
	var rows []domain.Observation
	for n := range 12 {
		row := o.row("t", string(rune('a'+n)), first+domain.Micros(n/4*day)+domain.Micros(n))
		row.Input = strings.Repeat(strings.Repeat(string(rune('a'+n)), n)+" ", 10)
		rows = append(rows, row)
	}
	o.append(t, rows...)
	o.append(t, rows[3:5]...) // replaces them
	s.append(t, s.row("t", "a", first), s.row("t", "b", first+day))
	sizes := func(t *testing.T, want map[int64]int64) (bytes map[int64]int64) {
		t.Helper()
		list, err := f.store.Sizes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		found := map[int64]int64{}
		bytes = map[int64]int64{}
		for _, size := range list {
			if size.ProjectID == mine {
				found[size.Day] += size.Rows
				bytes[size.Day] += size.Bytes
			}
		}
		if !maps.Equal(found, want) {
			t.Errorf("rows by day: %v, want %v", found, want)
		}
		for day, size := range bytes {
			if size <= 0 {
				t.Errorf("day %d takes %d bytes", day, size)
			}
		}
		return bytes
	}
	o.inEveryState(t, func(t *testing.T) { sizes(t, map[int64]int64{20_000: 5, 20_001: 5, 20_002: 4}) })
	o.delete(t, store.Selection{Before: first + day})
	testerOf(f, scores()).delete(t, store.Selection{Before: first + day}) // a new tester, since the store was reopened
	o.inEveryState(t, func(t *testing.T) { sizes(t, map[int64]int64{20_001: 5, 20_002: 4}) })
	before := sizes(t, map[int64]int64{20_001: 5, 20_002: 4})
	row := o.row("u", "long", first+day+1)
	row.Input = strings.Repeat("a long text, and no end of it. ", 1000)
	o.append(t, row)
	if after := sizes(t, map[int64]int64{20_001: 6, 20_002: 4}); after[20_001] <= before[20_001] {
		t.Errorf("a day with %d bytes takes %d with a long text more", before[20_001], after[20_001])
	}
}
