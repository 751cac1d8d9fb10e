package otlp

import (
	"math"
	"strconv"
	"strings"
)

// floatValue returns null if JSON cannot represent the number.
func floatValue(number float64) Value {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return Value{}
	}
	return Value{Kind: KindFloat, Float: number}
}

// parseFloat parses a decimal number. The hexadecimal numbers, underscores and words that Go accepts are rejected.
func parseFloat(text string) (float64, bool) {
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil // numbers out of range are errors as well
}

// numberValue parses a decimal number: exactly if it is an integer of at most 64 bits, otherwise as a float.
func numberValue(text string) (Value, bool) {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Value{Kind: KindInt, Int: number}, true
	}
	number, ok := parseFloat(text)
	if !ok {
		return Value{}, false
	}
	const exact = 1 << 53
	if number == math.Trunc(number) && math.Abs(number) <= exact {
		return Value{Kind: KindInt, Int: int64(number)}, true
	}
	return Value{Kind: KindFloat, Float: number}, true
}

// parseTime parses a time in nanoseconds. Anything but a number that fits into 64 bits is treated as unset.
func parseTime(text string) Nanos {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Nanos{Value: number, Set: true}
	}
	number, ok := parseFloat(text)
	if !ok || math.Abs(number) >= math.MaxInt64 {
		return Nanos{}
	}
	return Nanos{Value: int64(number), Set: true}
}

// parseHalf parses one half of a 64-bit integer that JavaScript keeps as two numbers. Either half may be signed.
func parseHalf(text string) (uint32, bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < math.MinInt32 || number > math.MaxUint32 {
		return 0, false
	}
	return uint32(number & math.MaxUint32), true
}
