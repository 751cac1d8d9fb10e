package segment

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sort"
	"strings"

	"almanac/internal/store"
)

// hotWrite is the rows of one write that are in memory.
type hotWrite[R any] struct {
	seq     uint64
	project string
	rows    []*hotRow[R]
}

// writesIn returns the writes in a window.
func (t *hotTable[R]) writesIn(w store.Window) []hotWrite[R] {
	t.mu.RLock()
	defer t.mu.RUnlock()
	first := sort.Search(len(t.writes), func(n int) bool { return int64(t.writes[n].seq) > w.After })
	end := sort.Search(len(t.writes), func(n int) bool { return int64(t.writes[n].seq) > w.UpTo })
	return t.writes[first:max(first, end)]
}

// Arrivals implements store.Table. The rows in memory are found by their writes, and row groups without rows in the
// window are skipped by the bounds of their numbers, which are kept: work that follows what arrives reads what arrived.
// If that is much, as after an upgrade or an import, its numbers are read for every part of it, but not kept.
func (t *table[R]) Arrivals(ctx context.Context, window store.Window, limit int) (traces []store.ArrivedTrace, upTo int64, err error) {
	defer t.onFault(&err)()
	v, err := t.view()
	if err != nil {
		return nil, 0, err
	}
	defer runtime.KeepAlive(v)
	window.UpTo = min(window.UpTo, int64(v.seq))
	found, window, err := t.arrivedIn(ctx, v, window, limit)
	if err != nil {
		return nil, 0, err
	}
	known := make(map[store.ArrivedTrace]struct{})
	add := func(project, trace string) {
		at := store.ArrivedTrace{ProjectID: project, TraceID: trace}
		if n := len(traces); n > 0 && traces[n-1] == at {
			return
		}
		if _, ok := known[at]; !ok {
			at = store.ArrivedTrace{ProjectID: strings.Clone(project), TraceID: strings.Clone(trace)}
			known[at] = struct{}{}
			traces = append(traces, at)
		}
	}
	for _, w := range found.writes {
		if int64(w.seq) > window.UpTo {
			continue
		}
		for _, h := range w.rows {
			if h.visible(v.seq) {
				add(w.project, t.schema.traceOf(&h.row))
			}
		}
	}
	for _, g := range found.groups {
		if g.bounds.After > window.UpTo {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		t.unlessUnreadable(g.liveGroup, func() error { return found.each(g, t.schema.trace, window, add) })
	}
	return traces, window.UpTo, nil
}

// arrived is what a window has.
type arrived[R any] struct {
	writes  []hotWrite[R]
	groups  []arrivedGroup[R] // by their smallest number
	numbers []int64           // memory for the numbers of a row group
}

// arrivedGroup is a row group that may have rows in a window.
type arrivedGroup[R any] struct {
	*liveGroup[R]
	bounds store.Window
}

// arrivedIn finds what a window has. The window ends earlier if it has more than limit rows, but not before the first write.
func (t *table[R]) arrivedIn(ctx context.Context, v *version[R], window store.Window, limit int) (*arrived[R], store.Window, error) {
	found, first := new(arrived[R]), firstNumbers{limit: limit}
	for _, hot := range v.hot {
		writes := hot.writesIn(window)
		found.writes = append(found.writes, writes...)
		for _, w := range writes {
			for range w.rows {
				first.add(int64(w.seq))
			}
		}
	}
	for n := range v.groups {
		if err := ctx.Err(); err != nil {
			return nil, window, err
		}
		g := &v.groups[n]
		t.unlessUnreadable(g, func() error {
			bounds, err := g.numberBounds()
			if err == nil && bounds.UpTo > window.After && bounds.After <= window.UpTo {
				found.groups = append(found.groups, arrivedGroup[R]{g, *bounds})
			}
			return err
		})
	}
	slices.SortFunc(found.groups, func(a, b arrivedGroup[R]) int { return cmp.Compare(a.bounds.After, b.bounds.After) })
	for _, g := range found.groups {
		if first.excludes(g.bounds.After) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, window, err
		}
		t.unlessUnreadable(g.liveGroup, func() (err error) {
			if found.numbers, err = g.sequencesIn(found.numbers); err != nil {
				return err
			}
			for _, number := range found.numbers {
				if window.Has(number) {
					first.add(number)
				}
			}
			return nil
		})
	}
	window.UpTo = first.upTo(window)
	return found, window, nil
}

// unlessUnreadable reads a row group. One that cannot be read is left out, and the log says so once: it must not keep what
// arrives elsewhere from being worked on.
func (t *table[R]) unlessUnreadable(g *liveGroup[R], read func() error) {
	err := func() (err error) {
		defer t.onFault(&err)()
		return read()
	}()
	if err != nil && !g.unread.Swap(true) {
		t.options.Log.Error("cannot read which rows of a segment are new; observations of their traces are not completed",
			"table", t.schema.table, "segment", segmentName(g.file.number), "error", err)
	}
}

// firstNumbers finds the smallest of many numbers, slightly more than limit.
type firstNumbers struct {
	limit   int
	numbers []int64
	largest int64 // of those that are kept, if there are enough
	full    bool
}

// excludes reports whether a number is not among the smallest, nor any larger one.
func (f *firstNumbers) excludes(number int64) bool { return f.full && number > f.largest }

func (f *firstNumbers) add(number int64) {
	if f.excludes(number) {
		return
	}
	if f.numbers = append(f.numbers, number); len(f.numbers) > 2*f.limit+1 {
		f.settle()
	}
}

// settle sorts the numbers and forgets those that are too many.
func (f *firstNumbers) settle() {
	slices.Sort(f.numbers)
	if len(f.numbers) > f.limit {
		f.numbers = f.numbers[:f.limit+1]
		f.full, f.largest = true, f.numbers[f.limit]
	}
}

// upTo returns the number up to which a window has at most limit rows, but at least those of one write.
func (f *firstNumbers) upTo(window store.Window) int64 {
	f.settle()
	if !f.full {
		return window.UpTo
	}
	return max(f.numbers[0], f.largest-1)
}

// each calls add for the projects and traces of the rows of a row group in a window. Of a row group that may have rows which
// were replaced or deleted, these count as well.
func (a *arrived[R]) each(g arrivedGroup[R], column int, window store.Window, add func(project, trace string)) (err error) {
	if a.numbers, err = g.sequencesIn(a.numbers); err != nil {
		return err
	}
	for _, p := range g.projects {
		for row := p.start; row < p.end; row++ {
			if !window.Has(a.numbers[row]) || g.dead.has(row) {
				continue
			}
			page, err := g.page(column, row/pageRows)
			if err != nil {
				return err
			}
			add(p.project, page.shortText(row))
		}
	}
	return nil
}
