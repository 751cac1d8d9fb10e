package pricing

import (
	"math"
	"math/big"
	"strconv"
	"testing"
)

func TestPriceTimes(t *testing.T) {
	for _, test := range []struct {
		perUnit float64
		units   int64
		want    string // dollars
	}{
		{0.0000025, 1000, "0.0025"},
		{0.00000125, 60000, "0.075"},
		{0.0000001, 3, "3e-7"}, // 0.0000001 * 3 is not 3e-7 in binary
		{0.07, 3, "0.21"},
		{1.1, 3, "3.3"},
		{0, 1000, "0"},
		{5, 7, "35"},
		{250, 4, "1000"},
		{2.5e-13, 1, "0"},
		{2.5e-13, 2, "1e-12"}, // half an amount
		{2.4999e-13, 2, "0"},
		{1e-15, 1499, "1e-12"},
		{1e-15, 1500, "2e-12"},
		{1e-30, 7, "0"},
		{1e-25, 5e12, "1e-12"},
		{1e6, 3, "999999.999999"},
		{1e300, 2, "999999.999999"},
		{0.000001, math.MaxInt64, "999999.999999"},
		{0.1234567890123456, 1000003, "123457.15938271263"},
		{0.0000025, 0, "0"},
		{0.0000025, -1, "0"},
	} {
		p, ok := newPrice(test.perUnit)
		if got := string(p.times(test.units).appendTo(nil)); !ok || got != test.want {
			t.Errorf("%v times %d = %s, want %s", test.perUnit, test.units, got, test.want)
		}
	}
	for _, perUnit := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if p, ok := newPrice(perUnit); ok {
			t.Errorf("%v is a price: %+v", perUnit, p)
		}
	}
}

// FuzzPriceTimes compares with exact arithmetic.
func FuzzPriceTimes(f *testing.F) {
	f.Add(0.00000125, int64(123456))
	f.Add(1e-40, int64(7))
	f.Add(0.1234567890123456, int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, perUnit float64, units int64) {
		p, ok := newPrice(perUnit)
		if !ok || units < 0 {
			return
		}
		exact, _ := new(big.Rat).SetString(strconv.FormatFloat(perUnit, 'g', -1, 64))
		exact.Mul(exact, new(big.Rat).SetInt64(units)).Mul(exact, new(big.Rat).SetInt64(amountsPerDollar))
		want := strconv.Itoa(int(maxAmount))
		if exact.Cmp(new(big.Rat).SetInt64(maxAmount)) < 0 {
			want = exact.FloatString(0)
		}
		if got := strconv.FormatInt(int64(p.times(units)), 10); got != want {
			t.Errorf("%v times %d = %s, want %s", perUnit, units, got, want)
		}
	})
}
