package segment

import (
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// predicate is the conditions of a query, ready to be evaluated on row groups: column by column where that is possible,
// cheap conditions first, and only what is left row by row.
type predicate[R any] struct {
	ctx      context.Context //nolint:containedctx // of the one call that it is evaluated for: it says what memory it takes
	schema   *schema[R]
	project  string
	from, to domain.Micros
	arrived  *store.Window // of the numbers of writes; nil for all
	// columns are evaluated on decoded columns, the cheapest first; rows on rows.
	columns []filter.Condition[R]
	rows    []filter.Condition[R]
	// named is what a condition looks for in a named column; rows are found by it, whatever the other conditions are.
	named nameSet
	// either is the predicate once for each alternative of a condition that has some; a row must meet one of them.
	either []*predicate[R]
}

func newPredicate[R any](s *schema[R], project string, from, to domain.Micros, where []filter.Condition[R]) *predicate[R] {
	p := &predicate[R]{ctx: context.Background(), schema: s, project: project, from: from, to: to}
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
	p.named = p.findNamed()
	return p
}

// within bounds the numbers of writes.
func (p *predicate[R]) within(arrived *store.Window) {
	p.arrived = arrived
	for _, alternative := range p.either {
		alternative.within(arrived)
	}
}

// manyNames is from how many texts on looking at each row is faster than looking each text up.
const manyNames = 4096

// findNamed looks for a condition that names texts of a column that the index knows.
func (p *predicate[R]) findNamed() (found nameSet) {
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
			continue // rows without a text are not in the index
		}
		column := p.schema.physical[c.Column().ID()][0]
		if rank := slices.Index(p.schema.named, column); rank >= 0 && rank < best {
			best, found = rank, nameSet{column, slices.Compact(slices.Sorted(slices.Values(texts)))}
		}
	}
	return found
}

// names reports whether rows are found by the index.
func (p *predicate[R]) names() bool { return len(p.named.texts) > 0 }

// vectorised reports whether a condition is evaluated on columns.
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

// cost ranks conditions: those on a dictionary can rule a whole row group out.
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

// all reports whether every row in the time range meets the predicate.
func (p *predicate[R]) all() bool { return len(p.columns) == 0 && len(p.rows) == 0 && p.arrived == nil }

// covers reports whether the time range holds all rows between two times.
func (p *predicate[R]) covers(oldest, youngest int64) bool {
	return (p.from == 0 || p.from <= domain.Micros(oldest*1000)) && (p.to == 0 || p.to > domain.Micros(youngest*1000+999))
}

// misses reports whether the time range holds no row between two times.
func (p *predicate[R]) misses(oldest, youngest int64) bool {
	return p.from != 0 && p.from > domain.Micros(youngest*1000+999) || p.to != 0 && p.to <= domain.Micros(oldest*1000)
}

// inTime reports whether a row is in the time range.
func (p *predicate[R]) inTime(r *R) bool {
	t := p.schema.timeOf(r)
	return (p.from == 0 || t >= p.from) && (p.to == 0 || t < p.to)
}

// matchesHot evaluates a row in memory, and when it came there.
func (p *predicate[R]) matchesHot(h *hotRow[R]) bool {
	return (p.arrived == nil || p.arrived.Has(int64(h.seq))) && p.matches(&h.row)
}

// matches evaluates a row in memory.
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
