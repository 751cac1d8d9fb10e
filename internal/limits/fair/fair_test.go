package fair

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// queueUp makes tenants wait for one unit each, in this order, and returns the order in which they are served as
// holders return one unit at a time.
func queueUp(t *testing.T, size, share int64, holders, waiters string) string {
	t.Helper()
	var served []string
	synctest.Test(t, func(t *testing.T) {
		p := New(size, share)
		for name := range strings.FieldsSeq(holders) {
			if !p.TryTake(name, 1, 0) {
				t.Fatalf("there is nothing for %s", name)
			}
		}
		var mu sync.Mutex
		for name := range strings.FieldsSeq(waiters) {
			go func() {
				if err := p.Take(t.Context(), name, 1, 0); err != nil {
					t.Error(err)
				}
				mu.Lock()
				served = append(served, name)
				mu.Unlock()
			}()
			synctest.Wait() // it waits
		}
		held := strings.Fields(holders)
		for n := 0; n < len(held); n++ {
			p.Give(held[n], 1)
			synctest.Wait()
			held = append(held, served[len(held)-len(strings.Fields(holders)):]...)
		}
		if p.Held() != 0 || p.Waiting() != 0 {
			t.Errorf("%d are held and %d wait at the end", p.Held(), p.Waiting())
		}
	})
	return strings.Join(served, " ")
}

func TestPartiesAreServedByTurns(t *testing.T) {
	tests := []struct {
		name             string
		size, share      int64
		holders, waiters string
		want             string
	}{
		{"one tenant in its order", 1, 1, "a", "a a a", "a a a"},
		{"the small one does not wait for all of the large one", 2, 2, "a a", "a a a a a a b", "a b a a a a a"},
		{"round and round", 1, 1, "x", "a a a b b c", "a b c a b a"},
		{"whoever comes later joins at the end", 1, 1, "a", "a b a c", "a b c a"},
		{"a tenant with its share is passed over", 4, 3, "a a a b", "a a b b", "a b a b"},
		{"its share is all that it gets", 4, 2, "a a b b", "a a a b b", "a a b b a"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := queueUp(t, c.size, c.share, c.holders, c.waiters); got != c.want {
				t.Errorf("served %s, want %s", got, c.want)
			}
		})
	}
}

func TestShare(t *testing.T) {
	p := New(8, DefaultShare(8))
	for n := range 6 {
		if !p.TryTake("a", 1, 0) {
			t.Fatalf("a gets %d of 8", n)
		}
	}
	if p.TryTake("a", 1, 0) {
		t.Error("a gets more than its share")
	}
	if !p.TryTake("b", 1, 0) || !p.TryTake("c", 1, 0) {
		t.Error("nothing is left for the others")
	}
	if p.TryTake("d", 1, 0) {
		t.Error("there is more than there is")
	}

	// A holder that needs more than the share of its tenant gets it if it is the only one of the tenant.
	one := New(8, DefaultShare(8))
	if !one.TryTake("a", 5, 0) || !one.TryTake("a", 3, 5) {
		t.Error("a single holder does not get everything")
	}
	one.Give("a", 3)
	if one.TryTake("a", 3, 0) {
		t.Error("a second holder gets more than the share")
	}
}

func TestNobodyOvertakesWhoWaitsForMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(10, 10)
		p.TryTake("a", 6, 0)
		large := make(chan error)
		go func() { large <- p.Take(t.Context(), "large", 8, 0) }()
		synctest.Wait()
		if p.TryTake("b", 1, 0) {
			t.Error("a small one overtakes, and others after it could for ever")
		}
		p.Give("a", 6)
		if err := <-large; err != nil || p.Held() != 8 {
			t.Errorf("%v, %d held", err, p.Held())
		}
		if !p.TryTake("b", 1, 0) {
			t.Error("nothing for b although nobody waits")
		}
	})
}

func TestWhoGivesUpLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(10, 10)
		p.TryTake("a", 6, 0)
		ctx, cancel := context.WithCancel(t.Context())
		gone, next := make(chan error), make(chan error)
		go func() { gone <- p.Take(ctx, "large", 8, 0) }()
		synctest.Wait()
		go func() { next <- p.Take(t.Context(), "small", 2, 0) }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := <-next; err != nil { // a waiter blocked only by the previous one is served
			t.Error(err)
		}
		if p.Held() != 8 || p.Waiting() != 0 {
			t.Errorf("%d held, %d wait", p.Held(), p.Waiting())
		}
	})
}

func TestQueuesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 1)
		p.TryTake("a", 1, 0)
		ctx, cancel := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		for range maxWaiting {
			waiting.Go(func() { _ = p.Take(ctx, "a", 1, 0) })
		}
		synctest.Wait()
		if err := p.Take(ctx, "a", 1, 0); !errors.Is(err, ErrCrowded) {
			t.Errorf("one too many: %v", err)
		}
		other := make(chan error)
		go func() { other <- p.Take(t.Context(), "b", 1, 0) }()
		synctest.Wait()
		cancel()
		waiting.Wait()
		p.Give("a", 1)
		if err := <-other; err != nil {
			t.Errorf("another tenant: %v", err)
		}
	})
}

func TestIdlePartiesAreForgotten(t *testing.T) {
	p := New(4, 4)
	p.TryTake("busy", 1, 0)
	for n := range 10 * maxIdle {
		name := strconv.Itoa(n)
		if !p.TryTake(name, 1, 0) {
			t.Fatal("nothing is free")
		}
		p.Give(name, 1)
	}
	if len(p.tenants) > maxIdle {
		t.Errorf("%d tenants are remembered", len(p.tenants))
	}
	if p.tenants["busy"] == nil || p.Held() != 1 {
		t.Error("a tenant that holds something is forgotten")
	}
}

// TestConcurrentUse takes and gives from many goroutines: never more than the size, nothing lost, no waiter forgotten.
func TestConcurrentUse(t *testing.T) {
	p := New(10, DefaultShare(10))
	var mu sync.Mutex
	held := int64(0)
	var work sync.WaitGroup
	for n := range 40 {
		work.Go(func() {
			name, amount := strconv.Itoa(n%5), int64(1+n%3)
			for range 200 {
				if err := p.Take(t.Context(), name, amount, 0); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if held += amount; held > 10 {
					t.Errorf("%d of 10 are taken", held)
				}
				mu.Unlock()
				mu.Lock()
				held -= amount
				mu.Unlock()
				p.Give(name, amount)
			}
		})
	}
	work.Wait()
	if p.Held() != 0 || p.Waiting() != 0 {
		t.Errorf("%d are held and %d wait at the end", p.Held(), p.Waiting())
	}
}

// BenchmarkTurn takes an uncontended turn, and compares with a channel, which does not know tenants.
func BenchmarkTurn(b *testing.B) {
	names := [...]string{"project-a", "project-b"}
	b.Run("fair", func(b *testing.B) {
		p := New(128, DefaultShare(128))
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for n := 0; pb.Next(); n++ {
				if !p.TryTake(names[n%2], 1, 0) {
					b.Error("no turn")
				}
				p.Give(names[n%2], 1)
			}
		})
	})
	b.Run("channel", func(b *testing.B) {
		turns := make(chan struct{}, 128)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				turns <- struct{}{}
				<-turns
			}
		})
	})
}
