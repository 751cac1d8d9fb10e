// Package zstdenc compresses pages of text into zstd frames, which any decoder of the format reads.
//
// It does what the fastest levels of other encoders do and no more: one pass that takes the first repetition it finds, Huffman
// codes for the bytes between (by package huff0), and a table for each kind of number in a block. It is made for one use, a page
// that is in memory as a whole: nothing is copied into a history, and numbers are coded as soon as they are known.
package zstdenc

import (
	"encoding/binary"

	"github.com/klauspost/compress/huff0"
)

// blockSize is how much text a block holds; the format allows no more.
const blockSize = 128 << 10

// MaxSize is the longest text that one frame can hold: places in it are numbers of 32 bits.
const MaxSize = 1 << 30

// Encoder compresses one text after the other. It must not be used by two goroutines at the same time.
type Encoder struct {
	places    places
	literals  []byte // of the block at hand: what no match covers
	sequences sequences
	huffman   huff0.Scratch
}

// NewEncoder returns an encoder, which keeps about a megabyte of memory.
func NewEncoder() *Encoder {
	return &Encoder{
		literals:  make([]byte, 0, blockSize+margin),
		sequences: sequences{coded: make([]coded, 0, blockSize/leastMatch)},
		huffman:   huff0.Scratch{Reuse: huff0.ReusePolicyNone},
	}
}

// Append appends src as one frame to dst. It panics if src is longer than MaxSize.
func (e *Encoder) Append(dst, src []byte) []byte {
	if len(src) > MaxSize {
		panic("BUG: a text is too long for one zstd frame")
	}
	dst = appendFrameHeader(dst, len(src))
	if len(src) == 0 {
		return appendBlockHeader(dst, blockRaw, 0, true)
	}
	e.places.reset(len(src))
	e.sequences.recent = firstRecent
	for start := 0; start < len(src); start += blockSize {
		dst = e.appendBlock(dst, src, start, min(start+blockSize, len(src)))
	}
	return dst
}

// appendFrameHeader writes the header of a frame whose window is its content, without a checksum: pages have one already.
func appendFrameHeader(dst []byte, size int) []byte {
	const magic, singleSegment = 0xFD2FB528, 1 << 5
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	switch {
	case size < 256:
		return append(dst, singleSegment, byte(size))
	case size < 256+1<<16:
		return binary.LittleEndian.AppendUint16(append(dst, 1<<6|singleSegment), uint16(size-256))
	default:
		return binary.LittleEndian.AppendUint32(append(dst, 2<<6|singleSegment), uint32(size))
	}
}

// Kinds of blocks.
const (
	blockRaw        = 0
	blockCompressed = 2
)

func appendBlockHeader(dst []byte, kind, size int, last bool) []byte {
	header := uint64(kind<<1 | size<<3)
	if last {
		header |= 1
	}
	return appendLow(dst, 3, header)
}

// appendBlock writes src[start:end] as a block, which may refer to what stands before it.
func (e *Encoder) appendBlock(dst, src []byte, start, end int) []byte {
	const header = 3
	last := end == len(src)
	at := len(dst)
	before := e.sequences.recent
	e.findMatches(src[:end], start)
	dst = e.appendLiterals(append(dst, make([]byte, header)...))
	dst = e.sequences.append(dst)
	if size := len(dst) - at - header; size < end-start {
		appendBlockHeader(dst[:at], blockCompressed, size, last)
		return dst
	}
	e.sequences.recent = before // A decoder never sees the sequences.
	dst = appendBlockHeader(dst[:at], blockRaw, end-start, last)
	return append(dst, src[start:end]...)
}

// appendLiterals writes the bytes that no match covers, with Huffman codes if that makes them shorter.
func (e *Encoder) appendLiterals(dst []byte) []byte {
	const (
		kindRaw, kindCompressed = 0, 2
		worthIt                 = 64 // below, the table costs more than it saves
	)
	size := len(e.literals)
	if size >= worthIt {
		// An error says only that nothing is saved.
		packed, _, err := huff0.Compress4X(e.literals, &e.huffman)
		if err == nil && len(packed) < size-size/64 {
			switch {
			case size < 1<<10:
				dst = appendLow(dst, 3, kindCompressed|1<<2|uint64(size)<<4|uint64(len(packed))<<14)
			case size < 1<<14:
				dst = appendLow(dst, 4, kindCompressed|2<<2|uint64(size)<<4|uint64(len(packed))<<18)
			default:
				dst = appendLow(dst, 5, kindCompressed|3<<2|uint64(size)<<4|uint64(len(packed))<<22)
			}
			return append(dst, packed...)
		}
	}
	switch {
	case size < 1<<5:
		dst = appendLow(dst, 1, kindRaw|uint64(size)<<3)
	case size < 1<<12:
		dst = appendLow(dst, 2, kindRaw|1<<2|uint64(size)<<4)
	default:
		dst = appendLow(dst, 3, kindRaw|3<<2|uint64(size)<<4)
	}
	return append(dst, e.literals...)
}

// appendLow appends the lowest n bytes of a number.
func appendLow(dst []byte, n int, v uint64) []byte {
	for range n {
		dst = append(dst, byte(v))
		v >>= 8
	}
	return dst
}
