package store

import (
	"math"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
)

// Collected is what a group has of one input: as much of it as its measures need.
type Collected struct {
	count    int64
	sum      domain.Sum
	min, max float64
	distinct hashSet
	// chunks are values that came many at a time, tail those that were added one by one.
	chunks [][]float64
	tail   []float64
}

// add adds a value, to the sum and to the extremes if they are wanted.
func (c *Collected) add(sums, extremes bool, value float64) {
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

// AddPart adds so many values that were added up elsewhere. What is not wanted of sum, smallest and largest may be anything.
func (c *Collected) AddPart(count int64, sum domain.Sum, smallest, largest float64) {
	if count == 0 {
		return
	}
	if c.count == 0 {
		c.min, c.max = smallest, largest
	}
	c.count += count
	c.sum.AddSum(sum)
	c.min, c.max = min(c.min, smallest), max(c.max, largest)
}

// AddValues adds values that were counted already. They are kept as they are.
func (c *Collected) AddValues(values []float64) { c.chunks = append(c.chunks, values) }

// AddHash adds one of the different values, by its hash. It returns how much memory that took.
func (c *Collected) AddHash(hash uint64) (taken int) { return c.distinct.add(hash) }

// merge adds what another group collected. It returns how much memory that took.
func (c *Collected) merge(from *Collected) (taken int) {
	c.AddPart(from.count, from.sum, from.min, from.max)
	if from.count > 0 {
		c.chunks = append(append(c.chunks, from.chunks...), from.tail)
	}
	from.distinct.each(func(hash uint64) { taken += c.distinct.add(hash) })
	return taken
}

// gather puts all values into one list.
func (c *Collected) gather(list []float64) []float64 {
	for _, chunk := range c.chunks {
		list = append(list, chunk...)
	}
	return append(list, c.tail...)
}

func (c *Collected) result(f Function) domain.OptFloat {
	switch {
	case f == Count:
		return domain.FloatOf(float64(c.count))
	case f == Distinct:
		return domain.FloatOf(float64(c.distinct.len()))
	case f == Sum:
		return NumberOrNull(c.sum.Value())
	case c.count == 0:
		return domain.OptFloat{}
	}
	switch f {
	case Average:
		return NumberOrNull(c.sum.Value() / float64(c.count))
	case Min:
		return domain.FloatOf(c.min)
	}
	return domain.FloatOf(c.max)
}

// NumberOrNull is a result: null if it is no number, as the sum of opposite infinities is.
func NumberOrNull(value float64) domain.OptFloat {
	if math.IsNaN(value) {
		return domain.OptFloat{}
	}
	return domain.FloatOf(value)
}

// TextHash stands for a text among those that are counted once.
func TextHash(text string) uint64 { return xxhash.Sum64String(text) }

// NumberHash stands for a number among those that are counted once.
func NumberHash(value float64) uint64 {
	h := math.Float64bits(value+0) * 0x9e3779b97f4a7c15
	return (h ^ h>>32) * 0xd6e8feb86659fd93
}
