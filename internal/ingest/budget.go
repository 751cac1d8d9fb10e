package ingest

import (
	"context"
	"sync/atomic"
	"time"

	"almanac/internal/limits/fair"
)

// Budget bounds the total number of bytes held by exports. An export that needs more than is available waits for a
// moment and is then told to retry. Waiting projects are served in turn.
type Budget struct {
	size    int64
	wait    time.Duration
	pool    *fair.Pool
	waiting atomic.Int64
}

// NewBudget returns a budget of size bytes. An export waits at most wait for its share.
func NewBudget(size int64, wait time.Duration) *Budget {
	return &Budget{size: size, wait: wait, pool: fair.New(size, size)}
}

// newSharedBudget returns a budget that no single project can use up, unless one export alone needs that much.
func newSharedBudget(size int64, wait time.Duration) *Budget {
	return &Budget{size: size, wait: wait, pool: fair.New(size, fair.DefaultShare(size))}
}

// Held returns the number of bytes in use.
func (b *Budget) Held() int64 { return b.pool.Held() }

// Waiting returns the number of exports waiting for memory.
func (b *Budget) Waiting() int64 { return b.waiting.Load() }

// Reserve returns an empty reservation for a project.
func (b *Budget) Reserve(project string) *Reservation {
	return &Reservation{budget: b, project: project}
}

// Reservation is the part of the budget taken by one export. It is not safe for concurrent use.
type Reservation struct {
	budget  *Budget
	project string
	used    int64
	held    int64 // at least used
	floor   int64 // held even if unused
	waited  time.Duration
}

// Grow reserves more bytes. It fails with an *Error if they are not available: TooLarge if the budget could never give
// that much to one export, Busy if others hold it.
func (r *Reservation) Grow(ctx context.Context, bytes int64) error {
	if err := r.raise(ctx, r.used+bytes); err != nil {
		return err
	}
	r.used += bytes
	return nil
}

// Expect guarantees that bytes more can be taken later without waiting. Exports that call Expect before taking anything
// cannot deadlock each other.
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
	limited, cancel := context.WithTimeout(ctx, b.wait-r.waited) // the wait is bounded per export, not per step
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

// Shrink returns part of the reservation.
func (r *Reservation) Shrink(bytes int64) {
	r.used -= bytes
	if spare := r.held - max(r.used, r.floor); spare > 0 {
		r.giveBack(spare)
	}
}

// Release returns the whole reservation. It is safe to call it more than once.
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
