package segment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// Lists of sessions and users, and the values offered in their filters, request the same sums over all rows again and
// again. Row groups never change except that rows die, so the sums of a row group are cached beside its decoded pages
// if they were requested before, not long ago. They stay valid until another row of the row group is replaced or
// deleted, and serve queries whose time range covers the whole row group and whose conditions, if any, are on the first
// column that rows are grouped by.

// partialSums are the cached sums of a row group with the signature of the query that they answer.
type partialSums struct {
	signature string
	size      int64 // bytes
	sums      *store.PartialAggregates
	part      any // of a ranking, instead of sums
}

// frozenQuery describes how a query uses cached sums; nil if it cannot.
type frozenQuery[R any] struct {
	signature string
	hash      uint64
	keep      bool // sums that are not cached yet are worth caching
	// The conditions on groups, and the keys if one of them names some.
	where []filter.Condition[R]
	keys  []string
}

// newFrozenQuery returns how cached sums can answer a query, or nil if they cannot.
func newFrozenQuery[R any](c *cache, g *store.Grouping[R], p *predicate[R]) *frozenQuery[R] {
	q := g.Query
	if len(q.GroupBy) == 0 || !g.CanFreeze() || p.usesIndex() || len(p.rows) > 0 || len(p.either) > 0 || p.arrived != nil {
		return nil
	}
	f := &frozenQuery[R]{where: p.columns}
	var signature strings.Builder
	for _, by := range q.GroupBy {
		if by.Derived() {
			return nil
		}
		_, _ = fmt.Fprintf(&signature, "%d ", by.Index())
	}
	for _, i := range g.Inputs {
		if i.Column.Derived() {
			return nil
		}
		_, _ = fmt.Fprintf(&signature, "%d %t %t %t,", i.Column.Index(), i.Sums, i.Extremes, i.Distinct)
	}
	for n := range p.columns {
		condition := &p.columns[n]
		if condition.Column() != q.GroupBy[0] || condition.Column().Kind() != filter.Text {
			return nil
		}
		switch condition.Operator() {
		case filter.Equal:
			f.keys = []string{condition.Text()}
		case filter.AnyOf:
			f.keys = slices.Compact(slices.Sorted(slices.Values(condition.Texts())))
		}
	}
	f.signature = signature.String()
	f.hash = xxhash.Sum64String(f.signature)
	f.keep = c.worthSums(f.hash)
	return f
}

// addFrozen adds the rows of a row group from cached sums, which it computes if they are worth caching. It reports
// whether it did.
func (a *aggregator[R]) addFrozen(g liveGroup[R], r projectRange) (bool, error) {
	f := a.frozen
	key := sumsKey{g.id, f.hash, r.start, g.dead.len()}
	var sums *store.PartialAggregates
	if kept, ok := g.cache.getSums(key); ok && kept.signature == f.signature {
		sums = kept.sums
	}
	if sums == nil {
		// While rows keep dying, every query would need new sums.
		if !f.keep || key.dead > 0 && !g.cache.shouldCache(g.id, f.hash+uint64(key.dead)) {
			return false, nil
		}
		var err error
		if sums, err = a.freeze(g, r); errors.Is(err, store.ErrTooLarge) {
			return false, nil // the query may want only a few of the groups
		} else if err != nil {
			return false, err
		}
		g.cache.putSums(key, &partialSums{signature: f.signature, size: sums.Bytes(), sums: sums})
	}
	switch {
	case len(f.where) == 1 && f.keys != nil:
		return true, a.AddFrozenNamed(sums, f.keys)
	case len(f.where) > 0:
		return true, a.AddPartial(sums, func(key string, null bool) bool {
			for n := range f.where {
				if !f.where[n].MatchText(key, null) {
					return false
				}
			}
			return true
		})
	}
	return true, a.AddPartial(sums, nil)
}

// freeze computes the sums over all live rows of a project in a row group.
func (a *aggregator[R]) freeze(g liveGroup[R], r projectRange) (*store.PartialAggregates, error) {
	grouping := store.NewGrouping(a.ctx, a.schema.timeOf, a.Query)
	defer grouping.Release()
	alone := &aggregator[R]{Grouper: grouping.NewGrouper(), ctx: a.ctx, schema: a.schema}
	defer alone.end()
	var living *rowMask // nil means all
	if g.dead.len() > 0 {
		living = allRows(r)
		living.keep(func(row int) bool { return !g.dead.has(row) })
	}
	if err := alone.addRows(g.rowGroup, r, living); err != nil {
		return nil, err
	}
	return alone.Freeze(), nil
}
