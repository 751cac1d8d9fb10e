package explore

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// TraceRow is a trace in a list: the row that stands for it, and the summary of all its rows.
//
// The row that stands for a trace is the earliest one without a parent; if there is none, the earliest that the client
// marked as a root; otherwise the earliest row.
type TraceRow struct {
	*Row
	Summary      *domain.TraceSummary
	Observations int
	HasRoot      bool
	HasCost      bool
}

// TracePlace is the position of a trace in an order; a list continues after it.
type TracePlace struct {
	Value  float64
	Millis int64 // start of the trace
	ID     string
	// Newest is the time from which rows of further traces are found, going back: no such trace has a newer selected
	// row, except those in Left.
	Newest int64
	Left   []string `json:",omitempty"`
	// Ranked means that the list continues by ranking traces: Newest and Left are not known.
	Ranked bool `json:",omitempty"`
	Searched
}

// SearchedBack returns the time back to which rows were searched, if the page ended because that took long, or 0
// otherwise.
func (p *TracePlace) SearchedBack() domain.Micros { return p.back(p.Millis) }

// assembled is a trace without its long texts.
type assembled struct {
	assembly  *traces.Assembly
	summary   *domain.TraceSummary
	standsFor store.Position
	rank      int // rank of the row that stands for it: 2 without parent, 1 marked as a root, 0 neither
	metAt     int64
}

func (a *assembled) place(order Order) TracePlace {
	p := TracePlace{Millis: a.summary.Timestamp.Millis(), ID: a.summary.ID}
	switch order.Column {
	case "latency":
		p.Value = float64(a.summary.LatencyMillis) / 1000
	case "totalCost":
		p.Value = a.summary.TotalCost
	case "totalTokens":
		p.Value = float64(a.summary.TotalTokens)
	}
	return p
}

// compareTraces orders traces. Ties are ordered newest first.
func (o Order) compareTraces(a, b *TracePlace) int {
	byTime := cmp.Or(cmp.Compare(b.Millis, a.Millis), strings.Compare(b.ID, a.ID))
	c := cmp.Compare(b.Value, a.Value)
	if o.byTime() {
		c = byTime
	}
	if o.Ascending {
		c = -c
	}
	return cmp.Or(c, byTime)
}

// TraceRows returns a page of the selected traces, and the place of the last one if there are more. A page may be short although there are more, as in Observations.
func (e *Explorer) TraceRows(
	ctx context.Context, s *Selection, order Order, after *TracePlace, limit int, shown Shown,
) ([]*TraceRow, *TracePlace, error) {
	if err := memory.Of(ctx).Grow(ctx, int64(limit)*rowBytes); err != nil {
		return nil, nil, err
	}
	p, err := e.planOf(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var page []*assembled
	var next *TracePlace
	if order.newestFirst() && (p.term == nil || p.scope.readsTexts()) {
		var rows *Selection
		if rows, err = e.narrowed(ctx, p); err == nil {
			page, next, err = e.newestTraces(ctx, rows, after, limit, memory.NewTally(ctx))
		}
	} else {
		page, next, err = e.rank(ctx, p, order, after, limit, memory.NewTally(ctx))
	}
	if err != nil || len(page) == 0 {
		return nil, next, err
	}
	positions := make([]store.Position, len(page))
	byID := make(map[string]*assembled, len(page))
	for n, a := range page {
		positions[n] = a.standsFor
		byID[a.summary.ID] = a
	}
	show := shown.prepared()
	shorts, err := e.at(ctx, positions, show)
	if err == nil && shown.Search != "" {
		err = e.findInTraces(ctx, s, shorts, show)
	}
	if err != nil {
		return nil, nil, err
	}
	rows := make([]*TraceRow, len(shorts))
	for n, r := range shorts {
		a := byID[r.TraceID]
		rows[n] = &TraceRow{
			Row: r, Summary: a.summary, Observations: a.assembly.Observations(), HasRoot: a.rank > 0, HasCost: a.assembly.HasCost(),
		}
	}
	if shown.Scores {
		err = e.addScores(ctx, shorts, true)
	}
	return rows, next, err
}

// TraceIDs returns a page of the ids of the selected traces, newest first, and the place of the last one if there are more.
// Who asks for all pages should resolve the selection first. A page may be short or empty although there are more, as in Observations.
func (e *Explorer) TraceIDs(ctx context.Context, s *Selection, after *TracePlace, limit int) ([]string, *TracePlace, error) {
	s, err := e.Resolve(ctx, s.ofTraces())
	if err != nil {
		return nil, nil, err
	}
	held := memory.NewTally(ctx) // only the ids are kept
	defer held.Release()
	page, next, err := e.newestTraces(ctx, s, after, limit, held)
	ids := make([]string, len(page))
	for n, a := range page {
		ids[n] = a.summary.ID
	}
	return ids, next, err
}

// assemble returns assembled traces by id. Their memory is counted in held.
func (e *Explorer) assemble(ctx context.Context, ids []string, held *memory.Tally) (map[string]*assembled, error) {
	found := make(map[string]*assembled, len(ids))
	all, err := e.Traces.Assemble(ctx, ids, 0, held.Add, func(assembly *traces.Assembly, o *row) error {
		a := found[o.TraceID]
		if a == nil {
			a = &assembled{assembly: assembly, rank: -1}
			found[strings.Clone(o.TraceID)] = a
		}
		rank := 0
		switch {
		case o.ParentID == "":
			rank = 2
		case o.IsAppRoot || o.AsRoot:
			rank = 1
		}
		if rank >= a.rank { // rows come newest first, so the last of a rank is the earliest
			a.rank = rank
			a.standsFor = store.Position{Millis: o.StartTime.Millis(), TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for id, a := range found {
		a.summary = all[id].Summary()
	}
	return found, nil
}

// walker finds the newest traces after a place. It goes over the selected rows, newest first, and assembles their
// traces. A trace not yet met has no selected row newer than the current one. Once the current row is older than the
// start of the last wanted trace, all of them are known, since no trace starts after one of its rows.
type walker struct {
	*Explorer
	after *TracePlace
	limit int
	met   map[string]int64 // start of the newest row met, by trace, or metEarlier
	held  *memory.Tally
	batch []string // met but not assembled yet
	found []*assembled
	last  int64 // start of the last row read
	far   int   // the maximum number of traces to meet; 0 for any
}

// errFarWalk means that a walk met many more traces than a page has: they began at the same time, or last very long.
var errFarWalk = errors.New("too many traces are met for a page")

// newestTraces returns the newest traces with a selected row after a place, by a walk over rows or, where that meets many more
// traces than the page has, by ranking them all. Texts are only read by walks.
func (e *Explorer) newestTraces(
	ctx context.Context, s *Selection, after *TracePlace, limit int, held *memory.Tally,
) ([]*assembled, *TracePlace, error) {
	readsTexts := s.readsTexts()
	if after == nil || !after.Ranked || readsTexts {
		page, next, err := e.walk(ctx, s, after, limit, held)
		if !errors.Is(err, errFarWalk) {
			return page, next, err
		}
		held.Release()
	}
	page, next, err := e.rank(ctx, &plan{scope: s}, Order{}, after, limit, held)
	if next != nil {
		next.Ranked = true
	}
	return page, next, err
}

// maxLeft is the maximum total size, in bytes, of the ids of traces that a place carries because they were met but not
// listed yet.
const maxLeft = 3 << 10

// metEarlier stands for the time at which a trace was met if an earlier page met it. Its rows are not found again, so
// it is listed, or left to the next page by its id.
const metEarlier = math.MinInt64

// walk returns the newest traces after a place. Their memory is counted in held.
//
// A trace that started before the end of the page may have been met in a row newer than that. The next page must begin
// with the newest such row, or with the trace itself.
func (e *Explorer) walk(
	ctx context.Context, s *Selection, after *TracePlace, limit int, held *memory.Tally,
) ([]*assembled, *TracePlace, error) {
	w := &walker{Explorer: e, after: after, limit: limit, met: make(map[string]int64), held: held}
	var searched Searched
	end := s.To
	if after != nil {
		searched = after.Searched
		if newest := domain.Micros(after.Newest+1) * 1000; end == 0 || newest < end {
			end = newest
		}
		for _, id := range after.Left {
			if err := w.meet(id, metEarlier); err != nil {
				return nil, nil, err
			}
		}
	}
	part := *s
	part.To = end
	if !s.readsTexts() {
		w.far = e.Traces.FarWalk(limit)
		enough, err := w.over(ctx, &part)
		if err == nil {
			err = w.resolve(ctx)
		}
		page, next := w.page(enough)
		return page, next, err
	}
	if searched.Cost.Took <= 0 {
		var err error
		if part.To, err = e.startSearch(ctx, s, part.To, &searched); err != nil {
			return nil, nil, err
		}
		if part.To == 0 { // only those met before are left
			err := w.resolve(ctx)
			page, next := w.page(false)
			return page, next, err
		}
	}
	full := false
	reached, err := e.searchBack(ctx, s, part.To, &searched, func(ctx context.Context, part *Selection) (bool, error) {
		enough, err := w.over(ctx, part)
		if err == nil {
			err = w.resolve(ctx)
		}
		full = enough
		return enough, err
	})
	if err != nil {
		return nil, nil, err
	}
	var page []*assembled
	var next *TracePlace
	if reached == 0 {
		page, next = w.page(full)
	} else {
		page, next = w.pageUntil(reached)
	}
	if next != nil {
		next.Window, next.Cost = searched.Window, searched.Cost
	}
	return page, next, nil
}

// over reads selected rows. It reports whether it stopped because all traces of the page are known.
func (w *walker) over(ctx context.Context, s *Selection) (enough bool, err error) {
	const fewest = 16 // minimum number of traces assembled together
	for o, err := range w.Store.Observations().Scan(ctx, w.Scope, store.Query[row]{From: s.From, To: s.To, Where: s.conditions()}) {
		if err != nil {
			return false, err
		}
		w.last = o.StartTime.Millis()
		if len(w.found) > w.limit && w.last < w.found[w.limit].summary.Timestamp.Millis() {
			return true, nil
		}
		if _, known := w.met[o.TraceID]; known {
			continue
		}
		if err := w.meet(strings.Clone(o.TraceID), w.last); err != nil {
			return false, err
		}
		if len(w.batch) >= max(fewest, w.limit+1-len(w.found)) {
			if err := w.resolve(ctx); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// meet records a trace.
func (w *walker) meet(id string, millis int64) error {
	if w.far > 0 && len(w.met) == w.far {
		return errFarWalk
	}
	if len(w.met) == traces.MaxTraces {
		return &traces.TooMany{Things: "traces", Limit: traces.MaxTraces}
	}
	w.met[id] = millis
	w.batch = append(w.batch, id)
	return w.held.Add(int64(len(id)) + 100)
}

// resolve assembles the traces in the batch.
func (w *walker) resolve(ctx context.Context) error {
	some, err := w.assemble(ctx, w.batch, w.held)
	if err != nil {
		return err
	}
	w.batch = w.batch[:0]
	var order Order
	for id, a := range some {
		place := a.place(order)
		if w.after == nil || order.compareTraces(&place, w.after) > 0 {
			a.metAt = w.met[id]
			w.found = append(w.found, a)
		}
	}
	slices.SortFunc(w.found, func(a, b *assembled) int {
		x, y := a.place(order), b.place(order)
		return order.compareTraces(&x, &y)
	})
	return nil
}

// page returns the traces of the page, and where the next one begins. More means that not all rows were read.
func (w *walker) page(more bool) ([]*assembled, *TracePlace) {
	if len(w.found) <= w.limit {
		return w.found, nil
	}
	next := w.found[w.limit-1].place(Order{})
	next.meetAgain(w.found[w.limit:])
	if more {
		next.Newest = max(next.Newest, w.last)
	}
	return w.found[:w.limit], &next
}

// pageUntil returns the traces that started at or after reached, the time back to which all rows were read, and where
// the next page begins.
func (w *walker) pageUntil(reached domain.Micros) ([]*assembled, *TracePlace) {
	millis := reached.Millis()
	complete, _ := slices.BinarySearchFunc(w.found, millis, func(a *assembled, millis int64) int { // times are descending
		if a.summary.Timestamp.Millis() >= millis {
			return -1
		}
		return 1
	})
	next := TracePlace{Millis: millis, Newest: millis - 1, Searched: Searched{Unfinished: true}}
	if complete > w.limit {
		complete = w.limit
		next = w.found[complete-1].place(Order{})
		next.Newest = millis - 1
	}
	bytes := 0
	for _, a := range w.found[complete:] {
		next.Left = append(next.Left, a.summary.ID)
		bytes += len(a.summary.ID) + 3
	}
	if bytes > maxLeft {
		next.Left = nil
		next.meetAgain(w.found[complete:])
	}
	return w.found[:complete], &next
}

// meetAgain makes the next page begin where it meets the given traces again, except those that only their ids can find.
func (p *TracePlace) meetAgain(traces []*assembled) {
	for _, a := range traces {
		if a.metAt == metEarlier {
			p.Left = append(p.Left, a.summary.ID)
		} else {
			p.Newest = max(p.Newest, a.metAt)
		}
	}
}

// rank returns the first traces of a plan in an order. Their memory is counted in held.
func (e *Explorer) rank(
	ctx context.Context, p *plan, order Order, after *TracePlace, limit int, held *memory.Tally,
) ([]*assembled, *TracePlace, error) {
	q := p.query()
	q.Column, q.Ascending, q.Limit = order.Column, order.Ascending, limit+1
	if after != nil {
		q.After = &traces.RankPlace{Value: after.Value, Millis: after.Millis, ID: after.ID}
	}
	first, _, err := e.Traces.Rank(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	var next *TracePlace
	if len(first) > limit {
		first = first[:limit]
		last := first[limit-1]
		next = &TracePlace{Value: last.Value, Millis: last.Millis, ID: last.ID}
	}
	ids := make([]string, len(first))
	for n := range first {
		ids[n] = first[n].ID
	}
	found, err := e.assemble(ctx, ids, held)
	if err != nil {
		return nil, nil, err
	}
	var page []*assembled
	for _, id := range ids {
		if a := found[id]; a != nil {
			page = append(page, a)
		}
	}
	return page, next, nil
}

// groupTraces groups the selected rows by their traces.
func (e *Explorer) groupTraces(ctx context.Context, s *Selection, measures []measure) (*store.Groups, error) {
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{
		GroupBy: []*column{columnOf("traceId")}, Measures: measures, MaxGroups: traces.MaxTraces,
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, &traces.TooMany{Things: "traces", Limit: traces.MaxTraces}
	}
	return groups, err
}
