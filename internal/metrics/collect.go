package metrics

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// collect groups rows that were put together the way the store's Aggregate groups its own, in the simplest way: row by
// row, with a map. Time range and conditions are not looked at: the rows are those that count.
func collect[T any](ctx context.Context, rows iter.Seq2[*T, error], at func(*T) domain.Micros, q store.AggregateQuery[T]) (*store.Groups, error) {
	c := &collector[T]{query: &q, at: at, index: make(map[string]*collected), held: memory.NewTally(ctx)}
	for row, err := range rows {
		if err == nil {
			err = c.add(row)
		}
		if err != nil {
			c.held.Release()
			return nil, err
		}
	}
	groups := c.result()
	groups.Held = c.held.Taken()
	return groups, nil
}

type collector[T any] struct {
	query  *store.AggregateQuery[T]
	at     func(*T) domain.Micros
	index  map[string]*collected
	groups []*collected
	bytes  int64
	held   *memory.Tally
	name   []byte
	texts  []string
	nulls  []bool
}

// collected is a group with what was collected for each measure.
type collected struct {
	store.Group
	rows     int
	measures []collectedMeasure
}

type collectedMeasure struct {
	count    int
	sum      domain.Sum
	min, max float64
	values   []float64
	numbers  map[float64]struct{}
	texts    map[string]struct{}
}

func (c *collector[T]) add(row *T) error {
	c.texts, c.nulls = c.texts[:0], c.nulls[:0]
	for _, column := range c.query.GroupBy {
		text, null := keyOf(column, row)
		c.texts, c.nulls = append(c.texts, text), append(c.nulls, null)
	}
	g, err := c.group(row)
	if err != nil {
		return err
	}
	g.rows++
	for n := range c.query.Measures {
		if err := c.measure(&c.query.Measures[n], &g.measures[n], row); err != nil {
			return err
		}
	}
	return nil
}

// keyOf returns the key of a row as store.Group has it.
func keyOf[T any](column *filter.Column[T], row *T) (text string, null bool) {
	switch column.Kind() {
	case filter.Bool:
		return strconv.FormatBool(column.Bool(row)), false
	case filter.Number:
		number, null := column.Number(row)
		if null || math.IsNaN(number) {
			return "", true
		}
		return strconv.FormatFloat(number+0, 'g', -1, 64), false // +0 makes 0 of -0
	}
	text, null = column.Text(row)
	if null {
		return "", true
	}
	return text, false
}

// group finds or makes the group of a row.
func (c *collector[T]) group(row *T) (*collected, error) {
	bucket := int64(0)
	switch {
	case c.query.Calendar != nil:
		bucket, _ = c.query.Calendar(c.at(row).Millis())
	case c.query.Bucket != 0:
		bucket, _ = store.Every(c.query.Bucket)(c.at(row).Millis())
	}
	c.name = strconv.AppendInt(c.name[:0], bucket, 10)
	for n, text := range c.texts {
		c.name = strconv.AppendBool(append(c.name, ' '), c.nulls[n])
		c.name = strconv.AppendInt(append(c.name, ' '), int64(len(text)), 10)
		c.name = append(append(c.name, ' '), text...)
	}
	if g, ok := c.index[string(c.name)]; ok {
		return g, nil
	}
	if len(c.groups) == c.query.MaxGroups {
		return nil, fmt.Errorf("%w: there are more than %d groups", store.ErrTooLarge, c.query.MaxGroups)
	}
	const perGroup, perMeasure = 200, 100
	if err := c.take(perGroup + 2*len(c.name) + perMeasure*len(c.query.Measures)); err != nil {
		return nil, err
	}
	g := &collected{
		Group:    store.Group{Bucket: bucket, Keys: slices.Clone(c.texts), Nulls: slices.Clone(c.nulls)},
		measures: make([]collectedMeasure, len(c.query.Measures)),
	}
	for n, text := range g.Keys {
		g.Keys[n] = strings.Clone(text)
	}
	c.index[string(c.name)] = g
	c.groups = append(c.groups, g)
	return g, nil
}

// take takes memory before it is needed.
func (c *collector[T]) take(bytes int) error {
	if c.bytes += int64(bytes); c.bytes > c.query.MaxBytes {
		return fmt.Errorf("%w: more than %d bytes would have to be collected", store.ErrTooLarge, c.query.MaxBytes)
	}
	return c.held.Add(int64(bytes))
}

// measure adds the value of a row to a measure.
func (c *collector[T]) measure(m *store.Measure[T], to *collectedMeasure, row *T) error {
	const perEntry, perValue = 48, 16 // of a map, and of a list that grows
	switch {
	case m.Column == nil:
		return nil
	case m.Column.Kind() == filter.Text:
		text, null := m.Column.Text(row)
		if null || text == "" {
			return nil
		}
		to.count++
		if _, known := to.texts[text]; m.Function != store.Distinct || known {
			return nil
		}
		if err := c.take(len(text) + perEntry); err != nil {
			return err
		}
		if to.texts == nil {
			to.texts = make(map[string]struct{})
		}
		to.texts[strings.Clone(text)] = struct{}{}
		return nil
	}
	number, null := m.Column.Number(row)
	if null || math.IsNaN(number) {
		return nil
	}
	if to.count == 0 {
		to.min, to.max = number, number
	}
	to.count++
	to.sum.Add(number)
	to.min, to.max = min(to.min, number), max(to.max, number)
	switch m.Function {
	case store.Quantile, store.Histogram:
		to.values = append(to.values, number)
		return c.take(perValue)
	case store.Distinct:
		if _, known := to.numbers[number]; known {
			return nil
		}
		if to.numbers == nil {
			to.numbers = make(map[float64]struct{})
		}
		to.numbers[number] = struct{}{}
		return c.take(perEntry)
	}
	return nil
}

func (c *collector[T]) result() *store.Groups {
	groups := &store.Groups{Rows: make([]store.Group, len(c.groups))}
	for i, g := range c.groups {
		g.Values, g.Histograms = make([]domain.OptFloat, len(g.measures)), make([][]store.Bin, len(g.measures))
		for n := range g.measures {
			m := &c.query.Measures[n]
			g.Values[n] = g.measures[n].result(m.Function, m.Column == nil, m.Quantile, g.rows)
			if m.Function == store.Histogram {
				g.Histograms[n] = store.NewHistogram(g.measures[n].values, m.Bins)
			}
		}
		groups.Rows[i] = g.Group
	}
	return groups
}

// result computes what was collected.
func (m *collectedMeasure) result(f store.Function, ofRows bool, quantile float64, rows int) domain.OptFloat {
	switch {
	case ofRows:
		return domain.FloatOf(float64(rows))
	case f == store.Count || f == store.Histogram:
		return domain.FloatOf(float64(m.count))
	case f == store.Distinct:
		return domain.FloatOf(float64(len(m.texts) + len(m.numbers)))
	case f == store.Sum:
		return domain.FloatOf(m.sum.Value())
	case m.count == 0:
		return domain.OptFloat{}
	}
	switch f {
	case store.Min:
		return domain.FloatOf(m.min)
	case store.Max:
		return domain.FloatOf(m.max)
	case store.Quantile:
		return domain.FloatOf(quantileOf(m.values, quantile))
	}
	return domain.FloatOf(m.sum.Value() / float64(m.count))
}

// quantileOf returns the value at position q*(n-1) of the sorted values, interpolated between neighbours. It sorts them.
func quantileOf(values []float64, q float64) float64 {
	slices.Sort(values)
	whole, part := math.Modf(q * float64(len(values)-1))
	low := values[int(whole)]
	if part == 0 {
		return low
	}
	return low + (values[int(whole)+1]-low)*part
}
