package inflate

import "encoding/binary"

const (
	// The maximum that one round of the fast loop reads and writes: two loads of 8 bytes, the second one up to 7 bytes
	// further on; and two literals, the longest match, and what copying 16 bytes at a time writes beyond its end.
	roundInput  = 7 + 8
	roundOutput = 2 + longestReference + 15

	longestReference = 258
	// mostForDistance is the maximum number of bits of a distance: its code and extra bits.
	mostForDistance = longestCode + 13
	// wide is the number of bytes copied at a time.
	wide = 16
)

// fastPossible reports whether both buffers have enough room for a round.
func (d *Decoder) fastPossible() bool {
	return d.in.next <= len(d.in.bytes)-roundInput && d.out.n <= len(d.out.bytes)-roundOutput
}

// fast decompresses symbols until the block ends, the end of a buffer is near, or a chunk is written.
//
// A round is some literals, or up to two literals and a match. It begins with at least 56 bits, which are enough for
// two literals and a length, and with the entry for the first symbol: it is looked up as soon as the bits are known,
// before more are loaded above them, so that neither waits for the other. Only the low six bits of count are
// significant, as in shifts; whole entries are subtracted from it. Above count there may be bits of the byte that is
// loaded next, which do not change when they are loaded again.
func (d *Decoder) fast(c *codes) (ended bool, err error) {
	if !d.fastPossible() {
		return false, nil
	}
	in, next, bits, count := d.in.bytes, d.in.next, d.in.bits, uint64(d.in.count)
	out, n := d.out.bytes, d.out.n
	lastIn, lastOut := len(in)-roundInput, min(len(out)-roundOutput, n+chunk)
	literals, distances := &c.literals, &c.distances

	next, bits, count = load(in, next, bits, count)
	e := literals[bits&(1<<literalBits-1)]
	for next <= lastIn && n <= lastOut {
		if e&literal != 0 {
			bits >>= e & usedMask
			count -= uint64(e)
			out[n] = e.literal()
			n++
			e = literals[bits&(1<<literalBits-1)]
			if e&literal != 0 {
				bits >>= e & usedMask
				count -= uint64(e)
				out[n] = e.literal()
				n++
				e = literals[bits&(1<<literalBits-1)]
				if e&literal != 0 {
					bits >>= e & usedMask
					count -= uint64(e)
					out[n] = e.literal()
					n++
					e = literals[bits&(1<<literalBits-1)]
					next, bits, count = load(in, next, bits, count)
					continue
				}
			}
		}
		if e&special != 0 {
			if e&second == second {
				e = literals[uint64(e>>16)+bits>>literalBits&(1<<(e>>8&15)-1)]
			}
			if e&literal != 0 {
				bits >>= e & usedMask
				count -= uint64(e)
				out[n] = e.literal()
				n++
				e = literals[bits&(1<<literalBits-1)]
				next, bits, count = load(in, next, bits, count)
				continue
			}
			if e&special != 0 {
				bits >>= e & usedMask
				count -= uint64(e)
				if ended = e&ending == ending; !ended {
					err = errNoSymbol
				}
				break
			}
		}
		length := int(e>>16) + int(bits&(1<<(e&usedMask)-1)>>(e>>8&15)) //nolint:gosec // at most 5 bits
		bits >>= e & usedMask
		count -= uint64(e)

		if count&63 < mostForDistance+literalBits {
			next, bits, count = load(in, next, bits, count)
		}
		e = distances[bits&(1<<distanceBits-1)]
		if e&special != 0 {
			if e&second == second {
				e = distances[uint64(e>>16)+bits>>distanceBits&(1<<(e>>8&15)-1)]
			}
			if e&special != 0 {
				err = errNoDistance
				break
			}
		}
		distance := int(e>>16) + int(bits&(1<<(e&usedMask)-1)>>(e>>8&15)) //nolint:gosec // at most 13 bits
		bits >>= e & usedMask
		count -= uint64(e)
		e = literals[bits&(1<<literalBits-1)]
		next, bits, count = load(in, next, bits, count)

		if distance > n-d.out.start {
			err = errTooFar
			break
		}
		from, end := n-distance, n+length
		if distance >= wide {
			for ; n < end; n, from = n+wide, from+wide {
				*(*[wide]byte)(out[n : n+wide]) = *(*[wide]byte)(out[from : from+wide])
			}
			n = end
			continue
		}
		for n < end { // the repeated part doubles in each iteration
			n += copy(out[n:end], out[from:n])
		}
	}
	count &= 63
	d.in.next, d.in.bits, d.in.count = next, bits&(1<<count-1), uint(count)
	d.out.n = n
	return ended, err
}

// load refills the bits to at least 56 from the next 8 bytes of the input.
func load(in []byte, next int, bits, count uint64) (int, uint64, uint64) {
	bits |= binary.LittleEndian.Uint64(in[next:next+8]) << (count & 63)
	next += int((63 - count) & 63 >> 3)
	return next, bits, count | 56
}
