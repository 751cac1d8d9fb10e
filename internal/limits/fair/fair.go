// Package fair shares a scarce resource, such as turns or memory, among independent parties: projects. A party that
// asks for little never has to wait behind all requests of a party that asks for much.
package fair

import (
	"context"
	"errors"
	"sync"
)

// ErrCrowded is returned if a party has too many waiters already.
var ErrCrowded = errors.New("too many of one party are waiting")

// maxWaiting is the maximum number of waiters per party. Beyond that, clients wait in their connections.
const maxWaiting = 4096

// maxIdle is the number of parties beyond which idle ones, which neither hold nor wait for anything, are dropped.
const maxIdle = 1024

// Pool is an amount that can be taken and given back. Waiting parties are served in turn, and the waiters of one party
// in order of arrival.
type Pool struct {
	size, share int64

	mu      sync.Mutex
	free    int64
	parties map[string]*party
	waiting ring // parties with waiters, the next one to serve first
}

// party is one of those that share a pool.
type party struct {
	held    int64
	queue   []*waiter
	next    *party // next in the ring
	waiting bool   // in the ring
}

type waiter struct {
	amount, mine int64
	granted      chan struct{}
}

// New returns a pool of the given size. A party holds at most share of it, so that something is left for others, unless
// a single holder needs more.
func New(size, share int64) *Pool {
	return &Pool{size: size, share: min(share, size), free: size, parties: make(map[string]*party)}
}

// DefaultShare returns the usual share of one party: three quarters.
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

// TryTake takes an amount if that is possible without waiting. Mine is how much of what the party holds belongs to the
// caller.
func (p *Pool) TryTake(name string, amount, mine int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tryTake(p.party(name), amount, mine)
}

func (p *Pool) tryTake(of *party, amount, mine int64) bool {
	if len(of.queue) > 0 || amount > p.free || !p.within(of, amount, mine) || p.othersFirst() {
		return false
	}
	p.free -= amount
	of.held += amount
	return true
}

// within reports whether a party stays within its share if it takes the amount.
func (p *Pool) within(of *party, amount, mine int64) bool {
	return of.held+amount <= p.share || of.held == mine
}

// othersFirst reports whether a waiter needs more than is free now and must not be overtaken forever.
func (p *Pool) othersFirst() bool {
	for at := p.waiting.first; at != nil; at = at.next {
		if p.within(at, at.queue[0].amount, at.queue[0].mine) {
			return true
		}
	}
	return false
}

// Take waits until an amount, at most the size of the pool, can be taken. It fails with the error of ctx or with
// ErrCrowded.
func (p *Pool) Take(ctx context.Context, name string, amount, mine int64) error {
	p.mu.Lock()
	of := p.party(name)
	if p.tryTake(of, amount, mine) {
		p.mu.Unlock()
		return nil
	}
	if len(of.queue) >= maxWaiting {
		p.mu.Unlock()
		return ErrCrowded
	}
	w := &waiter{amount: amount, mine: mine, granted: make(chan struct{})}
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
func (p *Pool) leave(of *party, w *waiter) {
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

// Give returns an amount that the party took.
func (p *Pool) Give(name string, amount int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.party(name).held -= amount
	p.free += amount
	if p.waiting.first != nil {
		p.grant()
	}
}

// grant serves waiters, one party at a time, until there is not enough for the next. A party at its share is skipped
// and keeps its place.
func (p *Pool) grant() {
	for served := true; served; {
		served = false
		for at := p.waiting.first; at != nil; at = at.next {
			w := at.queue[0]
			if !p.within(at, w.amount, w.mine) {
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

// party returns the party with a name, creating it if necessary.
func (p *Pool) party(name string) *party {
	if of, ok := p.parties[name]; ok {
		return of
	}
	if len(p.parties) >= maxIdle {
		for other, of := range p.parties {
			if of.held == 0 && len(of.queue) == 0 {
				delete(p.parties, other)
			}
		}
	}
	of := new(party)
	p.parties[name] = of
	return of
}

// ring is a list of distinct parties.
type ring struct{ first, last *party }

func (r *ring) add(of *party) {
	of.waiting, of.next = true, nil
	if r.last == nil {
		r.first = of
	} else {
		r.last.next = of
	}
	r.last = of
}

func (r *ring) remove(of *party) {
	var before *party
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
