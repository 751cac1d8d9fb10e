package domain_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"almanac/internal/domain"
)

func TestSumsOfMoneyAreDecimal(t *testing.T) {
	for _, test := range []struct {
		name  string
		parts []float64
		want  float64
	}{
		{"nothing", nil, 0},
		{"one", []float64{0.3}, 0.3},
		{"tenths", []float64{0.1, 0.2}, 0.3},
		{"small ones", []float64{1.5e-05, 1.2e-05, 3e-06}, 3e-05},
		{"the smallest beside a large one", []float64{8999, 1e-12, 1e-12}, 8999.000000000002},
		{"a large one that goes", []float64{1e20, 1e-12, -1e20}, 1e-12},
		{"a large one", []float64{12345.678901234567}, 12345.678901234567},
		{"large ones", []float64{9999.9, 0.1, 0.3, -0.3}, 10000},
		{"infinity", []float64{math.Inf(1), 1, 0.1}, math.Inf(1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s domain.Sum
			for _, part := range test.parts {
				s.Add(part)
			}
			if got := s.Dollars(); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// Sums are compared with exact sums in units of 1e-12 dollars, computed in parts that are combined as stores do.
func TestSumsOfManyCosts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, largest := range []int64{1e3, 1e9, 1e12} {
		exact := new(big.Int)
		parts := make([]domain.Sum, 7)
		const rows = 100_000
		for range rows {
			units := random.Int64N(largest)
			exact.Add(exact, big.NewInt(units))
			parts[random.IntN(len(parts))].Add(float64(units) / 1e12)
		}
		var all domain.Sum
		for _, part := range parts {
			all.AddSum(part)
		}
		want, _ := new(big.Rat).SetFrac(exact, big.NewInt(1e12)).Float64()
		if got := all.Dollars(); got != want {
			t.Errorf("%s dollars, want %s", strconv.FormatFloat(got, 'f', -1, 64), strconv.FormatFloat(want, 'f', -1, 64))
		}
	}
}
