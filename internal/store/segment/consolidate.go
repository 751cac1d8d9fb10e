package segment

import (
	"cmp"
	"maps"
	"slices"
)

// Consolidating combines segments with few rows, whatever their days: only the amount of data may determine how many
// files there are, not the dates that clients send. Segments of the same month are combined first, then those of the
// same year, then all.
const (
	// consolidateFan is the number of segments with few rows from which they are combined.
	consolidateFan = 16
	// consolidateMost limits how many are combined at once.
	consolidateMost = 256
	// fewRows is the number of rows below which a segment or a row group has few. A row group with more is cheap to
	// keep.
	fewRows = rewriteRows / 4
)

// fewBytes is the size of rows in memory below which they are few.
func (t *table[R]) fewBytes() int64 { return t.options.FlushBytes / 4 }

// hasFew reports whether a row group has few live rows, and little in them.
func (t *table[R]) hasFew(g liveGroup[R]) bool {
	return g.living() < fewRows && g.decoded() < t.fewBytes()
}

// decoded returns about how much memory the rows of a row group take.
func (g *rowGroup[R]) decoded() int64 {
	total := int64(g.rows) * rowOverhead
	for n := range g.chunks {
		total += int64(g.chunks[n].dictionary.rawSize)
		for _, at := range g.chunks[n].pages {
			total += int64(at.rawSize)
		}
	}
	return total
}

// amount returns the number of live rows of a segment, and about how much memory all of its rows take.
func (f *fileGroups[R]) amount() (living int, bytes int64) {
	for _, g := range f.groups {
		living, bytes = living+g.living(), bytes+g.decoded()
	}
	return living, bytes
}

// chooseFew finds segments to be consolidated.
func (t *table[R]) chooseFew(files []*fileGroups[R]) []*fileGroups[R] {
	var few []*fileGroups[R]
	for _, f := range files {
		if living, bytes := f.amount(); living < fewRows && bytes < t.fewBytes() {
			few = append(few, f)
		}
	}
	if len(few) < consolidateFan {
		return nil
	}
	slices.SortStableFunc(few, func(a, b *fileGroups[R]) int { return cmp.Compare(a.days().first, b.days().first) })
	for _, span := range spans[1:] {
		together := make(map[int64][]*fileGroups[R])
		for _, f := range few {
			at := span(f.days().first)
			together[at] = append(together[at], f)
		}
		for _, at := range slices.Sorted(maps.Keys(together)) {
			if found := together[at]; len(found) >= consolidateFan {
				return t.fitting(found)
			}
		}
	}
	return nil
}

// fitting limits the size of a consolidated segment: the others remain, and are combined later.
func (t *table[R]) fitting(few []*fileGroups[R]) []*fileGroups[R] {
	living, bytes := 0, int64(0)
	for n, f := range few {
		rows, size := f.amount()
		living, bytes = living+rows, bytes+size
		if n >= consolidateFan && (n == consolidateMost || living > consolidateFan*fewRows || bytes > consolidateFan*t.fewBytes()) {
			return few[:n]
		}
	}
	return few
}
