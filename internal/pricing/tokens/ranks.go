package tokens

import (
	"fmt"
	"math"

	"github.com/tiktoken-go/tokenizer"
)

// ranks are the tokens of a vocabulary with their ranks. Pairs of low rank are merged first.
type ranks map[string]uint32

// loadRanks reads a vocabulary out of the library, which has no other way to it than decoding every id.
func loadRanks(e encoding) ranks {
	name, ids := e.inLibrary()
	codec, err := tokenizer.Get(name)
	if err != nil {
		panic(fmt.Sprintf("BUG: the tokenizer library does not know the encoding %s: %v", name, err))
	}
	r := make(ranks, ids)
	for id := range ids {
		// Some ids are not in use, or belong to special tokens.
		if token, err := codec.Decode([]uint{id}); err == nil {
			r[token] = uint32(id)
		}
	}
	return r
}

// maxMerge is how many bytes are merged at once. Longer pieces, which are no words of any language but something like a
// page of letters without a blank, are cut into stretches of this length, since merging takes time in proportion to the
// square of it. The count may then be a little too high, by about a token per stretch.
const maxMerge = 512

// countPiece returns how many tokens a piece of text is made of.
func (r ranks) countPiece(piece string) int {
	if _, ok := r[piece]; ok {
		return 1
	}
	n := 0
	for len(piece) > maxMerge {
		n += r.merge(piece[:maxMerge])
		piece = piece[maxMerge:]
	}
	return n + r.merge(piece)
}

// noRank is the rank of a pair that is no token.
const noRank = math.MaxUint32

// merge returns how many tokens remain when pairs of neighbours, bytes at first, are merged for as long as any pair is a
// token, the pair of the lowest rank first. The piece is not longer than maxMerge.
func (r ranks) merge(piece string) int {
	var startRoom, pairRoom [maxMerge + 1]uint32
	starts := startRoom[:len(piece)+1] // where the parts begin, and the end of the last one
	pairs := pairRoom[:len(piece)+1]   // the rank of each part together with the next one
	for i := range starts {
		starts[i] = uint32(i)
	}
	rank := func(i int) uint32 {
		if i+2 >= len(starts) {
			return noRank
		}
		if n, ok := r[piece[starts[i]:starts[i+2]]]; ok {
			return n
		}
		return noRank
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
