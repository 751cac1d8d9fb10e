package segment

import (
	"math"
	"slices"
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
	low, high := 0, len(values)-1
	for low < high {
		pivot := values[(low+high)/2]
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			high = j
		case n >= i:
			low = i
		default:
			return values[n]
		}
	}
	return values[n]
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
