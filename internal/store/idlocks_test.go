package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
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

// TestOnlyTheSameIDsWait takes locks on thousands of ids: no other id, and no other project, has to wait for them.
func TestOnlyTheSameIDsWait(t *testing.T) {
	l := NewIDLocks(nil)
	batch := func(first int) []string {
		ids := make([]string, 5000)
		for n := range ids {
			ids[n] = strconv.Itoa(first + n)
		}
		return ids
	}
	releases := []func(){
		takeLocks(t, l, "p", batch(0)), takeLocks(t, l, "p", batch(5000)), takeLocks(t, l, "q", append(batch(0), batch(0)...)),
	}
	for _, release := range releases {
		release()
	}
	if len(l.ids) != 0 || len(l.projects) != 0 {
		t.Errorf("%d and %d locks are left behind", len(l.ids), len(l.projects))
	}
}

// TestWaitingEndsWithTheContext: a request that is cancelled stops waiting, and leaves nothing behind.
func TestWaitingEndsWithTheContext(t *testing.T) {
	l := NewIDLocks(nil)
	release := takeLocks(t, l, "p", []string{"b"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, take := range []func() (func(), error){
		func() (func(), error) { return l.Take(ctx, "p", []string{"a", "b", "c"}) },
		func() (func(), error) { return l.TakeAll(ctx, "p", nil) },
	} {
		failed := make(chan error)
		go func() {
			_, err := take()
			failed <- err
		}()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
	takeLocks(t, l, "p", []string{"a", "c"})()
	release()
	if len(l.ids) != 0 || len(l.projects) != 0 {
		t.Errorf("%d and %d locks are left behind", len(l.ids), len(l.projects))
	}
}

// TestTakeAll: one that needs all ids of a project waits for those who have some, and others wait for it.
func TestTakeAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewIDLocks(nil)
		some := takeLocks(t, l, "p", []string{"a"})
		var order []string
		var wg sync.WaitGroup
		wg.Go(func() {
			release, err := l.TakeAll(t.Context(), "p", nil)
			if err != nil {
				t.Error(err)
				return
			}
			order = append(order, "all")
			release()
		})
		synctest.Wait()
		wg.Go(func() {
			release := takeLocks(t, l, "p", []string{"b"})
			order = append(order, "b")
			release()
		})
		synctest.Wait()
		takeLocks(t, l, "q", []string{"a"})()
		if len(order) != 0 {
			t.Errorf("%v did not wait", order)
		}
		some()
		wg.Wait()
		if !slices.Equal(order, []string{"all", "b"}) {
			t.Errorf("the order is %v", order)
		}
	})
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
