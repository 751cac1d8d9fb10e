package segment

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// Rows of a day have their own segments, so that a read of a few days opens few row groups. Clients choose the days,
// and a file costs far more than a row: days with few rows share segments with others of their month, then of their
// year, then with all others.

// spans are the spans of time that segments cover, from short to long. Each function numbers the span of a day.
var spans = []func(day int64) int64{
	func(day int64) int64 { return day },
	func(day int64) int64 {
		year, month, _ := dateOf(day)
		return int64(year)*12 + int64(month)
	},
	func(day int64) int64 {
		year, _, _ := dateOf(day)
		return int64(year)
	},
	func(int64) int64 { return 0 },
}

func dateOf(day int64) (year int, month time.Month, dayOfMonth int) {
	return time.Unix(day*24*60*60, 0).UTC().Date()
}

// flushParts limits how many segments a flush writes: this many for days with many rows, and as many for the others.
const flushParts = 16

// divide divides rows into segments.
func (t *table[R]) divide(rows []placedRow[R]) [][]placedRow[R] {
	counts := make(map[int64]int)
	for _, r := range rows {
		counts[t.dayOf(r)]++
	}
	span := spans[0]
	own := func(day int64) bool { return counts[day]*flushParts > len(rows) }
	for n := 1; len(counts) > flushParts && n < len(spans); n++ {
		span = spans[n]
		shared := make(map[int64]bool)
		for day := range counts {
			if !own(day) {
				shared[span(day)] = true
			}
		}
		if len(shared) <= flushParts {
			break
		}
	}
	type key struct {
		own  bool
		span int64
	}
	type part struct {
		first int64
		rows  []placedRow[R]
	}
	parts := make(map[key]*part)
	partOf := make(map[int64]*part, len(counts)) // by day
	for day := range counts {
		k := key{false, span(day)}
		if own(day) {
			k = key{true, day}
		}
		if parts[k] == nil {
			parts[k] = &part{first: math.MaxInt64}
		}
		partOf[day] = parts[k]
		parts[k].first = min(parts[k].first, day)
	}
	for _, r := range rows {
		p := partOf[t.dayOf(r)]
		p.rows = append(p.rows, r)
	}
	var divided [][]placedRow[R]
	for _, p := range slices.SortedFunc(maps.Values(parts), func(a, b *part) int { return cmp.Compare(a.first, b.first) }) {
		divided = append(divided, p.rows)
	}
	return divided
}

func (t *table[R]) dayOf(r placedRow[R]) int64 { return t.schema.timeOf(r.row).Day() }

// dayRange is a range of days.
type dayRange struct{ first, last int64 }

// days returns the days that a segment covers.
func (f *fileGroups[R]) days() dayRange {
	oldest, youngest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, g := range f.groups {
		oldest, youngest = min(oldest, g.oldest), max(youngest, g.youngest)
	}
	return dayRange{dayOfMillis(oldest), dayOfMillis(youngest)}
}

// spanKey identifies a span: which of spans, and its number.
type spanKey struct {
	length int
	number int64
}

// span returns the shortest span that contains a segment.
func (f *fileGroups[R]) span() spanKey {
	days := f.days()
	for n, span := range spans {
		if number := span(days.first); number == span(days.last) {
			return spanKey{n, number}
		}
	}
	panic("BUG: the last span contains all days")
}
