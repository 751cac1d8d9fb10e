package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Sizes says how many bytes a budget has. Its three lanes are what keeps those who use it from blocking one another for good.
type Sizes struct {
	// Shared is for everybody. One owner takes no more than three quarters of it, unless it is a single lease.
	Shared int64
	// Small is for leases that hold at most SmallLease: what needs little does not wait for those that need much.
	Small int64
	// Large is for one lease at a time, which holds everything it has there and never waits: it bounds what any lease may hold.
	// Without it that is what is Shared.
	Large int64
}

// SmallLease is how much a lease may hold to find its place in the lane for small ones.
const SmallLease = 96 << 10

// The ways in which a lease does not grow.
var (
	// ErrBusy means that others hold what is needed, and did not give it back in time.
	ErrBusy = errors.New("the memory for requests is in use")
	// ErrTooLarge means that one lease cannot have as much, whatever others do.
	ErrTooLarge = errors.New("this takes more memory than there is for one request")
	// ErrReleased means that the lease was given back already.
	ErrReleased = errors.New("the memory was given back")
)

// Budget bounds how many bytes leases hold together. Who needs more than is left waits.
//
// Nobody waits for ever: one of those who wait is let into the large lane as soon as that is free, and whoever is in it has all that it
// can ever need. Who needs little may pass those who need much, since their place in the large lane is safe.
type Budget struct {
	sizes Sizes
	wait  time.Duration

	mu      sync.Mutex
	shared  int64 // held of each lane
	small   int64
	large   int64
	inLarge *Lease
	nobody  owner             // of leases whose owner is not known
	owners  map[string]*owner // that have leases
	waiting int
	parked  int64 // held in the small lane by those who wait for more than it has
	busy    int64 // how often somebody waited in vain
}

// owner is those of one project.
type owner struct {
	id      string
	members int   // leases it has
	shared  int64 // of the shared lane
	leases  int   // that are in it
	queue   []*waiter
}

// waiter is a lease that needs more.
type waiter struct {
	lease  *Lease
	owner  *owner // in whose queue it is
	bytes  int64  // that it does not hold yet
	parked int64  // that it holds in the small lane
	needed int64
	later  bool // they are not used at once
	ready  chan error
}

// lane is where a lease holds what it has.
type lane uint8

const (
	inSmall lane = iota
	inShared
	inLarge
)

// NewBudget returns a budget. A lease waits no longer than wait, altogether, until its answer has begun.
func NewBudget(sizes Sizes, wait time.Duration) *Budget {
	return &Budget{sizes: sizes, wait: wait, owners: make(map[string]*owner)}
}

// Most returns how much one lease may hold.
func (b *Budget) Most() int64 {
	if b.sizes.Large > 0 {
		return b.sizes.Large
	}
	return b.sizes.Shared
}

// Size returns how many bytes there are.
func (b *Budget) Size() int64 { return b.sizes.Shared + b.sizes.Small + b.sizes.Large }

// Held returns how many bytes are in use.
func (b *Budget) Held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shared + b.small + b.large
}

// Waiting returns how many leases wait for memory.
func (b *Budget) Waiting() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int64(b.waiting)
}

// Refused returns how often somebody waited in vain.
func (b *Budget) Refused() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.busy
}

// Lease returns a lease of nothing, which can grow and must be released. Leases of one owner, which is a project, take turns with those
// of others.
func (b *Budget) Lease(ownerID string) *Lease {
	l := &Lease{budget: b, owner: &b.nobody}
	l.Own(ownerID)
	return l
}

// leave takes a lease from its owner, who is forgotten with the last one.
func (b *Budget) leave(l *Lease) {
	o := l.owner
	if o == &b.nobody {
		return
	}
	l.owner = &b.nobody
	if o.members--; o.members == 0 {
		delete(b.owners, o.id)
	}
}

// await waits until a waiter has what it needs, for a time that may be negative for ever.
func (b *Budget) await(ctx context.Context, w *waiter, wait time.Duration) error {
	select {
	case err := <-w.ready:
		return err
	default:
	}
	var expired <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		expired = timer.C
	}
	began := time.Now()
	var err error
	answered := false
	select {
	case err = <-w.ready:
		answered = true
	case <-expired:
		err = ErrBusy
	case <-ctx.Done():
		err = ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	w.lease.waited += time.Since(began)
	switch {
	case answered:
	case !b.withdraw(w):
		return <-w.ready // it was answered at the last moment
	case errors.Is(err, ErrBusy):
		b.busy++
	}
	return err
}

// withdraw takes a waiter out of its queue, and reports whether it was there.
func (b *Budget) withdraw(w *waiter) bool {
	o := w.owner
	for n := range o.queue {
		if o.queue[n] == w {
			o.queue = append(o.queue[:n], o.queue[n+1:]...)
			b.unpark(w)
			b.dispatch() // those behind it may need less
			return true
		}
	}
	return false
}

// unpark counts a waiter no more.
func (b *Budget) unpark(w *waiter) {
	b.waiting--
	b.parked -= w.parked
}

func (b *Budget) release(l *Lease, bytes int64) {
	b.take(l, l.lane, -bytes)
	if l.lane == inLarge && l.held > 0 && b.fits(l, l.held) {
		b.move(l, inShared) // so that the next one can use it
	}
	b.dispatch()
}

// grant gives a lease more if there is room in one of the lanes.
func (b *Budget) grant(l *Lease, bytes int64) bool {
	total := l.held + bytes
	switch {
	case total > b.Most():
		return false
	case l.lane == inLarge:
		b.take(l, inLarge, bytes)
		return true
	case l.lane == inSmall && total <= SmallLease && b.small+bytes <= b.sizes.Small:
		b.take(l, inSmall, bytes)
		return true
	case l.lane == inSmall && b.fits(l, total), l.lane == inShared && b.fits(l, bytes):
		b.move(l, inShared)
		b.take(l, inShared, bytes)
		return true
	case b.inLarge == nil && b.sizes.Large > 0:
		b.move(l, inLarge)
		b.take(l, inLarge, bytes)
		return true
	}
	return false
}

// shareOf is how much of a lane the leases of one owner take at most.
func shareOf(size int64) int64 { return size / 4 * 3 }

// fits reports whether the shared lane has room for so many bytes more of a lease.
func (b *Budget) fits(l *Lease, bytes int64) bool {
	if b.shared+bytes > b.sizes.Shared {
		return false
	}
	o := l.owner
	if o == &b.nobody {
		return true
	}
	alone := o.leases == 0 || o.leases == 1 && l.lane == inShared
	return alone || o.shared+bytes <= shareOf(b.sizes.Shared)
}

// move moves what a lease holds to another lane.
func (b *Budget) move(l *Lease, to lane) {
	if held := l.held; l.lane != to {
		b.take(l, l.lane, -held)
		b.take(l, to, held)
		l.lane = to
	}
}

// take changes what a lease holds in a lane.
func (b *Budget) take(l *Lease, in lane, bytes int64) {
	before := l.held
	l.held += bytes
	l.lane = in
	switch in {
	case inSmall:
		b.small += bytes
	case inShared:
		b.shared += bytes
		l.owner.shared += bytes
		switch {
		case before == 0 && l.held > 0:
			l.owner.leases++
		case before > 0 && l.held == 0:
			l.owner.leases--
		}
	case inLarge:
		b.large += bytes
		b.inLarge = l
		if l.held == 0 {
			b.inLarge = nil
		}
	}
	if l.held == 0 {
		l.lane = inSmall
	}
}

// dispatch lets in who can be let in: of owners the one that holds least, and of its leases first those that hold something already,
// since they will give it back.
func (b *Budget) dispatch() {
	for b.waiting > 0 && b.letOneIn() {
	}
}

func (b *Budget) letOneIn() bool {
	queued := make([]*owner, 0, len(b.owners)+1)
	if len(b.nobody.queue) > 0 {
		queued = append(queued, &b.nobody)
	}
	for _, o := range b.owners {
		if len(o.queue) > 0 {
			queued = append(queued, o)
		}
	}
	slices.SortFunc(queued, func(x, y *owner) int { return cmp.Compare(x.shared, y.shared) })
	for _, o := range queued {
		for _, holding := range []bool{true, false} {
			for n, w := range o.queue {
				if w.lease.held > 0 == holding && b.grant(w.lease, w.bytes) {
					o.queue = slices.Delete(o.queue, n, n+1)
					b.unpark(w)
					w.lease.count(w.needed, w.later)
					w.ready <- nil
					return true
				}
			}
		}
	}
	return false
}
