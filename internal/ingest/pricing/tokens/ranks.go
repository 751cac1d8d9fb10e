package tokens

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// ranks maps the tokens of a vocabulary to their ranks. The rank of a token is its id; pairs of low rank are merged
// first.
//
// It is a custom hash table because it is filled once and then only read: without a string for every token it takes
// half the memory of a map, is filled without an allocation per token, and has no pointers for the garbage collector to
// follow.
type ranks struct {
	tokens tokenList
	seed   maphash.Seed
	// Open addressing with linear probing. A slot has the id of a token plus one in its lower bits, and part of the
	// token's hash above, which avoids most comparisons with other tokens. An empty slot is 0. The number of slots is a
	// power of two, and at least half of them are empty.
	slots []uint32
}

// The bits of a slot.
const (
	idMask  = maxTokens
	tagMask = ^uint32(idMask)
)

// newRanks builds the table of a vocabulary.
func newRanks(tokens tokenList) *ranks {
	count := uint32(tokens.len()) //nolint:gosec // at most maxTokens
	r := &ranks{tokens: tokens, seed: maphash.MakeSeed(), slots: make([]uint32, 1<<bits.Len32(2*count))}
	mask := len(r.slots) - 1
	for id := range count {
		token := r.tokens.token(id)
		if len(token) == 0 {
			continue // the id is not in use
		}
		at, tag := r.place(maphash.Bytes(r.seed, token))
		for r.slots[at] != 0 {
			at = (at + 1) & mask
		}
		r.slots[at] = tag | (id + 1)
	}
	return r
}

// place returns the first slot to probe for a hash, and the tag bits of its slot.
func (r *ranks) place(hash uint64) (at int, tag uint32) {
	return int(hash & uint64(len(r.slots)-1)), uint32(hash>>32) & tagMask //nolint:gosec // below the number of slots; cut on purpose
}

// of returns the rank of a token, or noRank if the text is not a token.
func (r *ranks) of(text string) uint32 {
	at, tag := r.place(maphash.String(r.seed, text))
	mask := len(r.slots) - 1
	for {
		slot := r.slots[at]
		if slot == 0 {
			return noRank
		}
		if id := slot&idMask - 1; slot&tagMask == tag && string(r.tokens.token(id)) == text {
			return id
		}
		at = (at + 1) & mask
	}
}

// maxMerge is the maximum number of bytes merged as one piece. Longer pieces, which are not words of any language but
// something like a page of letters without a space, are cut to this length, since merging takes quadratic time. The
// count may then be slightly too high, by about one token per cut.
const maxMerge = 512

// countPiece returns the number of tokens in a piece of text.
func (r *ranks) countPiece(piece string) int {
	if r.of(piece) != noRank {
		return 1
	}
	n := 0
	for len(piece) > maxMerge {
		n += r.merge(piece[:maxMerge])
		piece = piece[maxMerge:]
	}
	return n + r.merge(piece)
}

// noRank is the rank of a string that is not a token.
const noRank = math.MaxUint32

// merge returns the number of tokens that remain when adjacent pairs, initially of bytes, are merged for as long as any
// pair is a token, lowest rank first. The piece is at most maxMerge long.
func (r *ranks) merge(piece string) int {
	var startRoom, pairRoom [maxMerge + 1]uint32
	starts := startRoom[:len(piece)+1] // start of each part, and the end of the last one
	pairs := pairRoom[:len(piece)+1]   // rank of each part joined with the next one
	for i := range starts {
		starts[i] = uint32(i)
	}
	rank := func(i int) uint32 {
		if i+2 >= len(starts) {
			return noRank
		}
		return r.of(piece[starts[i]:starts[i+2]])
	}
	for i := range pairs {
		pairs[i] = rank(i)
	}
	for {
		best, at := uint32(noRank), 0
		for i, n := range pairs {
			if n < best {
				best, at = n, i
			}
		}
		if best == noRank {
			return len(starts) - 1
		}
		starts = append(starts[:at+1], starts[at+2:]...)
		pairs = append(pairs[:at+1], pairs[at+2:]...)
		pairs[at] = rank(at)
		if at > 0 {
			pairs[at-1] = rank(at - 1)
		}
	}
}
