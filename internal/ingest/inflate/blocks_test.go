package inflate

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// usualLengths returns the lengths of codes for all symbols.
func usualLengths() (literals, distances []int) {
	for n := range mostLiterals {
		literals = append(literals, 8)
		if n >= 226 { // 226 codes of 8 bits and 60 of 9
			literals[n] = 9
		}
	}
	for n := range mostDistances {
		distances = append(distances, 5)
		if n < 2 {
			distances[n] = 4
		}
	}
	return literals, distances
}

// symbolsOf returns the symbols of a text, followed by more.
func symbolsOf(text string, more ...int) (symbols []int) {
	for _, b := range []byte(text) {
		symbols = append(symbols, int(b))
	}
	return append(symbols, more...)
}

// with returns modified lengths.
func with(lengths []int, change func([]int)) []int {
	lengths = append([]int(nil), lengths...)
	change(lengths)
	return lengths
}

// TestCodes decodes blocks with complete and incomplete codes, and compares with the standard library.
func TestCodes(t *testing.T) {
	literals, distances := usualLengths()
	only := func(symbols, length int, which ...int) []int {
		lengths := make([]int, symbols)
		for _, symbol := range which {
			lengths[symbol] = length
		}
		return lengths
	}
	var ladder, distanceLadder []int // codes of 1, 2, 3 … 15, 15 bits
	ladder = make([]int, mostLiterals)
	for n := range 15 {
		ladder['a'+n] = n + 1
		distanceLadder = append(distanceLadder, n+1)
	}
	ladder[endOfBlock] = 15
	distanceLadder = append(distanceLadder, 15)
	ending := []int{endOfBlock}
	cases := []struct {
		name                string
		literals, distances []int
		symbols             []int // including the end of the block
		want                string
		err                 error
	}{
		{"usual", literals, distances, symbolsOf("almanac", endOfBlock), "almanac", nil},
		{"the longest codes", ladder, distanceLadder, symbolsOf("abcdefghijklmno", endOfBlock), "abcdefghijklmno", nil},
		{"no distances", literals, only(1, 0), symbolsOf("x", endOfBlock), "x", nil},
		{"no distances, all of them", literals, only(30, 0), symbolsOf("x", endOfBlock), "x", nil},
		{"one distance", literals, only(1, 1, 0), ending, "", nil},
		{"one distance of two bits", literals, only(1, 2, 0), ending, "", ErrCorrupt},
		{"nothing but an end", only(257, 1, endOfBlock), only(1, 0), ending, "", nil},
		{"nothing but an end of two bits", only(257, 2, endOfBlock), only(1, 0), ending, "", ErrCorrupt},
		{"no codes", only(257, 0), only(1, 0), nil, "", ErrCorrupt},
		{"no end", only(257, 1, 'a', 'b'), only(1, 0), symbolsOf("abab"), "", io.ErrUnexpectedEOF},
		{"three codes of a bit", only(257, 1, 'a', 'b', endOfBlock), only(1, 0), nil, "", ErrCorrupt},
		{"too few codes", with(literals, func(l []int) { l['x'] = 0 }), distances, nil, "", ErrCorrupt},
		{"too many codes", with(literals, func(l []int) { l['x'] = 7 }), distances, nil, "", ErrCorrupt},
		{"too few distances", literals, with(distances, func(l []int) { l[9] = 0 }), nil, "", ErrCorrupt},
		{"too many distances", literals, with(distances, func(l []int) { l[9] = 4 }), nil, "", ErrCorrupt},
		{"287 literals", append(with(literals, func([]int) {}), 0), distances, nil, "", ErrCorrupt},
		{"31 distances", literals, append(with(distances, func([]int) {}), 0), nil, "", ErrCorrupt},
	}
	var d Decoder
	for _, c := range cases {
		// The second time with enough data after it to use the fast loop.
		for _, more := range []int{0, 100} {
			var w bitWriter
			w.dynamicHeader(c.literals, c.distances)
			codes := codesOf(c.literals)
			for _, symbol := range c.symbols {
				w.code(codes[symbol])
			}
			if c.err != nil && c.err != io.ErrUnexpectedEOF || c.err == nil { //nolint:errorlint // of the table
				w.bytes = append(w.bytes, bytes.Repeat([]byte{0xff}, more+3)...)
			}
			got, err := d.Raw(t.Context(), make([]byte, 0, 1000), w.bytes, growing(1000, 1000))
			if !errors.Is(err, c.err) || string(got) != c.want {
				t.Errorf("%s: got %q, error %v", c.name, got, err)
			}
			rawFormat.sameAsStandard(t, &d, w.bytes, 1000)
		}
	}
}

// TestReferences decodes matches of all lengths at all kinds of distances.
func TestReferences(t *testing.T) {
	literalLengths, distanceLengths := usualLengths()
	literals, distances := codesOf(literalLengths), codesOf(distanceLengths)
	var d Decoder
	for _, distance := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 257, 258, 259, 4096, 32767, 32768} {
		for _, written := range []int{distance - 1, distance, distance + 1} {
			for length := 3; length <= 258; length++ {
				if distance > 17 && length != 3 && length != longestReference {
					continue
				}
				var w bitWriter
				w.dynamicHeader(literalLengths, distanceLengths)
				want := make([]byte, 0, written+length)
				for n := range written {
					want = append(want, byte(n*7+n>>8))
					w.code(literals[want[n]])
				}
				w.copied(length, distance, literals, distances)
				w.code(literals[endOfBlock])
				if rawFormat.sameAsStandard(t, &d, w.bytes, 1<<16) != (distance <= written) {
					t.Fatalf("length %d, distance %d after %d bytes", length, distance, written)
				}
				// Now with more data around it, so that the fast loop is used.
				w.bytes = append(w.bytes, make([]byte, 100)...)
				got, err := d.Raw(t.Context(), make([]byte, 0, 1<<16), w.bytes, nil)
				if distance > written {
					if !errors.Is(err, ErrCorrupt) {
						t.Fatalf("length %d, distance %d after %d bytes: error %v", length, distance, written, err)
					}
					continue
				}
				for range length {
					want = append(want, want[len(want)-distance])
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("length %d, distance %d after %d bytes: got %d bytes, error %v", length, distance, written, len(got), err)
				}
			}
		}
	}
}

// TestRandomBlocks decodes blocks of random symbols in random codes, many of them long.
func TestRandomBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var d Decoder
	for range 300 {
		var w bitWriter
		literalLengths := randomCode(random, mostLiterals, 2+random.IntN(mostLiterals-2), endOfBlock, 'a')
		distanceLengths := randomCode(random, mostDistances, 1+random.IntN(mostDistances), 0)
		literals, distances := codesOf(literalLengths), codesOf(distanceLengths)
		w.dynamicHeader(literalLengths, distanceLengths)
		written := 0
		for range random.IntN(2000) {
			symbol := random.IntN(mostLiterals)
			switch {
			case literals[symbol].length == 0 || symbol == endOfBlock:
			case symbol < endOfBlock:
				w.code(literals[symbol])
				written++
			case written > 0:
				distance := random.IntN(mostDistances)
				base := distanceSymbols[distance].value()
				if distances[distance].length == 0 || base > written {
					distance, base = 0, 1
				}
				extra := min(random.IntN(1<<distanceSymbols[distance].used()), written-base)
				w.code(literals[symbol])
				more := random.IntN(1 << literalSymbols[symbol].used())
				w.bits(more, int(literalSymbols[symbol].used()))
				w.code(distances[distance])
				w.bits(extra, int(distanceSymbols[distance].used()))
				written += literalSymbols[symbol].value() + more
			}
		}
		w.code(literals[endOfBlock])
		if !rawFormat.sameAsStandard(t, &d, w.bytes, 1<<20) {
			t.Fatal("a proper block is refused")
		}
		// When corrupted, it must still be decoded like by the standard library.
		w.bytes[random.IntN(len(w.bytes))] ^= 1 << random.IntN(8)
		rawFormat.sameAsStandard(t, &d, w.bytes, 1<<16)
	}
}

// TestFixedBlocks decodes symbols of the fixed code that must not be used.
func TestFixedBlocks(t *testing.T) {
	var d Decoder
	for _, c := range []struct {
		name string
		code func(*bitWriter)
		err  error
	}{
		{"a byte and the end", func(w *bitWriter) { w.code(huffmanCode{0x30 + 'x', 8}); w.code(huffmanCode{0, 7}) }, nil},
		{"a high byte", func(w *bitWriter) { w.code(huffmanCode{0x190 + 200 - 144, 9}); w.code(huffmanCode{0, 7}) }, nil},
		{"symbol 286", func(w *bitWriter) { w.code(huffmanCode{0xc6, 8}) }, ErrCorrupt},
		{"symbol 287", func(w *bitWriter) { w.code(huffmanCode{0xc7, 8}) }, ErrCorrupt},
		{"distance 29", func(w *bitWriter) { w.code(huffmanCode{1, 7}); w.code(huffmanCode{29, 5}) }, ErrCorrupt},
		{"distance 30", func(w *bitWriter) { w.code(huffmanCode{1, 7}); w.code(huffmanCode{30, 5}) }, ErrCorrupt},
		{"distance 31", func(w *bitWriter) { w.code(huffmanCode{1, 7}); w.code(huffmanCode{31, 5}) }, ErrCorrupt},
	} {
		for _, more := range []int{3, 100} {
			var w bitWriter
			w.bits(1, 1)
			w.bits(fixed, 2)
			c.code(&w)
			w.bytes = append(w.bytes, make([]byte, more)...)
			if _, err := d.Raw(t.Context(), make([]byte, 0, 1000), w.bytes, nil); !errors.Is(err, c.err) {
				t.Errorf("%s: error %v", c.name, err)
			}
			rawFormat.sameAsStandard(t, &d, w.bytes, 1000)
		}
	}
}

func TestBrokenBlocks(t *testing.T) {
	var d Decoder
	for name, c := range map[string]struct {
		packed []byte
		want   string
		err    error
	}{
		"nothing":                    {nil, "", io.ErrUnexpectedEOF},
		"an unknown type":            {[]byte{7}, "", ErrCorrupt},
		"stored":                     {[]byte{1, 2, 0, 0xfd, 0xff, 'o', 'k'}, "ok", nil},
		"stored, nothing":            {[]byte{1, 0, 0, 0xff, 0xff}, "", nil},
		"stored, the wrong length":   {[]byte{1, 2, 0, 0xfc, 0xff, 'o', 'k'}, "", ErrCorrupt},
		"stored, too short":          {[]byte{1, 2, 0, 0xfd, 0xff, 'o'}, "", io.ErrUnexpectedEOF},
		"stored, no length":          {[]byte{1, 2, 0, 0xfd}, "", io.ErrUnexpectedEOF},
		"stored twice":               {[]byte{0, 1, 0, 0xfe, 0xff, 'o', 1, 1, 0, 0xfe, 0xff, 'k'}, "ok", nil},
		"a block, but not the last":  {[]byte{0, 2, 0, 0xfd, 0xff, 'o', 'k'}, "", io.ErrUnexpectedEOF},
		"no codes for lengths":       {append([]byte{5, 0}, make([]byte, 100)...), "", ErrCorrupt},
		"a repeat of nothing":        {repeatFirst(), "", ErrCorrupt},
		"a repeat beyond the end":    {repeatTooOften(), "", ErrCorrupt},
		"half a header with lengths": {repeatTooOften()[:4], "", io.ErrUnexpectedEOF},
	} {
		got, err := d.Raw(t.Context(), nil, c.packed, growing(100, 100))
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, error %v", name, got, err)
		}
		rawFormat.sameAsStandard(t, &d, c.packed, 100)
	}
}

// lengthsHeader begins a block whose code lengths are written with symbol 16 (a 0) and symbol 18 (a 1).
func lengthsHeader() *bitWriter {
	w := new(bitWriter)
	w.bits(1, 1)
	w.bits(dynamic, 2)
	w.bits(0, 5)
	w.bits(0, 5)
	w.bits(0, 4)
	for _, length := range []int{1, 0, 1, 0} { // of 16, 17, 18 and 0
		w.bits(length, 3)
	}
	return w
}

func repeatFirst() []byte {
	w := lengthsHeader()
	w.bits(0, 1)
	w.bits(0, 32)
	return w.bytes
}

func repeatTooOften() []byte {
	w := lengthsHeader()
	for range 2 {
		w.bits(1, 1)
		w.bits(127, 7)
	}
	return w.bytes
}
