package pricing

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// amount is a cost in units of 1e-12 dollars, the precision of stored costs.
type amount int64

const (
	amountsPerDollar = 1e12
	maxAmount        = domain.MaxCost * amountsPerDollar
	// exactAmounts is the smallest amount with more than 15 digits, which a float64 cannot represent exactly.
	exactAmounts = 1e15
)

// amountOf rounds to the nearest amount, half away from zero, and caps at the maximum cost. It rounds the shortest
// decimal representation of the number, not its binary value.
func amountOf(dollars float64) amount {
	if dollars < 0 {
		return -amountOf(-dollars)
	}
	dollars = min(dollars, domain.MaxCost)
	units := dollars * amountsPerDollar // the last bit may be off
	nearest := amount(math.Round(units))
	if nearest.dollars() == dollars || nearest >= exactAmounts {
		return nearest
	}
	return amountOfText(strconv.FormatFloat(dollars, 'f', -1, 64))
}

// amountOfText parses and rounds a positive decimal number.
func amountOfText(text string) amount {
	const kept = 12
	whole, decimals, _ := strings.Cut(text, ".")
	for len(decimals) <= kept {
		decimals += "0"
	}
	n, err := strconv.ParseInt(whole+decimals[:kept], 10, 64)
	if err != nil {
		panic("BUG: the digits of a cost are no number: " + err.Error())
	}
	if decimals[kept] >= '5' {
		n++
	}
	return amount(n)
}

// capped returns the amount, at most maxAmount.
func (a amount) capped() amount { return min(a, maxAmount) }

// dollars returns the float64 nearest to the amount.
func (a amount) dollars() float64 {
	if -exactAmounts < a && a < exactAmounts {
		return float64(a) / amountsPerDollar
	}
	return float64(a/amountsPerDollar) + float64(a%amountsPerDollar)/amountsPerDollar // each part is exact enough
}

// plus adds amounts with saturation, like the function plus.
func (a amount) plus(b amount) amount { return amount(plus(int64(a), int64(b))) }

// appendTo appends the amount in dollars as JavaScript writes the number. Up to 15 digits, the digits of the amount are
// also the shortest that identify the number, so they can be written directly.
func (a amount) appendTo(dst []byte) []byte {
	if a < 0 {
		return (-a).appendTo(append(dst, '-'))
	}
	if a >= exactAmounts {
		return jsontext.AppendNumber(dst, a.dollars())
	}
	const smallest = 1e6 // smallest written without an exponent
	if a < smallest && a > 0 {
		return jsontext.AppendNumber(dst, a.dollars())
	}
	dst = strconv.AppendInt(dst, int64(a/amountsPerDollar), 10)
	decimals := a % amountsPerDollar
	if decimals == 0 {
		return dst
	}
	var digits [12]byte
	for i := range digits {
		digits[len(digits)-1-i] = '0' + byte(decimals%10)
		decimals /= 10
	}
	dst = append(dst, '.')
	return append(dst, bytes.TrimRight(digits[:], "0")...)
}
