package segment

import (
	"almanac/internal/domain"
	"almanac/internal/store"
)

// A deletion by time may concern millions of rows. Which rows of a row group it selects never changes, so that is found
// out before the deletion takes its turn among the writes: meanwhile nobody waits for it.

// planned holds the rows of row groups that a deletion selects; nil for none.
type planned[R any] map[*rowGroup[R]]*bitset

// planDelete finds the rows that a deletion by time selects in the current row groups. A row group that cannot be read
// is left out, and dealt with when the deletion takes effect.
func (t *table[R]) planDelete(project string, s *store.Selection) planned[R] {
	plan := make(planned[R])
	for _, g := range t.current.Load().groups {
		if p, ok := g.rangeOf(project); !ok || g.dead.between(p.start, p.end) == p.end-p.start {
			plan[g.rowGroup] = nil // most row groups, if it happens regularly
			continue
		}
		if rows, err := t.selectedIn(g.rowGroup, project, s); err == nil {
			plan[g.rowGroup] = rows
		}
	}
	return plan
}

// selectedIn is selectByTime, but returns an error on a fault.
func (t *table[R]) selectedIn(g *rowGroup[R], project string, s *store.Selection) (rows *bitset, err error) {
	defer t.onFault(&err)()
	return g.selectByTime(project, s)
}

// selectByTime returns the rows of a project that a selection by time selects, dead ones included; nil for none. Times
// are only read if those of the oldest and the youngest row do not decide.
func (g *rowGroup[R]) selectByTime(project string, s *store.Selection) (*bitset, error) {
	p, ok := g.rangeOf(project)
	if !ok || !s.All && p.oldest > s.Before.Millis() {
		return nil, nil
	}
	rows := newBitset(g.rows)
	if s.All || domain.Micros(p.youngest*1000+999) < s.Before {
		rows.addRange(p.start, p.end)
	} else if err := g.eachTime(p.start, p.end, func(row int, at domain.Micros) {
		if at < s.Before {
			rows.add(row)
		}
	}); err != nil {
		return nil, err
	}
	if s.Arrived == nil || rows.len() == 0 {
		return rows, nil
	}
	numbers, err := g.sequences()
	if err != nil {
		return nil, err
	}
	arrived := newBitset(g.rows)
	for row := p.start; row < p.end; row++ {
		if rows.has(row) && s.Arrived.Has(numbers[row]) {
			arrived.add(row)
		}
	}
	return arrived, nil
}
