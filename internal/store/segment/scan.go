package segment

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// rowSource yields rows in order.
type rowSource[R any] interface {
	// head returns the position of the next row; ok is false at the end.
	head() (p store.Position, ok bool, err error)
	// take returns the next row and moves on.
	take() (*R, error)
	// close releases memory. The row taken last stays valid.
	close()
	// drop releases what is kept for later rows. It invalidates the row taken last.
	drop()
}

// hotSource yields the matching rows of a sorted run in memory.
type hotSource[R any] struct {
	schema *schema[R]
	rows   []*hotRow[R]
	match  func(*hotRow[R]) bool
	found  bool // rows[0] is known to match
}

func (s *hotSource[R]) head() (store.Position, bool, error) {
	for !s.found && len(s.rows) > 0 {
		if s.found = s.match(s.rows[0]); !s.found {
			s.rows = s.rows[1:]
		}
	}
	if len(s.rows) == 0 {
		return store.Position{}, false, nil
	}
	return s.schema.positionOf(&s.rows[0].row), true, nil
}

func (s *hotSource[R]) take() (*R, error) {
	h := s.rows[0]
	s.rows, s.found = s.rows[1:], false
	return &h.row, nil
}

func (s *hotSource[R]) close() {}

func (s *hotSource[R]) drop() {}

// groupSource yields the selected rows of a row group.
type groupSource[R any] struct {
	group  liveGroup[R]
	order  numbers // the rows to consider, newest first
	chosen *rowMask
	rows   *rowReader[R]
	within func(*R) bool // set if a time range was cut out of order: decides for rows in its first and last millisecond
	read   *atomic.Int64 // counts the rows examined
	next   int           // index of the next row in order
	found  bool          // key is set for the next row
	key    R
	out    R
}

func (t *table[R]) newGroupSource(g liveGroup[R], order numbers, chosen *rowMask, want store.Want, holding *memoryAccount) *groupSource[R] {
	rows := newRowReader(g.rowGroup, want)
	rows.holding = holding
	return &groupSource[R]{group: g, order: order, chosen: chosen, read: &t.rowsRead, rows: rows}
}

func (s *groupSource[R]) close() { s.rows.close() }

func (s *groupSource[R]) drop() { s.rows.dropLong(&s.out) }

func (s *groupSource[R]) head() (store.Position, bool, error) {
	for !s.found {
		for s.next < s.order.len() && !s.selected(s.order.at(s.next)) {
			s.next++
		}
		if s.next == s.order.len() {
			return store.Position{}, false, nil
		}
		if err := s.rows.fillPosition(s.order.at(s.next), &s.key); err != nil {
			return store.Position{}, false, err
		}
		s.read.Add(1)
		if s.found = s.within == nil || s.within(&s.key); !s.found {
			s.next++
		}
	}
	return s.group.schema.positionOf(&s.key), true, nil
}

func (s *groupSource[R]) selected(row int) bool {
	if s.chosen != nil {
		return s.chosen.mask[row-s.chosen.first] != 0
	}
	return !s.group.dead.has(row)
}

// countSelected returns the number of selected rows in a range.
func (s *groupSource[R]) countSelected(first, end int) int {
	count := 0
	for row := first; row < end; row++ {
		if s.selected(row) {
			count++
		}
	}
	return count
}

func (s *groupSource[R]) take() (*R, error) {
	err := s.rows.fill(s.order.at(s.next), &s.out)
	s.next, s.found = s.next+1, false
	return &s.out, err
}

// skipTo skips everything up to and including a position.
func (s *groupSource[R]) skipTo(after store.Position) error {
	var failure error
	s.next += sort.Search(s.order.len()-s.next, func(n int) bool {
		if failure != nil {
			return true
		}
		row := s.order.at(s.next + n)
		var millis int64
		if millis, failure = s.millisOf(row); failure != nil || millis != after.Millis {
			return millis < after.Millis
		}
		failure = s.rows.fillPosition(row, &s.key)
		return comparePositions(s.group.schema.positionOf(&s.key), after) > 0
	})
	return failure
}

// millisOf returns the time of a row, which usually determines its place, so that nothing else needs to be read.
func (s *groupSource[R]) millisOf(row int) (int64, error) {
	p, err := s.group.page(s.group.schema.time, row/pageRows)
	if err != nil {
		return 0, err
	}
	return domain.Micros(p.ints[row-p.first]).Millis(), nil
}

// limit restricts the source to rows whose millisecond is in the time range, by binary search in the order.
func (s *groupSource[R]) limit(p *predicate[R]) error {
	var failure error
	// search returns the number of rows before the first that is old enough.
	search := func(oldEnough func(millis int64) bool) int {
		return sort.Search(s.order.len(), func(n int) bool {
			if failure != nil {
				return true
			}
			var millis int64
			millis, failure = s.millisOf(s.order.at(n))
			s.read.Add(1)
			return oldEnough(millis)
		})
	}
	if p.from != 0 {
		s.order = s.order.part(0, search(func(millis int64) bool { return millis < p.from.Millis() }))
	}
	if p.to != 0 {
		s.next = search(func(millis int64) bool { return millis <= p.to.Millis() })
	}
	s.within = p.inTime
	return failure
}

// pending is a row group that is opened only when it is due. It has no rows newer than youngest.
type pending[R any] struct {
	youngest int64
	group    *liveGroup[R]
}

// queue holds the row groups that are not due yet. open opens the n-th of them in the order in which they become due.
type queue[R any] struct {
	groups []pending[R]
	sorted int // the first sorted groups are in order
	open   func(n int) (rowSource[R], error)
}

// due moves the n-th row group into place and returns its youngest time. Usually few of many groups are opened, so the
// first ones are selected one by one, and only then are the others sorted.
func (q *queue[R]) due(n int) int64 {
	const oneByOne = 8
	for ; q.sorted <= n && q.sorted < oneByOne; q.sorted++ {
		first := q.sorted
		for i := first + 1; i < len(q.groups); i++ {
			if q.groups[i].youngest > q.groups[first].youngest {
				first = i
			}
		}
		q.groups[q.sorted], q.groups[first] = q.groups[first], q.groups[q.sorted]
	}
	if q.sorted <= n {
		slices.SortFunc(q.groups[q.sorted:], func(a, b pending[R]) int { return cmp.Compare(b.youngest, a.youngest) })
		q.sorted = len(q.groups)
	}
	return q.groups[n].youngest
}

// merge yields the rows of all sources in order, opening row groups when they are due.
func merge[R any](
	ctx context.Context, v *version[R], sources []rowSource[R], later queue[R], limit int, holding *memoryAccount,
	yield func(*R, error) bool,
) {
	defer runtime.KeepAlive(v) // its files stay open while rows are read
	defer func() {
		for _, s := range sources {
			s.close()
		}
	}()
	opened := 0
	for n := 0; limit == 0 || n < limit; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			yield(nil, ctx.Err())
			return
		}
		best := -1
		var first store.Position
		for i := 0; i < len(sources); {
			p, ok, err := sources[i].head()
			if err != nil {
				yield(nil, err)
				return
			}
			if !ok {
				sources[i].close()
				sources = slices.Delete(sources, i, i+1)
				continue
			}
			if best < 0 || comparePositions(p, first) < 0 {
				best, first = i, p
			}
			i++
		}
		if opened < len(later.groups) && (later.due(opened) >= first.Millis || best < 0) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			s, err := later.open(opened)
			if err != nil {
				yield(nil, err)
				return
			}
			opened++
			if s != nil {
				sources = append(sources, s)
			}
			n--
			continue
		}
		if best < 0 {
			return
		}
		if holding.crowded() {
			for _, s := range sources {
				s.drop()
			}
		}
		row, err := sources[best].take()
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(row, nil) {
			return
		}
	}
}

// Scan implements store.Table.
func (t *table[R]) Scan(ctx context.Context, scope domain.ProjectScope, q store.Query[R]) iter.Seq2[*R, error] {
	project := scope.ProjectID()
	return t.guarded(func(yield func(*R, error) bool) {
		v, err := t.view()
		if err == nil && q.Limit < 0 {
			err = fmt.Errorf("%w: a limit of %d rows", store.ErrInvalid, q.Limit)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		holding := newMemoryAccount(ctx)
		p := newPredicate(t.schema, project, q.From, q.To, q.Where)
		p.ctx = ctx
		p.within(q.Arrived)
		if p.usesIndex() {
			sources := t.hotMatchesSource(v, project, p.indexed, func(h *hotRow[R]) bool {
				return p.matchesHot(h) && (q.After == nil || comparePositions(t.schema.positionOf(&h.row), *q.After) > 0)
			})
			merge(ctx, v, sources, t.pendingGroups(ctx, v, p, q, holding), q.Limit, holding, yield)
			return
		}
		var sources []rowSource[R]
		for _, hot := range v.hot {
			for _, run := range hot.snapshot(project) {
				run = inRange(afterPosition(t.schema, run, q.After), q.From, q.To)
				sources = append(sources, &hotSource[R]{schema: t.schema, rows: run, match: func(h *hotRow[R]) bool {
					t.rowsRead.Add(1)
					return h.visible(v.seq) && p.matchesHot(h)
				}})
			}
		}
		merge(ctx, v, sources, t.pendingGroups(ctx, v, p, q, holding), q.Limit, holding, yield)
	})
}

// pendingGroups queues the row groups that may have rows for a query.
func (t *table[R]) pendingGroups(ctx context.Context, v *version[R], p *predicate[R], q store.Query[R], holding *memoryAccount) queue[R] {
	later := queue[R]{groups: make([]pending[R], 0, len(v.groups))}
	for n := range v.groups {
		g := &v.groups[n]
		r, ok := g.rangeOf(p.project)
		if !ok || p.misses(r.oldest, r.youngest) || q.After != nil && r.oldest > q.After.Millis {
			continue
		}
		youngest := r.youngest
		if q.After != nil {
			youngest = min(youngest, q.After.Millis)
		}
		later.groups = append(later.groups, pending[R]{youngest, g})
	}
	later.open = func(n int) (rowSource[R], error) { return t.openGroup(*later.groups[n].group, p, q, holding) }
	if !p.all() && !p.usesIndex() && len(later.groups) > 1 {
		later.due(len(later.groups) - 1) // ahead opens them before they are due
		later.open = ahead(ctx, len(later.groups), later.open)
	}
	return later
}

// openGroup starts reading a row group for a query.
func (t *table[R]) openGroup(g liveGroup[R], p *predicate[R], q store.Query[R], holding *memoryAccount) (_ rowSource[R], err error) {
	defer t.onFault(&err)()
	if err := g.current(); err != nil {
		return nil, err
	}
	r, _ := g.rangeOf(p.project)
	var chosen *rowMask
	if !p.all() {
		var err error
		if chosen, err = p.selectRows(g); err != nil || chosen == nil {
			return nil, err
		}
		t.rowsRead.Add(int64(chosen.looked))
	}
	s := t.newGroupSource(g, g.order.part(r.start, r.end), chosen, q.Want, holding)
	if q.Once {
		s.rows.remainingIn = func(first, end int) int { return s.countSelected(max(first, r.start), min(end, r.end)) }
	}
	if chosen == nil && !p.covers(r.oldest, r.youngest) {
		if err := s.limit(p); err != nil {
			return nil, err
		}
	}
	if q.After != nil && r.youngest >= q.After.Millis {
		if err := s.skipTo(*q.After); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ahead opens row groups in the background, in the order in which they become due, a few ahead of those requested.
func ahead[R any](ctx context.Context, count int, open func(n int) (rowSource[R], error)) func(n int) (rowSource[R], error) {
	type result struct {
		source rowSource[R]
		err    error
	}
	width := runtime.GOMAXPROCS(0)
	results := make([]chan result, count)
	started := 0
	return func(n int) (rowSource[R], error) {
		for ; started < min(n+1+width, count); started++ {
			c, next := make(chan result, 1), started
			results[next] = c
			go func() {
				if ctx.Err() != nil {
					c <- result{err: ctx.Err()}
					return
				}
				s, err := open(next)
				c <- result{s, err}
			}()
		}
		r := <-results[n]
		return r.source, r.err
	}
}

// Lookup implements store.Table.
func (t *table[R]) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error] {
	project := scope.ProjectID()
	return t.guarded(func(yield func(*R, error) bool) {
		v, err := t.view()
		var wanted keyLookup
		if err == nil {
			wanted, err = t.schema.keysOf(l)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer runtime.KeepAlive(v)
		holding := newMemoryAccount(ctx)
		sources := t.hotMatchesSource(v, project, wanted, func(*hotRow[R]) bool { return true })
		for _, g := range v.groups {
			rows, err := matchingRows(g, project, wanted)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(rows) > 0 {
				s, err := t.sortedSource(g, rows, l.Want, holding)
				if err != nil {
					yield(nil, err)
					return
				}
				sources = append(sources, s)
			}
		}
		merge(ctx, v, sources, queue[R]{}, 0, holding, yield)
	})
}

// hotMatches returns the rows in memory that are wanted and match, in order.
func (t *table[R]) hotMatches(v *version[R], project string, wanted keyLookup, match func(*hotRow[R]) bool) []*hotRow[R] {
	var hot []*hotRow[R]
	for _, table := range v.hot {
		table.find(wanted, project, v.seq, func(h *hotRow[R]) {
			t.rowsRead.Add(1)
			if match(h) {
				hot = append(hot, h)
			}
		})
	}
	slices.SortFunc(hot, v.hot[0].compareHot)
	return slices.Compact(hot)
}

// hotMatchesSource returns the rows of hotMatches as a source.
func (t *table[R]) hotMatchesSource(v *version[R], project string, wanted keyLookup, match func(*hotRow[R]) bool) []rowSource[R] {
	rows := t.hotMatches(v, project, wanted, match)
	if len(rows) == 0 {
		return nil
	}
	return []rowSource[R]{&hotSource[R]{schema: t.schema, rows: rows, match: func(*hotRow[R]) bool { return true }}}
}

// sortedSource returns a source that yields the given rows of a row group in order.
func (t *table[R]) sortedSource(g liveGroup[R], rows []int, want store.Want, holding *memoryAccount) (rowSource[R], error) {
	type keyed struct {
		position store.Position
		row      uint32
	}
	s := t.newGroupSource(g, numbers{}, nil, want, holding)
	sorted := make([]keyed, len(rows))
	for n, row := range rows {
		if err := s.rows.fillPosition(row, &s.key); err != nil {
			return nil, err
		}
		sorted[n] = keyed{t.schema.positionOf(&s.key), uint32(row)}
	}
	slices.SortFunc(sorted, func(a, b keyed) int { return comparePositions(a.position, b.position) })
	for _, k := range sorted {
		s.order.longs = append(s.order.longs, k.row)
	}
	return s, nil
}
