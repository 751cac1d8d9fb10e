package segment

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// Postings record in which row blocks of a row group something occurs. Terms are identified by hashes: a collision costs
// a needless check of rows, never a wrong result, since rows are always checked.
//
//	section = row blocks u32, 0 u32,
//	          of what occurs in several row blocks: hashes, start of the first list u32 of each bucket, length of each list,
//	          of what occurs in a single one, aligned to 4: hashes, row block of each,
//	          the lists
//
// Most terms occur in a single row block. For the others, the list is the row block numbers as deltas in uvarints if that
// is shorter, else a bitmap with a bit for each row block.

// postings collects terms, row block by row block.
type postings struct {
	rowBlock uint32
	seen     []uint32 // open addressing; 0 means empty, so hash 0 is stored as 1
	count    int
	pairs    []uint64 // hash<<32 | row block
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
			p.pairs = append(p.pairs, uint64(hash)<<32|uint64(p.rowBlock))
			if p.count++; p.count*2 > len(p.seen) {
				p.grow()
			}
			return
		}
	}
}

// addAll adds up to 64 hashes. Most were seen before; the others are picked out without unpredictable branches.
func (p *postings) addAll(hashes []uint32) {
	var missing [64]uint32
	misses, mask := 0, uint32(len(p.seen)-1)
	for _, hash := range hashes {
		missing[misses&63] = hash
		miss := 0
		if p.seen[hash&mask] != hash {
			miss = 1
		}
		misses += miss
	}
	for _, hash := range missing[:misses] {
		p.add(hash)
	}
}

// addAt adds a hash to a row block that may have ended.
func (p *postings) addAt(rowBlock, hash uint32) {
	if rowBlock == p.rowBlock {
		p.add(hash)
		return
	}
	p.pairs = append(p.pairs, uint64(max(hash, 1))<<32|uint64(rowBlock))
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

func (p *postings) endRowBlock() {
	p.rowBlock++
	clear(p.seen)
	p.count = 0
}

// countTerms returns how many terms occur in several row blocks and how many in one. Pairs must be sorted.
func (p *postings) countTerms() (several, single int) {
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

// section returns the encoded postings.
func (p *postings) section() []byte {
	p.sort()
	several, single := p.countTerms()
	manyHashes, lengths := make([]uint32, 0, several), make([]uint32, 0, several)
	oneHashes, places := make([]uint32, 0, single), make([]uint32, 0, single)
	var lists []byte
	bitmap := make([]byte, bitmapSize(int(p.rowBlock)))
	for first := 0; first < len(p.pairs); {
		hash := uint32(p.pairs[first] >> 32)
		next := first + 1
		for next < len(p.pairs) && uint32(p.pairs[next]>>32) == hash {
			next++
		}
		if next == first+1 {
			oneHashes, places = append(oneHashes, hash), append(places, uint32(p.pairs[first]))
		} else {
			before := len(lists)
			lists = appendList(lists, p.pairs[first:next], bitmap)
			manyHashes, lengths = append(manyHashes, hash), append(lengths, uint32(len(lists)-before))
		}
		first = next
	}
	b := make([]byte, 0, 64+len(lists)+4*(several+single))
	b = binary.LittleEndian.AppendUint32(b, p.rowBlock)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = appendHashes(b, manyHashes)
	b = appendListStarts(align(b, 4), manyHashes, lengths)
	b = appendNumbers(b, lengths, int(p.rowBlock)) // a list is never longer than the number of row blocks
	b = appendHashes(align(b, 4), oneHashes)
	b = appendNumbers(b, places, int(p.rowBlock))
	return append(b, lists...)
}

// bitmapSize returns the size in bytes of a bitmap with a bit for each row block.
func bitmapSize(rowBlocks int) int { return (rowBlocks + 7) / 8 }

// appendList appends the list of a term given its pairs. bitmap is a buffer of the right size.
func appendList(lists []byte, pairs []uint64, bitmap []byte) []byte {
	if len(pairs) < len(bitmap) {
		start, previous := len(lists), uint32(0)
		for _, pair := range pairs {
			lists = binary.AppendUvarint(lists, uint64(uint32(pair)-previous))
			previous = uint32(pair)
		}
		if len(lists)-start < len(bitmap) {
			return lists
		}
		lists = lists[:start]
	}
	clear(bitmap)
	for _, pair := range pairs {
		bitmap[uint32(pair)>>3] |= 1 << (pair & 7)
	}
	return append(lists, bitmap...)
}

// appendListStarts appends the start of the lists of each bucket of sorted hashes.
func appendListStarts(b []byte, sorted, lengths []uint32) []byte {
	width, next, start := bucketBits(len(sorted)), 0, uint32(0)
	for bucket := range uint32(1) << width {
		b = binary.LittleEndian.AppendUint32(b, start)
		for ; next < len(sorted) && bucketOf(sorted[next], width) == bucket; next++ {
			start += lengths[next]
		}
	}
	return b
}

// digitBits is the number of bits of a radix sort pass. Pairs are first sorted by twice as many upper bits.
const digitBits = 11

// sort sorts pairs and removes duplicates. Pairs were added in the order of their row blocks, and few different hashes
// have the same upper bits.
func (p *postings) sort() {
	p.sortByUpperBits()
	upper := func(n int) uint64 { return p.pairs[n] >> (64 - 2*digitBits) }
	for n := 1; n < len(p.pairs); n++ {
		if p.pairs[n-1] < p.pairs[n] {
			continue
		}
		first, next := n-1, n+1
		for first > 0 && upper(first-1) == upper(n) {
			first--
		}
		for next < len(p.pairs) && upper(next) == upper(n) {
			next++
		}
		slices.Sort(p.pairs[first:next])
		n = next
	}
	p.pairs = slices.Compact(p.pairs) // addAt may add a pair again for another term with the same hash
}

// sortByUpperBits sorts pairs by 22 bits, stably, in two passes over 11 bits each.
func (p *postings) sortByUpperBits() {
	const mask = 1<<digitBits - 1
	var places [2][1 << digitBits]uint32 // number of pairs with these bits, then the index of the next one
	for _, pair := range p.pairs {
		places[0][pair>>(64-2*digitBits)&mask]++
		places[1][pair>>(64-digitBits)]++
	}
	other := make([]uint64, len(p.pairs))
	for pass := range places {
		next := uint32(0)
		for n, count := range places[pass] {
			places[pass][n] = next
			next += count
		}
		shift := 64 - (2-pass)*digitBits
		for _, pair := range p.pairs {
			place := &places[pass][pair>>shift&mask]
			other[*place] = pair
			*place++
		}
		p.pairs, other = other, p.pairs
	}
}

// postingsReader looks up terms in a section.
type postingsReader struct {
	rowBlocks   int
	several     hashes
	starts      []uint32 // by bucket
	lengths     numbers
	single      hashes
	singleBlock numbers
	lists       []byte
}

func readPostings(section []byte) (*postingsReader, error) {
	const head = 8
	if len(section) < head {
		return nil, fmt.Errorf("a section of postings has only %d bytes", len(section))
	}
	r := &postingsReader{rowBlocks: int(binary.LittleEndian.Uint32(section))}
	several, rest, err := readHashes(section[head:])
	if err != nil {
		return nil, err
	}
	r.several = several
	if r.starts, rest, err = arrayOf[uint32](aligned(section, rest, 4), 1<<several.bits); err != nil {
		return nil, err
	}
	if r.lengths, rest, err = readNumbers(section, rest, len(several.low), r.rowBlocks); err != nil {
		return nil, err
	}
	if r.single, rest, err = readHashes(aligned(section, rest, 4)); err != nil {
		return nil, err
	}
	r.singleBlock, r.lists, err = readNumbers(section, rest, len(r.single.low), r.rowBlocks)
	return r, err
}

// find removes from keep all row blocks in which the hash does not occur.
func (r *postingsReader) find(hash uint32, keep *bitset) {
	if hash == 0 {
		hash = 1
	}
	here := newBitset(r.rowBlocks)
	r.collect(hash, here)
	keep.count = 0
	for i := range keep.words {
		keep.words[i] &= here.words[i]
		keep.count += bits.OnesCount64(keep.words[i])
	}
}

// collect adds the row blocks of a hash to a set.
func (r *postingsReader) collect(hash uint32, here *bitset) {
	_, first, end := r.single.find(hash)
	for n := first; n < end; n++ {
		if rowBlock := r.singleBlock.at(n); rowBlock < r.rowBlocks {
			here.add(rowBlock)
		}
	}
	bucket, first, end := r.several.find(hash)
	if first == end {
		return
	}
	start := int(r.starts[bucket])
	for n := int(r.several.starts[bucket]); n < end; n++ {
		length := r.lengths.at(n)
		if length > len(r.lists)-start {
			return
		}
		if n >= first {
			r.collectList(r.lists[start:start+length], here)
		}
		start += length
	}
}

// collectList adds the row blocks of a list to a set.
func (r *postingsReader) collectList(list []byte, here *bitset) {
	if len(list) == bitmapSize(r.rowBlocks) {
		for i, b := range list {
			for ; b != 0; b &= b - 1 {
				if rowBlock := i*8 + bits.TrailingZeros8(b); rowBlock < r.rowBlocks {
					here.add(rowBlock)
				}
			}
		}
		return
	}
	rowBlock := 0
	for d := (decoder{src: list}); len(d.src) > 0; {
		rowBlock += int(d.uvarint())
		if rowBlock < 0 || rowBlock >= r.rowBlocks {
			return
		}
		here.add(rowBlock)
	}
}
