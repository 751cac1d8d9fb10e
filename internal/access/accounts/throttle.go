package accounts

import (
	"math"
	"net/http"
	"sync"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/domain"
)

const (
	// freeTries is the burst of password attempts for one account from one network, and tryEvery the interval at which
	// another one is allowed.
	freeTries = 5
	tryEvery  = 20 * time.Second
	// networkTries and networkEvery are the same for one network and all accounts, since a network may be shared by
	// many people.
	networkTries = 100
	networkEvery = time.Second
	// visits is the burst of requests for published objects from one network, and visitEvery the interval at which
	// another one is allowed.
	visits     = 120
	visitEvery = 250 * time.Millisecond
	// signOns is the burst of requests for single sign-on from one network, two for each sign-in, and signOnEvery the
	// interval at which another one is allowed. They make the server call the identity provider.
	signOns     = 200
	signOnEvery = 500 * time.Millisecond
	// maxBuckets limits the size of each table.
	maxBuckets = 10_000
)

// throttle makes guessing slow, by account and network. Nobody is ever locked out: guessing slows down only the network
// it comes from, and only while it goes on.
type throttle struct {
	mu        sync.Mutex
	byAccount buckets
	byNetwork buckets
	visitors  buckets
	signOns   buckets
}

func newThrottle() *throttle {
	return &throttle{
		byAccount: buckets{free: freeTries, every: tryEvery, left: make(map[string]bucket)},
		byNetwork: buckets{free: networkTries, every: networkEvery, left: make(map[string]bucket)},
		visitors:  buckets{free: visits, every: visitEvery, left: make(map[string]bucket)},
		signOns:   buckets{free: signOns, every: signOnEvery, left: make(map[string]bucket)},
	}
}

// visit counts a visit and returns 0, or returns how long to wait.
func (t *throttle) visit(network string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wait := t.visitors.wait(network, now); wait > 0 {
		return wait
	}
	t.visitors.take(network, now)
	return 0
}

// SignOn counts a request for single sign-on. It returns a *RateLimitedError if there are too many from the network.
func (a *Accounts) SignOn(network string) error {
	a.tries.mu.Lock()
	defer a.tries.mu.Unlock()
	if wait := a.tries.signOns.wait(network, a.now()); wait > 0 {
		return &RateLimitedError{wait}
	}
	a.tries.signOns.take(network, a.now())
	return nil
}

// take counts an attempt and returns 0, or returns how long to wait.
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

// takeNetwork counts an attempt that is not for an account and returns 0, or returns how long to wait.
func (t *throttle) takeNetwork(network string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait := t.byNetwork.wait(network, now)
	if wait == 0 {
		t.byNetwork.take(network, now)
	}
	return wait
}

// giveBackNetwork forgets an attempt that turned out to be none.
func (t *throttle) giveBackNetwork(network string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byNetwork.giveBack(network)
}

// Visit counts a request for a published object by somebody who has no other access to it. It returns an *auth.Denied
// if there are too many from the network.
func (a *Accounts) Visit(network string) error {
	wait := a.tries.visit(network, a.now())
	if wait == 0 {
		return nil
	}
	return &auth.Denied{
		Status: http.StatusTooManyRequests, Message: "Too many requests from your network. Try again later.", RetryAfter: int(math.Ceil(wait.Seconds())),
	}
}

// succeeded resets the attempts for an account from a network.
func (t *throttle) succeeded(email, network string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byAccount.left, accountKey(email, network))
	t.byNetwork.giveBack(network)
}

func accountKey(email, network string) string {
	return domain.NormalEmail(email) + "\x00" + network
}

// buckets holds the number of attempts left. Keys that are not in the table have all of them.
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

// makeRoom drops full buckets and, if that is not enough, all of them: forgetting attempts is better than refusing
// people.
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
