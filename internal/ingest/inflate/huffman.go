package inflate

import "math/bits"

const (
	// longestCode is the maximum length of a code in bits.
	longestCode = 15
	// Codes of up to this many bits are found with one lookup, longer ones with a second lookup in a subtable. Larger
	// tables would need fewer second lookups but more time to fill.
	literalBits  = 11
	distanceBits = 8
	// A subtable for s more bits is only created for more than s codes, with s at most 4 (7 for distances). So 286 codes
	// need at most 286/5 subtables of 16 entries; and 30 distances need 3 subtables of 128, and less than another one for
	// the remaining 6.
	literalEntries  = 1<<literalBits + 1024
	distanceEntries = 1<<distanceBits + 512
)

type (
	literalTable  [literalEntries]entry
	distanceTable [distanceEntries]entry
)

// entry describes the bits at the start of the input:
//
//	bits 0–5    how many bits are consumed, including extra bits
//	bits 8–11   how many of these are the code, which extra bits follow; for second: how many bits index the subtable
//	bits 12–14  the kind of a special entry
//	bit  15     set for special entries
//	bits 16–30  the literal, or the base of a length or distance; for second: the start of the subtable
//	bit  31     set for literals
type entry uint32

const (
	usedMask = 1<<6 - 1

	special entry = 1 << 15
	invalid       = special | 1<<12 // not a code; it consumes one bit
	ending        = special | 1<<13 // end of block
	second        = special | 1<<14 // continue in a subtable
	literal entry = 1 << 31
)

func (e entry) used() uint     { return uint(e & usedMask) }
func (e entry) codeBits() uint { return uint(e >> 8 & 15) }
func (e entry) value() int     { return int(e >> 16 & 0x7fff) }
func (e entry) literal() byte  { return byte(e >> 16) } //nolint:gosec // the low 8 bits of it

// valueWith returns the value of e including the extra bits that follow its code.
func (e entry) valueWith(b uint64) int {
	return e.value() + int(b&(1<<e.used()-1)>>e.codeBits()) //nolint:gosec // at most 13 bits
}

// withCode returns the entry of a symbol for the given code length.
func (e entry) withCode(length int) entry {
	return e + entry(length)<<8 + entry(length) //nolint:gosec // at most 15
}

// find returns the entry for the bits at the start.
func find(table []entry, rootBits uint, b uint64) entry {
	e := table[b&(1<<rootBits-1)]
	if e&second == second {
		e = table[uint64(e.value())+b>>rootBits&(1<<e.codeBits()-1)] //nolint:gosec // never negative
	}
	return e
}

// build fills a table for codes of the given lengths, 0 for symbols without a code. It returns false if they do not
// form a complete code. As in zlib, there are two exceptions: no code at all, and a single code of one bit.
func build(table []entry, rootBits int, lengths []uint8, symbols []entry) bool {
	var count [longestCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	var first [longestCode + 2]int // start of the symbols of a length in sorted
	taken := 0                     // code space used, in units of the longest codes
	for n := 1; n <= longestCode; n++ {
		first[n+1] = first[n] + count[n]
		taken += count[n] << (longestCode - n)
	}
	used := first[longestCode+1]
	if taken != 1<<longestCode && used != 0 && (used != 1 || count[1] != 1) {
		return false
	}
	var sorted [288]uint16
	next := first
	for symbol, n := range lengths {
		if n != 0 {
			sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}

	// Shorter codes fill the start of the table, which is doubled for each further bit. Bits arrive in reverse order, so
	// the doubled part means the same codes followed by a 1.
	table[0] = invalid + 1
	code := uint16(0)
	for n := 1; n <= rootBits; n++ {
		copy(table[1<<(n-1):1<<n], table[:1<<(n-1)])
		for _, symbol := range sorted[first[n]:first[n+1]] {
			table[bits.Reverse16(code<<(16-n))] = symbols[symbol].withCode(n)
			code++
		}
		code <<= 1
	}
	end := 1 << rootBits
	begin, width, prefix := 0, 0, -1
	for n := rootBits + 1; n <= longestCode; n++ {
		for i, symbol := range sorted[first[n]:first[n+1]] {
			reversed := int(bits.Reverse16(code << (16 - n)))
			if root := reversed & (1<<rootBits - 1); root != prefix {
				// The subtable is as wide as the longest code with this prefix; these codes come next.
				width, prefix = n-rootBits, root
				for left := 1<<width - (count[n] - i); left > 0; width++ {
					left = left<<1 - count[rootBits+width+1]
				}
				begin = end
				end += 1 << width
				table[root] = second | entry(begin)<<16 | entry(width)<<8 //nolint:gosec // within the table
			}
			e := symbols[symbol].withCode(n)
			for at := reversed >> rootBits; at < 1<<width; at += 1 << (n - rootBits) {
				table[begin+at] = e
			}
			code++
		}
		code <<= 1
	}
	return true
}
