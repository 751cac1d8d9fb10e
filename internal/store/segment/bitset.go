package segment

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// bitset is a set of row numbers. A nil bitset is empty. A bitset that readers can see must not be changed: clone it
// first.
type bitset struct {
	words []uint64
	count int
}

func newBitset(rows int) *bitset { return &bitset{words: make([]uint64, (rows+63)/64)} }

func (b *bitset) has(row int) bool {
	return b != nil && b.words[row>>6]&(1<<(row&63)) != 0
}

// add adds a row to a bitset that nobody else can see yet. It reports whether the row is new.
func (b *bitset) add(row int) bool {
	word, bit := &b.words[row>>6], uint64(1)<<(row&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	b.count++
	return true
}

func (b *bitset) len() int {
	if b == nil {
		return 0
	}
	return b.count
}

// between returns the number of rows in the set from first up to but not including end.
func (b *bitset) between(first, end int) int {
	if b.len() == 0 {
		return 0
	}
	if first == 0 && end >= 64*len(b.words) {
		return b.count
	}
	count := 0
	for row := first; row < end; {
		word := b.words[row>>6] >> (row & 63)
		width := min(64-row&63, end-row)
		if width < 64 {
			word &= 1<<width - 1
		}
		count += bits.OnesCount64(word)
		row += width
	}
	return count
}

// addRange adds the rows from first up to but not including end.
func (b *bitset) addRange(first, end int) {
	for row := first; row < end; {
		width := min(64-row&63, end-row)
		word := ^uint64(0) >> (64 - width) << (row & 63)
		b.count += bits.OnesCount64(word &^ b.words[row>>6])
		b.words[row>>6] |= word
		row += width
	}
}

// addAll adds the rows of another set for as many rows, and returns how many are new.
func (b *bitset) addAll(other *bitset) int {
	before := b.count
	for n, word := range other.words {
		b.count += bits.OnesCount64(word &^ b.words[n])
		b.words[n] |= word
	}
	return b.count - before
}

// includes reports whether all rows of another set for as many rows are in the set.
func (b *bitset) includes(other *bitset) bool {
	for n, word := range other.words {
		if b == nil && word != 0 || b != nil && word&^b.words[n] != 0 {
			return false
		}
	}
	return true
}

func (b *bitset) clone(rows int) *bitset {
	if b == nil {
		return newBitset(rows)
	}
	return &bitset{words: append([]uint64(nil), b.words...), count: b.count}
}

// encode returns the set as bytes: row numbers as deltas if there are few, otherwise all words.
func (b *bitset) encode() []byte {
	var dst []byte
	if b.len() == 0 {
		return append(dst, 0)
	}
	if b.count*2 < len(b.words)*8 {
		dst = append(dst, 1)
		dst = binary.AppendUvarint(dst, uint64(b.count))
		previous := 0
		for n, word := range b.words {
			for ; word != 0; word &= word - 1 {
				row := n*64 + bits.TrailingZeros64(word)
				dst = binary.AppendUvarint(dst, uint64(row-previous))
				previous = row
			}
		}
		return dst
	}
	dst = append(dst, 2)
	for _, word := range b.words {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return dst
}

var errBitset = errors.New("a set of dead rows is damaged")

// readBitset reads what encode returned, for a row group of this many rows.
func readBitset(src []byte, rows int) (*bitset, error) {
	if len(src) == 0 {
		return nil, errBitset
	}
	b := newBitset(rows)
	switch src[0] {
	case 0:
		return nil, nil
	case 1:
		d := decoder{src: src[1:]}
		row := 0
		for count := d.uvarint(); count > 0; count-- {
			row += int(d.uvarint())
			if d.failed || row < 0 || row >= rows {
				return nil, errBitset
			}
			b.add(row)
		}
		if d.failed || len(d.src) > 0 {
			return nil, errBitset
		}
		return b, nil
	case 2:
		if len(src) != 1+8*len(b.words) {
			return nil, errBitset
		}
		for n := range b.words {
			b.words[n] = binary.LittleEndian.Uint64(src[1+8*n:])
			b.count += bits.OnesCount64(b.words[n])
		}
		if rows%64 != 0 && b.words[len(b.words)-1]>>(rows%64) != 0 {
			return nil, errBitset // rows that do not exist
		}
		return b, nil
	}
	return nil, errBitset
}
