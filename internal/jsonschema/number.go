package jsonschema

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// decimal is a number exactly as it was written: 0.digits times ten to the exponent. Zero has no digits.
type decimal struct {
	negative bool
	digits   string // without zeros at either end
	exponent int
}

// Exponents beyond it are all the same: no number that anybody compares has so many digits.
const maxExponent = math.MaxInt32

func parseDecimal(text string) decimal {
	d := decimal{}
	text, d.negative = strings.CutPrefix(text, "-")
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(text[at+1:])
		if err != nil && text[at+1] == '-' {
			exponent = -maxExponent
		} else if err != nil {
			exponent = maxExponent
		}
		d.exponent = min(max(exponent, -maxExponent), maxExponent)
		text = text[:at]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	d.exponent += len(whole)
	digits := whole + fraction
	d.digits = strings.TrimLeft(digits, "0")
	d.exponent -= len(digits) - len(d.digits)
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// String is the same for equal numbers only.
func (d decimal) String() string {
	sign := "+"
	if d.negative {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exponent)
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	default:
		return 1
	}
}

// Numbers up to this length have so few digits that different ones are different in double precision, too.
const shortNumber = 15

// compareNumbers compares what two numbers are worth, however many digits they have.
func compareNumbers(a, b string) int {
	if isShort(a) && isShort(b) {
		return cmp.Compare(asFloat(a), asFloat(b))
	}
	x, y := parseDecimal(a), parseDecimal(b)
	if c := cmp.Compare(x.sign(), y.sign()); c != 0 || x.sign() == 0 {
		return c
	}
	return x.sign() * cmp.Or(cmp.Compare(x.exponent, y.exponent), cmp.Compare(x.digits, y.digits))
}

func isShort(text string) bool { return len(text) <= shortNumber && !strings.ContainsAny(text, "eE") }

func isInteger(text string) bool {
	if !strings.ContainsAny(text, ".eE") {
		return true
	}
	d := parseDecimal(text)
	return len(d.digits) <= d.exponent || d.digits == ""
}

// asFloat is the nearest number of double precision, infinite if there is none.
func asFloat(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// asCount turns a number that is a non-negative integer into one, the largest if it is too large.
func asCount(text string) int {
	if f := asFloat(text); f < 1<<53 {
		return int(f)
	}
	return math.MaxInt
}

// isMultiple divides exactly where both are integers of 64 bits, and in double precision as JavaScript does otherwise.
func isMultiple(text, divisor string) bool {
	a, errA := strconv.ParseInt(text, 10, 64)
	b, errB := strconv.ParseInt(divisor, 10, 64)
	if errA == nil && errB == nil && b != 0 {
		return a%b == 0
	}
	quotient := asFloat(text) / asFloat(divisor)
	return quotient == math.Trunc(quotient) && !math.IsInf(quotient, 0)
}

// numberText is a number as JavaScript writes it; integers that it would round keep their digits.
func numberText(text string) string {
	if !strings.ContainsAny(text, ".eE") && len(strings.TrimPrefix(text, "-")) <= 21 {
		if text == "-0" {
			return "0"
		}
		return text
	}
	f := asFloat(text)
	switch size := math.Abs(f); {
	case math.IsInf(f, 0):
		return text
	case f == 0:
		return "0"
	case size >= 1e21 || size < 1e-6:
		written := strconv.FormatFloat(f, 'e', -1, 64)
		written = strings.Replace(written, "e-0", "e-", 1)
		return strings.Replace(written, "e+0", "e+", 1)
	default:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
}
