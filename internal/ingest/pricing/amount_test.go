package pricing

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

func TestAmounts(t *testing.T) {
	noisy := 0.0000075
	noisy += 0.000012
	noisy += 0.000003
	for _, test := range []struct {
		dollars float64
		want    string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{1, "1"},
		{0.5, "0.5"},
		{0.3, "0.3"},
		{0.30000000000000004, "0.3"},
		{0.0000018, "0.0000018"},
		{noisy, "0.0000225"},
		{0.000001, "0.000001"},
		{0.000000999999, "9.99999e-7"},
		{4e-7, "4e-7"},
		{1e-12, "1e-12"},
		{1.9999e-12, "2e-12"},
		{1.4999e-12, "1e-12"},
		{4.999e-13, "0"},
		{5e-13, "1e-12"},
		{0.1234567890129, "0.123456789013"},
		{-0.1234567890129, "-0.123456789013"},
		{0.1234567890125, "0.123456789013"}, // halves are rounded as written in decimal, whatever the binary value
		{0.0123456789125, "0.012345678913"},
		{0.1234567890124999, "0.123456789012"},
		{0.9999999999996, "1"},
		{2500.123456789012, "2500.123456789012"},
		{123.456, "123.456"},
		{999.999999999999, "999.999999999999"},
		{1000, "1000"},
		{1234.5678, "1234.5678"},
		{999999.999999, "999999.999999"},
		{1e6, "999999.999999"},
		{math.MaxFloat64, "999999.999999"},
		{-math.MaxFloat64, "-999999.999999"},
	} {
		if got := string(amountOf(test.dollars).appendTo(nil)); got != test.want {
			t.Errorf("%v is kept as %s, want %s", test.dollars, got, test.want)
		}
	}
}

func TestAmountsAddUpWithoutOverflow(t *testing.T) {
	largest := amountOf(domain.MaxCost)
	sum := amount(0)
	for range 100 {
		sum = sum.plus(largest)
	}
	if sum != math.MaxInt64 {
		t.Errorf("the sum of the largest amounts is %d", sum)
	}
	if got := amountOf(0.1).plus(amountOf(0.2)).dollars(); got != 0.3 {
		t.Errorf("0.1 + 0.2 = %v", got)
	}
}

// FuzzAmounts compares with exact rounding of the decimal digits.
func FuzzAmounts(f *testing.F) {
	for _, dollars := range []float64{0.1, 2.2499999999999998e-05, 999.9999999999999, 1e-13, 4.35, -0.07, 1e300, math.NaN()} {
		f.Add(dollars)
	}
	f.Fuzz(checkAmount)
}

// Clients often send sums of binary floating-point numbers.
func TestAmountsOfSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		sum := 0.0
		for range random.IntN(5) {
			sum += float64(random.IntN(2000)) / 1e8 * float64(random.Int64N(1<<random.IntN(40)))
			checkAmount(t, sum)
		}
		checkAmount(t, float64(random.Int64N(1e15))/1e12)
	}
}

// checkAmount compares an amount with exact rounding of the decimal digits, and its formatting with that of plain
// numbers.
func checkAmount(t *testing.T, dollars float64) {
	if math.IsNaN(dollars) || math.IsInf(dollars, 0) {
		return
	}
	a := amountOf(dollars)
	if got, want := string(a.appendTo(nil)), string(jsontext.AppendNumber(nil, a.dollars())); got != want {
		t.Errorf("%d is written as %s, want %s", a, got, want)
	}
	if math.Abs(dollars) >= 1000 {
		return // the last digits are beyond the precision of a float64
	}
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(dollars, 'g', -1, 64))
	if !ok {
		t.Fatalf("%v is no number", dollars)
	}
	want := exact.Mul(exact, new(big.Rat).SetInt64(amountsPerDollar)).FloatString(0)
	if got := strconv.FormatInt(int64(a), 10); got != want && "-"+got != want {
		t.Errorf("%v is kept as %s, want %s", dollars, got, want)
	}
}
