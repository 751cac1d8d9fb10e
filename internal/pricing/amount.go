package pricing

import (
	"bytes"
	"strconv"

	"almanac/internal/pricing/jsontext"
)

// amount is a cost in 1e-12 dollars, the precision in which costs are kept.
type amount int64

const (
	amountsPerDollar = 1e12
	maxDollars       = 999999.999999
	// exactAmounts is where numbers of more than 15 digits begin, which a float64 cannot tell apart any more.
	exactAmounts = 1e15
)

// amountOf cuts off, not rounds, what is smaller than an amount, and keeps to the largest cost. It cuts the decimal digits
// that the number is written with: 0.3 stays what it is, although its binary form is a little less than that.
func amountOf(dollars float64) amount {
	if dollars < 0 {
		return -amountOf(-dollars)
	}
	dollars = min(dollars, maxDollars)
	n := amount(dollars * amountsPerDollar) // may be one off, since the product is rounded
	if n.dollars() > dollars {
		return n - 1
	}
	if next := n + 1; next < exactAmounts && next.dollars() <= dollars {
		return next
	}
	return n
}

// dollars returns the number that is nearest to the amount.
func (a amount) dollars() float64 { return float64(a) / amountsPerDollar }

// plus adds amounts as plus adds numbers.
func (a amount) plus(b amount) amount { return amount(plus(int64(a), int64(b))) }

// appendTo appends the amount in dollars as JavaScript writes the number. Up to 15 digits, those of the amount are also the
// fewest that tell the number from all others, so they can be written without looking for these.
func (a amount) appendTo(dst []byte) []byte {
	if a < 0 {
		return (-a).appendTo(append(dst, '-'))
	}
	if a >= exactAmounts {
		return jsontext.AppendNumber(dst, a.dollars())
	}
	const smallest = 1e6 // of those written without an exponent
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
