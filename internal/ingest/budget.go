package ingest

import (
	"context"
	"sync/atomic"
	"time"

	"almanac/internal/fair"
)

// Budget bounds how many bytes exports hold together. Who needs more than is left waits a moment and is then told to come
// back. Projects that wait are served one after the other.
type Budget struct {
	size    int64
	wait    time.Duration
	pool    *fair.Pool
	waiting atomic.Int64
}

// NewBudget returns a budget of so many bytes. One export waits no longer than wait for its share.
func NewBudget(size int64, wait time.Duration) *Budget {
	return &Budget{size: size, wait: wait, pool: fair.New(size, size)}
}

// newSharedBudget returns a budget of which no project takes everything, but for a single export that needs as much.
func newSharedBudget(size int64, wait time.Duration) *Budget {
	return &Budget{size: size, wait: wait, pool: fair.New(size, fair.MostOf(size))}
}

// Held returns how many bytes are in use.
func (b *Budget) Held() int64 { return b.pool.Held() }

// Waiting returns how many exports wait for memory.
func (b *Budget) Waiting() int64 { return b.waiting.Load() }

// Reserve returns a reservation of nothing for a project, which can grow.
func (b *Budget) Reserve(project string) *Reservation {
	return &Reservation{budget: b, project: project}
}

// Reservation is what one export has taken of the budget. It is not safe for concurrent use.
type Reservation struct {
	budget  *Budget
	project string
	used    int64
	held    int64 // at least used
	floor   int64 // what is kept although it is not used
	waited  time.Duration
}

// Grow takes more. It fails with an *Error if there is not enough: TooLarge if the budget could never give as much to
// one export, Busy if others hold it.
func (r *Reservation) Grow(ctx context.Context, bytes int64) error {
	if err := r.raise(ctx, r.used+bytes); err != nil {
		return err
	}
	r.used += bytes
	return nil
}

// Expect makes sure that so much more can be taken later without waiting. Exports that expect what they need before they
// take anything do not wait for one another.
func (r *Reservation) Expect(ctx context.Context, bytes int64) error {
	if err := r.raise(ctx, r.used+bytes); err != nil {
		return err
	}
	r.floor = max(r.floor, r.used+bytes)
	return nil
}

func (r *Reservation) raise(ctx context.Context, total int64) error {
	b, more := r.budget, total-r.held
	switch {
	case more <= 0:
		return nil
	case total > b.size:
		return tooLarge("The export takes more memory than the %d MB that this server has for one. Send fewer or smaller spans at once.",
			b.size>>20)
	}
	if !b.pool.TryTake(r.project, more, r.held) {
		if err := r.waitFor(ctx, more); err != nil {
			return err
		}
	}
	r.held = total
	return nil
}

func (r *Reservation) waitFor(ctx context.Context, bytes int64) error {
	b := r.budget
	b.waiting.Add(1)
	defer b.waiting.Add(-1)
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, b.wait-r.waited) // an export does not wait for each of its steps anew
	defer cancel()
	err := b.pool.Take(limited, r.project, bytes, r.held)
	r.waited += time.Since(began)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return busy("memory", "The server is holding as many exports as it can. Try again shortly.", retryMemory, nil)
}

// Shrink gives a part back.
func (r *Reservation) Shrink(bytes int64) {
	r.used -= bytes
	if spare := r.held - max(r.used, r.floor); spare > 0 {
		r.giveBack(spare)
	}
}

// Release gives everything back. It may be called again.
func (r *Reservation) Release() {
	r.used, r.floor = 0, 0
	r.giveBack(r.held)
}

func (r *Reservation) giveBack(bytes int64) {
	if bytes > 0 {
		r.held -= bytes
		r.budget.pool.Give(r.project, bytes)
	}
}
