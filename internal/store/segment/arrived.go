package segment

import (
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
func (t *table[R]) Arrivals(ctx context.Context, window store.Window, limit int) (traces []store.ArrivedTrace, upTo int64, err error) {
	defer t.onFault(&err)()
	v, err := t.view()
	if err != nil {
		return nil, 0, err
	}
	defer runtime.KeepAlive(v)
	window.UpTo = min(window.UpTo, int64(v.seq))
	found, err := t.arrivedIn(ctx, v, window)
	if err != nil {
		return nil, 0, err
	}
	window.UpTo = found.upTo(window, limit)
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
	for n := range found.groups {
		if err := found.groups[n].each(t.schema.trace, window, add); err != nil {
			return nil, 0, err
		}
	}
	return traces, window.UpTo, nil
}

// arrived is what a window has.
type arrived[R any] struct {
	writes []hotWrite[R]
	groups []arrivedGroup[R]
}

// arrivedGroup is a row group with rows in a window, and the numbers of its rows.
type arrivedGroup[R any] struct {
	*liveGroup[R]
	numbers []int64
}

func (t *table[R]) arrivedIn(ctx context.Context, v *version[R], window store.Window) (*arrived[R], error) {
	found := new(arrived[R])
	for _, hot := range v.hot {
		found.writes = append(found.writes, hot.writesIn(window)...)
	}
	for n := range v.groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g := &v.groups[n]
		if bounds, err := g.numberBounds(); err != nil {
			return nil, err
		} else if bounds.UpTo <= window.After || bounds.After > window.UpTo {
			continue
		}
		numbers, err := g.sequences()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(numbers, window.Has) {
			found.groups = append(found.groups, arrivedGroup[R]{g, numbers})
		}
	}
	return found, nil
}

// upTo returns the number up to which a window has at most limit rows, but at least those of one write.
func (a *arrived[R]) upTo(window store.Window, limit int) int64 {
	most := 0
	for _, w := range a.writes {
		most += len(w.rows)
	}
	for _, g := range a.groups {
		most += len(g.numbers)
	}
	if most <= limit {
		return window.UpTo
	}
	numbers := make([]int64, 0, most)
	for _, w := range a.writes {
		for range w.rows {
			numbers = append(numbers, int64(w.seq))
		}
	}
	for _, g := range a.groups {
		for _, number := range g.numbers {
			if window.Has(number) {
				numbers = append(numbers, number)
			}
		}
	}
	if len(numbers) <= limit {
		return window.UpTo
	}
	slices.Sort(numbers)
	return max(numbers[0], numbers[limit]-1)
}

// each calls add for the projects and traces of the rows in a window.
func (g *arrivedGroup[R]) each(column int, window store.Window, add func(project, trace string)) error {
	if err := g.current(); err != nil {
		return err
	}
	for _, p := range g.projects {
		for row := p.start; row < p.end; row++ {
			if !window.Has(g.numbers[row]) || g.dead.has(row) {
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
