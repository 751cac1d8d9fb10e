package segment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"pgregory.net/rapid"
)

// TestDeltas decodes with the library what appendDeltas encoded.
func TestDeltas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.OneOf(rapid.IntRange(1, 700), rapid.SampledFrom([]int{1, 2, 32, 33, 34, 128, 129, 130, 512, 513})).Draw(t, "count")
		width := rapid.IntRange(0, 63).Draw(t, "width")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		values, short := make([]int64, count), make([]int32, count)
		for n := range values {
			if width == 63 { // differences overflow
				values[n] = []int64{math.MinInt64, math.MaxInt64, 0, -1}[r.IntN(4)]
				short[n] = []int32{math.MinInt32, math.MaxInt32, 0, -1}[r.IntN(4)]
				continue
			}
			values[n] = 1_780_000_000_000_000 + r.Int64N(1<<width) - 1<<width/2
			short[n] = int32(r.Uint32() >> (width / 2))
		}
		var e delta.BinaryPackedEncoding
		if got, err := e.DecodeInt64(nil, appendDeltas([]byte(nil), values)); err != nil || !slices.Equal(got, values) {
			t.Fatalf("%d values of %d bits came back as %v, %v", count, width, got, err)
		}
		if got, err := e.DecodeInt32(nil, appendDeltas([]byte(nil), short)); err != nil || !slices.Equal(got, short) {
			t.Fatalf("%d values of %d bits came back as %v, %v", count, width/2, got, err)
		}
	})
}

// TestDeltasOfOneValue checks that equal values take no bits, however many there are.
func TestDeltasOfOneValue(t *testing.T) {
	for count, want := range map[int]int{1: 6, 2: 11, 129: 12, 130: 17, 512: 27} {
		if got := len(appendDeltas(nil, slices.Repeat([]int64{1000}, count))); got != want {
			t.Errorf("%d equal values take %d bytes, want %d", count, got, want)
		}
	}
}

// BenchmarkDeltas compares with the library's encoder.
func BenchmarkDeltas(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]int64, pageRows)
	for n := range values {
		values[n] = 1_780_000_000_000_000 + r.Int64N(36_000_000_000)
	}
	var page []byte
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			page = appendDeltas(page[:0], values)
		}
		b.ReportMetric(float64(len(page))/pageRows, "bytes/value")
	})
	b.Run("baseline-library", func(b *testing.B) {
		var e delta.BinaryPackedEncoding
		for b.Loop() {
			page, _ = e.EncodeInt64(page, values)
		}
		b.ReportMetric(float64(len(page))/pageRows, "bytes/value")
	})
}
