package segment

import (
	"math"
	"slices"

	"almanac/internal/store"
)

// rankMerger merges a range of hashes.
type rankMerger[R any] struct {
	*ranking[R]
	lists  []*rankList
	needed *store.HashSet // nil for all keys
	next   []int          // for each list, its first key that is not merged yet

	slots  []uint32 // index of a group, plus 1, by hash
	hashes []uint64
	refs   []uint64
	flags  []uint64
	values []rankColumn
	totals store.RankTotals

	numbers [][][]uint32  // of the values of each tally and list
	counts  [][]int       // by the number of the value, for each tally
	further []int32       // for each group, the index of the last further list that has it, plus 1; only with tallies
	more    []rankFurther // what further refers to
	met     []uint32
}

// run merges some of the equal parts that the hashes of the pass are divided into.
func (m *rankMerger[R]) run(to *store.Ranker[R], first, end, parts int) error {
	width := (m.high - m.low) / uint64(parts)
	start := m.low + width*uint64(first)
	m.next, m.values = make([]int, len(m.lists)), make([]rankColumn, len(m.ranking.values))
	for n, l := range m.lists {
		if first > 0 {
			m.next[n], _ = slices.BinarySearch(l.hashes, start)
		}
	}
	m.slots = make([]uint32, 1<<13)
	for part := first; part < end; part++ {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		last := m.high
		if part < parts-1 {
			last = m.low + width*uint64(part+1) - 1
		}
		m.clear()
		for n, l := range m.lists {
			at := m.next[n]
			for ; at < len(l.hashes) && l.hashes[at] <= last; at++ {
				m.add(n, l, at)
			}
			m.next[n] = at
		}
		for n := range m.hashes {
			wanted, err := to.Add(m.totalsOf(n), m.refs[n])
			if err != nil {
				return err
			}
			if wanted && len(m.tallies) > 0 {
				m.tally(n)
			}
		}
	}
	return nil
}

func (m *rankMerger[R]) clear() {
	clear(m.slots)
	m.hashes, m.refs, m.flags = m.hashes[:0], m.refs[:0], m.flags[:0]
	m.further, m.more = m.further[:0], m.more[:0]
	for n := range m.values {
		m.values[n].sums, m.values[n].numbers = m.values[n].sums[:0], m.values[n].numbers[:0]
	}
}

// add adds a key of a list to its group.
func (m *rankMerger[R]) add(n int, l *rankList, at int) {
	hash := l.hashes[at]
	if m.needed != nil && !m.needed.Has(hash) {
		return
	}
	mask := uint64(len(m.slots) - 1)
	slot := hash & mask
	for ; m.slots[slot] != 0; slot = (slot + 1) & mask {
		if group := int(m.slots[slot] - 1); m.hashes[group] == hash {
			m.flags[group] |= l.flagsOf(at)
			for i := range m.values {
				m.values[i].add(m.ranking.values[i].function, group, &l.values[i], at)
			}
			if len(m.tallies) > 0 {
				m.more = append(m.more, rankFurther{uint64(n)<<32 | uint64(at), m.further[group]})
				m.further[group] = int32(len(m.more))
			}
			return
		}
	}
	m.hashes, m.refs = append(m.hashes, hash), append(m.refs, uint64(n)<<32|uint64(at))
	m.slots[slot] = uint32(len(m.hashes))
	m.flags = append(m.flags, l.flagsOf(at))
	if len(m.tallies) > 0 {
		m.further = append(m.further, 0)
	}
	for i := range m.values {
		to, from := &m.values[i], &l.values[i]
		if from.sums != nil {
			to.sums = append(to.sums, from.sums[at])
		} else {
			to.numbers = append(to.numbers, from.numbers[at])
		}
	}
	if 2*len(m.hashes) > len(m.slots) {
		m.slots = make([]uint32, 2*len(m.slots))
		mask = uint64(len(m.slots) - 1)
		for group, hash := range m.hashes {
			slot := hash & mask
			for m.slots[slot] != 0 {
				slot = (slot + 1) & mask
			}
			m.slots[slot] = uint32(group + 1)
		}
	}
}

// flagsOf returns the flags of a key.
func (l *rankList) flagsOf(at int) (flags uint64) {
	for n, bits := range l.flags {
		if bits.has(at) {
			flags |= 1 << n
		}
	}
	return flags
}

// add adds the value of a key to that of a group.
func (c *rankColumn) add(f store.Function, group int, from *rankColumn, at int) {
	switch f {
	case store.Sum:
		c.sums[group].AddSum(from.sums[at])
	case store.Count:
		c.numbers[group] += from.numbers[at]
	case store.Min:
		c.numbers[group] = min(c.numbers[group], from.numbers[at])
	default:
		c.numbers[group] = max(c.numbers[group], from.numbers[at])
	}
}

// totalsOf returns what is known about a group, in memory that is reused.
func (m *rankMerger[R]) totalsOf(group int) *store.RankTotals {
	t := &m.totals
	t.Hash, t.Flags, t.Values = m.hashes[group], m.flags[group], t.Values[:0]
	for n := range m.values {
		if m.values[n].sums != nil {
			t.Values = append(t.Values, m.values[n].sums[group].Value())
			continue
		}
		value := m.values[n].numbers[group]
		if math.IsInf(value, 0) {
			value = math.NaN() // no row has one
		}
		t.Values = append(t.Values, value)
	}
	return t
}
