package segment

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"almanac/internal/store"
)

// tombstoner marks rows dead in a version under construction.
type tombstoner[R any] struct {
	table   *table[R]
	version *version[R]
	plan    planned[R]
	copied  bool // the slice of row groups is our own copy
	cloned  map[int]bool
}

// mark marks a row of row group n dead. It reports whether the row was alive.
func (k *tombstoner[R]) mark(n, row int) bool {
	if k.version.groups[n].dead.has(row) {
		return false
	}
	return k.ownDead(n).add(row)
}

// ownDead returns the dead rows of row group n for modification.
func (k *tombstoner[R]) ownDead(n int) *bitset {
	live := k.own(n)
	if !k.cloned[n] {
		live.dead = live.dead.clone(live.rows)
		k.cloned[n] = true
		k.table.dirty[live.rowGroup] = true
	}
	return live.dead
}

// own returns row group n of the version for modification.
func (k *tombstoner[R]) own(n int) *liveGroup[R] {
	if !k.copied {
		k.version.groups = slices.Clone(k.version.groups)
		k.copied, k.cloned = true, make(map[int]bool)
	}
	return &k.version.groups[n]
}

// eachGroup calls remove for every row group. A removal of rows of a project that fails, or faults because the file
// cannot be read, is deferred: record returns what has to be remembered. If the row group has no rows of the project,
// there is nothing to remember.
func (k *tombstoner[R]) eachGroup(project string, remove func(n int) error, record func() []byte) {
	for n := 0; ; n++ {
		err := k.removeUntilFailure(&n, remove)
		if err == nil {
			return
		}
		if _, ok := k.version.groups[n].rangeOf(project); ok {
			k.postpone(n, record(), err)
		}
	}
}

// removeUntilFailure calls remove for the row groups from n on, up to the first one that fails.
func (k *tombstoner[R]) removeUntilFailure(n *int, remove func(n int) error) (err error) {
	defer k.table.onFault(&err)()
	for ; *n < len(k.version.groups); *n++ {
		if err := remove(*n); err != nil {
			return err
		}
	}
	return nil
}

// replace marks the rows that are replaced by those of a request.
func (k *tombstoner[R]) replace(r *request[R], seq uint64) {
	s := k.table.schema
	for _, h := range r.rows {
		for _, hot := range k.version.hot {
			if hot.supersede(h, seq) {
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
		ids := sync.OnceValue(func() map[string]bool {
			ids := make(map[string]bool, len(rows))
			for _, h := range rows {
				ids[s.idOf(&h.row)] = true
			}
			return ids
		})
		k.eachGroup(r.project, func(n int) error {
			g := k.version.groups[n].rowGroup
			if !bloomHas(g.bloom, hash) {
				return nil
			}
			return k.replaceKeyed(n, r.project, key, ids())
		}, func() []byte { return replaceRecord(r.project, key, slices.Sorted(maps.Keys(ids()))) })
	}
}

// replaceKeyed marks the rows of a trace (or of an id, if rows are keyed by id) in row group n that have one of the
// given ids. It walks the trace once, however many ids there are: otherwise a long trace that keeps growing would get
// slower with each of its rows.
func (k *tombstoner[R]) replaceKeyed(n int, project, key string, ids map[string]bool) error {
	g, s := k.version.groups[n].rowGroup, k.table.schema
	var page *decodedPage
	var failure error
	number := -1
	err := g.eachMatch(s.keyColumn(), project, key, func(row int) {
		if failure == nil && row/pageRows != number {
			number = row / pageRows
			page, failure = g.page(s.id, number)
		}
		if failure == nil && ids[page.shortText(row)] && k.mark(n, row) {
			k.table.superseded.Add(1)
		}
	})
	return errors.Join(err, failure)
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
	}
	k.eachGroup(
		project,
		func(n int) error {
			found, err := k.removeFrom(n, project, s)
			removed += found
			return err
		},
		func() []byte { return appendSelection(newRecord(deleteKind(s), project, 0), *s) })
	return removed
}

// selected returns the rows that the lists of a selection name.
func (s *schema[R]) selected(l *store.Selection) []keyLookup {
	return []keyLookup{{s.trace, l.TraceIDs}, {s.id, l.IDs}}
}

// removeFrom marks the rows of a selection in row group n dead and returns how many were alive.
func (k *tombstoner[R]) removeFrom(n int, project string, s *store.Selection) (int, error) {
	if len(s.TraceIDs) > 0 || len(s.IDs) > 0 {
		return k.removeListed(n, project, s)
	}
	return k.removeByTime(n, project, s)
}

func (k *tombstoner[R]) removeListed(n int, project string, s *store.Selection) (removed int, err error) {
	g := k.version.groups[n].rowGroup
	if _, ok := g.rangeOf(project); !ok {
		return 0, nil
	}
	var failure error
	arrived := arrivedIn(g, s.Arrived)
	mark := func(row int) {
		in, err := arrived(row)
		if err != nil {
			failure = err
		} else if in && k.mark(n, row) {
			removed++
		}
	}
	for _, names := range k.table.schema.selected(s) {
		for _, text := range names.texts {
			if err := errors.Join(g.eachMatch(names.column, project, text, mark), failure); err != nil {
				return removed, err
			}
		}
	}
	return removed, nil
}

// arrivedIn returns a function that reports whether a row of a row group is in the window; always true if the window is
// nil.
func arrivedIn[R any](g *rowGroup[R], window *store.Window) func(row int) (bool, error) {
	if window == nil {
		return func(int) (bool, error) { return true, nil }
	}
	numbers := sync.OnceValues(g.sequences)
	return func(row int) (bool, error) {
		all, err := numbers()
		return err == nil && window.Has(all[row]), err
	}
}

// removeByTime marks the rows that a selection by time selects in row group n dead and returns how many were alive.
func (k *tombstoner[R]) removeByTime(n int, project string, s *store.Selection) (int, error) {
	g := k.version.groups[n].rowGroup
	rows, known := k.plan[g]
	if !known {
		var err error
		if rows, err = g.selectByTime(project, s); err != nil {
			return 0, err
		}
	}
	if rows.len() == 0 || k.version.groups[n].dead.includes(rows) {
		return 0, nil
	}
	return k.ownDead(n).addAll(rows), nil
}
