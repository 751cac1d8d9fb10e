package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// TraceRow is a trace in a list: the row that stands for it, and what all its rows have together.
//
// The row that stands for a trace is the earliest one without a parent; if there is none, the earliest of those that the
// client marked as a root; if there is none either, the earliest row.
type TraceRow struct {
	*Row
	Summary      *domain.TraceSummary
	Observations int
	HasRoot      bool
	HasCost      bool
}

// TracePlace is where a trace stands in an order: a list goes on behind it.
type TracePlace struct {
	Value  float64
	Millis int64 // of its start
	ID     string
	// Newest is from where on rows of further traces can be found: none of them is in a newer row.
	Newest int64
}

// assembled is a trace of which everything short is known.
type assembled struct {
	assembly  *traces.Assembly
	summary   *domain.TraceSummary
	standsFor store.Position
	rank      int // of the row that stands for it: 2 without parent, 1 marked as a root, 0 neither
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

// compareTraces orders traces. Those that are alike come newest first.
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

// TraceRows returns a page of the traces that have a selected observation, and the place of its last one if there are more.
func (e *Explorer) TraceRows(ctx context.Context, s *Selection, order Order, after *TracePlace, limit int, shown Shown) ([]*TraceRow, *TracePlace, error) {
	if err := memory.Of(ctx).Grow(ctx, int64(limit)*rowBytes); err != nil {
		return nil, nil, err
	}
	s, err := e.Resolve(ctx, s.ofTraces())
	if err != nil {
		return nil, nil, err
	}
	var page []*assembled
	var next *TracePlace
	if order.newestFirst() {
		page, next, err = e.walk(ctx, s, after, limit)
	} else {
		page, next, err = e.rank(ctx, s, order, after, limit)
	}
	if err != nil || len(page) == 0 {
		return nil, nil, err
	}
	positions := make([]store.Position, len(page))
	byID := make(map[string]*assembled, len(page))
	for n, a := range page {
		positions[n] = a.standsFor
		byID[a.summary.ID] = a
	}
	shorts, err := e.at(ctx, positions, &shown)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]*TraceRow, len(shorts))
	for n, r := range shorts {
		a := byID[r.TraceID]
		rows[n] = &TraceRow{Row: r, Summary: a.summary, Observations: a.assembly.Observations(), HasRoot: a.rank > 0, HasCost: a.assembly.HasCost()}
	}
	if shown.Scores {
		err = e.addScores(ctx, shorts, true)
	}
	return rows, next, err
}

// assemble puts traces together.
func (e *Explorer) assemble(ctx context.Context, ids []string) (map[string]*assembled, error) {
	held := memory.NewTally(ctx)
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
		if rank >= a.rank { // rows come newest first: the last of a rank is the earliest
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

// walk returns the newest traces behind a place. It goes over the selected rows, newest first, and puts the traces together that
// these belong to. A trace that was not met yet has no selected row newer than the last one; once that is older than the
// start of the last trace that is wanted, all of them are known: no trace starts after one of its rows.
//
// A trace that started before the page ends may have been met in a row that is newer than that. The next page has to begin with
// the newest such row.
func (e *Explorer) walk(ctx context.Context, s *Selection, after *TracePlace, limit int) ([]*assembled, *TracePlace, error) {
	const fewest = 16 // traces that are put together at once
	order := Order{}
	query := store.Query[row]{From: s.From, To: s.To, Where: s.conditions()}
	if after != nil {
		if end := domain.Micros(after.Newest+1) * 1000; query.To == 0 || end < query.To {
			query.To = end
		}
	}
	met := make(map[string]int64)
	held := memory.NewTally(ctx)
	var batch []string
	var found []*assembled
	resolve := func() error {
		some, err := e.assemble(ctx, batch)
		if err != nil {
			return err
		}
		batch = batch[:0]
		for id, a := range some {
			place := a.place(order)
			if after == nil || order.compareTraces(&place, after) > 0 {
				a.metAt = met[id]
				found = append(found, a)
			}
		}
		slices.SortFunc(found, func(a, b *assembled) int {
			x, y := a.place(order), b.place(order)
			return order.compareTraces(&x, &y)
		})
		return nil
	}
	ended := true
	last := int64(0)
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, query) {
		if err != nil {
			return nil, nil, err
		}
		last = o.StartTime.Millis()
		if len(found) > limit && last < found[limit].summary.Timestamp.Millis() {
			ended = false
			break
		}
		if _, known := met[o.TraceID]; known {
			continue
		}
		if len(met) == traces.MaxTraces {
			return nil, nil, &traces.TooMany{Things: "traces", Limit: traces.MaxTraces}
		}
		id := strings.Clone(o.TraceID)
		met[id] = last
		if err := held.Add(int64(len(id)) + 100); err != nil {
			return nil, nil, err
		}
		if batch = append(batch, id); len(batch) >= max(fewest, limit+1-len(found)) {
			if err := resolve(); err != nil {
				return nil, nil, err
			}
		}
	}
	if err := resolve(); err != nil {
		return nil, nil, err
	}
	if len(found) <= limit {
		return found, nil, nil
	}
	next := found[limit-1].place(order)
	for _, a := range found[limit:] {
		next.Newest = max(next.Newest, a.metAt)
	}
	if !ended {
		next.Newest = max(next.Newest, last)
	}
	return found[:limit], &next, nil
}

// rank returns the first traces of another order. Their place is found by what their rows within the time range have together.
func (e *Explorer) rank(ctx context.Context, s *Selection, order Order, after *TracePlace, limit int) ([]*assembled, *TracePlace, error) {
	places, err := e.tracePlaces(ctx, s, order)
	if err != nil {
		return nil, nil, err
	}
	best := newRanking(limit+1, order.compareTraces)
	for n := range places {
		if p := &places[n]; after == nil || order.compareTraces(p, after) > 0 {
			best.add(p, func() *TracePlace { return p })
		}
	}
	first := best.sorted()
	var next *TracePlace
	if len(first) > limit {
		first, next = first[:limit], first[limit-1]
	}
	ids := make([]string, len(first))
	for n, p := range first {
		ids[n] = p.ID
	}
	found, err := e.assemble(ctx, ids)
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

// tracePlaces returns where all traces stand that have a selected observation.
func (e *Explorer) tracePlaces(ctx context.Context, s *Selection, order Order) ([]TracePlace, error) {
	var wanted map[string]struct{} // nil for all
	if len(s.conditions()) > 0 {
		chosen, err := e.groupTraces(ctx, s, nil)
		if err != nil {
			return nil, err
		}
		wanted = make(map[string]struct{}, len(chosen.Rows))
		for n := range chosen.Rows {
			wanted[chosen.Rows[n].Keys[0]] = struct{}{}
		}
	}
	measures := []measure{{Function: store.Min, Column: columnOf("startTime")}}
	switch order.Column {
	case "latency":
		measures = append(measures, measure{Function: store.Max, Column: columnOf("endTime")}, measure{Function: store.Max, Column: columnOf("startTime")})
	case "totalCost", "totalTokens":
		measures = append(measures, measure{Function: store.Sum, Column: columnOf(order.Column)})
	}
	groups, err := e.groupTraces(ctx, &Selection{From: s.From, To: s.To}, measures)
	if err != nil {
		return nil, err
	}
	places := make([]TracePlace, 0, len(groups.Rows))
	for n := range groups.Rows {
		g := &groups.Rows[n]
		if _, ok := wanted[g.Keys[0]]; !ok && wanted != nil {
			continue
		}
		start := g.Values[0].Value
		p := TracePlace{ID: g.Keys[0], Millis: domain.Micros(start).Millis()}
		switch order.Column {
		case "latency":
			p.Value = (max(g.Values[1].Value, g.Values[2].Value) - start) / 1e6
		case "totalCost", "totalTokens":
			p.Value = g.Values[1].Value
		}
		places = append(places, p)
	}
	return places, nil
}

// groupTraces groups the selected rows by their traces.
func (e *Explorer) groupTraces(ctx context.Context, s *Selection, measures []measure) (*store.Groups, error) {
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{GroupBy: []*column{columnOf("traceId")}, Measures: measures, MaxGroups: traces.MaxTraces})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, &traces.TooMany{Things: "traces", Limit: traces.MaxTraces}
	}
	return groups, err
}
