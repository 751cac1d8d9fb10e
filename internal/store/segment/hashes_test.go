package segment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHashes looks up hashes among none, few and many, and compares with a linear search.
func TestHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		known := make([]uint32, rapid.SampledFrom([]int{0, 1, 2, 15, 16, 17, 300, 5000}).Draw(t, "entries"))
		shift := rapid.SampledFrom([]int{0, 0, 12, 31}).Draw(t, "bits that are always 0") // so that many are equal
		for n := range known {
			known[n] = r.Uint32() >> shift
		}
		slices.Sort(known)
		behind := []uint32{7, 3, 255}
		section := appendNumbers(appendHashes(nil, known), behind, 256)
		h, rest, err := readHashes(section)
		if err != nil || len(h.low) != len(known) {
			t.Fatalf("%d hashes instead of %d, %v", len(h.low), len(known), err)
		}
		if got, rest, err := readNumbers(section, rest, len(behind), 256); err != nil || got.at(0) != 7 || got.at(2) != 255 ||
			len(rest) != 0 {
			t.Fatalf("numbers behind the hashes are %v, %d bytes follow, %v", got, len(rest), err)
		}
		width := bucketBits(len(known))
		for n := range 200 {
			hash := r.Uint32() >> shift
			if n%2 == 0 && len(known) > 0 {
				hash = known[r.IntN(len(known))]
			}
			var want []int
			for n, k := range known {
				if k>>(16-width) == hash>>(16-width) {
					want = append(want, n)
				}
			}
			bucket, first, end := h.find(hash)
			if len(want) != end-first || len(want) > 0 && want[0] != first || bucket != bucketOf(hash, width) {
				t.Fatalf("%x of %d is at %d to %d in bucket %d, want %v", hash, len(known), first, end, bucket, want)
			}
		}
	})
}

// TestNumbers encodes numbers of each width at every alignment, and decodes them again.
func TestNumbers(t *testing.T) {
	for _, limit := range []int{1, 2, 256, 257, 1 << 16, 1<<16 + 1, 1 << 20} {
		values := []uint32{0, uint32(limit - 1), uint32(limit / 2)}
		for before := range 9 {
			section := append(appendNumbers(make([]byte, before), values, limit), "rest"...)
			aligned := bytesOf(make([]uint64, len(section)/8+1))[:len(section)]
			copy(aligned, section)
			got, rest, err := readNumbers(aligned, aligned[before:], len(values), limit)
			if err != nil || string(rest) != "rest" || got.len() != len(values) {
				t.Fatalf("limit %d behind %d bytes: %d numbers, %q follows, %v", limit, before, got.len(), rest, err)
			}
			for n, want := range values {
				if part := got.part(n, n+1); got.at(n) != int(want) || part.at(0) != int(want) {
					t.Errorf("limit %d behind %d bytes: number %d is %d instead of %d", limit, before, n, got.at(n), want)
				}
			}
			if _, _, err := readNumbers(aligned, aligned[before:], len(section)+1, limit); err == nil {
				t.Errorf("limit %d: more numbers than there are were read", limit)
			}
		}
	}
}
