package segment

import (
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// tooLate reports whether every row of a row group was updated before the time that a condition asks for. Clients that
// wait for new rows poll repeatedly and must not read the columns of old rows each time.
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

// latest returns the largest value of a time column.
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

// sequences returns the write number of each row; all 0 if the row group predates them.
func (g *rowGroup[R]) sequences() ([]int64, error) { return g.sequencesIn(make([]int64, 0, g.rows)) }

// sequencesIn is sequences with memory for the result, which may be reused.
func (g *rowGroup[R]) sequencesIn(numbers []int64) ([]int64, error) {
	numbers = numbers[:0]
	if column := g.schema.sequence; g.has(column) {
		memory := getPage()
		defer putPage(memory)
		for n := range g.chunks[column].pages {
			page, err := g.scanPage(column, n, memory)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, page.ints...)
		}
	}
	return append(numbers, make([]int64, g.rows-len(numbers))...), nil
}

// outside reports whether no row of a row group has a number in the window. A reader that polls for what has arrived
// since must not read the columns of old rows again, so the bounds of the numbers are cached.
func (p *predicate[R]) outside(g *rowGroup[R]) (bool, error) {
	if p.arrived == nil {
		return false, nil
	}
	bounds, err := g.numberBounds()
	if err != nil {
		return false, err
	}
	return bounds.UpTo <= p.arrived.After || bounds.After > p.arrived.UpTo, nil
}

// numberBounds returns the smallest and the largest number of the rows of a row group, as After and UpTo.
func (g *rowGroup[R]) numberBounds() (*store.Window, error) {
	bounds := g.numbers.Load()
	if bounds == nil {
		numbers, err := g.sequences()
		if err != nil {
			return nil, err
		}
		bounds = &store.Window{After: slices.Min(numbers), UpTo: slices.Max(numbers)}
		g.numbers.Store(bounds)
	}
	return bounds, nil
}

// keepArrived keeps the rows whose numbers are in the window.
func (p *predicate[R]) keepArrived(g *rowGroup[R], s *rowMask) error {
	if bounds := g.numbers.Load(); p.arrived == nil || bounds != nil && p.arrived.Has(bounds.After) && p.arrived.Has(bounds.UpTo) {
		return nil
	}
	numbers, err := g.sequences()
	if err != nil {
		return err
	}
	s.keep(func(row int) bool { return p.arrived.Has(numbers[row]) })
	return nil
}
