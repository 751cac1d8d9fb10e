package store

import (
	"fmt"
	"math"
	"slices"

	"almanac/internal/filter"
)

// Grouper accumulates rows into groups. It must be used by a single goroutine, and keeps no references to rows or their
// strings.
type Grouper[R any] struct {
	*Grouping[R]
	index  map[string]*Sums
	groups []*Sums
	memory groupMemory
	taken  int64  // bytes not yet reported to the grouping
	name   []byte // of the group being looked up
}

// Sums is a group being accumulated.
type Sums struct {
	// Rows is the number of rows added.
	Rows int64
	// Inputs holds the accumulated values of each input.
	Inputs []Collected
	name   string
}

// NewGrouper returns an empty grouper.
func (g *Grouping[R]) NewGrouper() *Grouper[R] {
	return &Grouper[R]{Grouping: g, index: make(map[string]*Sums)}
}

// Take accounts for memory used by groups, and returns an error if it exceeds the limit.
func (g *Grouper[R]) Take(bytes int) error {
	const step = 64 << 10 // so that groupers rarely contend with each other
	if g.taken += int64(bytes); g.taken < min(step, g.Query.MaxBytes) {
		return nil
	}
	taken := g.taken
	g.taken = 0
	return g.take(taken)
}

// Add adds a row to its group, or to several if rows are grouped by a list.
func (g *Grouper[R]) Add(row *R) error {
	bucket := int64(0)
	if g.Buckets != nil {
		bucket, _ = g.Buckets(g.timeOf(row).Millis())
	}
	g.beginName(bucket)
	return g.addKeys(row, 0)
}

// addKeys adds a row to each group that matches its keys from the n-th on: one per column, in every combination.
func (g *Grouper[R]) addKeys(row *R, n int) error {
	if n == len(g.Query.GroupBy) {
		found, err := g.find()
		if err != nil {
			return err
		}
		return g.measure(found, row)
	}
	column := g.Query.GroupBy[n]
	if column.Kind() != filter.List {
		key, null := KeyOf(column, row)
		return g.addKey(row, n, key, null)
	}
	list, before := column.List(row), len(g.name)
	if len(list) == 0 {
		return g.addKey(row, n, "", true)
	}
	for i, item := range list {
		if slices.Contains(list[:i], item) {
			continue
		}
		g.name = g.name[:before]
		if err := g.addKey(row, n, item, false); err != nil {
			return err
		}
	}
	return nil
}

// addKey adds a row to the groups with this n-th key.
func (g *Grouper[R]) addKey(row *R, n int, key string, null bool) error {
	if err := g.extendName(key, null); err != nil {
		return err
	}
	return g.addKeys(row, n+1)
}

// measure adds a row to a group.
func (g *Grouper[R]) measure(to *Sums, row *R) error {
	to.Rows++
	taken := 0
	for n := range g.Inputs {
		i, c := &g.Inputs[n], &to.Inputs[n]
		if i.Column.Kind() == filter.Text {
			if text, null := i.Column.Text(row); !null && text != "" {
				c.count++
				if i.Distinct {
					taken += c.AddHash(TextHash(text))
				}
			}
			continue
		}
		value, null := i.Column.Value(row)
		if null || math.IsNaN(value) {
			continue
		}
		c.add(i.Sums, i.Extremes, value)
		if i.Values {
			before := cap(c.tail)
			c.tail = append(c.tail, value)
			taken += 8 * (cap(c.tail) - before)
		}
		if i.Distinct {
			taken += c.AddHash(NumberHash(value))
		}
	}
	return g.Take(taken)
}

// Find returns the group of a bucket and keys, and creates it if necessary.
func (g *Grouper[R]) Find(bucket int64, keys []string, nulls []bool) (*Sums, error) {
	g.beginName(bucket)
	for n, key := range keys {
		if err := g.extendName(key, nulls[n]); err != nil {
			return nil, err
		}
	}
	return g.find()
}

// find returns the group with the current name, and creates it if necessary.
func (g *Grouper[R]) find() (*Sums, error) {
	if found := g.index[string(g.name)]; found != nil {
		return found, nil
	}
	// The approximate memory of a group, with its entries in the index and the result, and of each of its parts.
	const group, key, input, measure = 200, 32, 150, 16
	q := g.Query
	if err := g.Take(group + len(g.name) + key*len(q.GroupBy) + input*len(g.Inputs) + measure*len(q.Measures)); err != nil {
		return nil, err
	}
	made := g.memory.newSums(len(g.Inputs))
	made.name = string(g.name)
	return made, g.keep(made)
}

// keep registers a new group.
func (g *Grouper[R]) keep(s *Sums) error {
	if len(g.groups) >= g.Query.MaxGroups {
		return fmt.Errorf("%w: there are more than %d groups; group by less, or choose a shorter time", ErrTooLarge, g.Query.MaxGroups)
	}
	g.index[s.name] = s
	g.groups = append(g.groups, s)
	return nil
}

// Merge adds the groups of another grouper of the same grouping, which must not be used afterwards.
func (g *Grouper[R]) Merge(other *Grouper[R]) error {
	other.index = nil // the memory accounted for it now pays for the index of g
	for _, from := range other.groups {
		to := g.index[from.name]
		if to == nil {
			if err := g.keep(from); err != nil {
				return err
			}
			continue
		}
		to.Rows += from.Rows
		taken := 0
		for n := range from.Inputs {
			taken += to.Inputs[n].merge(&from.Inputs[n])
		}
		if err := g.Take(taken); err != nil {
			return err
		}
	}
	return nil
}

// groupMemory allocates groups in blocks.
type groupMemory struct {
	sums   []Sums
	inputs []Collected
}

func (m *groupMemory) newSums(inputs int) *Sums {
	const many = 64
	if len(m.sums) == 0 {
		m.sums, m.inputs = make([]Sums, many), make([]Collected, many*inputs)
	}
	s := &m.sums[0]
	m.sums = m.sums[1:]
	s.Inputs, m.inputs = m.inputs[:inputs:inputs], m.inputs[inputs:]
	return s
}
