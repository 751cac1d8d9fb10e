package zstdenc

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A sequence is a number of literals and the length and offset of the match that follows. Numbers are written as a code, which
// says their size, and so many more bits.

// Codes that there can be, and the logarithm of how large their tables may be.
const (
	literalKinds, matchKinds, offsetKinds = 36, 53, 32
	literalLog, matchLog, offsetLog       = 9, 9, 8
)

// numberCode is a code of numbers: how many more bits they have, and the least of them.
type numberCode struct {
	bits  uint8
	least uint32
}

var (
	literalCodes = makeCodes(16, 0, []uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	matchCodes   = makeCodes(32, 3, []uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
)

// makeCodes returns codes of which the first ones stand for single numbers.
func makeCodes(single int, least uint32, more []uint8) []numberCode {
	codes := make([]numberCode, 0, single+len(more))
	for range single {
		codes = append(codes, numberCode{0, least})
		least++
	}
	for _, n := range more {
		codes = append(codes, numberCode{n, least})
		least += 1 << n
	}
	return codes
}

// number is how a small number is written: the code, how many more bits and which.
type number struct{ code, bits, more uint8 }

// From these numbers on each code has twice as many numbers as the one before.
const manyLiterals, longMatch = 64, 128 + 3

var smallLiterals, smallMatches = numbersUpTo(manyLiterals, literalCodes), numbersUpTo(longMatch, matchCodes)

func numbersUpTo(limit uint32, codes []numberCode) (small [256]number) {
	for n := range limit {
		for c, code := range codes {
			if code.least <= n {
				small[n] = number{uint8(c), code.bits, uint8(n - code.least)}
			}
		}
	}
	return small
}

// literalNumber returns the code of a number of literals and its more bits.
func literalNumber(n uint32) (code, count uint8, more uint64) {
	if n < manyLiterals {
		s := &smallLiterals[n]
		return s.code, s.bits, uint64(s.more)
	}
	code = uint8(bits.Len32(n)) - 1 + 19
	return code, literalCodes[code].bits, uint64(n - literalCodes[code].least)
}

// matchNumber returns the code of the length of a match and its more bits.
func matchNumber(n uint32) (code, count uint8, more uint64) {
	if n < longMatch {
		s := &smallMatches[n]
		return s.code, s.bits, uint64(s.more)
	}
	code = uint8(bits.Len32(n-3)) - 1 + 36
	return code, matchCodes[code].bits, uint64(n - matchCodes[code].least)
}

// coded is a sequence in codes, and the more bits of all three numbers.
type coded struct {
	more                      uint64
	bits                      uint8 // how many more
	literals, matches, offset uint8
}

// sequences collects the sequences of a block.
type sequences struct {
	coded                     []coded
	recent                    [3]uint32 // the last offsets as a decoder knows them: they have short numbers
	counts                    [3][64]uint32
	literals, matches, offset fseTable
}

// firstRecent is what a decoder knows at the start of a frame.
var firstRecent = [3]uint32{1, 4, 8}

func (s *sequences) clear() {
	s.coded = s.coded[:0]
	s.counts = [3][64]uint32{}
}

// add adds a number of literals and the match that follows.
func (s *sequences) add(literals, match, offset uint32) {
	if r := &s.recent; offset == r[0] || offset == r[1] || offset == r[2] {
		offset = s.recentNumber(literals, offset)
	} else {
		r[0], r[1], r[2] = offset, r[0], r[1]
		offset += 3
	}
	l, lBits, lMore := literalNumber(literals)
	m, mBits, mMore := matchNumber(match)
	o := uint8(bits.Len32(offset)) - 1
	more := lMore | mMore<<(lBits&63) | uint64(offset&(1<<o-1))<<((lBits+mBits)&63)
	s.coded = append(s.coded, coded{more: more, bits: lBits + mBits + o, literals: l, matches: m, offset: o})
	s.counts[0][l&63]++
	s.counts[1][m&63]++
	s.counts[2][o&63]++
}

// recentNumber returns the number that stands for an offset that was used lately. After no literals the last one would only
// lengthen a match, so there the numbers stand for others, and it is written like any other.
func (s *sequences) recentNumber(literals, offset uint32) uint32 {
	r := &s.recent
	var number uint32
	switch {
	case offset == r[0] && literals > 0:
		return 1
	case offset == r[1]:
		number = 2
		r[0], r[1] = r[1], r[0]
	case offset == r[2]:
		number = 3
		r[0], r[1], r[2] = r[2], r[0], r[1]
	default:
		r[0], r[1], r[2] = offset, r[0], r[1]
		return offset + 3
	}
	if literals == 0 {
		number--
	}
	return number
}

// append writes the sequences of a block.
func (s *sequences) append(dst []byte) []byte {
	count := len(s.coded)
	switch {
	case count < 128:
		dst = append(dst, byte(count))
	case count < 0x7F00:
		dst = append(dst, byte(count>>8)+128, byte(count))
	default:
		dst = binary.LittleEndian.AppendUint16(append(dst, 255), uint16(count-0x7F00))
	}
	if count == 0 {
		return dst
	}
	modes := len(dst)
	dst = append(dst, 0)
	for _, t := range []struct {
		table  *fseTable
		counts []uint32
		log    uint
		shift  int
	}{
		{&s.literals, s.counts[0][:literalKinds], literalLog, 6},
		{&s.offset, s.counts[2][:offsetKinds], offsetLog, 4},
		{&s.matches, s.counts[1][:matchKinds], matchLog, 2},
	} {
		var mode byte
		dst, mode = t.table.prepare(dst, t.counts, count, t.log)
		dst[modes] |= mode << t.shift
	}
	return s.appendBits(dst)
}

// appendBits writes the sequences, the last one first, as a decoder reads them from the end.
func (s *sequences) appendBits(dst []byte) []byte {
	const (
		most      = 12 // bytes that a sequence takes at most: the codes 26 bits, what follows 56
		codesBits = literalLog + matchLog + offsetLog
		room      = 63 - 7 // for bits in a word of which up to seven are taken
	)
	at := len(dst)
	out := slices.Grow(dst, len(s.coded)*most+16)
	out = out[:cap(out)]
	last := s.coded[len(s.coded)-1]
	literals, match, offset := s.literals.begin(last.literals), s.matches.begin(last.matches), s.offset.begin(last.offset)
	word, taken := last.more, uint(last.bits)
	for n := len(s.coded) - 2; n >= 0; n-- {
		binary.LittleEndian.PutUint64(out[at:], word)
		at += int(taken / 8)
		word >>= taken &^ 7 & 63
		taken &= 7

		c := &s.coded[n]
		var bits uint64
		var width uint
		offset, bits, width = s.offset.step(offset, c.offset)
		word |= bits << (taken & 63)
		taken += width
		match, bits, width = s.matches.step(match, c.matches)
		word |= bits << (taken & 63)
		taken += width
		literals, bits, width = s.literals.step(literals, c.literals)
		word |= bits << (taken & 63)
		taken += width

		if c.bits > room-codesBits {
			binary.LittleEndian.PutUint64(out[at:], word)
			at += int(taken / 8)
			word >>= taken &^ 7 & 63
			taken &= 7
		}
		word |= c.more << (taken & 63)
		taken += uint(c.bits)
	}
	w := bitWriter{dst: out[:at], bits: word, count: taken}
	w.flush()
	w.add(uint64(match)&(1<<s.matches.log-1), s.matches.log)
	w.add(uint64(offset)&(1<<s.offset.log-1), s.offset.log)
	w.add(uint64(literals)&(1<<s.literals.log-1), s.literals.log)
	w.add(1, 1)
	return w.finish()
}
