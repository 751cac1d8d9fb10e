package segment

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// Postings say in which stretches of a row group something occurs. Things are known by 32-bit hashes: a collision costs
// a needless look at rows, never a wrong answer, since rows are checked.
//
//	section = several u32, single u32, stretches u32, 0 u32,
//	          hash u32* and end u32* of what occurs in several stretches,
//	          hash u32* and stretch u16* of what occurs in a single one,
//	          the lists of the former
//
// Most things occur in a single stretch. The list of another is the numbers of its stretches as differences in
// uvarints, or, if that is shorter, a bit for each stretch; which of the two is seen from the top bit of its end.
const bitmapFlag = 1 << 31

// postings collects what occurs, stretch by stretch.
type postings struct {
	stretch uint32
	seen    []uint32 // open addressing; 0 is empty, so hashes of 0 are kept as 1
	count   int
	pairs   []uint64 // hash<<32 | stretch
}

func newPostings() *postings { return &postings{seen: make([]uint32, 1<<14)} }

func (p *postings) add(hash uint32) {
	if hash == 0 {
		hash = 1
	}
	mask := uint32(len(p.seen) - 1)
	for slot := hash & mask; ; slot = (slot + 1) & mask {
		switch p.seen[slot] {
		case hash:
			return
		case 0:
			p.seen[slot] = hash
			p.pairs = append(p.pairs, uint64(hash)<<32|uint64(p.stretch))
			if p.count++; p.count*2 > len(p.seen) {
				p.grow()
			}
			return
		}
	}
}

// addAt adds something to a stretch that may have ended.
func (p *postings) addAt(stretch, hash uint32) {
	if stretch == p.stretch {
		p.add(hash)
		return
	}
	p.pairs = append(p.pairs, uint64(max(hash, 1))<<32|uint64(stretch))
}

func (p *postings) grow() {
	old := p.seen
	p.seen = make([]uint32, 2*len(old))
	mask := uint32(len(p.seen) - 1)
	for _, hash := range old {
		if hash == 0 {
			continue
		}
		slot := hash & mask
		for p.seen[slot] != 0 {
			slot = (slot + 1) & mask
		}
		p.seen[slot] = hash
	}
}

func (p *postings) endStretch() {
	p.stretch++
	clear(p.seen)
	p.count = 0
}

// countThings returns how many things occur in several stretches and how many in one. Pairs are sorted.
func (p *postings) countThings() (several, single int) {
	for first := 0; first < len(p.pairs); {
		next := first + 1
		for next < len(p.pairs) && p.pairs[next]>>32 == p.pairs[first]>>32 {
			next++
		}
		if next == first+1 {
			single++
		} else {
			several++
		}
		first = next
	}
	return several, single
}

// section returns everything that was collected.
func (p *postings) section() []byte {
	p.sortByHash()
	for n := 1; n < len(p.pairs); n++ {
		if p.pairs[n-1] >= p.pairs[n] { // addAt met a hash that something else has too
			slices.Sort(p.pairs)
			p.pairs = slices.Compact(p.pairs)
			break
		}
	}
	several, single := p.countThings()
	hashes, ends, singles := make([]uint32, 0, several), make([]uint32, 0, several), make([]uint32, 0, single)
	stretches := make([]uint16, 0, single)
	var lists []byte
	bitmap := make([]byte, (p.stretch+7)/8)
	for first := 0; first < len(p.pairs); {
		hash := uint32(p.pairs[first] >> 32)
		next := first + 1
		for next < len(p.pairs) && uint32(p.pairs[next]>>32) == hash {
			next++
		}
		if next == first+1 {
			singles, stretches = append(singles, hash), append(stretches, uint16(p.pairs[first]))
			first = next
			continue
		}
		flag := uint32(0)
		if next-first > len(bitmap) {
			flag = bitmapFlag
			clear(bitmap)
			for _, pair := range p.pairs[first:next] {
				bitmap[uint32(pair)>>3] |= 1 << (pair & 7)
			}
			lists = append(lists, bitmap...)
		} else {
			previous := uint32(0)
			for _, pair := range p.pairs[first:next] {
				lists = binary.AppendUvarint(lists, uint64(uint32(pair)-previous))
				previous = uint32(pair)
			}
		}
		hashes = append(hashes, hash)
		ends = append(ends, uint32(len(lists))|flag)
		first = next
	}
	b := make([]byte, 0, 16+8*len(hashes)+6*len(singles)+len(lists))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(hashes)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(singles)))
	b = binary.LittleEndian.AppendUint32(b, p.stretch)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = append(b, bytesOf(hashes)...)
	b = append(b, bytesOf(ends)...)
	b = append(b, bytesOf(singles)...)
	b = append(b, bytesOf(stretches)...)
	return append(b, lists...)
}

// sortByHash sorts pairs by the upper half, keeping the order of equal ones: three passes over 11 bits each.
func (p *postings) sortByHash() {
	src, dst := p.pairs, make([]uint64, len(p.pairs))
	for _, shift := range []uint{32, 43, 54} {
		var counts [1 << 11]int
		for _, v := range src {
			counts[v>>shift&(1<<11-1)]++
		}
		sum := 0
		for n, count := range counts {
			counts[n] = sum
			sum += count
		}
		for _, v := range src {
			bucket := v >> shift & (1<<11 - 1)
			dst[counts[bucket]] = v
			counts[bucket]++
		}
		src, dst = dst, src
	}
	p.pairs = src
}

// postingsReader looks things up in a section.
type postingsReader struct {
	hashes, ends, singles []uint32
	single                []uint16 // the stretches of singles
	lists                 []byte
	stretches             int
}

func readPostings(section []byte) (*postingsReader, error) {
	const head = 16
	if len(section) < head {
		return nil, fmt.Errorf("a section of postings has only %d bytes", len(section))
	}
	several, singles := int(binary.LittleEndian.Uint32(section)), int(binary.LittleEndian.Uint32(section[4:]))
	r := &postingsReader{stretches: int(binary.LittleEndian.Uint32(section[8:]))}
	var err error
	rest := section[head:]
	if r.hashes, rest, err = arrayOf[uint32](rest, several); err != nil {
		return nil, err
	}
	if r.ends, rest, err = arrayOf[uint32](rest, several); err != nil {
		return nil, err
	}
	if r.singles, rest, err = arrayOf[uint32](rest, singles); err != nil {
		return nil, err
	}
	r.single, r.lists, err = arrayOf[uint16](rest, singles)
	return r, err
}

// find keeps in the set only the stretches in which the hash occurs.
func (r *postingsReader) find(hash uint32, keep *bitset) {
	if hash == 0 {
		hash = 1
	}
	here := newBitset(r.stretches)
	r.collect(hash, here)
	keep.count = 0
	for i := range keep.words {
		keep.words[i] &= here.words[i]
		keep.count += bits.OnesCount64(keep.words[i])
	}
}

// collect puts the stretches of a hash into a set.
func (r *postingsReader) collect(hash uint32, here *bitset) {
	if n, found := slices.BinarySearch(r.singles, hash); found {
		if stretch := int(r.single[n]); stretch < r.stretches {
			here.add(stretch)
		}
		return
	}
	n, found := slices.BinarySearch(r.hashes, hash)
	if !found {
		return
	}
	start := uint32(0)
	if n > 0 {
		start = r.ends[n-1] &^ bitmapFlag
	}
	end := r.ends[n] &^ bitmapFlag
	if start > end || int(end) > len(r.lists) {
		return
	}
	list := r.lists[start:end]
	if r.ends[n]&bitmapFlag != 0 {
		for i, b := range list {
			for ; b != 0; b &= b - 1 {
				if stretch := i*8 + bits.TrailingZeros8(b); stretch < r.stretches {
					here.add(stretch)
				}
			}
		}
	} else {
		stretch := 0
		for d := (decoder{src: list}); len(d.src) > 0; {
			stretch += int(d.uvarint())
			if stretch < 0 || stretch >= r.stretches {
				break
			}
			here.add(stretch)
		}
	}
}
