package store

// hashSet is a set of 64-bit hashes with open addressing. The hash 0 is stored separately.
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

// add adds a hash. It returns the memory this took, in bytes.
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
