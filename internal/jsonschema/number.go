package jsonschema

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

const (
	// Longer numbers, and those with larger exponents, are rounded, since computing with all their digits is slow.
	maxNumberLength = 40
	maxExponent     = 400

	// Represent all numbers beyond the range of a float64.
	huge, tiny = "1e400", "1e-400"
)

// boundNumber returns the number, or one close to it that is short enough for computing.
func boundNumber(n string) string {
	if len(n) > maxNumberLength {
		return roundNumber(n)
	}
	if at := strings.IndexAny(n, "eE"); at >= 0 {
		if exponent, err := strconv.Atoi(n[at+1:]); err != nil || exponent > maxExponent || exponent < -maxExponent {
			return roundNumber(n)
		}
	}
	return n
}

// shortNumber returns a number of a schema as JavaScript would write it.
func shortNumber(n string) string {
	if short := roundNumber(n); strings.ContainsAny(n, ".eE") && !strings.HasSuffix(short, huge) && !strings.HasSuffix(short, tiny) {
		return short
	}
	return boundNumber(n)
}

func roundNumber(n string) string {
	sign := ""
	if strings.HasPrefix(n, "-") {
		sign = "-"
	}
	f := asFloat(n)
	mantissa, _, _ := strings.Cut(strings.ToLower(n), "e")
	switch {
	case math.IsInf(f, 0):
		return sign + huge
	case f == 0 && strings.ContainsAny(mantissa, "123456789"):
		return sign + tiny
	case math.Abs(f) < 1e21 && math.Abs(f) >= 1e-6 || f == 0:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(strconv.FormatFloat(f, 'g', -1, 64))
}

// boundNumbers bounds all numbers in a value.
func boundNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return json.Number(boundNumber(v.String()))
	case []any:
		for i, item := range v {
			v[i] = boundNumbers(item)
		}
	case map[string]any:
		for name, item := range v {
			v[name] = boundNumbers(item)
		}
	}
	return v
}

// asFloat returns the nearest float64, infinite if out of range.
func asFloat(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// isWhole reports whether a number is a non-negative integer.
func isWhole(text string) bool {
	f := asFloat(text)
	return f >= 0 && f == math.Trunc(f)
}

// asCount converts a non-negative integer, to the maximum if it is too large.
func asCount(text string) int {
	if f := asFloat(text); f < 1<<53 {
		return int(f)
	}
	return math.MaxInt
}

func isInteger(text string) bool {
	return !strings.ContainsAny(text, ".eE") || asFraction(text).IsInt()
}

// limit is a rule for numbers.
type limit struct {
	keyword, message string
	met              func(number string) bool
}

// newLimit returns the rule for a keyword.
func newLimit(keyword, bound string) limit {
	compared := func(sign string, fits func(order int) bool) limit {
		return limit{keyword, "must be " + sign + " " + written(bound), func(n string) bool { return fits(compareNumbers(n, bound)) }}
	}
	switch keyword {
	case "minimum":
		return compared(">=", func(order int) bool { return order >= 0 })
	case "maximum":
		return compared("<=", func(order int) bool { return order <= 0 })
	case "exclusiveMinimum":
		return compared(">", func(order int) bool { return order > 0 })
	case "exclusiveMaximum":
		return compared("<", func(order int) bool { return order < 0 })
	default:
		return limit{keyword, "must be multiple of " + written(bound), func(n string) bool { return isMultiple(n, bound) }}
	}
}

// written returns a number as JavaScript writes it, but integers that JavaScript would round keep their digits.
func written(n string) string {
	if whole, err := strconv.ParseInt(n, 10, 64); err == nil {
		return strconv.FormatInt(whole, 10)
	}
	return roundNumber(n)
}

// compareNumbers compares two numbers by value.
func compareNumbers(a, b string) int {
	if isShort(a) && isShort(b) {
		return cmp.Compare(asFloat(a), asFloat(b))
	}
	return asFraction(a).Cmp(asFraction(b))
}

// isShort reports whether a number has few enough digits to be exact as a float64 and cheap to compute with.
func isShort(text string) bool { return len(text) <= 15 && !strings.ContainsAny(text, "eE") }

// asFraction parses a number of bounded length.
func asFraction(text string) *big.Rat {
	fraction, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("BUG: " + text + " is no number")
	}
	return fraction
}

// isMultiple divides exactly if both numbers are 64-bit integers, and otherwise as float64, like JavaScript.
func isMultiple(text, divisor string) bool {
	a, errA := strconv.ParseInt(text, 10, 64)
	b, errB := strconv.ParseInt(divisor, 10, 64)
	if errA == nil && errB == nil && b != 0 {
		return a%b == 0
	}
	quotient := asFloat(text) / asFloat(divisor)
	return quotient == math.Trunc(quotient) && !math.IsInf(quotient, 0)
}
