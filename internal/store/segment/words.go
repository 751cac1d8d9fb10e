package segment

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"almanac/internal/filter"
)

// The index stores words as 32-bit hashes. Most text is ASCII: 64 bytes at a time are classified into letters and
// digits and the rest, so that a word is found by counting zero bits, and it is folded and hashed sixteen bytes at a
// time. Package filter defines what a word is; a test compares the two.

// everyByte has a 1 in each of eight bytes: multiplying by it repeats a byte eight times.
const everyByte = 0x0101010101010101

// wordHash returns the hash of a folded word: its length, mixed with 16 bytes at a time, the last ones padded with
// zeroes.
func wordHash(word []byte) uint32 {
	h := uint64(len(word))
	for ; len(word) > 16; word = word[16:] {
		h = mix(h, binary.LittleEndian.Uint64(word), binary.LittleEndian.Uint64(word[8:]))
	}
	return finishHash(mix(h, loadUpTo8(word), loadUpTo8(word[min(8, len(word)):])))
}

// mix spreads the effect of 16 bytes over all bits, using both halves of a product.
func mix(h, first, second uint64) uint64 {
	high, low := bits.Mul64(h^first^0x9e3779b97f4a7c15, second^0xd6e8feb86659fd93)
	return high ^ low
}

// finishHash returns the upper half. No word has the hash 0, which marks an empty slot.
func finishHash(h uint64) uint32 { return max(uint32(h>>32), 1) }

// loadUpTo8 reads at most eight bytes as one integer.
func loadUpTo8(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	n := uint64(0)
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	return n
}

// shortHash returns the hash of a word of at most sixteen ASCII letters and digits at the start of these bytes. It
// folds case by setting one bit, which digits have anyway.
func shortHash(word *[16]byte, size uint) uint32 {
	const fold = 0x20 * everyByte
	mask := &wordMasks[size&31]
	first, second := binary.LittleEndian.Uint64(word[:8])|fold, binary.LittleEndian.Uint64(word[8:])|fold
	return finishHash(mix(uint64(size), first&mask[0], second&mask[1]))
}

// wordMasks[n] keeps the first n of sixteen bytes. The length of a word is unpredictable, so masking avoids a branch.
var wordMasks = func() (masks [32][2]uint64) {
	for size := range 17 {
		masks[size] = [2]uint64{^uint64(0) >> (64 - 8*min(size, 8)), ^uint64(0) >> (128 - 8*max(size, 8))}
	}
	return masks
}()

// foldedHash returns the hash of the word at text[start:end], of any length.
func foldedHash(text []byte, start, end int) uint32 {
	const fold = 0x20 * everyByte
	h := uint64(end - start)
	for ; end-start > 16; start += 16 {
		h = mix(h, binary.LittleEndian.Uint64(text[start:])|fold, binary.LittleEndian.Uint64(text[start+8:])|fold)
	}
	var last [16]byte
	for n, c := range text[start:end] {
		last[n] = c | 0x20
	}
	return finishHash(mix(h, binary.LittleEndian.Uint64(last[:8]), binary.LittleEndian.Uint64(last[8:])))
}

// classify classifies 64 bytes. Bit n of ascii is set if byte n is an ASCII letter or digit, bit n of other if it is
// not ASCII.
func classify(block *[64]byte) (ascii, other uint64) {
	load := func(n int) uint64 { return binary.LittleEndian.Uint64(block[8*n : 8*n+8]) }
	a, b, c, d, e, f, g, h := load(0), load(1), load(2), load(3), load(4), load(5), load(6), load(7)
	if (a|b|c|d|e|f|g|h)&highBits == 0 {
		return inWord(a) | inWord(b)<<8 | inWord(c)<<16 | inWord(d)<<24 | inWord(e)<<32 | inWord(f)<<40 | inWord(g)<<48 | inWord(h)<<56, 0
	}
	for n := range 8 {
		x := load(n)
		ascii |= inWord(x&^highBits) << (8 * n)
		other |= gatherHigh(x) << (8 * n)
	}
	return ascii &^ other, other
}

// highBits are the bits that are 0 in ASCII.
const highBits = 0x80 * everyByte

// inWord returns a bit for each of eight ASCII bytes, set for letters and digits. As each byte has only seven bits, an
// addition that carries into the eighth shows that the byte is at least a limit; a byte that reaches an odd number of
// the four limits is in a word.
func inWord(x uint64) uint64 {
	folded := x | 0x20*everyByte
	return gatherHigh((x + (0x80-'0')*everyByte) ^ (x + (0x80-'9'-1)*everyByte) ^ (folded + (0x80-'a')*everyByte) ^ (folded +
		(0x80-'z'-1)*everyByte))
}

// gatherHigh collects the highest bit of each of eight bytes.
func gatherHigh(x uint64) uint64 { return x & highBits * 0x0002040810204081 >> 56 }

// addWords adds the words of a string.
func (p *postings) addWords(text string, scratch []byte) []byte {
	b := viewBytes(text)
	var found [64]uint32 // hashes, looked up together
	count := 0
	start := 0          // of the current run
	mixed := false      // the current run contains non-ASCII bytes
	inside := uint64(0) // 1 if the last block ended within a run
	for at := 0; at < len(b); at += 64 {
		var ascii, other uint64
		if at+64 <= len(b) {
			ascii, other = classify((*[64]byte)(b[at:]))
		} else {
			var tail [64]byte
			copy(tail[:], b[at:])
			ascii, other = classify(&tail)
		}
		run := ascii | other
		before := run<<1 | inside // bit n is set if the byte before n is in a run
		starts, ends := run&^before, before&^run
		open := inside != 0
		inside = run >> 63
		for ; ends != 0; ends &= ends - 1 {
			n := bits.TrailingZeros64(ends)
			if !open {
				start = at + bits.TrailingZeros64(starts)
				starts &= starts - 1
			}
			open = false
			if mixed || other != 0 && other&(1<<n-1) != 0 {
				scratch = p.addMixed(text[start:at+n], scratch)
				mixed = false
				other &= ^uint64(0) << n
				continue
			}
			if size := at + n - start; size <= 16 && start+16 <= len(b) {
				found[count&63] = shortHash((*[16]byte)(b[start:]), uint(size))
			} else {
				found[count&63] = foldedHash(b, start, at+n)
			}
			count++
		}
		if count >= len(found)/2 { // a block has at most half as many words as bytes
			p.addAll(found[:count])
			count = 0
		}
		if starts != 0 {
			start = at + bits.TrailingZeros64(starts)
		}
		mixed = mixed || other != 0
	}
	p.addAll(found[:count])
	switch {
	case inside == 0:
	case mixed:
		scratch = p.addMixed(text[start:], scratch)
	default:
		p.add(foldedHash(b, start, len(b)))
	}
	return scratch
}

// addMixed adds the words of a run of bytes that contains no ASCII separators and may contain non-ASCII bytes.
func (p *postings) addMixed(run string, scratch []byte) []byte {
	return filter.EachFolded(run, scratch, func(word []byte) { p.add(wordHash(word)) })
}

// sharedWords returns the number of bytes at the start of a string that can be skipped because another string starts
// with the same words. Turns of a conversation repeat what was said before.
func sharedWords(text, other string) int {
	n := 0
	a, b := viewBytes(text), viewBytes(other)
	for limit := min(len(a), len(b)); n+8 <= limit && binary.LittleEndian.Uint64(a[n:]) == binary.LittleEndian.Uint64(b[n:]); {
		n += 8
	}
	for ; n > 0; n-- {
		if c := text[n-1]; c < utf8.RuneSelf && !isWordByte(c) {
			break
		}
	}
	return n
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
