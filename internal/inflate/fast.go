package inflate

import "encoding/binary"

const (
	// What one round of the fast loop reads and writes at most: two loads of 8 bytes, the second one up to 7 bytes further
	// on; and two bytes, the longest reference, and what copying 16 bytes at a time writes beyond its end.
	roundInput  = 7 + 8
	roundOutput = 2 + longestReference + 15

	longestReference = 258
	// mostForDistance is how many bits a distance takes: its code and extra bits.
	mostForDistance = longestCode + 13
	// wide is how many bytes are copied at a time.
	wide = 16
)

// fastPossible tells whether neither end of a buffer is so near that a round could pass it.
func (d *Decoder) fastPossible() bool {
	return d.in.next <= len(d.in.bytes)-roundInput && d.out.n <= len(d.out.bytes)-roundOutput
}

// fast unpacks symbols until the block ends, or an end of a buffer is near, or a chunk is written.
//
// A round is some bytes, or up to two bytes and a reference. It begins with 56 bits or more, which are enough for two bytes
// and a length, and with the entry for the first of them: looked up as soon as the bits are known, before others are
// loaded behind them, so that neither waits for the other. Of the count only the low six bits are used, as shifts do
// anyway; entries are subtracted from it as they are. Above the count there are bits of the byte that is loaded next,
// which do not change when they are loaded again.
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
		for n < end { // what is repeated doubles with each turn
			n += copy(out[n:end], out[from:n])
		}
	}
	count &= 63
	d.in.next, d.in.bits, d.in.count = next, bits&(1<<count-1), uint(count)
	d.out.n = n
	return ended, err
}

// load fills the bits up to 56 or more with the next 8 bytes of the input.
func load(in []byte, next int, bits, count uint64) (int, uint64, uint64) {
	bits |= binary.LittleEndian.Uint64(in[next:next+8]) << (count & 63)
	next += int((63 - count) & 63 >> 3)
	return next, bits, count | 56
}
