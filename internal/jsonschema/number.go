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
	// Longer numbers, and those with larger exponents, are rounded: to compute with all their digits takes long.
	maxNumberLength = 40
	maxExponent     = 400

	// What stands for all numbers that are larger, or smaller, than those of double precision.
	huge, tiny = "1e400", "1e-400"
)

// boundNumber returns the number, or one close to it that is short enough to compute with.
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

// shortNumber returns a number of a schema in the form that JavaScript gives it.
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

// asFloat is the nearest number of double precision, infinite if there is none.
func asFloat(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// isWhole reports whether a number is an integer of at least 0.
func isWhole(text string) bool {
	f := asFloat(text)
	return f >= 0 && f == math.Trunc(f)
}

// asCount turns such a number into an integer, the largest if it is too large.
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

// newLimit returns the rule that a keyword stands for.
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

// written is a number as JavaScript writes it; integers that it would round keep their digits.
func written(n string) string {
	if whole, err := strconv.ParseInt(n, 10, 64); err == nil {
		return strconv.FormatInt(whole, 10)
	}
	return roundNumber(n)
}

// compareNumbers compares what two numbers are worth.
func compareNumbers(a, b string) int {
	if isShort(a) && isShort(b) {
		return cmp.Compare(asFloat(a), asFloat(b))
	}
	return asFraction(a).Cmp(asFraction(b))
}

// isShort reports whether a number has so few digits that it is exact in double precision, and soon computed with.
func isShort(text string) bool { return len(text) <= 15 && !strings.ContainsAny(text, "eE") }

// asFraction reads a number whose length is bounded.
func asFraction(text string) *big.Rat {
	fraction, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("BUG: " + text + " is no number")
	}
	return fraction
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
