package report

import "testing"

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.000", 0.0512: "0.051", 0.999: "1.00", 1.234: "1.23", 9.96: "10.0", 56.78: "56.8", 99.7: "100", 1234567.8: "1,234,568",
		-1500: "-1,500",
	} {
		if got := Significant(x); got != want {
			t.Errorf("Significant(%v) = %q, want %q", x, got, want)
		}
	}
}
