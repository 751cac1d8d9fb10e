package idlocks

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
)

// TestLocksKeepApart changes counters that nothing else protects, several at once and in any order: the race detector and the
// sums tell if two writers met, and the end of the test that nobody waited in a circle.
func TestLocksKeepApart(t *testing.T) {
	const things, writers, rounds = 20, 8, 500
	l := New()
	counters := make([]int, things)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			for range rounds {
				numbers := random.Perm(things)[:3]
				ids := make([]string, 0, 4)
				for _, n := range numbers {
					ids = append(ids, strconv.Itoa(n))
				}
				release := l.Take("project", append(ids, ids[0])) // naming one twice does no harm
				for _, n := range numbers {
					counters[n]++
				}
				release()
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range counters {
		sum += n
	}
	if sum != writers*rounds*3 {
		t.Errorf("%d changes are left of %d", sum, writers*rounds*3)
	}
}

func TestProjectsHaveLocksOfTheirOwn(t *testing.T) {
	l := New()
	same := 0
	for n := range 100 {
		id := strconv.Itoa(n)
		if l.stripe("a", id) == l.stripe("b", id) {
			same++
		}
	}
	if same > 10 {
		t.Errorf("%d of 100 ids have one lock in both projects", same)
	}
}

func TestLocksAreReleasedAndShared(t *testing.T) {
	l := New()
	ids := make([]string, 5000) // so many that some of them share a lock
	for n := range ids {
		ids[n] = strconv.Itoa(n)
	}
	l.Take("p", ids)()
	release := l.Take("p", append(ids, ids...))
	first := &l.stripes[l.stripe("p", ids[0])]
	if first.TryLock() {
		t.Error("two hold the lock of one id")
	}
	release()
	if !first.TryLock() {
		t.Error("a lock is left behind")
	}
}
