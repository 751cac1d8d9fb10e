package report

import (
	"fmt"
	"math"
	"strconv"
)

// Significant formats a number with two to three significant digits.
func Significant(x float64) string {
	switch abs := math.Abs(x); {
	case abs >= 99.5:
		return Grouped(int64(math.Round(x)))
	case abs >= 9.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case abs >= 0.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// Grouped formats an integer with commas between thousands.
func Grouped(n int64) string {
	if n < 0 {
		return "-" + Grouped(-n)
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return Grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
