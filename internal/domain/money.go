package domain

import "math"

// MaxCost is the largest cost of one kind of usage of an observation, in dollars.
const MaxCost = 999999.999999

// Sum adds numbers with compensation for rounding errors: low accumulates what is lost by adding to high. Up to its
// last bit, the result does not depend on the order, however many numbers there are.
type Sum struct{ high, low float64 }

// Add adds a number.
func (s *Sum) Add(value float64) {
	sum := s.high + value
	rest := sum - s.high
	s.low += (s.high - (sum - rest)) + (value - rest)
	s.high = sum
}

// AddSum adds another sum.
func (s *Sum) AddSum(other Sum) {
	s.Add(other.high)
	s.low += other.low
}

// Value returns the float64 nearest to the sum.
func (s *Sum) Value() float64 {
	if value := s.high + s.low; !math.IsNaN(value) {
		return value
	}
	return s.high // infinity minus infinity is not a number
}

// Dollars returns the sum as an amount of money.
func (s *Sum) Dollars() float64 { return Dollars(s.Value()) }

const (
	// costUnits is the number of smallest cost units in a dollar: costs have twelve decimals.
	costUnits = 1e12
	// exactDollars is the limit up to which a float64 can represent twelve decimals.
	exactDollars = 9000
)

// Dollars rounds an amount of money to twelve decimals, which removes binary rounding errors. Larger amounts have fewer
// decimals in a float64 and are returned unchanged.
func Dollars(amount float64) float64 {
	if math.Abs(amount) >= exactDollars {
		return amount
	}
	return math.Round(amount*costUnits) / costUnits
}
