package store

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"almanac/internal/domain"
)

// Collected accumulates one input of a group, as far as its measures need it.
type Collected struct {
	count    int64
	sum      domain.Sum
	min, max float64
	distinct HashSet
	// chunks are values added many at a time; tail holds those added one by one.
	chunks [][]float64
	tail   []float64
}

// add adds a value, and updates the sum and the extremes if they are wanted.
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

// AddPart adds count values that were aggregated elsewhere. Those of sum, smallest and largest that are not needed may
// have any value.
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

// AddValues adds values that were already counted. It keeps the slice.
func (c *Collected) AddValues(values []float64) { c.chunks = append(c.chunks, values) }

// AddHash adds a distinct value by its hash. It returns the memory this took, in bytes.
func (c *Collected) AddHash(hash uint64) (taken int) { return c.distinct.Add(hash) }

// merge adds the values of another group. It returns the memory this took, in bytes.
func (c *Collected) merge(from *Collected) (taken int) {
	c.AddPart(from.count, from.sum, from.min, from.max)
	if from.count > 0 {
		c.chunks = append(append(c.chunks, from.chunks...), from.tail)
	}
	from.distinct.each(func(hash uint64) { taken += c.distinct.Add(hash) })
	return taken
}

// gather appends all values to list.
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
		return domain.FloatOf(float64(c.distinct.Len()))
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

// NumberOrNull returns a result, which is null if it is NaN, as for the sum of opposite infinities.
func NumberOrNull(value float64) domain.OptFloat {
	if math.IsNaN(value) {
		return domain.OptFloat{}
	}
	return domain.FloatOf(value)
}

// hashSeeds make hashes differ from one process to the next. Clients choose the strings and numbers that are hashed: with
// hashes that they can compute, they could choose values that are counted as one, or that all belong in one place of a
// table.
var hashSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// TextHash is the hash by which distinct strings are counted. It is not to be stored: another process has others.
func TextHash(text string) uint64 { return maphash.String(hashSeeds[0], text) }

// NumberHash is the hash by which distinct numbers are counted. 0 and -0 have the same hash.
func NumberHash(value float64) uint64 {
	return maphash.Bytes(hashSeeds[1], binary.LittleEndian.AppendUint64(make([]byte, 0, 8), math.Float64bits(value+0)))
}
