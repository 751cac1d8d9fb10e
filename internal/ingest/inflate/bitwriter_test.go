package inflate

import (
	"math/bits"
	"math/rand/v2"
)

// bitWriter writes DEFLATE data bit by bit, valid or not.
type bitWriter struct {
	bytes []byte
	used  int // bits of the last byte
}

// bits writes the low bits of a value, lowest first.
func (w *bitWriter) bits(value, count int) {
	for n := range count {
		if w.used %= 8; w.used == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[len(w.bytes)-1] |= byte(value>>n&1) << w.used
		w.used++
	}
}

// code writes a Huffman code, highest bit first.
func (w *bitWriter) code(c huffmanCode) {
	w.bits(int(bits.Reverse16(uint16(c.code))>>(16-c.length)), c.length)
}

// huffmanCode is a code and its length, 0 if there is none.
type huffmanCode struct{ code, length int }

// codesOf assigns codes in order of their lengths.
func codesOf(lengths []int) []huffmanCode {
	codes, code := make([]huffmanCode, len(lengths)), 0
	for length := 1; length <= longestCode; length++ {
		code <<= 1
		for symbol, l := range lengths {
			if l == length {
				codes[symbol] = huffmanCode{code, length}
				code++
			}
		}
	}
	return codes
}

// dynamicHeader writes the header of a final block with its own codes. Their lengths are written one by one in a code
// that uses 4 bits for each length.
func (w *bitWriter) dynamicHeader(literals, distances []int) {
	w.bits(1, 1)
	w.bits(dynamic, 2)
	w.bits(len(literals)-257, 5)
	w.bits(len(distances)-1, 5)
	w.bits(codeSymbols-4, 4)
	for _, symbol := range codeOrder {
		if symbol < 16 {
			w.bits(4, 3)
		} else {
			w.bits(0, 3)
		}
	}
	for _, list := range [][]int{literals, distances} {
		for _, length := range list {
			w.code(huffmanCode{length, 4})
		}
	}
}

// reference is a length or a distance in a block: a symbol and the value of its extra bits.
type reference struct{ symbol, extra int }

// referenceTo returns the symbol for a value among those in a table, from first on.
func referenceTo(value int, symbols []entry, first int) reference {
	for n := len(symbols) - 1; n >= first; n-- {
		if base := symbols[n].value(); symbols[n]&special == 0 && base <= value && value-base < 1<<symbols[n].used() {
			return reference{n, value - base}
		}
	}
	panic("no symbol has this value")
}

// copied writes a match with earlier output.
func (w *bitWriter) copied(length, distance int, literals, distances []huffmanCode) {
	l, d := referenceTo(length, literalSymbols[:], endOfBlock+1), referenceTo(distance, distanceSymbols[:], 0)
	w.code(literals[l.symbol])
	w.bits(l.extra, int(literalSymbols[l.symbol].used()))
	w.code(distances[d.symbol])
	w.bits(d.extra, int(distanceSymbols[d.symbol].used()))
}

// randomCode returns the lengths of a complete code for used of the symbols, including those in must.
func randomCode(random *rand.Rand, symbols, used int, must ...int) []int {
	lengths := []int{0}
	for len(lengths) < used {
		n := random.IntN(len(lengths))
		if random.IntN(2) == 0 { // otherwise long codes would be rare
			n = len(lengths) - 1
		}
		if lengths[n] < longestCode {
			lengths[n]++
			lengths = append(lengths, lengths[n])
		}
	}
	if used == 1 {
		lengths[0] = 1
	}
	code := make([]int, symbols)
	order := random.Perm(symbols)
	for i, symbol := range must { // move to the front of those that get a code
		for j := range order {
			if order[j] == symbol {
				order[i], order[j] = order[j], order[i]
			}
		}
	}
	for i, length := range lengths {
		code[order[i]] = length
	}
	return code
}
