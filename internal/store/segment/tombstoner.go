package segment

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// tombstoner marks rows dead in a version under construction.
type tombstoner[R any] struct {
	table   *table[R]
	version *version[R]
	copied  bool // the slice of row groups is our own copy
	cloned  map[int]bool
}

// mark marks a row of row group n dead. It reports whether the row was alive.
func (k *tombstoner[R]) mark(n, row int) bool {
	live := &k.version.groups[n]
	if live.dead.has(row) {
		return false
	}
	if !k.copied {
		k.version.groups = slices.Clone(k.version.groups)
		k.copied, k.cloned = true, make(map[int]bool)
		live = &k.version.groups[n]
	}
	if !k.cloned[n] {
		live.dead = live.dead.clone(live.rows)
		k.cloned[n] = true
		k.table.dirty[live.rowGroup] = true
	}
	return live.dead.add(row)
}

// replace marks the rows that are replaced by those of a request.
func (k *tombstoner[R]) replace(r *request[R], seq uint64) {
	s := k.table.schema
	for _, h := range r.rows {
		for _, hot := range k.version.hot {
			if hot.kill(h, seq) {
				k.table.superseded.Add(1)
			}
		}
	}
	if len(k.version.groups) == 0 {
		return
	}
	// Rows are sorted by time; look up those of a trace together.
	byKey := make(map[string][]*hotRow[R])
	for _, h := range r.rows {
		key := s.idOf(&h.row)
		if s.keyedByTrace {
			key = s.traceOf(&h.row)
		}
		byKey[key] = append(byKey[key], h)
	}
	for key, rows := range byKey {
		hash := hashKey(r.project, key)
		var ids map[string]bool
		for n := range k.version.groups {
			g := k.version.groups[n].rowGroup
			if !bloomHas(g.bloom, hash) {
				continue
			}
			if ids == nil {
				ids = make(map[string]bool, len(rows))
				for _, h := range rows {
					ids[s.idOf(&h.row)] = true
				}
			}
			k.table.eachKeyed(g, r.project, key, ids, func(row int) {
				if k.mark(n, row) {
					k.table.superseded.Add(1)
				}
			})
		}
	}
}

// eachKeyed calls each for the rows of a trace (or of an id, if rows are keyed by id) that have one of the given ids.
// It walks the trace once, however many ids there are: otherwise a long trace that keeps growing would get slower with
// each of its rows. A row group that cannot be read is skipped, since a write must not be refused because of it; from
// then on all reads of that row group fail, since it may have rows that were replaced.
func (t *table[R]) eachKeyed(g *rowGroup[R], project, key string, ids map[string]bool, each func(row int)) {
	var page *decodedPage
	var failure error
	number := -1
	err := g.eachNamed(t.schema.keyColumn(), project, key, func(row int) {
		if failure == nil && row/pageRows != number {
			number = row / pageRows
			page, failure = g.page(t.schema.id, number)
		}
		if failure == nil && ids[page.shortText(row)] {
			each(row)
		}
	})
	if err = errors.Join(err, failure); err != nil {
		t.options.Log.Error("cannot look up a row that may have been replaced", "table", t.schema.table, "error", err)
		g.stale.CompareAndSwap(nil, &err)
	}
}

// current returns an error if the row group missed writes because it could not be read.
func (g *rowGroup[R]) current() error {
	if err := g.stale.Load(); err != nil {
		return fmt.Errorf("segment %s may contain rows that were replaced or deleted, because looking them up failed: %w", g.file.path, *err)
	}
	return nil
}

// markDeleted marks the rows of a selection dead and returns how many were alive.
func (k *tombstoner[R]) markDeleted(project string, s *store.Selection, seq uint64) int {
	removed := 0
	markDeleted := func(h *hotRow[R]) {
		if s.Arrived == nil || s.Arrived.Has(int64(h.seq)) {
			h.dead.Store(seq)
			removed++
		}
	}
	switch {
	case len(s.TraceIDs) > 0 || len(s.IDs) > 0:
		for _, hot := range k.version.hot {
			for _, n := range k.table.schema.selected(s) {
				hot.find(n, project, seq, markDeleted)
			}
		}
		removed += k.removeListed(project, s)
	default:
		before := s.Before
		if s.All {
			before = 0
		}
		for _, hot := range k.version.hot {
			for _, run := range hot.snapshot(project) {
				for _, h := range run {
					if h.visible(seq) && (before == 0 || k.table.schema.timeOf(&h.row) < before) {
						markDeleted(h)
					}
				}
			}
		}
		removed += k.removeBefore(project, before, s.Arrived)
	}
	return removed
}

// selected returns the rows that the lists of a selection name.
func (s *schema[R]) selected(l *store.Selection) []nameSet {
	return []nameSet{{s.trace, l.TraceIDs}, {s.id, l.IDs}}
}

func (k *tombstoner[R]) removeListed(project string, s *store.Selection) int {
	removed := 0
	for n := range k.version.groups {
		g := k.version.groups[n].rowGroup
		if _, ok := g.rangeOf(project); !ok {
			continue
		}
		arrived := k.arrived(g, s.Arrived)
		mark := func(row int) {
			if arrived(row) && k.mark(n, row) {
				removed++
			}
		}
		for _, n := range k.table.schema.selected(s) {
			for _, text := range n.texts {
				k.report(g, g.eachNamed(n.column, project, text, mark))
			}
		}
	}
	return removed
}

// arrived returns a function that reports whether a row of a row group is in the window; always true if the window is
// nil.
func (k *tombstoner[R]) arrived(g *rowGroup[R], window *store.Window) func(row int) bool {
	if window == nil {
		return func(int) bool { return true }
	}
	numbers := sync.OnceValue(func() []int64 {
		numbers, err := g.sequences()
		k.report(g, err)
		return numbers
	})
	return func(row int) bool { return row < len(numbers()) && window.Has(numbers()[row]) }
}

// removeBefore marks the rows of a project before a time dead; all of them if it is 0.
func (k *tombstoner[R]) removeBefore(project string, before domain.Micros, window *store.Window) int {
	removed := 0
	for n := range k.version.groups {
		g := k.version.groups[n].rowGroup
		p, ok := g.rangeOf(project)
		if !ok || (before != 0 && p.oldest >= before.Millis()+1) {
			continue
		}
		arrived := k.arrived(g, window)
		r := newColumnsReader(g, []int{k.table.schema.time})
		for row := p.start; row < p.end; row++ {
			if before != 0 {
				var out R
				if err := r.fill(row, &out); err != nil {
					k.report(g, err)
					break
				}
				if k.table.schema.timeOf(&out) >= before {
					continue
				}
			}
			if arrived(row) && k.mark(n, row) {
				removed++
			}
		}
	}
	return removed
}

func (k *tombstoner[R]) report(g *rowGroup[R], err error) {
	if err != nil {
		g.stale.CompareAndSwap(nil, &err)
		k.table.options.Log.Error("cannot look up rows to delete", "table", k.table.schema.table, "error", err)
	}
}
