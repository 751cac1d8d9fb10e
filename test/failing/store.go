package failing

import (
	"context"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Store returns a store whose calls fail as the switch says.
func (s *Switch) Store(whole store.Store) store.Store { return events{whole, s} }

type events struct {
	store.Store
	s *Switch
}

// Observations returns the table of observations.
func (e events) Observations() store.Table[domain.Observation] {
	return table[domain.Observation]{e.Store.Observations(), e.s, "observations: "}
}

// Scores returns the table of scores.
func (e events) Scores() store.Table[domain.Score] {
	return table[domain.Score]{e.Store.Scores(), e.s, "scores: "}
}

// Ping checks the store.
func (e events) Ping(ctx context.Context) error {
	if err := e.s.Call("store: ping"); err != nil {
		return err
	}
	return e.Store.Ping(ctx)
}

// Sizes returns the sizes of projects.
func (e events) Sizes(ctx context.Context) ([]store.DaySize, error) {
	if err := e.s.Call("store: sizes"); err != nil {
		return nil, err
	}
	return e.Store.Sizes(ctx)
}

type table[R any] struct {
	whole store.Table[R]
	s     *Switch
	name  string
}

// Append stores rows.
func (t table[R]) Append(ctx context.Context, scope domain.ProjectScope, rows []R) error {
	if err := t.s.Call(t.name + "append"); err != nil {
		return err
	}
	return t.whole.Append(ctx, scope, rows)
}

// Scan returns rows.
func (t table[R]) Scan(ctx context.Context, scope domain.ProjectScope, q store.Query[R]) iter.Seq2[*R, error] {
	return t.rows("scan", t.whole.Scan(ctx, scope, q))
}

// Lookup returns rows by their ids.
func (t table[R]) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*R, error] {
	return t.rows("lookup", t.whole.Lookup(ctx, scope, l))
}

// rows fails before the first row, and between the first and the second.
func (t table[R]) rows(what string, all iter.Seq2[*R, error]) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		if err := t.s.Call(t.name + what); err != nil {
			yield(nil, err)
			return
		}
		n := 0
		for row, err := range all {
			if n++; n == 2 && err == nil {
				if err := t.s.Call(t.name + what + ", second row"); err != nil {
					yield(nil, err)
					return
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// Aggregate computes over rows.
func (t table[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[R]) (*store.Groups, error) {
	if err := t.s.Call(t.name + "aggregate"); err != nil {
		return nil, err
	}
	return t.whole.Aggregate(ctx, scope, q)
}

// Rank ranks groups of rows.
func (t table[R]) Rank(ctx context.Context, scope domain.ProjectScope, q store.RankQuery[R]) (*store.Ranking, error) {
	if err := t.s.Call(t.name + "rank"); err != nil {
		return nil, err
	}
	return t.whole.Rank(ctx, scope, q)
}

// Arrivals returns the traces of rows that arrived.
func (t table[R]) Arrivals(ctx context.Context, window store.Window, limit int) ([]store.ArrivedTrace, int64, error) {
	if err := t.s.Call(t.name + "arrivals"); err != nil {
		return nil, 0, err
	}
	return t.whole.Arrivals(ctx, window, limit)
}

// Amend changes rows. It fails before and after.
func (t table[R]) Amend(ctx context.Context, scope domain.ProjectScope, traceIDs []string, change func(*R) bool) (int, error) {
	if err := t.s.Call(t.name + "amend"); err != nil {
		return 0, err
	}
	n, err := t.whole.Amend(ctx, scope, traceIDs, change)
	if err != nil {
		return n, err
	}
	return n, t.s.Call(t.name + "amend, done")
}

// Delete removes rows.
func (t table[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	if err := t.s.Call(t.name + "delete"); err != nil {
		return 0, err
	}
	return t.whole.Delete(ctx, scope, s)
}
