package analytics

import (
	"math"
	"testing"

	"almanac/internal/domain"
)

// TestPerSecond counts the second boundaries between two times, also before 1970.
func TestPerSecond(t *testing.T) {
	const second = domain.Micros(1_000_000)
	for _, c := range []struct {
		from, to domain.Micros
		want     float64
		null     bool
	}{
		{from: 10 * second, to: 14 * second, want: 25},
		{from: 10*second + 999_000, to: 11 * second, want: 100}, // a millisecond that crosses a second boundary
		{from: 10 * second, to: 10*second + 999_999, null: true},
		{from: 14 * second, to: 10 * second, want: -25},
		{from: -500_000, to: 500_000, want: 100},
		{from: -2 * second, to: second, want: 100.0 / 3},
		{from: -1_500_000, to: -500_000, want: 100},
		{from: 0, to: second, null: true},
		{from: second, to: 0, null: true},
	} {
		if got, null := perSecond(100, c.from, c.to); null != c.null || !null && got != c.want {
			t.Errorf("100 from %d to %d are %v a second (null: %v), want %v (null: %v)", c.from, c.to, got, null, c.want, c.null)
		}
	}
}

// TestTidy checks that only the noise of binary addition is removed.
func TestTidy(t *testing.T) {
	tenth, fifth := 0.1, 0.2
	for number, want := range map[float64]float64{
		tenth + fifth: 0.3, 1.5: 1.5, 12: 12, 1e300: 1e300, 123456789012345678: 123456789012345678,
		math.MaxFloat64: math.MaxFloat64, 0.123456789012345: 0.123456789012345, -(tenth + fifth): -0.3,
	} {
		if got := tidy(number); got != want {
			t.Errorf("%v becomes %v, want %v", number, got, want)
		}
	}
}
