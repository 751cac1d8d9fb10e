package failing

import (
	"context"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Interleaved is a store in which something happens between two calls on its observations: before a read or a deletion,
// or after a deletion.
type Interleaved struct {
	store.Store
	At     int // the moment, by number, before which it happens
	Happen func()
	Calls  int // the number of moments so far
}

func (b *Interleaved) call() {
	if b.Calls == b.At {
		b.Happen()
	}
	b.Calls++
}

// Observations returns the table of observations.
func (b *Interleaved) Observations() store.Table[domain.Observation] {
	return besetTable{b.Store.Observations(), b}
}

type besetTable struct {
	store.Table[domain.Observation]
	beset *Interleaved
}

// Lookup returns rows by their ids.
func (t besetTable) Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*domain.Observation, error] {
	t.beset.call()
	return t.Table.Lookup(ctx, scope, l)
}

// Scan returns rows.
func (t besetTable) Scan(
	ctx context.Context, scope domain.ProjectScope, q store.Query[domain.Observation],
) iter.Seq2[*domain.Observation, error] {
	t.beset.call()
	return t.Table.Scan(ctx, scope, q)
}

// Aggregate computes over rows.
func (t besetTable) Aggregate(
	ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[domain.Observation],
) (*store.Groups, error) {
	t.beset.call()
	return t.Table.Aggregate(ctx, scope, q)
}

// Rank ranks groups of rows.
func (t besetTable) Rank(ctx context.Context, scope domain.ProjectScope, q store.RankQuery[domain.Observation]) (*store.Ranking, error) {
	t.beset.call()
	return t.Table.Rank(ctx, scope, q)
}

// Delete removes rows.
func (t besetTable) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	t.beset.call()
	defer t.beset.call()
	return t.Table.Delete(ctx, scope, s)
}
