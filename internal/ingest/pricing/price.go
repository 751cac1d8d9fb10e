package pricing

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// price is the price of one unit as an exact decimal number: 1.25e-6 is 125 with 8 decimals.
type price struct {
	digits   uint64
	decimals int
	exact    *big.Rat // used instead of the other two for unusual prices
}

// powersOfTen are the powers of ten that fit into 64 bits.
var powersOfTen = [...]uint64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// newPrice returns the price for the shortest decimal representation of perUnit. It refuses negative and non-finite
// prices.
func newPrice(perUnit float64) (price, bool) {
	if !(perUnit >= 0) || math.IsInf(perUnit, 1) {
		return price{}, false
	}
	text := strconv.FormatFloat(perUnit, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, err := strconv.ParseUint(whole+fraction, 10, 64)
	power, err2 := strconv.Atoi(exponent)
	decimals := len(fraction) - power
	if err == nil && err2 == nil && decimals >= 0 && decimals-12 < len(powersOfTen) {
		return price{digits: digits, decimals: decimals}, true
	}
	exact, ok := new(big.Rat).SetString(text)
	return price{exact: exact}, ok
}

// times returns the price of the given number of units: the exact decimal product, rounded once, half away from zero.
func (p price) times(units int64) amount {
	if units <= 0 {
		return 0
	}
	if p.exact == nil {
		high, product := bits.Mul64(p.digits, uint64(units))
		if high == 0 {
			return amountOfDecimal(product, p.decimals)
		}
	}
	product := new(big.Rat).Mul(p.rational(), new(big.Rat).SetInt64(units))
	product.Mul(product, new(big.Rat).SetInt64(amountsPerDollar))
	n, err := strconv.ParseInt(product.FloatString(0), 10, 64)
	if err != nil { // out of range
		return maxAmount
	}
	return amount(n).capped()
}

// amountOfDecimal converts dollars, given as digits and a number of decimals.
func amountOfDecimal(digits uint64, decimals int) amount {
	const kept = 12
	if decimals > kept {
		scale := powersOfTen[decimals-kept]
		whole, rest := digits/scale, digits%scale
		if rest >= scale-rest {
			whole++
		}
		return amount(min(whole, maxAmount))
	}
	high, n := bits.Mul64(digits, powersOfTen[kept-decimals])
	if high != 0 || n > maxAmount {
		return maxAmount
	}
	return amount(n)
}

// rational returns the price with unlimited precision.
func (p price) rational() *big.Rat {
	if p.exact != nil {
		return p.exact
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.decimals)), nil)
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(p.digits), scale)
}
