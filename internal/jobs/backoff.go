package jobs

import (
	"math/rand/v2"
	"time"
)

// Backoff is how long to wait before a failed job is tried again: twice as long after each failure, up to a limit.
type Backoff struct {
	Shortest, Longest time.Duration
	// Random returns a number from 0 up to 1; nil for the usual one. Waits are up to a fifth shorter by it, so that jobs
	// that failed together, such as when a storage was away, are not tried again together.
	Random func() float64
}

// After returns how long to wait after a number of failures in a row before the last one.
func (b Backoff) After(failures int) time.Duration {
	const doublings = 20 // more than anybody waits for
	wait := min(b.Shortest<<min(failures, doublings), b.Longest)
	random := b.Random
	if random == nil {
		random = rand.Float64
	}
	return wait - time.Duration(random()*float64(wait/5))
}
