package segment

import (
	"math/bits"
	"unicode/utf8"

	"almanac/internal/filter"
)

// Words stand in the index as 32-bit hashes. Most text is ASCII: its words are found, folded and hashed in one pass over
// the bytes, without a function call for each. What counts as a word is decided by package filter; a test compares the
// two.

const hashStart = 0x9e3779b9

// wordHash is the hash of a folded word.
func wordHash(word []byte) uint32 {
	h := uint32(hashStart)
	for _, c := range word {
		h = bits.RotateLeft32(h, 5) + uint32(c)
	}
	return finishHash(h)
}

// finishHash spreads what the letters changed over all bits. It multiplies once for a word instead of once for a letter.
func finishHash(h uint32) uint32 {
	h *= 0x85ebca6b
	h ^= h >> 15
	h *= 0xc2b2ae35
	return h ^ h>>13
}

// foldTable gives for each byte its folded letter or digit; 0 for what separates words, 1 for what is not ASCII.
type foldTable [256]uint8

func newFoldTable() *foldTable {
	t := new(foldTable)
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = 1
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z':
			t[c] = uint8(c)
		case c >= 'A' && c <= 'Z':
			t[c] = uint8(c) + 'a' - 'A'
		}
	}
	return t
}

// addWords adds the words of a text.
func (p *postings) addWords(text string, fold *foldTable, scratch []byte) []byte {
	for i := 0; i < len(text); {
		c := fold[text[i]]
		if c == 0 {
			i++
			continue
		}
		start := i
		h := uint32(hashStart)
		for c > 1 {
			h = bits.RotateLeft32(h, 5) + uint32(c)
			if i++; i == len(text) {
				break
			}
			c = fold[text[i]]
		}
		if c != 1 || i == len(text) && c > 1 {
			p.add(finishHash(h))
			continue
		}
		// The run goes on with something that is not ASCII: leave it to the general rule.
		for i < len(text) && fold[text[i]] != 0 {
			i++
		}
		scratch = filter.EachFolded(text[start:i], scratch, func(word []byte) { p.add(wordHash(word)) })
	}
	return scratch
}
