package zstdenc

import (
	"encoding/binary"
	"math/bits"
)

const (
	placeBits  = 15
	hashBytes  = 7 // what a place is found by
	leastMatch = 4 // what must be the same there
	// margin is how many bytes at the end of a block are not looked at, so that whole words can be loaded.
	margin = 16
	// window is how far before a block matches may begin: with offsets of 24 bits, all more bits of a sequence fit into 56.
	window = 1<<24 - blockSize
	// giveUp is the logarithm of how many bytes without a match lengthen each step by one.
	giveUp  = 7
	maxStep = 16
)

// places knows for each hash of bytes the last place with it: the first four bytes in the upper half, the position plus
// base in the lower. The bytes tell at once whether a place matches, without a look at a distant part of the text.
type places struct {
	table [1 << placeBits]uint64
	// base is beyond all positions of earlier texts, so that the table need not be cleared for each.
	base, size uint32
}

// reset prepares for a text of that many bytes.
func (p *places) reset(size int) {
	p.base += p.size
	if p.base == 0 || uint64(p.base)+uint64(size) >= 1<<32 {
		clear(p.table[:])
		p.base = 1 // so that empty places are those of an earlier text
	}
	p.size = uint32(size)
}

// swap remembers the bytes of v, which stand at a position plus base, and returns what was there before.
func (p *places) swap(v uint64, at uint32) (before uint64) {
	const prime = 0x9E3779B97F4A7C15
	place := &p.table[v<<(64-8*hashBytes)*prime>>(64-placeBits)]
	before = *place
	*place = v<<32 | uint64(at)
	return before
}

func load64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at : at+8]) }

// findMatches splits src[start:] into literals and sequences.
func (e *Encoder) findMatches(src []byte, start int) {
	e.sequences.clear()
	literals, filled := e.literals[:cap(e.literals)], 0
	p, base := &e.places, e.places.base
	oldest := base + uint32(max(0, start-window))
	limit := len(src) - margin
	done := start       // everything before is covered
	at := max(start, 1) // what is looked at
	recent := 1         // the offset of the last match
	for at < limit {
		// Which of three is a match, if any, cannot be foreseen. Loads that go on while a branch is awaited are worth more
		// than arithmetic without branches, which was slower.
		v := load64(src, at)
		place, next := p.swap(v, base+uint32(at)), p.swap(v>>8, base+uint32(at)+1)
		var from int
		switch {
		case uint32(load64(src, at+2-recent)) == uint32(v>>16):
			at += 2
			from = at - recent
		case uint32(place>>32) == uint32(v) && uint32(place) >= oldest:
			from = int(uint32(place) - base)
		case uint32(next>>32) == uint32(v>>8) && uint32(next) >= oldest:
			at++
			from = int(uint32(next) - base)
		default:
			at += min(2+(at-done)>>giveUp, maxStep)
			continue
		}
		length := leastMatch + 8
		if x := load64(src, at+leastMatch) ^ load64(src, from+leastMatch); x != 0 { // most matches are short
			length = leastMatch + bits.TrailingZeros64(x)>>3
		} else {
			length += sameAfter(src, at+length, from+length)
		}
		if back := min(sameBefore(src, at, from), at-done); back > 0 {
			at, from, length = at-back, from-back, length+back
		}
		count := at - done
		if count <= margin {
			*(*[margin]byte)(literals[filled:]) = *(*[margin]byte)(src[done:])
		} else {
			copy(literals[filled:], src[done:at])
		}
		filled += count
		recent = at - from
		e.sequences.add(uint32(count), uint32(length), uint32(recent))
		at += length
		done = at
		if at < limit {
			p.swap(load64(src, at-2), base+uint32(at)-2)
		}
	}
	filled += copy(literals[filled:], src[done:])
	e.literals = literals[:filled]
}

// sameAfter returns how many bytes are the same from two places on.
func sameAfter(src []byte, at, from int) int {
	start := at
	for at+8 <= len(src) {
		if x := load64(src, at) ^ load64(src, from); x != 0 {
			return at - start + bits.TrailingZeros64(x)>>3
		}
		at, from = at+8, from+8
	}
	for at < len(src) && src[at] == src[from] {
		at, from = at+1, from+1
	}
	return at - start
}

// sameBefore returns how many bytes are the same before two places, up to eight.
func sameBefore(src []byte, at, from int) int {
	if from < 8 {
		return 0
	}
	return bits.LeadingZeros64(load64(src, at-8)^load64(src, from-8)) >> 3
}
