package memory

import (
	"context"
	"math"
	"time"
)

// Lease is the part of a budget held by one request or by background work. It is safe for concurrent use. A nil lease
// takes nothing and refuses nothing.
type Lease struct {
	budget     *Budget
	background bool // see Budget.Work

	// Protected by the budget's lock.
	owner  *owner
	held   int64
	used   int64 // at most held
	floor  int64 // held even if unused
	lane   lane
	onWait func(wait func() error) error
	begun  bool // the response has begun: the lease waits as long as its context allows
	closed bool
	waited time.Duration
}

// Own sets the owner of the lease, as soon as it is known. What the lease holds is then charged to that owner.
func (l *Lease) Own(ownerID string) {
	if l == nil || ownerID == "" {
		return
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.closed || l.owner != &b.unknown && ownerID == l.owner.id {
		return
	}
	held, in := l.held, l.lane
	b.take(l, in, -held)
	b.leave(l)
	o := b.owners[ownerID]
	if o == nil {
		o = &owner{id: ownerID}
		b.owners[ownerID] = o
	}
	o.members++
	l.owner = o
	b.take(l, in, held)
	b.dispatch()
}

// Max returns the maximum size of the lease.
func (l *Lease) Max() int64 {
	if l == nil {
		return math.MaxInt64
	}
	return l.budget.Max()
}

// Begin must be called when the response begins: from then on the lease waits until its context is done instead of
// being refused.
func (l *Lease) Begin() {
	if l == nil {
		return
	}
	l.budget.mu.Lock()
	l.begun = true
	l.budget.mu.Unlock()
}

// Grow must be called before memory is allocated. It waits if there is not enough, and fails with ErrBusy, ErrTooLarge,
// ErrReleased or the error of the context.
func (l *Lease) Grow(ctx context.Context, bytes int64) error {
	return l.raise(ctx, bytes, false)
}

// Expect guarantees that bytes more can be taken later without waiting.
func (l *Lease) Expect(ctx context.Context, bytes int64) error {
	return l.raise(ctx, bytes, true)
}

// count records whether bytes held by the lease are used or reserved for later.
func (l *Lease) count(bytes int64, later bool) {
	if later {
		l.floor = max(l.floor, l.used+bytes)
	} else {
		l.used += bytes
	}
}

// raise makes the lease hold bytes more than it uses.
func (l *Lease) raise(ctx context.Context, bytes int64, later bool) error {
	if l == nil {
		return nil
	}
	b := l.budget
	b.mu.Lock()
	more := l.used + bytes - l.held
	switch {
	case l.closed:
		b.mu.Unlock()
		return ErrReleased
	case more <= 0 || b.grant(l, more):
		l.count(bytes, later)
		b.mu.Unlock()
		return nil
	case l.held+more > b.mostOf(l):
		b.mu.Unlock()
		return ErrTooLarge
	}
	w := &waiter{lease: l, owner: l.owner, bytes: more, needed: bytes, later: later, ready: make(chan error, 1)}
	if l.lane == inSmall {
		w.smallWaiters = l.held
	}
	// Waiters in the small lane block small requests: if they would fill more than half of the lane, they are told to
	// retry.
	if !l.begun && w.smallWaiters > 0 && b.smallWaiters+w.smallWaiters > b.sizes.Small/2 {
		b.busy++
		b.mu.Unlock()
		return ErrBusy
	}
	b.smallWaiters += w.smallWaiters
	l.owner.queue = append(l.owner.queue, w)
	b.waiting++
	b.dispatch()
	wait := time.Duration(-1)
	if !l.begun {
		wait = max(0, b.wait-l.waited)
	}
	around := l.onWait
	b.mu.Unlock()
	if around == nil || len(w.ready) > 0 {
		return b.await(ctx, w, wait)
	}
	return around(func() error { return b.await(ctx, w, wait) })
}

// WhileWaiting sets a function that is called when the lease has to wait. It must call wait, and can release resources
// that others need before. The returned function restores the previous setting.
func (l *Lease) WhileWaiting(around func(wait func() error) error) (end func()) {
	if l == nil {
		return func() {}
	}
	set := func(to func(wait func() error) error) (before func(wait func() error) error) {
		l.budget.mu.Lock()
		defer l.budget.mu.Unlock()
		before, l.onWait = l.onWait, to
		return before
	}
	before := set(around)
	return func() { set(before) }
}

// Shrink returns part of the lease.
func (l *Lease) Shrink(bytes int64) {
	if l == nil || bytes == 0 {
		return
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.closed {
		return
	}
	l.used -= bytes
	if spare := l.held - max(l.used, l.floor); spare > 0 {
		b.release(l, spare)
	}
}

// Release returns everything. It is safe to call it more than once; afterwards the lease cannot grow any more.
func (l *Lease) Release() {
	if l == nil {
		return
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.closed {
		return
	}
	l.closed = true
	l.used, l.floor = 0, 0
	if o := l.owner; len(o.queue) > 0 { // goroutines of a finished request
		kept := o.queue[:0]
		for _, w := range o.queue {
			if w.lease == l {
				b.unpark(w)
				w.ready <- ErrReleased
			} else {
				kept = append(kept, w)
			}
		}
		clear(o.queue[len(kept):])
		o.queue = kept
	}
	held := l.held
	b.take(l, l.lane, -held)
	b.relieve(l, held)
	b.leave(l)
	b.dispatch()
}

// Held returns the number of bytes held by the lease.
func (l *Lease) Held() int64 {
	if l == nil {
		return 0
	}
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	return l.held
}
