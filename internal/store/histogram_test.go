package store

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestHistogram(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		bins   int
		want   []Bin
	}{
		{"nothing", nil, 3, nil},
		{"no bins", []float64{1}, 0, nil},
		{"one value", []float64{2, 2, 2}, 3, []Bin{{2, 2, 3}}},
		{"a bin for each", []float64{4, 1, 3, 2}, 10, []Bin{{1, 1.5, 1}, {1.5, 2.5, 1}, {2.5, 3.5, 1}, {3.5, 4, 1}}},
		{"just enough", []float64{1, 5, 5}, 2, []Bin{{1, 3, 1}, {3, 5, 2}}},
		{"the closest are merged", []float64{0, 10, 11, 30}, 3, []Bin{{0, 5.25, 1}, {5.25, 20.25, 2}, {20.25, 30, 1}}},
		{"means are weighted", []float64{0, 0, 0, 4, 100}, 2, []Bin{{0, 50.5, 4}, {50.5, 100, 1}}},
		{"of equal gaps the lower", []float64{1, 2, 3}, 2, []Bin{{1, 2.25, 2}, {2.25, 3, 1}}},
		{"one bin", []float64{1, 2, 3}, 1, []Bin{{1, 3, 3}}},
		{"negative", []float64{-3, -1}, 5, []Bin{{-3, -2, 1}, {-2, -1, 1}}},
		{"infinite", []float64{math.Inf(1), 1, math.Inf(-1), 2}, 5, []Bin{{1, 1.5, 1}, {1.5, 2, 1}}},
		{"huge", []float64{-math.MaxFloat64, math.MaxFloat64}, 5, []Bin{{-math.MaxFloat64, 0, 1}, {0, math.MaxFloat64, 1}}},
	} {
		if d := cmp.Diff(c.want, NewHistogram(slices.Clone(c.values), c.bins)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// TestHistogramMergesNearest compares with a naive implementation.
func TestHistogramMergesNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-100, 100), 1, 60).Draw(t, "values")
		bins := rapid.IntRange(1, 20).Draw(t, "bins")
		got := NewHistogram(slices.Clone(values), bins)
		if d := cmp.Diff(plainHistogram(values, bins), got, cmp.Comparer(func(a, b float64) bool {
			return math.Abs(a-b) < 1e-9
		})); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	})
}

func plainHistogram(values []float64, bins int) []Bin {
	type cluster struct{ mean, count float64 }
	sorted := slices.Sorted(slices.Values(values))
	var all []cluster
	for n, v := range sorted {
		if n > 0 && v == sorted[n-1] {
			all[len(all)-1].count++
		} else {
			all = append(all, cluster{v, 1})
		}
	}
	for len(all) > bins {
		best := 0
		for n := range len(all) - 1 {
			if all[n+1].mean-all[n].mean < all[best+1].mean-all[best].mean {
				best = n
			}
		}
		a, b := all[best], all[best+1]
		count := a.count + b.count
		all[best] = cluster{a.mean + (b.mean-a.mean)*(b.count/count), count}
		all = slices.Delete(all, best+1, best+2)
	}
	var result []Bin
	for n, c := range all {
		bin := Bin{sorted[0], sorted[len(sorted)-1], c.count}
		if n > 0 {
			bin.Lower = all[n-1].mean/2 + c.mean/2
		}
		if n < len(all)-1 {
			bin.Upper = c.mean/2 + all[n+1].mean/2
		}
		result = append(result, bin)
	}
	return result
}
