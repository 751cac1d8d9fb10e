package inflate

import (
	"testing"

	"almanac/bench/corpus"
)

// Both implementations must accept the same data and return the same, or both must refuse it.

func FuzzRaw(f *testing.F)  { fuzz(f, rawFormat) }
func FuzzGzip(f *testing.F) { fuzz(f, gzipFormat) }
func FuzzZlib(f *testing.F) { fuzz(f, zlibFormat) }

func fuzz(f *testing.F, with format) {
	text := usualBody(corpus.Text, 1)[:1000]
	for level := -2; level <= 9; level++ {
		f.Add(with.pack(f, text, level))
		f.Add(with.pack(f, text[:20], level))
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		if with.name == gzipFormat.name && !gzipComparable(packed) {
			return
		}
		var d Decoder
		with.sameAsStandard(t, &d, packed, 1<<16)
	})
}

// gzipComparable reports whether data is comparable with the standard library, which accepts two things that we refuse:
// no member at all, and unknown flags. Flags are checked in everything that might be a header.
func gzipComparable(packed []byte) bool {
	for i := range packed {
		if i+3 < len(packed) && packed[i] == 0x1f && packed[i+1] == 0x8b && packed[i+3]&flagsReserved != 0 {
			return false
		}
	}
	return len(packed) > 0
}

// FuzzDamaged compresses a text, flips some bits, and decompresses the result. The text ends up in all kinds of blocks,
// and the damage in places that random data never reaches.
func FuzzDamaged(f *testing.F) {
	f.Add([]byte("what a day, what a lovely day"), uint8(6), uint32(0), uint32(0))
	f.Add(usualBody(corpus.Text, 1), uint8(9), uint32(100), uint32(200))
	f.Fuzz(func(t *testing.T, text []byte, level uint8, first, other uint32) {
		packed := rawFormat.pack(t, text, int(level%12)-2)
		var d Decoder
		if !rawFormat.sameAsStandard(t, &d, packed, len(text)) {
			t.Fatal("packed data is refused")
		}
		for _, at := range []uint32{first, other} {
			at %= uint32(len(packed)) * 8
			packed[at/8] ^= 1 << (at % 8)
		}
		rawFormat.sameAsStandard(t, &d, packed, 1<<16)
	})
}

// FuzzCodes decodes blocks with arbitrary code lengths, followed by arbitrary bits.
func FuzzCodes(f *testing.F) {
	literals, distances := usualLengths()
	lengths := make([]byte, 0, mostLiterals+mostDistances)
	for _, length := range append(literals, distances...) {
		lengths = append(lengths, byte(length))
	}
	f.Add(lengths, uint8(30), []byte("some bits that mean something"))
	f.Fuzz(func(t *testing.T, lengths []byte, distances uint8, bits []byte) {
		split := max(257, len(lengths)-int(distances%32)-1)
		codes := make([]int, max(len(lengths), split+1))
		for i, length := range lengths {
			codes[i] = int(length % 16)
		}
		var w bitWriter
		w.dynamicHeader(codes[:min(split, 288)], codes[split:min(len(codes), split+32)])
		for _, b := range bits {
			w.bits(int(b), 8)
		}
		var d Decoder
		rawFormat.sameAsStandard(t, &d, w.bytes, 1<<16)
	})
}
