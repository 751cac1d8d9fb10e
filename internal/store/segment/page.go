package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// A page holds some rows of one column, in Parquet encodings:
//
//	short text, lists   codes into the column's dictionary: RLE_DICTIONARY
//	ids, long text      DELTA_LENGTH_BYTE_ARRAY; long text compressed with zstd
//	times, integers     DELTA_BINARY_PACKED; those that can be null with definition levels in front
//	numbers             PLAIN, or codes into a dictionary; those that can be null with definition levels in front
//	booleans            PLAIN, one bit each

// pageRows is the number of rows in a page of a column that is not long.
const pageRows = 512

// Pages of long columns end at the end of a row block, so that a row block found in the index is in a single page, and as
// soon as they have enough bytes, so that reading one row is cheap while similar neighbours are compressed together.
// They also end when they have very many rows or bytes.
const (
	longPageBytes    = 100 << 10
	longPageMaxRows  = 4 * rowBlockRows
	longPageMaxBytes = 1 << 20
)

// optional reports whether values of a class can be null in a segment.
func (c class) optional() bool { return c == classTime || c == classOptInt || c == classOptFloat }

// readLevels splits a page into levels and values. Levels are nil if all values are set.
func readLevels(page []byte, rows int, scratch []uint8) (levels []uint8, values []byte, err error) {
	if len(page) < 4 {
		return nil, nil, errPage
	}
	size := int(binary.LittleEndian.Uint32(page))
	if size > len(page)-4 {
		return nil, nil, errPage
	}
	encoded := page[4 : 4+size]
	values = page[4+size:]
	if run, n := binary.Uvarint(encoded); n > 0 && run&1 == 0 && int(run>>1) == rows && len(encoded) > n && encoded[n] == 1 {
		return nil, values, nil // a single run of ones
	}
	e := rle.Encoding{BitWidth: 1}
	levels, err = e.DecodeLevels(scratch[:0], encoded)
	if err != nil {
		return nil, nil, err
	}
	if len(levels) < rows || !zeroesAndOnes(levels) {
		return nil, nil, errPage
	}
	return levels[:rows], values, nil
}

// zeroesAndOnes reports whether all levels are 0 or 1, checking eight bytes at a time.
func zeroesAndOnes(levels []uint8) bool {
	all := uint64(0)
	for ; len(levels) >= 8; levels = levels[8:] {
		all |= binary.LittleEndian.Uint64(levels)
	}
	return (all|loadUpTo8(levels))&^everyByte == 0
}

var errPage = errors.New("a page is invalid")

// decodeInts decodes a page of integers or times, reusing the memory of dst. Levels, in the memory of spare, tell which
// of them are set; nil means all. Unset values are 0.
func decodeInts(page []byte, rows int, optional bool, dst []int64, spare []uint8, s *scratch) (ints []int64, levels []uint8, err error) {
	if optional {
		if levels, page, err = readLevels(page, rows, spare); err != nil {
			return nil, nil, err
		}
	}
	var e delta.BinaryPackedEncoding
	if levels == nil {
		ints, err = e.DecodeInt64(dst[:0], page)
		if err == nil && len(ints) < rows {
			err = errPage
		}
		return ints[:min(rows, len(ints))], nil, err
	}
	s.ints = s.ints[:0]
	if len(page) > 0 {
		if s.ints, err = e.DecodeInt64(s.ints, page); err != nil {
			return nil, nil, err
		}
	}
	if bytes.Count(levels, []byte{1}) > len(s.ints) {
		return nil, nil, errPage
	}
	s.ints = append(s.ints, 0) // read after the last value
	ints = resize(dst, rows)
	n := 0
	for i, level := range levels { // branch-free, since which values are set is unpredictable
		ints[i] = s.ints[n] & -int64(level)
		n += int(level)
	}
	return ints, levels, nil
}

// decodeFloats is decodeInts for floats. If they are dictionary-encoded, the dictionary must be given.
func decodeFloats(
	page []byte, rows int, optional bool, dictionary []byte, dst []float64, spare []uint8, s *scratch,
) (floats []float64, levels []uint8, err error) {
	if optional {
		if levels, page, err = readLevels(page, rows, spare); err != nil {
			return nil, nil, err
		}
	}
	floats = resize(dst, rows)
	if levels == nil {
		return floats, nil, readFloats(floats, page, dictionary, s)
	}
	set := bytes.Count(levels, []byte{1})
	s.floats = append(resize(s.floats, set), 0) // plus one, read after the last value
	if err := readFloats(s.floats[:set], page, dictionary, s); err != nil {
		return nil, nil, err
	}
	n := 0
	for i, level := range levels { // branch-free, since which values are set is unpredictable
		floats[i] = math.Float64frombits(math.Float64bits(s.floats[n]) & -uint64(level))
		n += int(level)
	}
	return floats, levels, nil
}

// readFloats fills dst.
func readFloats(dst []float64, page, dictionary []byte, s *scratch) (err error) {
	if dictionary == nil || len(dst) == 0 {
		if len(page) < 8*len(dst) {
			return errPage
		}
		copy(bytesOf(dst), page) // both are little-endian, like the arrays of indexes
		return nil
	}
	if s.short, err = decodeCodes(page, len(dst), s.short); err != nil {
		return err
	}
	for n, code := range s.short {
		if uint64(uint32(code)) >= uint64(len(dictionary)/8) {
			return errPage
		}
		dst[n] = math.Float64frombits(binary.LittleEndian.Uint64(dictionary[8*code:]))
	}
	return nil
}

// decodeTexts decodes a page of strings and returns the part of it that holds them. offsets, reusing the given memory,
// has the start of each; it is nil if all have the same width, as ids mostly do.
func decodeTexts(page []byte, rows int, memory []uint32, s *scratch) (bytes []byte, offsets []uint32, width int, err error) {
	if size, width, ok := equalLengths(page, rows); ok {
		if (len(page)-size)/rows < width {
			return nil, nil, 0, errPage
		}
		return page[size : size+rows*width], nil, width, nil
	}
	var e delta.BinaryPackedEncoding
	if s.short, err = e.DecodeInt32(s.short[:0], page); err != nil {
		return nil, nil, 0, err
	}
	if len(s.short) != rows {
		return nil, nil, 0, errPage
	}
	offsets = slices.Grow(memory[:0], rows+1)[:rows+1]
	sum := uint64(0)
	for n, length := range s.short {
		if offsets[n] = uint32(sum); length < 0 {
			return nil, nil, 0, errPage
		}
		sum += uint64(length)
	}
	if sum > uint64(len(page)) || sum > math.MaxUint32 {
		return nil, nil, 0, errPage
	}
	offsets[rows] = uint32(sum)
	return page[len(page)-int(sum):], offsets, 0, nil // the strings are the end of the page
}

// equalLengths reports whether a page begins with lengths that are all equal, the bytes they take, and the length.
// Lengths are encoded as the first one followed by blocks of deltas, each with the smallest delta and the widths of its
// parts: if these are all zero, there are no deltas.
func equalLengths(page []byte, rows int) (size, length int, ok bool) {
	d := decoder{src: page}
	block, parts, count := d.uvarint(), d.uvarint(), d.uvarint()
	first := d.varint()
	if d.failed || block == 0 || block > 1<<16 || parts > block || count != uint64(rows) || first < 0 || first > int64(len(page)) {
		return 0, 0, false
	}
	blocks := (count - 1 + block - 1) / block
	zeroes := blocks * (1 + parts)
	if zeroes > uint64(len(d.src)) || slices.ContainsFunc(d.src[:zeroes], func(b byte) bool { return b != 0 }) {
		return 0, 0, false
	}
	return len(page) - len(d.src) + int(zeroes), int(first), true
}

// scratch holds buffers reused by decoding.
type scratch struct {
	ints   []int64
	short  []int32
	floats []float64
	bytes  []byte
}

// pages is a pool of decoded pages for scans.
var pages = sync.Pool{New: func() any { return new(decodedPage) }}

func getPage() *decodedPage  { return pages.Get().(*decodedPage) } //nolint:forcetypeassert // the pool holds nothing else
func putPage(p *decodedPage) { pages.Put(p) }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func getScratch() *scratch  { return scratches.Get().(*scratch) } //nolint:forcetypeassert // the pool holds nothing else
func putScratch(s *scratch) { scratches.Put(s) }

// location is where a page is in a file.
type location struct {
	offset   int64
	size     uint32 // in the file
	rawSize  uint32 // decompressed
	firstRow uint32
	crc      uint32
}

// memory returns how much memory a decoded page of a long column takes.
func (l location) memory() int64 { return int64(l.rawSize) + 256 }

// zstdWriter compresses pages, each into its own frame. It is used only through EncodeAll, which is safe for concurrent
// use; only flushing and merging use it. Pages already have checksums. Literals are always entropy coded: text without
// repetition, like base64, shrinks by a quarter.
var zstdWriter = sync.OnceValue(func() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
		zstd.WithWindowSize(longPageMaxBytes), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false),
		zstd.WithAllLitEntropyCompression(true))
	if err != nil {
		panic("BUG: the zstd options are wrong: " + err.Error())
	}
	return w
})

// zstdReader decompresses pages. One is enough: it is used only through DecodeAll, which is safe for concurrent use.
var zstdReader = sync.OnceValue(func() *zstd.Decoder {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(4*maxFrame))
	if err != nil {
		panic("BUG: the zstd options are wrong: " + err.Error())
	}
	return r
})

// checkPage verifies the checksum of a page.
func checkPage(path string, at location, page []byte) error {
	if got := crc32.ChecksumIEEE(page); got != at.crc {
		return fmt.Errorf("segment %s is damaged at offset %d: a page of %d bytes has checksum %08x instead of %08x", path, at.offset,
			at.size, got, at.crc)
	}
	return nil
}
