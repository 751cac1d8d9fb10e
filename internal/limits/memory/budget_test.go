package memory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

func grow(t *testing.T, l *Lease, bytes int64) {
	t.Helper()
	if err := l.Grow(t.Context(), bytes); err != nil {
		t.Fatal(err)
	}
}

// waitFor waits until count leases are waiting.
func waitFor(t *testing.T, b *Budget, count int64) {
	t.Helper()
	for b.Waiting() != count {
		if t.Context().Err() != nil {
			t.Fatal("nobody waits")
		}
		time.Sleep(time.Millisecond)
	}
}

// later grows a lease in the background.
func later(t *testing.T, b *Budget, l *Lease, bytes int64) <-chan error {
	t.Helper()
	got, waiting := make(chan error, 1), b.Waiting()
	go func() { got <- l.Grow(t.Context(), bytes) }()
	waitFor(t, b, waiting+1)
	return got
}

func TestLanes(t *testing.T) {
	b := NewBudget(Sizes{Shared: 1 << 20, Small: 2 * SmallLease, Large: 2 << 20}, 0)
	heavy, heavier := b.Lease("a"), b.Lease("a")
	grow(t, heavy, 1<<20)
	grow(t, heavier, 2<<20) // finds the large lane free
	refused := b.Lease("a")
	if err := refused.Grow(t.Context(), SmallLease+1); !errors.Is(err, ErrBusy) {
		t.Errorf("a third one: %v", err)
	}
	if b.Refused() != 1 {
		t.Errorf("%d were refused", b.Refused())
	}
	small := b.Lease("a")
	grow(t, small, SmallLease) // does not wait for large ones
	if held, size := b.Held(), int64(3<<20+SmallLease); held != size || b.Size() != size+SmallLease {
		t.Errorf("%d of %d are held", held, b.Size())
	}
	if err := heavier.Grow(t.Context(), 1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("more than one may have: %v", err)
	}
	heavy.Release()
	heavier.Shrink(1 << 20) // it now fits into the shared lane, and leaves the large one
	third := b.Lease("a")
	grow(t, third, 2<<20)
	for _, l := range []*Lease{heavy, heavier, refused, small, third} {
		l.Release()
		l.Release()
	}
	if b.Held() != 0 || len(b.owners) != 0 || b.inLarge != nil {
		t.Errorf("%d bytes and %d owners are left", b.Held(), len(b.owners))
	}
}

// Many waiting large leases leave room for a small one.
func TestWaitersLeaveRoomForSmallOnes(t *testing.T) {
	b := NewBudget(Sizes{Shared: 1 << 20, Small: 4 * SmallLease, Large: 1 << 20}, time.Minute)
	full, larger := b.Lease("a"), b.Lease("a")
	grow(t, full, 1<<20)
	grow(t, larger, 1<<20)
	var waiting []*Lease
	var answers []<-chan error
	for range 2 {
		l := b.Lease("a")
		grow(t, l, SmallLease)
		waiting = append(waiting, l)
		answers = append(answers, later(t, b, l, 1))
	}
	third := b.Lease("a")
	grow(t, third, SmallLease)
	if err := third.Grow(t.Context(), 1); !errors.Is(err, ErrBusy) || b.Refused() != 1 {
		t.Errorf("a third one that waits: %v, %d refused", err, b.Refused())
	}
	third.Release()
	small := b.Lease("a")
	grow(t, small, SmallLease)
	begun := b.Lease("a")
	grow(t, begun, SmallLease)
	begun.Begin()
	answers = append(answers, later(t, b, begun, 1)) // a response in progress is not refused
	full.Release()
	for _, answer := range answers {
		if err := <-answer; err != nil {
			t.Error(err)
		}
	}
	for _, l := range append(waiting, larger, small, begun) {
		l.Release()
	}
	if b.Held() != 0 || b.smallWaiters != 0 || len(b.owners) != 0 {
		t.Errorf("%d bytes, %d of them parked, and %d owners are left", b.Held(), b.smallWaiters, len(b.owners))
	}
}

func TestNoLease(t *testing.T) {
	l := Of(t.Context())
	grow(t, l, 1<<40)
	l.Shrink(1 << 40)
	l.Own("a")
	l.Begin()
	l.Release()
	if l.Held() != 0 {
		t.Error("nothing holds something")
	}
	b := NewBudget(Sizes{Shared: 10}, 0)
	if of := b.Lease("a"); Of(With(t.Context(), of)) != of {
		t.Error("the lease of a context is another")
	}
}

func TestReleaseEndsWaiting(t *testing.T) {
	b := NewBudget(Sizes{Shared: 1 << 20}, time.Hour)
	holder, l := b.Lease(""), b.Lease("")
	grow(t, holder, 1<<20)
	got := later(t, b, l, 1<<20)
	l.Release() // the request ends while one of its goroutines waits
	if err := <-got; !errors.Is(err, ErrReleased) {
		t.Errorf("error %v", err)
	}
	if err := l.Grow(t.Context(), 1); !errors.Is(err, ErrReleased) {
		t.Errorf("after its end: %v", err)
	}
	holder.Release()
	if b.Held() != 0 || b.Waiting() != 0 {
		t.Errorf("%d held, %d wait", b.Held(), b.Waiting())
	}
}

// TestBegun checks that a response that has begun waits as long as its context allows, and is not refused.
func TestBegun(t *testing.T) {
	b := NewBudget(Sizes{Shared: 1 << 20}, 0)
	holder, l := b.Lease("a"), b.Lease("a")
	grow(t, holder, 1<<20)
	l.Begin()
	got := later(t, b, l, 1<<19)
	holder.Release()
	if err := <-got; err != nil {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Grow(ctx, 1<<20-1<<19+1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

// TestOwnersTakeTurns checks that one project cannot take everything, and that the one that holds least comes first.
func TestOwnersTakeTurns(t *testing.T) {
	b := NewBudget(Sizes{Shared: 1000}, time.Hour)
	first := b.Lease("greedy")
	grow(t, first, 700)
	second := later(t, b, b.Lease("greedy"), 100) // three quarters are the share of one project
	modest := b.Lease("modest")
	grow(t, modest, 200)
	select {
	case err := <-second:
		t.Fatalf("a project got more than its share: %v", err)
	default:
	}
	greedy, other := b.Lease("greedy"), b.Lease("other")
	third, fourth := later(t, b, greedy, 250), later(t, b, other, 250)
	modest.Shrink(100)
	grow(t, b.Lease("new"), 150) // no wait if it fits
	first.Shrink(450)            // there is room for two of them: first for the project that holds less
	if err := <-fourth; err != nil {
		t.Fatal(err)
	}
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-third:
		t.Fatalf("there is no room: %v", err)
	default:
	}
	other.Release()
	if err := <-third; err != nil {
		t.Fatal(err)
	}
}

// TestUnknownLeases checks that requests that are not admitted yet get only a part of the budget, until they are.
func TestUnknownLeases(t *testing.T) {
	b := NewBudget(Sizes{Shared: 8 << 20, Small: 1 << 20, Large: 8 << 20}, 0)
	var held []*Lease
	for {
		l := b.Unknown()
		if err := l.Grow(t.Context(), 64<<10); err != nil {
			if !errors.Is(err, ErrBusy) {
				t.Fatal(err)
			}
			break
		}
		held = append(held, l)
	}
	if got, want := b.Held(), int64(1<<19+2<<20); got != want {
		t.Errorf("strangers hold %d bytes, want %d", got, want)
	}
	if err := b.Unknown().Grow(t.Context(), 3<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one that needs more than all of them get: %v", err)
	}
	grow(t, b.Lease("a"), 64<<10)
	grow(t, b.Lease("a"), 4<<20)
	grow(t, b.Lease("b"), 8<<20)
	admitted := held[0]
	admitted.Own("c")
	grow(t, admitted, 1<<20)
	grow(t, b.Unknown(), 64<<10) // what the admitted one held
	for _, l := range held {
		l.Release()
	}
}

// TestNobodyWaitsForever checks that leases that hold something and need more, all at the same time, still finish.
func TestNobodyWaitsForever(t *testing.T) {
	b := NewBudget(Sizes{Shared: 40 << 20, Small: 1 << 20, Large: 30 << 20, Background: 10 << 20}, time.Hour)
	var wg sync.WaitGroup
	for n := range 50 {
		wg.Go(func() {
			l := b.Lease(fmt.Sprint("project", n%3))
			if n%5 == 0 {
				l.Release()
				ctx, _ := b.Work(t.Context(), fmt.Sprint("project", n%3))
				l = Of(ctx)
			}
			defer l.Release()
			l.Begin()
			random := rand.New(rand.NewPCG(1, uint64(n)))
			for range 30 {
				held := int64(0)
				for held < 25<<20 {
					more := 1 + random.Int64N(10<<20)
					if err := l.Grow(t.Context(), more); err != nil {
						if !errors.Is(err, ErrTooLarge) {
							t.Errorf("lease %d: %v", n, err)
						}
						break
					}
					held += more
					if total := b.Held(); total > b.Size() {
						t.Errorf("%d of %d are held", total, b.Size())
					}
				}
				l.Shrink(held)
			}
		})
	}
	wg.Wait()
	if b.Held() != 0 || b.Waiting() != 0 || len(b.owners) != 0 || b.shared != 0 || b.small != 0 || b.large != 0 ||
		b.background != 0 || b.backgroundShared != 0 || b.leading != nil {
		t.Errorf("%d bytes are lost, %d wait", b.Held(), b.Waiting())
	}
}

func BenchmarkLease(b *testing.B) {
	budget := NewBudget(Sizes{Shared: 100 << 20, Small: 8 << 20, Large: 100 << 20}, 0)
	l := budget.Lease("a")
	for b.Loop() {
		_ = l.Grow(b.Context(), 100<<10)
		l.Shrink(100 << 10)
	}
}

// TestBackgroundWorkLeavesRoom checks that background work holds no more than its part, except for one lease at a time,
// and that requests and other work still get theirs.
func TestBackgroundWorkLeavesRoom(t *testing.T) {
	const mb = 1 << 20
	b := NewBudget(SizesOf(80*mb), 0) // 35 MB shared, 5 small, 40 large; 20 for background work
	work := func(owner string) *Lease {
		ctx, release := b.Work(t.Context(), owner)
		t.Cleanup(release)
		return Of(ctx)
	}
	first, second, third, modest := work("greedy"), work("large"), work("greedy"), work("modest")
	grow(t, first, 12*mb)
	grow(t, second, 22*mb) // exceeds the part: it leads
	if b.leading != second || second.lane != inLarge {
		t.Fatal("the leading lease takes room in the shared lane, which is for requests")
	}
	waiting := later(t, b, third, 12*mb)
	grow(t, modest, 4*mb) // fits into the rest of the part
	for range 2 {
		l := b.Lease("greedy")
		defer l.Release()
		grow(t, l, 8*mb) // half of the shared lane is left to requests
	}
	grow(t, second, 18*mb) // the leading one never waits
	if err := second.Grow(t.Context(), 1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("more than a lease may have: %v", err)
	}
	select {
	case err := <-waiting:
		t.Fatalf("background work holds more than its part: %v", err)
	default:
	}
	second.Release()
	if err := <-waiting; err != nil {
		t.Fatal(err)
	}
	for _, l := range []*Lease{first, third, modest} {
		l.Release()
	}
	if b.background != 0 || b.backgroundShared != 0 || b.leading != nil || b.Held() != 16*mb {
		t.Errorf("%d and %d bytes of background work are left, %d in all", b.background, b.backgroundShared, b.Held())
	}
}

func TestWorkWithoutABudget(t *testing.T) {
	ctx, release := (*Budget)(nil).Work(t.Context(), "p")
	defer release()
	grow(t, Of(ctx), 1<<40)
}
