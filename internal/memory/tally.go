package memory

import "context"

// Tally takes the memory for many small things from a lease. It does so in steps, so that not every one of them has to wait for the
// budget's lock. It belongs to one goroutine.
type Tally struct {
	ctx     context.Context //nolint:containedctx // of the one call
	lease   *Lease
	pending int64 // what is taken with the next step
	taken   int64
}

// tallyStep is how much may be in use before it is taken.
const tallyStep = 32 << 10

// NewTally returns a tally of what the lease of a context takes.
func NewTally(ctx context.Context) *Tally { return &Tally{ctx: ctx, lease: Of(ctx)} }

// Add counts so many bytes more. It fails as Lease.Grow does.
func (t *Tally) Add(bytes int64) error {
	if t.pending += bytes; t.pending < tallyStep || t.lease == nil {
		return nil
	}
	if err := t.lease.Grow(t.ctx, t.pending); err != nil {
		return err
	}
	t.taken, t.pending = t.taken+t.pending, 0
	return nil
}

// Taken returns how much was taken from the lease.
func (t *Tally) Taken() int64 { return t.taken }

// Release gives back what was taken. The tally can be used again.
func (t *Tally) Release() {
	t.lease.Shrink(t.taken)
	t.taken, t.pending = 0, 0
}
