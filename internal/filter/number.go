package filter

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// cut truncates a value to a number of decimals, toward zero. It works on the digits that the client wrote, since
// arithmetic would cut 1.001, which is slightly less in binary, to 1.000.
func cut(value float64, decimals int) float64 {
	if decimals < 0 {
		return value
	}
	text := strconv.FormatFloat(value, 'f', -1, 64)
	point := strings.IndexByte(text, '.')
	if point < 0 || len(text) <= point+1+decimals {
		return value
	}
	result, err := strconv.ParseFloat(text[:point+1+decimals], 64)
	if err != nil {
		panic("BUG: the digits of a number are no number: " + err.Error())
	}
	return result
}

// snap rounds a stored number to a precision. Stored numbers are results of arithmetic, such as sums of prices, and may
// be slightly off in either direction; cutting them would turn 0.1 computed as 0.09999999999999998 into 0.099999999999.
// The result is the same float that parsing its decimal digits gives, so it can be compared exactly with values that
// were cut.
func snap(value float64, decimals int) float64 {
	var scale float64
	switch decimals {
	case decimalsOfTime:
		scale = 1e3
	case decimalsOfCost:
		scale = 1e12
	default:
		return value
	}
	scaled := value * scale
	const exact = 1 << 53 // from here on floats have no decimals to round
	if math.Abs(scaled) < exact {
		return math.Round(scaled) / scale
	}
	return value
}

// readNumber parses a number as JSON writes it, but also allows leading zeros and a plus sign. Other forms that Go
// accepts, such as inf and 0x10, are not numbers.
func readNumber(text string) (float64, bool) {
	if text == "" {
		return 0, false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

// Compare applies an operator to ordered values.
func Compare[T cmp.Ordered](operator Operator, a, b T) bool {
	switch operator {
	case Equal:
		return a == b
	case Greater:
		return a > b
	case Less:
		return a < b
	case GreaterEqual:
		return a >= b
	case LessEqual:
		return a <= b
	}
	panic("BUG: " + string(operator) + " does not order values")
}
