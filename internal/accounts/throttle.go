package accounts

import (
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"almanac/internal/auth"
)

const (
	// freeTries is how many passwords can be tried for one account from one network at once, and tryEvery when there is one more.
	freeTries = 5
	tryEvery  = 20 * time.Second
	// networkTries and networkEvery are the same for all accounts together: a network is shared by many people.
	networkTries = 100
	networkEvery = time.Second
	// visits is how many things that are published can be asked for from one network at once, and visitEvery when there is one more.
	visits     = 120
	visitEvery = 250 * time.Millisecond
	// maxBuckets bounds each table.
	maxBuckets = 10_000
)

// throttle makes guessing slow, by account and network. Nobody is ever locked out: who guesses from one network slows down that
// network only, and only for as long as it goes on.
type throttle struct {
	mu        sync.Mutex
	byAccount buckets
	byNetwork buckets
	visitors  buckets
}

func newThrottle() *throttle {
	return &throttle{
		byAccount: buckets{free: freeTries, every: tryEvery, left: make(map[string]bucket)},
		byNetwork: buckets{free: networkTries, every: networkEvery, left: make(map[string]bucket)},
		visitors:  buckets{free: visits, every: visitEvery, left: make(map[string]bucket)},
	}
}

// visit counts a visit and returns 0, or returns for how long to wait.
func (t *throttle) visit(network string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wait := t.visitors.wait(network, now); wait > 0 {
		return wait
	}
	t.visitors.take(network, now)
	return 0
}

// take counts a try and returns 0, or returns for how long to wait.
func (t *throttle) take(email, network string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := accountKey(email, network)
	if wait := max(t.byAccount.wait(key, now), t.byNetwork.wait(network, now)); wait > 0 {
		return wait
	}
	t.byAccount.take(key, now)
	t.byNetwork.take(network, now)
	return 0
}

// Visit counts a request for something that is published, by somebody who could not see it otherwise. It refuses a network from which
// too many come; the error is an *auth.Denied.
func (a *Accounts) Visit(network string) error {
	wait := a.tries.visit(network, a.now())
	if wait == 0 {
		return nil
	}
	return &auth.Denied{
		Status: http.StatusTooManyRequests, Message: "Too many requests from your network. Try again later.", RetryAfter: int(math.Ceil(wait.Seconds())),
	}
}

// succeeded forgets the tries for an account from a network.
func (t *throttle) succeeded(email, network string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byAccount.left, accountKey(email, network))
	t.byNetwork.giveBack(network)
}

func accountKey(email, network string) string {
	return strings.ToLower(strings.TrimSpace(email)) + "\x00" + network
}

// buckets hold how many tries are left. What is not in the table has all of them.
type buckets struct {
	free  float64
	every time.Duration
	left  map[string]bucket
}

type bucket struct {
	tries float64
	at    time.Time
}

func (b *buckets) at(key string, now time.Time) float64 {
	known, ok := b.left[key]
	if !ok {
		return b.free
	}
	return min(b.free, known.tries+float64(now.Sub(known.at))/float64(b.every))
}

func (b *buckets) wait(key string, now time.Time) time.Duration {
	missing := 1 - b.at(key, now)
	return time.Duration(max(0, missing) * float64(b.every))
}

func (b *buckets) take(key string, now time.Time) {
	left := b.at(key, now) - 1
	if _, known := b.left[key]; !known && len(b.left) >= maxBuckets {
		b.makeRoom(now)
	}
	b.left[key] = bucket{left, now}
}

func (b *buckets) giveBack(key string) {
	if known, ok := b.left[key]; ok {
		known.tries++
		b.left[key] = known
	}
}

// makeRoom drops what says nothing any more, and if that is nothing, everything: to forget tries is better than to refuse people.
func (b *buckets) makeRoom(now time.Time) {
	for key := range b.left {
		if b.at(key, now) >= b.free {
			delete(b.left, key)
		}
	}
	if len(b.left) >= maxBuckets {
		clear(b.left)
	}
}
