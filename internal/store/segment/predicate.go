package segment

import (
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// predicate holds the conditions of a query, ready to be evaluated on row groups: column by column where possible,
// cheap conditions first, and only the rest row by row.
type predicate[R any] struct {
	ctx      context.Context //nolint:containedctx // of the one call that it is evaluated for: it says what memory it takes
	schema   *schema[R]
	project  string
	from, to domain.Micros
	arrived  *store.Window // of write numbers; nil means all
	// columns are evaluated on decoded columns, cheapest first; rows are evaluated row by row.
	columns []filter.Condition[R]
	rows    []filter.Condition[R]
	// indexed is what a condition looks for in an indexed column; rows are found by it, and the other conditions are checked
	// on those.
	indexed keyLookup
	// either has the predicate once for each alternative of a condition that has alternatives; a row must match one of
	// them.
	either []*predicate[R]
}

func newPredicate[R any](s *schema[R], project string, from, to domain.Micros, where []filter.Condition[R]) *predicate[R] {
	p := &predicate[R]{ctx: context.Background(), schema: s, project: project, from: from, to: to}
	where = flattened(where)
	for n, c := range where {
		if p.either == nil {
			for _, alternative := range c.Alternatives() {
				others := slices.Clone(where)
				others[n] = alternative
				p.either = append(p.either, newPredicate(s, project, from, to, others))
			}
		}
		if s.vectorised(&c) {
			p.columns = append(p.columns, c)
		} else {
			p.rows = append(p.rows, c)
		}
	}
	slices.SortStableFunc(p.columns, func(a, b filter.Condition[R]) int { return s.cost(&a) - s.cost(&b) })
	p.indexed = p.findIndexed()
	return p
}

// flattened returns conditions with those that consist of several replaced by them.
func flattened[R any](where []filter.Condition[R]) []filter.Condition[R] {
	isAll := func(c filter.Condition[R]) bool { return len(c.Conjuncts()) > 0 }
	if !slices.ContainsFunc(where, isAll) {
		return where
	}
	var flat []filter.Condition[R]
	for _, c := range where {
		if isAll(c) {
			flat = append(flat, flattened(c.Conjuncts())...)
		} else {
			flat = append(flat, c)
		}
	}
	return flat
}

// within restricts the predicate to a window of write numbers.
func (p *predicate[R]) within(arrived *store.Window) {
	p.arrived = arrived
	for _, alternative := range p.either {
		alternative.within(arrived)
	}
}

// manyNames is the number of strings above which checking every row is faster than looking up each string.
const manyNames = 4096

// findIndexed looks for a condition that names strings of a indexed column.
func (p *predicate[R]) findIndexed() (found keyLookup) {
	best := len(p.schema.named)
	for n := range p.columns {
		c := &p.columns[n]
		var texts []string
		switch c.Operator() {
		case filter.Equal:
			texts = []string{c.Text()}
		case filter.AnyOf:
			texts = c.Texts()
		}
		if c.Column().Kind() != filter.Text || len(texts) == 0 || len(texts) > manyNames || slices.Contains(texts, "") {
			continue // empty strings are not in the index
		}
		column := p.schema.physical[c.Column().ID()][0]
		if rank := slices.Index(p.schema.named, column); rank >= 0 && rank < best {
			best, found = rank, keyLookup{column, slices.Compact(slices.Sorted(slices.Values(texts)))}
		}
	}
	return found
}

// usesIndex reports whether rows are found through the index.
func (p *predicate[R]) usesIndex() bool { return len(p.indexed.texts) > 0 }

// vectorised reports whether a condition is evaluated on decoded columns.
func (s *schema[R]) vectorised(c *filter.Condition[R]) bool {
	if c.Column().Derived() {
		return false
	}
	sources := s.physical[c.Column().ID()]
	switch c.Column().Kind() {
	case filter.Text:
		return len(sources) == 1 && s.columns[sources[0]].class != classLong
	case filter.List:
		return true
	case filter.Time:
		return true
	case filter.Number:
		id := c.Column().ID()
		return id == "latency" || id == "timeToFirstToken" || len(sources) == 1 && s.columns[sources[0]].class != classList
	}
	return false
}

// cost ranks conditions: those on a dictionary can rule out a whole row group.
func (s *schema[R]) cost(c *filter.Condition[R]) int {
	class := s.columns[s.physical[c.Column().ID()][0]].class
	switch class {
	case classShort, classList:
		return 0
	case classID:
		return 3
	case classTime:
		return 2
	}
	return 1
}

// all reports whether every row in the time range matches the predicate.
func (p *predicate[R]) all() bool { return len(p.columns) == 0 && len(p.rows) == 0 && p.arrived == nil }

// covers reports whether the time range includes all rows between two times.
func (p *predicate[R]) covers(oldest, youngest int64) bool {
	return (p.from == 0 || p.from <= domain.Micros(oldest*1000)) && (p.to == 0 || p.to > domain.Micros(youngest*1000+999))
}

// misses reports whether the time range includes no row between two times.
func (p *predicate[R]) misses(oldest, youngest int64) bool {
	return p.from != 0 && p.from > domain.Micros(youngest*1000+999) || p.to != 0 && p.to <= domain.Micros(oldest*1000)
}

// inTime reports whether a row is in the time range.
func (p *predicate[R]) inTime(r *R) bool {
	t := p.schema.timeOf(r)
	return (p.from == 0 || t >= p.from) && (p.to == 0 || t < p.to)
}

// matchesHot evaluates a row in memory, including its write number.
func (p *predicate[R]) matchesHot(h *hotRow[R]) bool {
	return (p.arrived == nil || p.arrived.Has(int64(h.seq))) && p.matches(&h.row)
}

// matches evaluates a row in memory, without its write number.
func (p *predicate[R]) matches(r *R) bool {
	if !p.inTime(r) {
		return false
	}
	for n := range p.columns {
		if !p.columns[n].Match(r) {
			return false
		}
	}
	for n := range p.rows {
		if !p.rows[n].Match(r) {
			return false
		}
	}
	return true
}
