package segment

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// tooLate reports whether every row of a row group arrived before a condition wants rows to have arrived. Who waits for new rows asks
// again and again, and must not read the columns of old ones each time.
func (p *predicate[R]) tooLate(g *rowGroup[R]) (bool, error) {
	for n := range p.columns {
		c := &p.columns[n]
		if c.Column().ID() != "updatedAt" || c.Operator() != filter.GreaterEqual {
			continue
		}
		column := p.schema.physical[c.Column().ID()][0]
		latest := g.arrived.Load()
		if latest == 0 {
			var err error
			if latest, err = g.latest(column); err != nil {
				return false, err
			}
			g.arrived.Store(latest)
		}
		if domain.Micros(latest).Millis() < c.Millis() {
			return true, nil
		}
	}
	return false, nil
}

// latest returns the largest value of a column of times.
func (g *rowGroup[R]) latest(column int) (int64, error) {
	latest := int64(0)
	memory := getPage()
	defer putPage(memory)
	for n := range g.chunks[column].pages {
		page, err := g.scanPage(column, n, memory)
		if err != nil {
			return 0, err
		}
		for _, at := range page.ints {
			latest = max(latest, at)
		}
	}
	return latest, nil
}
