package explore

import (
	"context"
	"slices"
	"sync"

	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// plan is how traces are found that meet conditions as a whole: they have a row in the scope, and the term holds.
//
// If texts must be read to find an observation that a trace must have, it is looked for in the scope only, and newest
// first: that may take long, so results come in parts. All such conditions that are not within groups must be met by the
// same observation; they become conditions of the scope.
type plan struct {
	scope *Selection
	term  *traces.Term // nil if every trace in the scope is wanted
}

// plan resolves a selection of whole traces.
func (e *Explorer) plan(ctx context.Context, s *Selection) (*plan, error) {
	p := &plan{scope: &Selection{From: s.From, To: s.To, Within: s.Within, OfTraces: true}}
	var rest []*clause
	for _, c := range s.clauses {
		if c.op == "" && readsTexts(c.where) {
			p.scope.Where = append(p.scope.Where, c.where...)
		} else {
			rest = append(rest, c)
		}
	}
	var all []*traces.Term
	if len(s.Where) > 0 {
		where, err := e.tagged(ctx, s.Where)
		if err != nil {
			return nil, err
		}
		all = append(all, &traces.Term{Has: where})
	}
	for _, c := range rest {
		if c.op == filter.Has && len(p.scope.Where) == 0 {
			where, err := e.observed(ctx, s.ofObservations(), c)
			if err != nil {
				return nil, err
			}
			if readsTexts(where) {
				p.scope.Where = where
				continue
			}
		}
		t, err := e.term(ctx, s, c)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	if len(all) > 0 {
		p.term = &traces.Term{All: all}
	}
	return p, nil
}

// planOf returns the plan for a selection of traces of any kind.
func (e *Explorer) planOf(ctx context.Context, s *Selection) (*plan, error) {
	if s.ByTrace {
		return e.plan(ctx, s)
	}
	rows, err := e.Resolve(ctx, s.ofTraces())
	return &plan{scope: rows}, err
}

// query returns the query for the traces of a plan.
func (p *plan) query() *traces.RankQuery {
	s := p.scope
	return &traces.RankQuery{From: s.From, To: s.To, Selected: s.conditions(), Where: p.term}
}

// fewTraces is the number of traces up to which rows are found by their ids.
const fewTraces = 2000

// narrowed returns the selection of the rows in the scope of a plan whose traces are wanted.
func (e *Explorer) narrowed(ctx context.Context, p *plan) (*Selection, error) {
	if p.term == nil {
		return p.scope, nil
	}
	outside := *p.scope
	outside.Where = nil // the rows that meet these are looked for later
	q := (&plan{scope: &outside, term: p.term}).query()
	among, err := e.among(ctx, q)
	if err != nil {
		return nil, err
	}
	s := *p.scope
	s.Where = append(slices.Clone(p.scope.Where), among)
	return &s, nil
}

// among returns a condition for the rows of the traces that a query selects.
func (e *Explorer) among(ctx context.Context, q *traces.RankQuery) (condition, error) {
	var mu sync.Mutex
	found, held := new(store.HashSet), memory.NewTally(ctx)
	taken := 0
	q.Limit, q.Begin = fewTraces+1, func() { found, taken = new(store.HashSet), 0 }
	q.Each = func(t *traces.RankedTrace) {
		mu.Lock()
		taken += found.Add(t.Hash)
		mu.Unlock()
	}
	first, _, err := e.Traces.Rank(ctx, q)
	if err == nil {
		err = held.Add(int64(taken))
	}
	if err != nil {
		return condition{}, err
	}
	ids := make([]string, len(first))
	for n := range first {
		ids[n] = first[n].ID
	}
	return rowsOf(columnOf("traceId"), found, ids)
}

// rowsOf returns a condition for the rows of traces, sessions or users, which the key names: those that were found, of
// which the first are ids. If there are at most fewTraces, rows are found by the ids.
func rowsOf(key *column, found *store.HashSet, ids []string) (condition, error) {
	switch {
	case len(ids) == 0:
		return nothing(), nil
	case len(ids) <= fewTraces:
		return named(key, ids)
	}
	return inSet(key, found), nil
}

// inSet returns a condition for rows whose key is in a set.
func inSet(key *column, set *store.HashSet) condition {
	return filter.Must(filter.NewBool(filter.DerivedBool("among", func(o *row) bool {
		id, _ := key.Text(o)
		return set.Has(store.TextHash(id))
	}, key), filter.Equal, true))
}

// nothing returns a condition that no row meets.
func nothing() condition {
	return filter.AllOfThese(noRow())
}

// tracesAtOnce returns the traces that have an observation in the scope of a selection that meets conditions whose texts
// must be read. Unlike lists, it needs all of them.
func (e *Explorer) tracesAtOnce(ctx context.Context, s *Selection, where []condition) (*store.HashSet, error) {
	scope := &Selection{From: s.From, To: s.To, Within: s.Within, Where: where, OfTraces: true}
	found, partial, err := e.tracesOf(ctx, scope)
	if err == nil && partial {
		return nil, &filter.Refused{Message: "Searching texts in this combination takes too long. Choose a shorter time range."}
	}
	return found, err
}

// tracesOf returns the traces that have a selected row, or the newest of them if that takes too long.
func (e *Explorer) tracesOf(ctx context.Context, s *Selection) (found *store.HashSet, partial bool, err error) {
	found = new(store.HashSet)
	held := memory.NewTally(ctx)
	partial, err = e.inWindows(ctx, s, func(ctx context.Context, part *Selection) error {
		groups, err := e.groupTraces(ctx, part, nil)
		if err != nil {
			return err
		}
		taken := 0
		for n := range groups.Rows {
			taken += found.Add(store.TextHash(groups.Rows[n].Keys[0]))
		}
		memory.Of(ctx).Shrink(groups.Held)
		return held.Add(int64(taken))
	})
	return found, partial, err
}

// known returns a plan whose scope needs no texts: if that of p does, the traces that have them are looked up, or the
// newest of them if that takes too long.
func (e *Explorer) known(ctx context.Context, p *plan) (_ *plan, partial bool, err error) {
	if !p.scope.readsTexts() {
		return p, false, nil
	}
	found, partial, err := e.tracesOf(ctx, p.scope)
	if err != nil {
		return nil, false, err
	}
	outer := *p.scope
	outer.Where = nil
	all := []*traces.Term{{In: found}}
	if p.term != nil {
		all = append(all, p.term)
	}
	return &plan{scope: &outer, term: &traces.Term{All: all}}, partial, nil
}

// listed returns the selection of all rows in the scope of a selection of whole traces that belong to a listed trace.
// Partial means that some are missing, since finding them takes too long.
func (e *Explorer) listed(ctx context.Context, s *Selection) (_ *Selection, partial bool, err error) {
	if !s.ByTrace {
		s, err = e.Resolve(ctx, s)
		return s, false, err
	}
	p, err := e.plan(ctx, s)
	if err != nil {
		return nil, false, err
	}
	if p, partial, err = e.known(ctx, p); err != nil {
		return nil, false, err
	}
	rows, err := e.narrowed(ctx, p)
	return rows, partial, err
}

// within returns those of the traces that the selection lists.
func (e *Explorer) within(ctx context.Context, s *Selection, ids []string) ([]string, error) {
	p, err := e.plan(ctx, s)
	if err != nil || p.term == nil || len(ids) == 0 {
		return ids, err
	}
	q := p.query()
	q.Selected, q.IDs, q.Limit = p.scope.Within, ids, len(ids)
	places, _, err := e.Traces.Rank(ctx, q)
	wanted := make(map[string]struct{}, len(places))
	for n := range places {
		wanted[places[n].ID] = struct{}{}
	}
	return slices.DeleteFunc(ids, func(id string) bool { _, ok := wanted[id]; return !ok }), err
}
