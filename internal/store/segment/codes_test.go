package segment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/rle"
)

// randomCodes returns codes in runs of random lengths up to run.
func randomCodes(rng *rand.Rand, count, different, run int) []int32 {
	codes := make([]int32, 0, count)
	for len(codes) < count {
		code := rng.Int32N(int32(different))
		for range min(1+rng.IntN(run), count-len(codes)) {
			codes = append(codes, code)
		}
	}
	return codes
}

func encodeCodes(t testing.TB, codes []int32) []byte {
	t.Helper()
	encoded, err := new(rle.DictionaryEncoding).EncodeInt32(nil, codes)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// TestDecodeCodes decodes what the library encodes, from memory that ends where the page does.
func TestDecodeCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		codes := randomCodes(rng, 1+rng.IntN(2000), 1+rng.IntN(1<<rng.IntN(31)), 1+rng.IntN(40))
		page := slices.Clip(encodeCodes(t, codes))
		got, err := decodeCodes(page, len(codes), slices.Repeat([]int32{-7}, rng.IntN(3000)))
		if err != nil || !slices.Equal(got, codes) {
			t.Fatalf("codes %v, want %v, %v", got, codes, err)
		}
		// A truncated page must not be taken for a whole one, unless only unused codes are missing.
		if cut := page[:rng.IntN(len(page))]; len(cut) > 0 && cut[0] != 0 {
			if got, err := decodeCodes(cut, len(codes), nil); err == nil && !slices.Equal(got, codes) {
				t.Fatalf("%d of %d bytes are decoded as %v instead of %v", len(cut), len(page), got, codes)
			}
		}
	}
}

func FuzzDecodeCodes(f *testing.F) {
	f.Add(encodeCodes(f, []int32{1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 9}), 17)
	f.Add([]byte{33, 2, 1}, 1)
	f.Fuzz(func(t *testing.T, page []byte, rows int) {
		rows &= 1<<12 - 1
		if codes, err := decodeCodes(page, rows, nil); err == nil && len(codes) != rows {
			t.Fatalf("%d codes of %d", len(codes), rows)
		}
	})
}

// BenchmarkDecodeCodes compares our decoder with the library's.
func BenchmarkDecodeCodes(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name           string
		different, run int
	}{{"packed", 40, 1}, {"runs", 40, 30}, {"long runs", 4, 300}} {
		page := encodeCodes(b, randomCodes(rng, pageRows, c.different, c.run))
		memory := make([]int32, 2*pageRows)
		b.Run(c.name+"/ours", func(b *testing.B) {
			for b.Loop() {
				if _, err := decodeCodes(page, pageRows, memory); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/library", func(b *testing.B) {
			var e rle.DictionaryEncoding
			for b.Loop() {
				if _, err := e.DecodeInt32(memory[:0], page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
