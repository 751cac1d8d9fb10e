package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// aggregator adds rows up into groups. It is used by one goroutine.
type aggregator[R any] struct {
	*aggregatePlan[R]
	index  map[string]*sums
	groups []*sums
	local  *localGroups[R] // memory that row groups use one after the other
	taken  int64           // bytes that the plan was not told of yet
	memory groupMemory
	blocks valueBlocks
	key    []byte
	// Of the row at hand.
	bucket int64
	keys   []string
	nulls  []bool
}

// sums is one group.
type sums struct {
	bucket int64
	keys   []string // views of what rows and dictionaries hold
	nulls  []bool
	rows   int64
	inputs []collected
}

// groupMemory makes groups, many at a time.
type groupMemory struct {
	sums   []sums
	keys   []string
	nulls  []bool
	inputs []collected
}

func (m *groupMemory) newSums(keys, inputs int) *sums {
	const many = 64
	if len(m.sums) == 0 {
		m.sums, m.keys, m.nulls, m.inputs = make([]sums, many), make([]string, many*keys), make([]bool, many*keys), make([]collected, many*inputs)
	}
	g := &m.sums[0]
	m.sums = m.sums[1:]
	g.keys, m.keys = m.keys[:keys:keys], m.keys[keys:]
	g.nulls, m.nulls = m.nulls[:keys:keys], m.nulls[keys:]
	g.inputs, m.inputs = m.inputs[:inputs:inputs], m.inputs[inputs:]
	return g
}

// collected is what a group has of one input.
type collected struct {
	count    int64
	sum      domain.Sum
	min, max float64
	distinct hashSet
	// chunks are values from row groups, tail those that were added one by one.
	chunks [][]float64
	tail   []float64
}

func newAggregator[R any](p *aggregatePlan[R]) *aggregator[R] {
	return &aggregator[R]{
		aggregatePlan: p, index: make(map[string]*sums), keys: make([]string, len(p.query.GroupBy)), nulls: make([]bool, len(p.query.GroupBy)),
	}
}

// take counts memory, and refuses to take too much.
func (a *aggregator[R]) take(bytes int) error {
	const step = 64 << 10 // so that workers do not wait for each other often
	if a.taken += int64(bytes); a.taken < min(step, a.query.MaxBytes) {
		return nil
	}
	taken := a.taken
	a.taken = 0
	if err := a.lease.Grow(a.ctx, taken); err != nil {
		return a.refused(err)
	}
	a.leased.Add(taken)
	if a.used.Add(taken) > a.query.MaxBytes {
		return a.refused(memory.ErrTooLarge)
	}
	return nil
}

// refused returns the error of a query for which there is not enough memory.
func (a *aggregator[R]) refused(err error) error {
	if !errors.Is(err, memory.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%w: it needs more than %d MB of memory; group by less, or choose a shorter time", store.ErrTooLarge, a.query.MaxBytes>>20)
}

// find finds or makes the group of a bucket and keys.
func (a *aggregator[R]) find(bucket int64, keys []string, nulls []bool) (*sums, error) {
	if err := a.makeRoom(keys); err != nil {
		return nil, err
	}
	if g := a.look(bucket, keys, nulls); g != nil {
		return g, nil
	}
	if err := a.take(200 + 2*len(a.key) + 32*len(keys) + 150*len(a.inputs)); err != nil {
		return nil, err
	}
	g := a.memory.newSums(len(keys), len(a.inputs))
	g.bucket = bucket
	copy(g.keys, keys)
	copy(g.nulls, nulls)
	return g, a.keep(g)
}

// makeRoom makes sure that a.key can hold the key of a group.
func (a *aggregator[R]) makeRoom(keys []string) error {
	size := binary.MaxVarintLen64
	for _, key := range keys {
		size += binary.MaxVarintLen64 + len(key)
	}
	if size <= cap(a.key) {
		return nil
	}
	if err := a.take(size - cap(a.key)); err != nil {
		return err
	}
	a.key = make([]byte, 0, size)
	return nil
}

// look finds a group, if there is one. Its key stays in a.key.
func (a *aggregator[R]) look(bucket int64, keys []string, nulls []bool) *sums {
	a.key = binary.LittleEndian.AppendUint64(a.key[:0], uint64(bucket))
	for n, key := range keys {
		if nulls[n] {
			a.key = append(a.key, 0)
			continue
		}
		a.key = binary.AppendUvarint(a.key, uint64(len(key)+1))
		a.key = append(a.key, key...)
	}
	return a.index[string(a.key)]
}

// keep keeps a new group, whose key is in a.key.
func (a *aggregator[R]) keep(g *sums) error {
	if len(a.groups) >= a.query.MaxGroups {
		return fmt.Errorf("%w: there are more than %d groups; group by less, or choose a shorter time", store.ErrTooLarge, a.query.MaxGroups)
	}
	a.index[string(a.key)] = g
	a.groups = append(a.groups, g)
	return nil
}

// addRow adds a row that is whole.
func (a *aggregator[R]) addRow(r *R) error {
	a.bucket = 0
	if a.buckets != nil {
		a.bucket, _ = a.buckets(a.schema.timeOf(r).Millis())
	}
	return a.addKeys(r, 0)
}

// addKeys adds a row to each group that has its keys from the n-th on: one of each column, in every combination.
func (a *aggregator[R]) addKeys(r *R, n int) error {
	if n == len(a.keys) {
		g, err := a.find(a.bucket, a.keys, a.nulls)
		if err != nil {
			return err
		}
		return a.addTo(g, r)
	}
	c := a.query.GroupBy[n]
	if c.Kind() != filter.List {
		a.keys[n], a.nulls[n] = keyOf(c, r)
		return a.addKeys(r, n+1)
	}
	list := c.List(r)
	if len(list) == 0 {
		a.keys[n], a.nulls[n] = "", true
		return a.addKeys(r, n+1)
	}
	for i, item := range list {
		if slices.Contains(list[:i], item) {
			continue
		}
		a.keys[n], a.nulls[n] = item, false
		if err := a.addKeys(r, n+1); err != nil {
			return err
		}
	}
	return nil
}

// keyOf returns the key of a row in a column that is no list.
func keyOf[R any](c *filter.Column[R], r *R) (key string, null bool) {
	switch c.Kind() {
	case filter.Bool:
		return strconv.FormatBool(c.Bool(r)), false
	case filter.Number:
		value, null := c.Number(r)
		if null {
			return "", true
		}
		return numberKey(value), false
	}
	key, null = c.Text(r)
	if null {
		key = ""
	}
	return key, null
}

// numberKey is a number as the key of a group.
func numberKey(value float64) string {
	return strconv.FormatFloat(value+0, 'g', -1, 64) // adding 0 makes one number of 0 and -0
}

// addTo adds a row to a group.
func (a *aggregator[R]) addTo(g *sums, r *R) error {
	g.rows++
	for n := range a.inputs {
		i, to := &a.inputs[n], &g.inputs[n]
		if i.column.Kind() == filter.Text {
			text, null := i.column.Text(r)
			if null || text == "" {
				continue
			}
			to.count++
			if i.wantDistinct {
				if err := a.take(to.distinct.add(xxhash.Sum64String(text))); err != nil {
					return err
				}
			}
			continue
		}
		value, null := i.column.Number(r)
		if null || math.IsNaN(value) {
			continue
		}
		to.add(i.wantSums, i.wantExtremes, value)
		taken := 0
		if i.wantValues {
			to.tail = append(to.tail, value)
			taken = 8
		}
		if i.wantDistinct {
			taken += to.distinct.add(numberHash(value))
		}
		if err := a.take(taken); err != nil {
			return err
		}
	}
	return nil
}

func (c *collected) add(sums, extremes bool, value float64) {
	if c.count++; sums {
		c.sum.Add(value)
	}
	if extremes {
		if c.count == 1 {
			c.min, c.max = value, value
		}
		c.min, c.max = min(c.min, value), max(c.max, value)
	}
}

// numberHash stands for a number among those that are counted once.
func numberHash(value float64) uint64 {
	h := math.Float64bits(value+0) * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}

// merge adds what another aggregator added up.
func (a *aggregator[R]) merge(other *aggregator[R]) error {
	other.index = nil // its memory is that of the index here, from now on
	for _, o := range other.groups {
		g := a.look(o.bucket, o.keys, o.nulls)
		if g == nil {
			if err := a.keep(o); err != nil {
				return err
			}
			continue
		}
		g.rows += o.rows
		for n := range o.inputs {
			to, from := &g.inputs[n], &o.inputs[n]
			if from.count == 0 {
				continue
			}
			if to.count == 0 {
				to.min, to.max = from.min, from.max
			}
			to.count += from.count
			to.sum.AddSum(from.sum)
			to.min, to.max = min(to.min, from.min), max(to.max, from.max)
			to.chunks = append(append(to.chunks, from.chunks...), from.tail)
			taken := 0
			from.distinct.each(func(hash uint64) { taken += to.distinct.add(hash) })
			if err := a.take(taken); err != nil {
				return err
			}
		}
	}
	return nil
}

// result computes the measures, a part of the groups in each worker.
func (a *aggregator[R]) result(workers int) *store.Groups {
	out := &store.Groups{Rows: make([]store.Group, len(a.groups))}
	const share = 64 // groups that are worth a worker
	workers = max(1, min(workers, len(a.groups)/share))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			var values []float64
			for n := w * len(a.groups) / workers; n < (w+1)*len(a.groups)/workers; n++ {
				values = a.resultOf(a.groups[n], &out.Rows[n], values)
			}
		})
	}
	wg.Wait()
	return out
}

// resultOf computes the measures of a group. It returns memory for the next.
func (a *aggregator[R]) resultOf(g *sums, out *store.Group, memory []float64) []float64 {
	for n := range g.keys {
		g.keys[n] = strings.Clone(g.keys[n])
	}
	*out = store.Group{Bucket: g.bucket, Keys: g.keys, Nulls: g.nulls, Values: make([]domain.OptFloat, len(a.query.Measures))}
	gathered := -1 // the input whose values are in memory
	for n := range a.query.Measures {
		m, at := &a.query.Measures[n], a.inputOf[n]
		if at < 0 {
			out.Values[n] = domain.FloatOf(float64(g.rows))
			continue
		}
		c := &g.inputs[at]
		if m.Function != store.Quantile && m.Function != store.Histogram {
			out.Values[n] = c.result(m.Function)
			continue
		}
		if gathered != at {
			memory, gathered = c.gather(memory[:0]), at
		}
		if m.Function == store.Histogram {
			if out.Histograms == nil {
				out.Histograms = make([][]store.Bin, len(a.query.Measures))
			}
			out.Values[n] = domain.FloatOf(float64(len(memory)))
			out.Histograms[n] = store.NewHistogram(memory, m.Bins)
		} else if len(memory) > 0 {
			out.Values[n] = domain.FloatOf(quantile(memory, m.Quantile))
		}
	}
	return memory
}

// gather puts all values into one list.
func (c *collected) gather(list []float64) []float64 {
	for _, chunk := range c.chunks {
		list = append(list, chunk...)
	}
	return append(list, c.tail...)
}

func (c *collected) result(f store.Function) domain.OptFloat {
	switch {
	case f == store.Count:
		return domain.FloatOf(float64(c.count))
	case f == store.Distinct:
		return domain.FloatOf(float64(c.distinct.len()))
	case f == store.Sum:
		return domain.FloatOf(c.sum.Value())
	case c.count == 0:
		return domain.OptFloat{}
	}
	switch f {
	case store.Average:
		return domain.FloatOf(c.sum.Value() / float64(c.count))
	case store.Min:
		return domain.FloatOf(c.min)
	}
	return domain.FloatOf(c.max)
}
