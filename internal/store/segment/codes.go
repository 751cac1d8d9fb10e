package segment

import (
	"encoding/binary"

	"github.com/parquet-go/bitpack"
)

// decodeCodes decodes a page of dictionary codes, reusing the memory of dst. The encoding is Parquet's RLE_DICTIONARY:
// the width of a code in bits, then runs. The library's decoder appends each run separately; most runs are short, so it
// is several times slower.
//
//	run of one code     length<<1 uvarint, code in whole bytes
//	run of packed codes (length/8)<<1|1 uvarint, codes in width bits each
func decodeCodes(page []byte, rows int, dst []int32) ([]int32, error) {
	if len(page) == 0 || page[0] > 32 {
		return nil, errPage
	}
	dst = resize(dst, rows)
	width, src := uint(page[0]), page[1:]
	if width == 0 { // no bits: every code is 0
		clear(dst)
		return dst, nil
	}
	for rest := dst; len(rest) > 0; {
		header, n := binary.Uvarint(src)
		if n <= 0 || header>>1 == 0 {
			return nil, errPage
		}
		src = src[n:]
		if header&1 == 0 {
			bytes := int(width+7) / 8
			if len(src) < bytes {
				return nil, errPage
			}
			code := int32(loadUpTo8(src[:bytes]))
			run := rest[:min(header>>1, uint64(len(rest)))]
			fillCodes(run, code)
			src, rest = src[bytes:], rest[len(run):]
			continue
		}
		groups := header >> 1
		if groups > uint64(len(src))/uint64(width) {
			return nil, errPage
		}
		size, count := int(groups)*int(width), min(int(groups)*8, len(rest))
		if size+bitpack.PaddingInt32 <= len(src) {
			bitpack.Unpack(rest[:count], src[:size+bitpack.PaddingInt32], width)
		} else {
			unpackLast(rest[:count], src[:size], width)
		}
		src, rest = src[size:], rest[count:]
	}
	return dst, nil
}

// unpackLast unpacks the codes at the end of a page, in pieces: the library reads past the end of its input, where
// memory may not be mapped.
func unpackLast(dst []int32, src []byte, width uint) {
	const codes = 128
	var memory [codes*4 + bitpack.PaddingInt32]byte
	for len(dst) > 0 {
		n := min(codes, len(dst))
		size := min(codes/8*int(width), len(src))
		copy(memory[:], src[:size])
		bitpack.Unpack(dst[:n], memory[:size+bitpack.PaddingInt32], width)
		dst, src = dst[n:], src[size:]
	}
}

// fillCodes sets all codes of a run. Long runs are filled by doubling copies.
func fillCodes(run []int32, code int32) {
	n := min(len(run), 16)
	for i := range run[:n] {
		run[i] = code
	}
	for ; n < len(run); n *= 2 {
		copy(run[n:], run[:n])
	}
}
