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
		byAccount: newBuckets(freeTries, tryEvery),
		byNetwork: newBuckets(networkTries, networkEvery),
		visitors:  newBuckets(visits, visitEvery),
		signOns:   newBuckets(signOns, signOnEvery),
	}
}

// visit counts a visit and returns 0, or returns how long to wait.
func (t *throttle) visit(network string, now time.Time) time.Duration {
	return count(&t.mu, now, attempt{&t.visitors, network})
}

// SignOn counts a request for single sign-on. It returns a *RateLimitedError if there are too many from the network.
func (a *Accounts) SignOn(network string) error {
	if wait := count(&a.tries.mu, a.now(), attempt{&a.tries.signOns, network}); wait > 0 {
		return &RateLimitedError{wait}
	}
	return nil
}

// take counts an attempt and returns 0, or returns how long to wait.
func (t *throttle) take(email, network string, now time.Time) time.Duration {
	return count(&t.mu, now, attempt{&t.byAccount, accountKey(email, network)}, attempt{&t.byNetwork, network})
}

// takeNetwork counts an attempt that is not for an account and returns 0, or returns how long to wait.
func (t *throttle) takeNetwork(network string, now time.Time) time.Duration {
	return count(&t.mu, now, attempt{&t.byNetwork, network})
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
		Status: http.StatusTooManyRequests, Message: "Too many requests from your network. Try again later.",
		RetryAfter: int(math.Ceil(wait.Seconds())),
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

func newBuckets(free float64, every time.Duration) buckets {
	return buckets{free: free, every: every, left: make(map[string]bucket)}
}

// attempt is an attempt as it counts in a table.
type attempt struct {
	in  *buckets
	key string
}

// count counts attempts and returns 0 or, if one of them is too many, counts none and returns how long to wait. The mutex
// protects the tables.
func count(mu *sync.Mutex, now time.Time, attempts ...attempt) (wait time.Duration) {
	mu.Lock()
	defer mu.Unlock()
	for _, a := range attempts {
		wait = max(wait, a.in.wait(a.key, now))
	}
	if wait == 0 {
		for _, a := range attempts {
			a.in.take(a.key, now)
		}
	}
	return wait
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
