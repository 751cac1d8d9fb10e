package clickhouse

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// aggregateHere computes over rows that ClickHouse streams, of which only what is needed is read. It is for columns and
// calendars that only Go knows.
func (t *table[R]) aggregateHere(ctx context.Context, q *selection[R], query store.AggregateQuery[R]) (*store.Groups, error) {
	columns := q.needed(query)
	q.ask(columns, "")
	g := &grouping[R]{query: query, timeOf: t.timeOf, groups: map[string]*group{}, left: query.MaxBytes, held: memory.NewTally(ctx)}
	err := t.stream(ctx, q, columns, 0, func(row *R) bool {
		g.add(row)
		return g.err == nil
	})
	if g.err != nil {
		err = g.err
	}
	if err != nil {
		g.held.Release()
		return nil, err
	}
	groups := g.result()
	groups.Held = g.held.Taken()
	return groups, nil
}

// needed returns the columns that an aggregate reads.
func (q *selection[R]) needed(query store.AggregateQuery[R]) []*column[R] {
	names := map[string]bool{q.time: true}
	note := func(c *filter.Column[R]) {
		for _, name := range columnsOf(q.expressions, c) {
			names[name] = true
		}
	}
	for _, c := range query.GroupBy {
		note(c)
	}
	for i := range query.Measures {
		if c := query.Measures[i].Column; c != nil {
			note(c)
		}
	}
	for i := range q.residual {
		note(q.residual[i].Column())
	}
	var columns []*column[R]
	for i := range q.columns {
		if names[q.columns[i].name] {
			columns = append(columns, &q.columns[i])
		}
	}
	return columns
}

// grouping puts rows into groups.
type grouping[R any] struct {
	query  store.AggregateQuery[R]
	timeOf func(*R) domain.Micros
	groups map[string]*group
	left   int64 // bytes that may still be taken
	held   *memory.Tally
	err    error
	name   []byte
}

type group struct {
	store.Group
	measured []collected
}

// collected is what a measure knows of its values.
type collected struct {
	count, min, max float64
	sum             domain.Sum
	values          []float64
	texts           map[string]struct{}
	numbers         map[float64]struct{}
}

// key is one value of a row in a column to group by.
type key struct {
	text string
	null bool
}

func (g *grouping[R]) add(row *R) {
	bucket := int64(0)
	switch at := g.timeOf(row).Millis(); {
	case g.query.Bucket != 0:
		bucket, _ = store.Every(g.query.Bucket)(at)
	case g.query.Calendar != nil:
		bucket, _ = g.query.Calendar(at)
	}
	g.addTo(row, bucket, make([]key, 0, len(g.query.GroupBy)))
}

// addTo puts a row into the groups that its keys so far and all values of the remaining columns make.
func (g *grouping[R]) addTo(row *R, bucket int64, keys []key) {
	if len(keys) == len(g.query.GroupBy) {
		if found := g.group(bucket, keys); found != nil {
			g.measure(found, row)
		}
		return
	}
	for _, k := range keysOf(row, g.query.GroupBy[len(keys)]) {
		if g.err != nil {
			return
		}
		g.addTo(row, bucket, append(keys, k))
	}
}

// keysOf returns the values of a row in a column, each once. A list without elements is null.
func keysOf[R any](row *R, column *filter.Column[R]) []key {
	switch column.Kind() {
	case filter.Bool:
		return []key{{text: strconv.FormatBool(column.Bool(row))}}
	case filter.List:
		var keys []key
		seen := map[string]bool{}
		for _, text := range column.List(row) {
			if !seen[text] {
				seen[text] = true
				keys = append(keys, key{text: text})
			}
		}
		if len(keys) > 0 {
			return keys
		}
	case filter.Number:
		if value, null := column.Number(row); !null {
			return []key{{text: strconv.FormatFloat(value+0, 'g', -1, 64)}} // not -0
		}
	default:
		if text, null := column.Text(row); !null {
			return []key{{text: text}}
		}
	}
	return []key{{null: true}}
}

// group returns the group of these keys; nil if there are too many.
func (g *grouping[R]) group(bucket int64, keys []key) *group {
	g.name = binary.AppendVarint(g.name[:0], bucket)
	for _, k := range keys {
		g.name = appendText(appendBool(g.name, k.null), k.text)
	}
	if found := g.groups[string(g.name)]; found != nil {
		return found
	}
	if len(g.groups) == g.query.MaxGroups {
		g.err = fmt.Errorf("%w: more than %d groups", store.ErrTooLarge, g.query.MaxGroups)
		return nil
	}
	made := &group{Group: store.Group{Bucket: bucket}, measured: make([]collected, len(g.query.Measures))}
	for _, k := range keys {
		made.Keys, made.Nulls = append(made.Keys, strings.Clone(k.text)), append(made.Nulls, k.null)
	}
	g.groups[string(g.name)] = made
	g.take(groupBytes + int64(2*len(g.name)))
	return made
}

// take notes that memory was taken.
func (g *grouping[R]) take(bytes int64) {
	g.left -= bytes
	switch {
	case g.err != nil:
	case g.left < 0:
		g.err = fmt.Errorf("%w: groups of more than %d bytes", store.ErrTooLarge, g.query.MaxBytes)
	default:
		g.err = tooLarge(g.held.Add(bytes))
	}
}

// measure notes the values of a row in its group.
func (g *grouping[R]) measure(into *group, row *R) {
	for i := range g.query.Measures {
		m, c := &g.query.Measures[i], &into.measured[i]
		if m.Column == nil {
			c.count++
			continue
		}
		if m.Column.Kind() == filter.Text {
			text, null := m.Column.Text(row)
			if null || text == "" {
				continue
			}
			c.count++
			if _, ok := c.texts[text]; m.Function == store.Distinct && !ok {
				if c.texts == nil {
					c.texts = map[string]struct{}{}
				}
				c.texts[strings.Clone(text)] = struct{}{}
				g.take(distinctBytes + int64(len(text)))
			}
			continue
		}
		if value, null := m.Column.Number(row); !null {
			g.number(m, c, value)
		}
	}
}

func (g *grouping[R]) number(m *store.Measure[R], c *collected, value float64) {
	if c.count == 0 {
		c.min, c.max = value, value
	}
	c.count++
	c.sum.Add(value)
	c.min, c.max = min(c.min, value), max(c.max, value)
	switch m.Function {
	case store.Quantile, store.Histogram:
		c.values = append(c.values, value)
		g.take(valueBytes)
	case store.Distinct:
		if _, ok := c.numbers[value]; !ok {
			if c.numbers == nil {
				c.numbers = map[float64]struct{}{}
			}
			c.numbers[value] = struct{}{}
			g.take(distinctBytes)
		}
	default: // the sums are enough
	}
}

// result computes the measures.
func (g *grouping[R]) result() *store.Groups {
	result := new(store.Groups)
	for _, found := range g.groups {
		for i := range g.query.Measures {
			m, c := &g.query.Measures[i], &found.measured[i]
			if m.Function == store.Histogram {
				if found.Histograms == nil {
					found.Histograms = make([][]store.Bin, len(g.query.Measures))
				}
				found.Histograms[i] = store.NewHistogram(c.values, m.Bins)
			}
			found.Values = append(found.Values, c.result(m.Function, m.Quantile))
		}
		result.Rows = append(result.Rows, found.Group)
	}
	return result
}

func (c *collected) result(f store.Function, q float64) domain.OptFloat {
	if c.count == 0 && !ofNothing(f) {
		return domain.OptFloat{}
	}
	switch f {
	case store.Sum:
		return domain.FloatOf(c.sum.Value())
	case store.Average:
		return domain.FloatOf(c.sum.Value() / c.count)
	case store.Min:
		return domain.FloatOf(c.min)
	case store.Max:
		return domain.FloatOf(c.max)
	case store.Quantile:
		return domain.FloatOf(quantile(c.values, q))
	case store.Distinct:
		return domain.FloatOf(float64(len(c.texts) + len(c.numbers)))
	default: // Count and Histogram
		return domain.FloatOf(c.count)
	}
}

// quantile returns the value at position q*(n-1) of values, which it sorts.
func quantile(values []float64, q float64) float64 {
	slices.Sort(values)
	whole, part := math.Modf(q * float64(len(values)-1))
	low := values[int(whole)]
	if part == 0 {
		return low
	}
	high := values[int(whole)+1]
	if low == high { // infinity minus infinity would be no number
		return low
	}
	return low + part*(high-low)
}
