package demo

import (
	"math/rand/v2"
	"time"
)

// chance makes random decisions. Every visit has its own, so that its content depends only on the seed and its number
// and not on when it takes place.
type chance struct{ *rand.Rand }

func newChance(seed, number uint64) chance {
	return chance{rand.New(rand.NewPCG(seed, number))} //nolint:gosec // repeatable on purpose, and nothing secret depends on it
}

// happens returns true with the given probability.
func (c chance) happens(probability float64) bool { return c.Float64() < probability }

// between returns a number between two bounds, inclusive.
func (c chance) between(least, most int) int { return least + c.IntN(most-least+1) }

// takes returns a random duration: usually about usual, never less than half of it, seldom much more.
func (c chance) takes(usual time.Duration) time.Duration {
	const most = 5
	factor := min(0.5+0.5*c.ExpFloat64(), most)
	return time.Duration(factor * float64(usual)).Round(time.Microsecond)
}

// pick returns a random element.
func pick[T any](c chance, from []T) T { return from[c.IntN(len(from))] }
