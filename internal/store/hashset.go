package store

// HashSet is a set of 64-bit hashes with open addressing. The hash 0 is stored separately.
type HashSet struct {
	slots []uint64
	count int
	zero  bool
}

// Len returns the number of hashes.
func (s *HashSet) Len() int {
	if s.zero {
		return s.count + 1
	}
	return s.count
}

// Add adds a hash. It returns the memory this took, in bytes.
func (s *HashSet) Add(hash uint64) (taken int) {
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
				s.Add(h)
			}
		}
	}
	mask := uint64(len(s.slots) - 1) //nolint:gosec // there are slots
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

func (s *HashSet) each(f func(uint64)) {
	if s.zero {
		f(0)
	}
	for _, h := range s.slots {
		if h != 0 {
			f(h)
		}
	}
}

// Has reports whether a hash is in the set. A nil set is empty.
func (s *HashSet) Has(hash uint64) bool {
	switch {
	case s == nil:
		return false
	case hash == 0:
		return s.zero
	case len(s.slots) == 0:
		return false
	}
	mask := uint64(len(s.slots) - 1) //nolint:gosec // there are slots
	for slot := hash & mask; ; slot = (slot + 1) & mask {
		switch s.slots[slot] {
		case hash:
			return true
		case 0:
			return false
		}
	}
}
