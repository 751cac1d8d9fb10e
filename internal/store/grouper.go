package store

import (
	"fmt"
	"math"
	"slices"

	"almanac/internal/filter"
)

// Grouper adds rows up into groups. It belongs to one goroutine, and keeps no reference to rows nor to their texts.
type Grouper[R any] struct {
	*Grouping[R]
	index  map[string]*Sums
	groups []*Sums
	memory groupMemory
	taken  int64  // bytes that the grouping was not told of yet
	name   []byte // of the group that is looked for
}

// Sums is a group that rows are added to.
type Sums struct {
	// Rows is how many there are.
	Rows int64
	// Inputs is what was collected of each input.
	Inputs []Collected
	name   string
}

// NewGrouper returns a grouper without groups.
func (g *Grouping[R]) NewGrouper() *Grouper[R] {
	return &Grouper[R]{Grouping: g, index: make(map[string]*Sums)}
}

// Take counts memory for groups, and refuses to take too much.
func (g *Grouper[R]) Take(bytes int) error {
	const step = 64 << 10 // so that groupers do not wait for each other often
	if g.taken += int64(bytes); g.taken < min(step, g.Query.MaxBytes) {
		return nil
	}
	taken := g.taken
	g.taken = 0
	return g.take(taken)
}

// Add adds a row to its group, or to several if rows are grouped by lists.
func (g *Grouper[R]) Add(row *R) error {
	bucket := int64(0)
	if g.Buckets != nil {
		bucket, _ = g.Buckets(g.timeOf(row).Millis())
	}
	g.beginName(bucket)
	return g.addKeys(row, 0)
}

// addKeys adds a row to each group that has its keys from the n-th on: one of each column, in every combination.
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

// addKey adds a row to the groups whose n-th key is this one.
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

// Find finds or makes the group of a bucket and keys.
func (g *Grouper[R]) Find(bucket int64, keys []string, nulls []bool) (*Sums, error) {
	g.beginName(bucket)
	for n, key := range keys {
		if err := g.extendName(key, nulls[n]); err != nil {
			return nil, err
		}
	}
	return g.find()
}

// find finds or makes the group that has the name.
func (g *Grouper[R]) find() (*Sums, error) {
	if found := g.index[string(g.name)]; found != nil {
		return found, nil
	}
	// What a group takes, with its place in the index and in the result, and each of its parts; about.
	const group, key, input, measure = 200, 32, 150, 16
	q := g.Query
	if err := g.Take(group + len(g.name) + key*len(q.GroupBy) + input*len(g.Inputs) + measure*len(q.Measures)); err != nil {
		return nil, err
	}
	made := g.memory.newSums(len(g.Inputs))
	made.name = string(g.name)
	return made, g.keep(made)
}

// keep keeps a new group.
func (g *Grouper[R]) keep(s *Sums) error {
	if len(g.groups) >= g.Query.MaxGroups {
		return fmt.Errorf("%w: there are more than %d groups; group by less, or choose a shorter time", ErrTooLarge, g.Query.MaxGroups)
	}
	g.index[s.name] = s
	g.groups = append(g.groups, s)
	return nil
}

// Merge adds what another grouper of the grouping added up, which cannot be used any more.
func (g *Grouper[R]) Merge(other *Grouper[R]) error {
	other.index = nil // its memory is that of the index here, from now on
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

// groupMemory makes groups, many at a time.
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
