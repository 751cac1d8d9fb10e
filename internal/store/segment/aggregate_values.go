package segment

import (
	"math"
	"slices"
	"sync"
)

// quantile returns the value at position q*(n-1) of the sorted values, interpolated between neighbours. It changes the
// order of the values.
func quantile(values []float64, q float64) float64 {
	position := q * float64(len(values)-1)
	low := int(math.Floor(position))
	a := selectNth(values, low)
	fraction := position - float64(low)
	if fraction == 0 || low+1 >= len(values) {
		return a
	}
	b := slices.Min(values[low+1:]) // selectNth leaves everything larger behind it
	if a == b {                     // infinity minus infinity would be no number
		return a
	}
	return a + (b-a)*fraction
}

// selectNth brings the value that belongs at position n there, smaller ones before it and larger ones behind.
func selectNth(values []float64, n int) float64 {
	for low, high := 0, len(values); ; {
		pivot := pivotOf(values[low:high], n-low)
		less := low + partition(values[low:high], pivot, false)
		if n < less {
			high = less
			continue
		}
		equal := less + partition(values[less:high], pivot, true)
		if n < equal {
			return pivot
		}
		low = equal
	}
}

// partition brings the values that are less than the pivot to the front, or those that are not greater. It returns how
// many there are. Which way a comparison goes cannot be foreseen, so nothing but the count depends on it.
func partition(values []float64, pivot float64, orEqual bool) int {
	count := 0
	if orEqual {
		for i, v := range values {
			values[i], values[count] = values[count], v
			if v <= pivot {
				count++
			}
		}
		return count
	}
	for i, v := range values {
		values[i], values[count] = values[count], v
		if v < pivot {
			count++
		}
	}
	return count
}

// pivotOf returns one of the values, near the one that belongs at position n: the one at that part of a few that were
// picked at equal distances.
func pivotOf(values []float64, n int) float64 {
	const few = 15
	if len(values) < 4*few {
		return values[len(values)/2]
	}
	var sample [few]float64
	for i := range sample {
		v := values[i*len(values)/few]
		at := i
		for ; at > 0 && sample[at-1] > v; at-- {
			sample[at] = sample[at-1]
		}
		sample[at] = v
	}
	return sample[n*few/len(values)]
}

// valueBlocks is memory for values, which queries use one after the other.
type valueBlocks struct {
	rest []float64
	used []*[]float64
}

const valueBlock = 1 << 15

var freeBlocks = sync.Pool{New: func() any { b := make([]float64, valueBlock); return &b }}

// take returns memory for so many values, which may hold anything.
func (b *valueBlocks) take(count int) []float64 {
	if count > len(b.rest) {
		if count > valueBlock {
			return make([]float64, count)
		}
		block := freeBlocks.Get().(*[]float64) //nolint:forcetypeassert // the pool holds nothing else
		b.used, b.rest = append(b.used, block), *block
	}
	taken := b.rest[:count:count]
	b.rest = b.rest[count:]
	return taken
}

// release gives everything back.
func (b *valueBlocks) release() {
	for _, block := range b.used {
		freeBlocks.Put(block)
	}
	b.used, b.rest = nil, nil
}

// hashSet is a set of 64-bit hashes: open addressing, 0 kept apart.
type hashSet struct {
	slots []uint64
	count int
	zero  bool
}

func (s *hashSet) len() int {
	if s.zero {
		return s.count + 1
	}
	return s.count
}

// add adds a hash. It returns how much memory that took.
func (s *hashSet) add(hash uint64) (taken int) {
	if hash == 0 {
		s.zero = true
		return 0
	}
	if s.count*2 >= len(s.slots) {
		old := s.slots
		s.slots, s.count = make([]uint64, max(16, 2*len(old))), 0
		taken = 8 * (len(s.slots) - len(old))
		for _, h := range old {
			if h != 0 {
				s.add(h)
			}
		}
	}
	mask := uint64(len(s.slots) - 1)
	for slot := hash & mask; ; slot = (slot + 1) & mask {
		switch s.slots[slot] {
		case hash:
			return taken
		case 0:
			s.slots[slot] = hash
			s.count++
			return taken
		}
	}
}

func (s *hashSet) each(f func(uint64)) {
	if s.zero {
		f(0)
	}
	for _, h := range s.slots {
		if h != 0 {
			f(h)
		}
	}
}
