package demo

import (
	"math/rand/v2"
	"time"
)

// chance decides whatever is left open. Every visit has its own, so that its content depends on the seed and its number
// alone and not on when it takes place.
type chance struct{ *rand.Rand }

func newChance(seed, number uint64) chance {
	return chance{rand.New(rand.NewPCG(seed, number))} //nolint:gosec // repeatable on purpose, and nothing secret depends on it
}

// happens is true with this probability.
func (c chance) happens(probability float64) bool { return c.Float64() < probability }

// between returns a number between two bounds, both included.
func (c chance) between(least, most int) int { return least + c.IntN(most-least+1) }

// takes returns how long something takes: usually about so long, never less than half of it, seldom much more.
func (c chance) takes(usual time.Duration) time.Duration {
	const most = 5
	factor := min(0.5+0.5*c.ExpFloat64(), most)
	return time.Duration(factor * float64(usual)).Round(time.Microsecond)
}

// pick returns any of the values.
func pick[T any](c chance, from []T) T { return from[c.IntN(len(from))] }
