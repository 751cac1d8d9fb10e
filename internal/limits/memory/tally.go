package memory

import "context"

// Tally takes memory for many small objects from a lease. It does so in steps, to avoid locking the budget for every
// object. It is not safe for concurrent use.
type Tally struct {
	ctx     context.Context //nolint:containedctx // of the one call
	lease   *Lease
	pending int64 // taken with the next step
	taken   int64
}

// tallyStep is how much may be used before it is taken from the lease.
const tallyStep = 32 << 10

// NewTally returns a tally for the lease of a context.
func NewTally(ctx context.Context) *Tally { return &Tally{ctx: ctx, lease: Of(ctx)} }

// Add counts more bytes, or, if the number is negative, fewer. It fails like Lease.Grow.
func (t *Tally) Add(bytes int64) error {
	t.pending += bytes
	switch {
	case t.lease == nil:
		return nil
	case t.pending <= -tallyStep:
		t.lease.Shrink(-t.pending)
		t.taken, t.pending = t.taken+t.pending, 0
		return nil
	case t.pending < tallyStep:
		return nil
	}
	if err := t.lease.Grow(t.ctx, t.pending); err != nil {
		return err
	}
	t.taken, t.pending = t.taken+t.pending, 0
	return nil
}

// Taken returns the number of bytes taken from the lease.
func (t *Tally) Taken() int64 { return t.taken }

// Release returns what was taken. The tally can be reused.
func (t *Tally) Release() {
	t.lease.Shrink(t.taken)
	t.taken, t.pending = 0, 0
}
