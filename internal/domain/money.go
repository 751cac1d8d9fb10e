package domain

import "math"

// Sum adds numbers without losing what a float64 has no room for: low keeps what adding to high rounded off. The result
// does not depend on the order, up to its last binary digit, however many numbers there are.
type Sum struct{ high, low float64 }

// Add adds a number.
func (s *Sum) Add(value float64) {
	sum := s.high + value
	rest := sum - s.high
	s.low += (s.high - (sum - rest)) + (value - rest)
	s.high = sum
}

// AddSum adds what another sum has.
func (s *Sum) AddSum(other Sum) {
	s.Add(other.high)
	s.low += other.low
}

// Value returns the number that is nearest to the sum.
func (s *Sum) Value() float64 {
	if value := s.high + s.low; !math.IsNaN(value) {
		return value
	}
	return s.high // what is left of infinity is no number
}

// Dollars returns the sum as an amount of money.
func (s *Sum) Dollars() float64 { return Dollars(s.Value()) }

const (
	// costUnits is how many of the smallest costs make a dollar: costs have twelve decimals.
	costUnits = 1e12
	// exactDollars is up to where a float64 can tell these apart.
	exactDollars = 9000
)

// Dollars rounds an amount of money to its twelve decimals: it removes what computing with binary numbers leaves behind.
// Larger amounts have fewer decimals in a float64 and are left as they are.
func Dollars(amount float64) float64 {
	if math.Abs(amount) >= exactDollars {
		return amount
	}
	return math.Round(amount*costUnits) / costUnits
}
