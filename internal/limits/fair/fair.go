// Package fair shares a scarce resource, such as turns or memory, among independent tenants: projects. A tenant that
// asks for little never has to wait behind all requests of a tenant that asks for much.
package fair

import (
	"context"
	"errors"
	"sync"
)

// ErrCrowded is returned if a tenant has too many waiters already.
var ErrCrowded = errors.New("too many of one tenant are waiting")

// maxWaiting is the maximum number of waiters per tenant. Beyond that, clients wait in their connections.
const maxWaiting = 4096

// maxIdle is the number of tenants beyond which idle ones, which neither hold nor wait for anything, are dropped.
const maxIdle = 1024

// Pool is an amount that can be taken and given back. Waiting tenants are served in turn, and the waiters of one tenant
// in order of arrival.
type Pool struct {
	size, share int64

	mu      sync.Mutex
	free    int64
	tenants map[string]*tenant
	waiting ring // tenants with waiters, the next one to serve first
}

// tenant is one of those that share a pool.
type tenant struct {
	held    int64
	queue   []*waiter
	next    *tenant // next in the ring
	waiting bool    // in the ring
}

type waiter struct {
	amount, alreadyHeld int64
	granted             chan struct{}
}

// New returns a pool of the given size. A tenant holds at most share of it, so that something is left for others, unless
// a single holder needs more.
func New(size, share int64) *Pool {
	return &Pool{size: size, share: min(share, size), free: size, tenants: make(map[string]*tenant)}
}

// DefaultShare returns the usual share of one tenant: three quarters.
func DefaultShare(size int64) int64 { return size - size/4 }

// Held returns the amount taken.
func (p *Pool) Held() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size - p.free
}

// Waiting returns the number of waiters.
func (p *Pool) Waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for at := p.waiting.first; at != nil; at = at.next {
		n += len(at.queue)
	}
	return n
}

// TryTake takes an amount if that is possible without waiting. AlreadyHeld is how much of what the tenant holds belongs to the
// caller.
func (p *Pool) TryTake(name string, amount, alreadyHeld int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tryTake(p.tenant(name), amount, alreadyHeld)
}

func (p *Pool) tryTake(of *tenant, amount, alreadyHeld int64) bool {
	if len(of.queue) > 0 || amount > p.free || !p.within(of, amount, alreadyHeld) || p.othersFirst() {
		return false
	}
	p.free -= amount
	of.held += amount
	return true
}

// within reports whether a tenant stays within its share if it takes the amount.
func (p *Pool) within(of *tenant, amount, alreadyHeld int64) bool {
	return of.held+amount <= p.share || of.held == alreadyHeld
}

// othersFirst reports whether a waiter needs more than is free now and must not be overtaken forever.
func (p *Pool) othersFirst() bool {
	for at := p.waiting.first; at != nil; at = at.next {
		if p.within(at, at.queue[0].amount, at.queue[0].alreadyHeld) {
			return true
		}
	}
	return false
}

// Take waits until an amount, at most the size of the pool, can be taken. It fails with the error of ctx or with
// ErrCrowded.
func (p *Pool) Take(ctx context.Context, name string, amount, alreadyHeld int64) error {
	p.mu.Lock()
	of := p.tenant(name)
	if p.tryTake(of, amount, alreadyHeld) {
		p.mu.Unlock()
		return nil
	}
	if len(of.queue) >= maxWaiting {
		p.mu.Unlock()
		return ErrCrowded
	}
	w := &waiter{amount: amount, alreadyHeld: alreadyHeld, granted: make(chan struct{})}
	of.queue = append(of.queue, w)
	if !of.waiting {
		p.waiting.add(of)
	}
	p.mu.Unlock()

	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-w.granted: // granted at the same time
		return nil
	default:
	}
	p.leave(of, w)
	return ctx.Err()
}

// leave removes a waiter from its queue. Others may have been waiting behind it.
func (p *Pool) leave(of *tenant, w *waiter) {
	for n := range of.queue {
		if of.queue[n] == w {
			of.queue = append(of.queue[:n], of.queue[n+1:]...)
			break
		}
	}
	if len(of.queue) == 0 {
		p.waiting.remove(of)
	}
	p.grant()
}

// Give returns an amount that the tenant took.
func (p *Pool) Give(name string, amount int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tenant(name).held -= amount
	p.free += amount
	if p.waiting.first != nil {
		p.grant()
	}
}

// grant serves waiters, one tenant at a time, until there is not enough for the next. A tenant at its share is skipped
// and keeps its place.
func (p *Pool) grant() {
	for served := true; served; {
		served = false
		for at := p.waiting.first; at != nil; at = at.next {
			w := at.queue[0]
			if !p.within(at, w.amount, w.alreadyHeld) {
				continue
			}
			if w.amount > p.free {
				return
			}
			p.free -= w.amount
			at.held += w.amount
			at.queue[0] = nil
			at.queue = at.queue[1:]
			p.waiting.remove(at)
			if len(at.queue) > 0 {
				p.waiting.add(at)
			} else {
				at.queue = nil
			}
			close(w.granted)
			served = true
			break
		}
	}
}

// tenant returns the tenant with a name, creating it if necessary.
func (p *Pool) tenant(name string) *tenant {
	if of, ok := p.tenants[name]; ok {
		return of
	}
	if len(p.tenants) >= maxIdle {
		for other, of := range p.tenants {
			if of.held == 0 && len(of.queue) == 0 {
				delete(p.tenants, other)
			}
		}
	}
	of := new(tenant)
	p.tenants[name] = of
	return of
}

// ring is a list of distinct tenants.
type ring struct{ first, last *tenant }

func (r *ring) add(of *tenant) {
	of.waiting, of.next = true, nil
	if r.last == nil {
		r.first = of
	} else {
		r.last.next = of
	}
	r.last = of
}

func (r *ring) remove(of *tenant) {
	var before *tenant
	for at := r.first; at != nil; before, at = at, at.next {
		if at != of {
			continue
		}
		if before == nil {
			r.first = at.next
		} else {
			before.next = at.next
		}
		if r.last == at {
			r.last = before
		}
		at.next, at.waiting = nil, false
		return
	}
}
