package zstdenc

import (
	"math/bits"
)

// fseTable encodes symbols of one kind with the frequencies of a block, as finite state entropy.
type fseTable struct {
	log     uint // the table has 1<<log states; 0 if all symbols are the same
	symbols [64]fseSymbol
	next    [1 << maxTableLog]uint16
	norm    [64]uint16
}

// maxTableLog is the largest table that a decoder must take for any kind of number.
const maxTableLog = 9

// fseSymbol says how a state changes with a symbol.
type fseSymbol struct {
	bits  uint32 // to be added to the state, so that the upper half is the number of bits to write
	start int32  // where its states are in next
}

// normalize scales counts of symbols to a sum of 1<<log, leaving at least 1 for each that occurs. There must be two that do.
func (t *fseTable) normalize(counts []uint32, total int, maxLog uint) {
	used := 0
	for _, count := range counts {
		if count > 0 {
			used++
		}
	}
	t.log = max(min(maxLog, uint(bits.Len(uint(total)))-1), uint(bits.Len(uint(used))), 5)
	size := 1 << t.log
	left, largest := size, 0
	for n, count := range counts {
		t.norm[n] = 0
		if count == 0 {
			continue
		}
		share := max(1, (uint64(count)*uint64(size)+uint64(total)/2)/uint64(total))
		t.norm[n] = uint16(share)
		left -= int(share)
		if t.norm[n] > t.norm[largest] {
			largest = n
		}
	}
	// What rounding added or left goes to those that feel it least.
	for left != 0 {
		if left > 0 {
			t.norm[largest] += uint16(left)
			return
		}
		for n := range counts {
			if t.norm[n] > t.norm[largest] {
				largest = n
			}
		}
		take := min(-left, max(1, int(t.norm[largest])/8))
		t.norm[largest] -= uint16(take)
		left += take
	}
}

// prepare makes the table for numbers whose codes occur so often, and appends what a decoder must know of it.
func (t *fseTable) prepare(dst []byte, counts []uint32, total int, maxLog uint) (_ []byte, mode byte) {
	const same, described = 1, 2
	for n, count := range counts {
		if int(count) == total {
			t.buildSingle(byte(n))
			return append(dst, byte(n)), same
		}
	}
	t.normalize(counts, total, maxLog)
	t.build(len(counts))
	return t.appendTable(dst, len(counts)), described
}

// build makes the table for the frequencies that normalize found.
func (t *fseTable) build(kinds int) {
	size := 1 << t.log
	var symbolAt [1 << maxTableLog]byte
	var first [64]int
	step, mask, at, sum := size>>1+size>>3+3, size-1, 0, 0
	for n := range kinds {
		count := int(t.norm[n])
		first[n] = sum
		if count == 0 {
			continue
		}
		for range count {
			symbolAt[at] = byte(n)
			at = (at + step) & mask
		}
		s := &t.symbols[n]
		if count == 1 {
			s.bits = uint32(t.log<<16) - uint32(size)
		} else {
			most := t.log - uint(bits.Len(uint(count-1))-1)
			s.bits = uint32(most<<16) - uint32(count)<<most
		}
		s.start = int32(sum - count)
		sum += count
	}
	for state, symbol := range symbolAt[:size] {
		t.next[first[symbol]] = uint16(size + state)
		first[symbol]++
	}
}

// buildSingle makes the table for numbers that are all the same: they take no bits.
func (t *fseTable) buildSingle(symbol byte) {
	t.log = 0
	t.symbols[symbol] = fseSymbol{bits: 0, start: -1}
	t.next[0] = 1
}

// begin returns the state that encodes a first symbol.
func (t *fseTable) begin(symbol byte) uint32 {
	if t.log == 0 {
		return 1
	}
	s := &t.symbols[symbol&63]
	count := (s.bits + 1<<15) >> 16
	return uint32(t.next[int32((count<<16-s.bits)>>count)+s.start])
}

// step encodes a symbol: it returns the next state and the bits to write.
func (t *fseTable) step(state uint32, symbol byte) (next uint32, bits uint64, width uint) {
	s := &t.symbols[symbol&63]
	width = uint((state + s.bits) >> 16)
	return uint32(t.next[(int32(state>>(width&31))+s.start)&(1<<maxTableLog-1)]), uint64(state & (1<<(width&31) - 1)), width
}

// appendTable describes the frequencies.
func (t *fseTable) appendTable(dst []byte, kinds int) []byte {
	size := 1 << t.log
	var w bitWriter
	w.dst = dst
	w.add(uint64(t.log-5), 4)
	width, remaining, threshold := t.log+1, size+1, size
	for n, zero := 0, false; remaining > 1; {
		if zero {
			begin := n
			for n < kinds && t.norm[n] == 0 {
				n++
			}
			for ; n >= begin+3; begin += 3 {
				w.add(3, 2)
				w.flush()
			}
			w.add(uint64(n-begin), 2)
		}
		count := int(t.norm[n])
		n++
		most := 2*threshold - 1 - remaining
		remaining -= count
		count++
		if count >= threshold {
			count += most
		}
		length := width
		if count < most {
			length--
		}
		w.add(uint64(count), length)
		w.flush()
		zero = count == 1
		for remaining < threshold {
			width--
			threshold >>= 1
		}
	}
	return w.finish()
}

// bitWriter writes bits, the lowest first.
type bitWriter struct {
	dst   []byte
	bits  uint64
	count uint
}

// add adds at most 32 bits. Higher bits of v must be 0.
func (w *bitWriter) add(v uint64, count uint) {
	w.bits |= v << w.count
	w.count += count
}

// flush writes whole bytes.
func (w *bitWriter) flush() {
	for ; w.count >= 8; w.count -= 8 {
		w.dst = append(w.dst, byte(w.bits))
		w.bits >>= 8
	}
}

// finish writes what is left, filled up to a byte.
func (w *bitWriter) finish() []byte {
	w.flush()
	if w.count > 0 {
		w.dst = append(w.dst, byte(w.bits))
	}
	return w.dst
}
