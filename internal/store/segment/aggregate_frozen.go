package segment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// Lists of sessions and users, and the values to choose from beside them, ask for the same sums over all rows again and again. Row groups
// never change but for rows that die, so the sums of one are kept with its decoded pages, if they were asked for before and not long
// ago. They are used as long as no more rows are replaced or deleted, for queries whose time range holds all of them, and whose
// conditions, if there are any, are about the first column that rows are grouped by.

// frozenSums are the sums of a row group, with what they were asked for by.
type frozenSums struct {
	signature string
	size      int64 // bytes
	sums      *store.Frozen
}

// frozenQuery is how a query uses sums that are kept; nil if it cannot.
type frozenQuery[R any] struct {
	signature string
	hash      uint64
	keep      bool // sums that are not kept yet are worth it
	// What groups have to meet, and if that names some keys, these.
	where []filter.Condition[R]
	keys  []string
}

// newFrozenQuery looks whether sums that are kept can answer a query.
func newFrozenQuery[R any](c *cache, g *store.Grouping[R], p *predicate[R]) *frozenQuery[R] {
	q := g.Query
	if len(q.GroupBy) == 0 || !g.CanFreeze() || p.names() || len(p.rows) > 0 || len(p.either) > 0 || p.arrived != nil {
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

// addFrozen adds the rows of a row group by sums that are kept, or are worth keeping from now on. It reports whether it did.
func (a *aggregator[R]) addFrozen(g liveGroup[R], r projectRange) (bool, error) {
	f := a.frozen
	key := sumsKey{g.id, f.hash, r.start, g.dead.len()}
	var sums *store.Frozen
	if kept, ok := g.cache.getSums(key); ok && kept.signature == f.signature {
		sums = kept.sums
	}
	if sums == nil {
		// While rows die, each question would find other sums.
		if !f.keep || key.dead > 0 && !g.cache.worth(g.id, f.hash+uint64(key.dead)) {
			return false, nil
		}
		var err error
		if sums, err = a.freeze(g, r); err != nil {
			return false, err
		}
		g.cache.putSums(key, &frozenSums{f.signature, sums.Bytes(), sums})
	}
	switch {
	case len(f.where) == 1 && f.keys != nil:
		return true, a.AddFrozenNamed(sums, f.keys)
	case len(f.where) > 0:
		return true, a.AddFrozen(sums, func(key string, null bool) bool {
			for n := range f.where {
				if !f.where[n].MatchText(key, null) {
					return false
				}
			}
			return true
		})
	}
	return true, a.AddFrozen(sums, nil)
}

// freeze adds up all rows of a project in a row group that live.
func (a *aggregator[R]) freeze(g liveGroup[R], r projectRange) (*store.Frozen, error) {
	grouping := store.NewGrouping(a.ctx, a.schema.timeOf, a.Query)
	defer grouping.Release()
	alone := &aggregator[R]{Grouper: grouping.NewGrouper(), ctx: a.ctx, schema: a.schema}
	defer alone.end()
	var living *selection // nil for all
	if g.dead.len() > 0 {
		living = allRows(r)
		living.keep(func(row int) bool { return !g.dead.has(row) })
	}
	if err := alone.addRows(g.rowGroup, r, living); err != nil {
		return nil, err
	}
	return alone.Freeze(), nil
}
