package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// TestLocksKeepApart increments otherwise unprotected counters, several at a time and in random order: the race
// detector and the sums show whether two writers overlapped, and finishing at all shows that there was no deadlock.
func TestLocksKeepApart(t *testing.T) {
	const things, writers, rounds = 20, 8, 500
	l := NewIDLocks(nil)
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
				release := takeLocks(t, l, "project", append(ids, ids[0])) // duplicates are harmless
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
	l := NewIDLocks(nil)
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
	l := NewIDLocks(nil)
	ids := make([]string, 5000) // enough that some of them share a lock
	for n := range ids {
		ids[n] = strconv.Itoa(n)
	}
	takeLocks(t, l, "p", ids)()
	release := takeLocks(t, l, "p", append(ids, ids...))
	first := &l.stripes[l.stripe("p", ids[0])]
	if first.TryLock() {
		t.Error("two hold the lock of one id")
	}
	release()
	if !first.TryLock() {
		t.Error("a lock is left behind")
	}
}

func takeLocks(t *testing.T, l *IDLocks, project string, ids []string) (release func()) {
	t.Helper()
	release, err := l.Take(t.Context(), project, ids)
	if err != nil {
		t.Error(err)
		return func() {}
	}
	return release
}

func TestRemoteLocker(t *testing.T) {
	var held []string
	var failure error
	l := NewIDLocks(func(_ context.Context, project string, ids []string) (func(), error) {
		if failure != nil {
			return nil, failure
		}
		held = append([]string{project}, ids...)
		return func() { held = nil }, nil
	})
	for range 2 { // the second round shows that everything was released
		release := takeLocks(t, l, "p", []string{"a", "b"})
		if !slices.Equal(held, []string{"p", "a", "b"}) {
			t.Errorf("others are kept from %v", held)
		}
		release()
		if held != nil {
			t.Errorf("others are still kept from %v", held)
		}
		failure = errors.New("no answer")
		if _, err := l.Take(t.Context(), "p", []string{"a"}); !errors.Is(err, failure) {
			t.Errorf("error %v", err)
		}
		takeLocks(t, l, "p", nil)() // no ids: the remote locker is not called
		failure = nil
	}
}
