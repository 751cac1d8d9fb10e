package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Sizes are the sizes of a budget in bytes. Its three lanes prevent deadlocks among its users.
type Sizes struct {
	// Shared is for all leases. One owner takes at most three quarters of it, unless with a single lease.
	Shared int64
	// Small is for leases that hold at most SmallLease: small requests do not wait for large ones.
	Small int64
	// Large is for one lease at a time, which holds everything it has there and never waits. It bounds the size of a
	// lease; if it is 0, Shared does.
	Large int64
	// Background is what the leases of background work may hold together, as part of the above. One of them at a time,
	// the leading one, may hold more.
	Background int64
}

// SizesOf divides a number of bytes into the sizes of a budget for requests and background work.
func SizesOf(total int64) Sizes {
	const small, large, background = 16, 2, 4 // a sixteenth, a half, and a quarter of all
	s := Sizes{Small: total / small, Large: total / large, Background: total / background}
	s.Shared = total - s.Small - s.Large
	return s
}

// SmallLease is the maximum size of a lease in the small lane.
const SmallLease = 96 << 10

// The reasons why a lease cannot grow.
var (
	// ErrBusy means that others hold the memory and did not give it back in time.
	ErrBusy = errors.New("the memory for requests is in use")
	// ErrTooLarge means that a single lease can never have that much.
	ErrTooLarge = errors.New("this takes more memory than there is for one request")
	// ErrReleased means that the lease was already released.
	ErrReleased = errors.New("the memory was given back")
)

// Budget bounds the total number of bytes held by leases. A lease that needs more than is available waits.
//
// No lease waits forever: one of the waiters is admitted to the large lane as soon as it is free, and the lease in that
// lane has all it can ever need. Small requests may overtake large ones, since those are certain to get their turn in
// the large lane.
//
// Background work, which may take hours, leaves most of the budget to requests. The leading lease is one that needs
// more than what is left of the part for background work; until it needs less again, the others wait for that part. Only
// the leading one enters the large lane, so that lane still belongs to a lease that never waits.
type Budget struct {
	sizes Sizes
	wait  time.Duration

	mu      sync.Mutex
	shared  int64 // bytes held in each lane
	small   int64
	large   int64
	inLarge *Lease
	// background is what leases of background work hold, except for the leading one; backgroundShared is what all of
	// them hold in the shared lane.
	background, backgroundShared int64
	leading                      *Lease
	nobody                       owner             // owner of leases without a known one
	unknown                      owner             // owner of leases of requests that are not admitted yet
	owners                       map[string]*owner // owners with leases
	waiting                      int
	smallWaiters                 int64 // held in the small lane by waiters for more than it has
	busy                         int64 // number of failed waits
}

// owner is a project with leases.
type owner struct {
	id      string
	members int   // number of leases
	shared  int64 // bytes in the shared lane
	small   int64 // bytes in the small lane
	leases  int   // number of leases in the shared lane
	queue   []*waiter
}

// waiter is a lease waiting for more.
type waiter struct {
	lease        *Lease
	owner        *owner // owner of the queue it is in
	bytes        int64  // missing bytes
	smallWaiters int64  // bytes held in the small lane
	needed       int64
	later        bool // they are reserved, not yet used
	ready        chan error
}

// lane is the lane that a lease is in.
type lane uint8

const (
	inSmall lane = iota
	inShared
	inLarge
)

// NewBudget returns a budget. Until its response has begun, a lease waits at most wait in total.
func NewBudget(sizes Sizes, wait time.Duration) *Budget {
	return &Budget{sizes: sizes, wait: wait, owners: make(map[string]*owner)}
}

// Max returns the maximum size of a lease.
func (b *Budget) Max() int64 {
	if b.sizes.Large > 0 {
		return b.sizes.Large
	}
	return b.sizes.Shared
}

// Size returns the size of the budget in bytes.
func (b *Budget) Size() int64 { return b.sizes.Shared + b.sizes.Small + b.sizes.Large }

// Held returns the number of bytes in use.
func (b *Budget) Held() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shared + b.small + b.large
}

// Waiting returns the number of leases waiting for memory.
func (b *Budget) Waiting() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int64(b.waiting)
}

// Refused returns the number of failed waits.
func (b *Budget) Refused() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.busy
}

// Lease returns an empty lease, which must be released. Leases of one owner, which is a project, take turns with those
// of others.
func (b *Budget) Lease(ownerID string) *Lease {
	l := &Lease{budget: b, owner: &b.nobody}
	l.Own(ownerID)
	return l
}

// Unknown returns an empty lease, which must be released, for a request that is not admitted yet. Anybody can make such
// requests, so all of them together get half of the small lane and a quarter of the shared one, until Own is called.
func (b *Budget) Unknown() *Lease { return &Lease{budget: b, owner: &b.unknown} }

// Work returns a context with an empty lease for background work, and a function that releases it. Unlike a request,
// background work waits for memory as long as its context allows. It takes turns with other work by its owner: the
// project that it is for, or the name of a job that is for none. Work for a project does not count as its requests.
// A nil budget, which bounds nothing, is for tests and commands.
func (b *Budget) Work(ctx context.Context, ownerID string) (_ context.Context, release func()) {
	if b == nil {
		return With(ctx, nil), func() {}
	}
	l := &Lease{budget: b, owner: &b.nobody, background: true, begun: true}
	l.Own("background work of " + ownerID)
	return With(ctx, l), l.Release
}

// leave removes a lease from its owner, which is dropped with its last lease.
func (b *Budget) leave(l *Lease) {
	o := l.owner
	if o == &b.nobody || o == &b.unknown {
		return
	}
	l.owner = &b.nobody
	if o.members--; o.members == 0 {
		delete(b.owners, o.id)
	}
}

// await waits until a waiter has what it needs, forever if wait is negative.
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
		return <-w.ready // it was granted at the last moment
	case errors.Is(err, ErrBusy):
		b.busy++
	}
	return err
}

// withdraw removes a waiter from its queue, and reports whether it was there.
func (b *Budget) withdraw(w *waiter) bool {
	o := w.owner
	for n := range o.queue {
		if o.queue[n] == w {
			o.queue = append(o.queue[:n], o.queue[n+1:]...)
			b.unpark(w)
			b.dispatch() // those after it may need less
			return true
		}
	}
	return false
}

// unpark stops counting a waiter.
func (b *Budget) unpark(w *waiter) {
	b.waiting--
	b.smallWaiters -= w.smallWaiters
}

func (b *Budget) release(l *Lease, bytes int64) {
	b.take(l, l.lane, -bytes)
	if l.lane == inLarge && l.held > 0 && b.fits(l, l.held) {
		b.move(l, inShared) // free the lane for the next lease
	}
	b.relieve(l, bytes)
	b.dispatch()
}

// relieve stops counting bytes that background work gave back. The leading lease stops leading once it fits.
func (b *Budget) relieve(l *Lease, bytes int64) {
	switch {
	case !l.background:
	case b.leading != l:
		b.background -= bytes
	case l.lane != inLarge && b.background+l.held <= b.sizes.Background:
		b.leading = nil
		b.background += l.held
	}
}

// grant gives a lease more bytes if there is room for them.
func (b *Budget) grant(l *Lease, bytes int64) bool {
	mayLead := !l.background || b.leading == nil || b.leading == l
	if l.held+bytes > b.mostOf(l) || !mayLead && b.background+bytes > b.sizes.Background || !b.admit(l, bytes, mayLead) {
		return false
	}
	if l.background && b.leading != l {
		if b.background += bytes; b.background > b.sizes.Background || l.lane == inLarge {
			b.leading = l
			b.background -= l.held
		}
	}
	return true
}

// admit gives a lease more bytes if one of the lanes has room.
func (b *Budget) admit(l *Lease, bytes int64, mayBeLarge bool) bool {
	total := l.held + bytes
	switch {
	case l.lane == inLarge:
		b.take(l, inLarge, bytes)
		return true
	case l.lane == inSmall && total <= SmallLease && b.small+bytes <= b.sizes.Small &&
		(l.owner != &b.unknown || l.owner.small+bytes <= b.sizes.Small/2):
		b.take(l, inSmall, bytes)
		return true
	case l.lane == inSmall && b.fits(l, total), l.lane == inShared && b.fits(l, bytes):
		b.move(l, inShared)
		b.take(l, inShared, bytes)
		return true
	case b.inLarge == nil && b.sizes.Large > 0 && mayBeLarge && l.owner != &b.unknown:
		b.move(l, inLarge)
		b.take(l, inLarge, bytes)
		return true
	}
	return false
}

// shareOf returns the maximum part of a lane for the leases of one owner.
func shareOf(size int64) int64 { return size / 4 * 3 }

// unknownShare returns the maximum part of the shared lane for requests that are not admitted yet.
func unknownShare(size int64) int64 { return size / 4 }

// mostOf returns the maximum size of a lease with its present owner.
func (b *Budget) mostOf(l *Lease) int64 {
	if l.owner == &b.unknown {
		return max(min(SmallLease, b.sizes.Small/2), unknownShare(b.sizes.Shared))
	}
	return b.Max()
}

// fits reports whether the shared lane has room for that many more bytes of a lease.
func (b *Budget) fits(l *Lease, bytes int64) bool {
	if b.shared+bytes > b.sizes.Shared {
		return false
	}
	if l.background && b.sizes.Large > 0 && b.backgroundShared+bytes > b.sizes.Shared/2 {
		return false // the rest is for requests
	}
	o := l.owner
	switch o {
	case &b.nobody:
		return true
	case &b.unknown:
		return o.shared+bytes <= unknownShare(b.sizes.Shared)
	}
	alone := o.leases == 0 || o.leases == 1 && l.lane == inShared
	return alone || o.shared+bytes <= shareOf(b.sizes.Shared)
}

// move moves a lease to another lane.
func (b *Budget) move(l *Lease, to lane) {
	if held := l.held; l.lane != to {
		b.take(l, l.lane, -held)
		b.take(l, to, held)
		l.lane = to
	}
}

// take changes the number of bytes that a lease holds in a lane.
func (b *Budget) take(l *Lease, in lane, bytes int64) {
	before := l.held
	l.held += bytes
	l.lane = in
	switch in {
	case inSmall:
		b.small += bytes
		l.owner.small += bytes
	case inShared:
		b.shared += bytes
		if l.background {
			b.backgroundShared += bytes
		}
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

// dispatch grants what can be granted: to the owner that holds least first, and among its leases first to those that
// already hold something, since they will give it back.
func (b *Budget) dispatch() {
	for b.waiting > 0 && b.admitOne() {
	}
}

func (b *Budget) admitOne() bool {
	queued := make([]*owner, 0, len(b.owners)+2)
	for _, o := range []*owner{&b.nobody, &b.unknown} {
		if len(o.queue) > 0 {
			queued = append(queued, o)
		}
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
