package segment

import (
	"encoding/binary"
	"math/bits"
)

// Parquet's DELTA_BINARY_PACKED is the first value, then for each block of 128 deltas the smallest of them and the
// differences from it, in four parts, each with as many bits as its largest difference needs.
//
//	values = 128 uvarint, 4 uvarint, count uvarint, first varint, block*
//	block  = least varint, width of each part in one byte, parts
const (
	deltaBlock = 128
	deltaParts = 4
	deltaPart  = deltaBlock / deltaParts
)

// appendDeltas encodes integers this way. The library's encoder pads the last block with zeroes as if they were values:
// for times, that makes a quarter of each page half as large again.
func appendDeltas[T int32 | int64](dst []byte, values []T) []byte {
	dst = binary.AppendUvarint(dst, deltaBlock)
	dst = binary.AppendUvarint(dst, deltaParts)
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	if len(values) == 0 {
		return binary.AppendVarint(dst, 0)
	}
	dst = binary.AppendVarint(dst, int64(values[0]))
	var deltas [deltaBlock]T
	for first := 1; first < len(values); first += deltaBlock {
		count := min(deltaBlock, len(values)-first)
		least := values[first] - values[first-1]
		for n := range count {
			deltas[n] = values[first+n] - values[first+n-1] // may overflow, which decoding reverses
			least = min(least, deltas[n])
		}
		dst = binary.AppendVarint(dst, int64(least))
		widths := len(dst)
		dst = append(dst, make([]byte, deltaParts)...)
		for part := 0; part*deltaPart < count; part++ {
			var above [deltaPart]uint64 // 0 past the end of the last block
			all := uint64(0)
			for n := range min(deltaPart, count-part*deltaPart) {
				above[n] = uint64(deltas[part*deltaPart+n]-least) & sizeMask[T]()
				all |= above[n]
			}
			dst[widths+part] = byte(bits.Len64(all))
			dst = appendBits(dst, &above, uint(bits.Len64(all)))
		}
	}
	return dst
}

// sizeMask returns a mask of the bits of a type.
func sizeMask[T int32 | int64]() uint64 {
	if T(1)<<31<<1 == 0 {
		return 1<<32 - 1
	}
	return 1<<64 - 1
}

// appendBits packs numbers of width bits each, lowest bits first.
func appendBits(dst []byte, values *[deltaPart]uint64, width uint) []byte {
	if width == 0 {
		return dst
	}
	pending, count := uint64(0), uint(0)
	for _, v := range values {
		pending |= v << count
		if count += width; count >= 64 {
			dst = binary.LittleEndian.AppendUint64(dst, pending)
			count -= 64
			pending = v >> (width - count) // 0 if all of v was written
		}
	}
	return append(dst, binary.LittleEndian.AppendUint64(nil, pending)[:(count+7)/8]...)
}
