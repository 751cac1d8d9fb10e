package segment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func allRowBlocks(count int) *bitset {
	b := newBitset(count)
	for n := range count {
		b.add(n)
	}
	return b
}

func members(b *bitset, count int) (all []int) {
	for n := range count {
		if b.has(n) {
			all = append(all, n)
		}
	}
	return all
}

// TestPostings compares with a map: terms that are rare, common and everywhere, in few row blocks and many.
func TestPostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 300).Draw(t, "rowBlocks")
		// Hashes that agree in their upper half may be found together.
		hashes := rapid.SliceOfNDistinct(rapid.Uint32(), 1, 20, func(hash uint32) uint32 { return hash >> 16 }).Draw(t, "hashes")
		share := rapid.SliceOfN(rapid.Float64Range(0, 1), len(hashes), len(hashes)).Draw(t, "shares")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p := newPostings()
		want := make(map[uint32][]int)
		for rowBlock := range count {
			for n, hash := range hashes {
				if r.Float64() < share[n]*share[n] {
					want[hash] = append(want[hash], rowBlock)
					p.add(hash)
					p.add(hash) // a word that occurs twice
				}
			}
			p.endRowBlock()
		}
		read, err := readPostings(p.section())
		if err != nil {
			t.Fatal(err)
		}
		for _, hash := range hashes {
			keep := allRowBlocks(count)
			read.find(hash, keep)
			if got := members(keep, count); !slices.Equal(got, want[hash]) || keep.len() != len(got) {
				t.Fatalf("%x is in %v, want %v", hash, got, want[hash])
			}
		}
	})
}

// TestPostingsNarrow looks up several terms: only row blocks with all of them may remain.
func TestPostingsNarrow(t *testing.T) {
	p := newPostings()
	for rowBlock := range 10 {
		if rowBlock%2 == 0 {
			p.add(200 << 16)
		}
		if rowBlock%3 == 0 {
			p.add(300 << 16)
		}
		p.endRowBlock()
	}
	r, err := readPostings(p.section())
	if err != nil {
		t.Fatal(err)
	}
	keep := allRowBlocks(10)
	r.find(200<<16, keep)
	r.find(300<<16, keep)
	if got := members(keep, 10); !slices.Equal(got, []int{0, 6}) {
		t.Errorf("both are in %v", got)
	}
	r.find(400<<16, keep)
	if keep.len() != 0 {
		t.Errorf("what is nowhere is in %v", members(keep, 10))
	}
}

// TestPostingsMany grows the hash table of a row block.
func TestPostingsMany(t *testing.T) {
	p := newPostings()
	for rowBlock := range uint32(3) {
		for n := range uint32(20_000) {
			p.add(2 + n*7919 + rowBlock)
		}
		p.endRowBlock()
	}
	r, err := readPostings(p.section())
	if err != nil {
		t.Fatal(err)
	}
	for rowBlock := range uint32(3) {
		for n := range uint32(20_000) {
			keep := allRowBlocks(3)
			if r.find(2+n*7919+rowBlock, keep); !keep.has(int(rowBlock)) {
				t.Fatalf("word %d is not in rowBlock %d", n, rowBlock)
			}
		}
	}
}

// TestPostingsSort sorts pairs that were added row block by row block. Many hashes have the same upper bits, and some pairs
// are duplicates.
func TestPostingsSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPostings()
		hashes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) uint32 {
			return rapid.SampledFrom([]uint32{0, 1 << 10, 1 << 21, 1 << 31, 1<<32 - 1<<10}).Draw(t, "upper") +
				rapid.Uint32Range(0, 9).Draw(t, "lower")
		}), 0, 60).Draw(t, "hashes")
		for _, hash := range hashes {
			if rapid.Bool().Draw(t, "next") {
				p.endRowBlock()
			}
			p.add(hash)
			p.addAt(rapid.Uint32Range(0, p.rowBlock).Draw(t, "earlier"), hash)
		}
		want := slices.Compact(slices.Sorted(slices.Values(p.pairs)))
		if p.sort(); !slices.Equal(p.pairs, want) {
			t.Fatalf("%x, want %x", p.pairs, want)
		}
	})
}

// FuzzReadPostings reads arbitrary sections. They are checksummed, so only a bug of ours can produce a bad one, but
// even that must not crash the server.
func FuzzReadPostings(f *testing.F) {
	p := newPostings()
	for rowBlock := range uint32(40) {
		for n := range uint32(10) {
			if rowBlock%(n+1) == 0 {
				p.add(n + 5)
			}
		}
		p.add(1000 + rowBlock)
		p.endRowBlock()
	}
	f.Add(p.section(), uint32(5), uint32(1010))
	f.Add(newPostings().section(), uint32(0), uint32(1))
	f.Fuzz(func(_ *testing.T, section []byte, a, b uint32) {
		// Sections are aligned in memory, as arrays of integers require.
		aligned := make([]uint64, (len(section)+7)/8)
		memory := bytesOf(aligned)[:len(section)]
		copy(memory, section)
		r, err := readPostings(memory)
		if err != nil || r.rowBlocks > 1<<10 {
			return
		}
		look := []uint32{a, b}
		for _, h := range []hashes{r.several, r.single} {
			for bucket := range uint32(1) << h.bits { // the first entry of each bucket
				if first := h.starts[bucket]; int(first) < len(h.low) {
					look = append(look, uint32(uint64(bucket)<<32>>h.bits|uint64(h.low[first])<<16>>h.bits))
				}
			}
		}
		for _, hash := range look[:min(len(look), 20)] {
			r.find(hash, allRowBlocks(r.rowBlocks))
		}
	})
}
