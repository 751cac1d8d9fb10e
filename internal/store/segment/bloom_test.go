package segment

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func bloomOf(t interface{ Fatal(...any) }, hashes []uint64) []uint64 {
	section := buildBloom(hashes)
	words, _, err := arrayOf[uint64](section, len(section)/8)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// TestBloomForgetsNothing checks that there are no false negatives, which would let replaced rows live.
func TestBloomForgetsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hashes := rapid.SliceOf(rapid.Uint64()).Draw(t, "hashes")
		words := bloomOf(t, hashes)
		for _, hash := range hashes {
			if !bloomHas(words, hash) {
				t.Fatalf("%x is missing", hash)
			}
		}
	})
}

// TestBloomIsSelective checks the false positive rate, which should be about 1 in 200. It tolerates twice that.
func TestBloomIsSelective(t *testing.T) {
	for _, keys := range []int{1, 50, 10_000, 100_000} {
		var hashes []uint64
		for n := range keys {
			hashes = append(hashes, hashKey("project", fmt.Sprintf("trace-%d", n)))
		}
		words := bloomOf(t, hashes)
		wrong, tries := 0, 100_000
		for n := range tries {
			if bloomHas(words, hashKey("project", fmt.Sprintf("another-%d", n))) {
				wrong++
			}
		}
		if wrong*100 > tries {
			t.Errorf("%d keys: %d of %d answers are wrong", keys, wrong, tries)
		}
	}
}

// TestBloomEmpty checks that a missing filter rules out nothing, and an empty filter everything.
func TestBloomEmpty(t *testing.T) {
	if !bloomHas(nil, 1) {
		t.Error("no filter denies")
	}
	if bloomHas(bloomOf(t, nil), hashKey("p", "t")) {
		t.Error("a filter of nothing has something")
	}
}
