package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// refusedAs checks that an error is an *Error of the given kind, and returns it.
func refusedAs(t *testing.T, err error, kind Kind) *Error {
	t.Helper()
	refused, ok := errors.AsType[*Error](err)
	if !ok || refused.Kind != kind {
		t.Fatalf("error %v (%T), want a refusal of kind %d", err, err, kind)
	}
	return refused
}

func TestBudget(t *testing.T) {
	b := NewBudget(1000, 10*time.Millisecond)
	first, second := b.Reserve(""), b.Reserve("")
	if err := first.Grow(t.Context(), 600); err != nil {
		t.Fatal(err)
	}
	if err := first.Grow(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if b.Held() != 700 {
		t.Errorf("held %d", b.Held())
	}
	refused := refusedAs(t, second.Grow(t.Context(), 400), Busy)
	if refused.RetryAfter <= 0 || refused.Reason != "memory" {
		t.Errorf("refused with %+v", refused)
	}
	first.Shrink(100)
	if err := second.Grow(t.Context(), 400); err != nil {
		t.Fatal(err)
	}
	if b.Held() != 1000 {
		t.Errorf("held %d", b.Held())
	}
	first.Release()
	first.Release()
	second.Release()
	if b.Held() != 0 {
		t.Errorf("%d bytes are lost", b.Held())
	}
	if err := b.Reserve("").Grow(t.Context(), 1000); err != nil {
		t.Errorf("not everything came back: %v", err)
	}
}

func TestBudgetIsTooSmallForOne(t *testing.T) {
	b := NewBudget(1<<20, time.Hour)
	r := b.Reserve("")
	if err := r.Grow(t.Context(), 1<<19); err != nil {
		t.Fatal(err)
	}
	// Waiting would not help, so it does not wait.
	refused := refusedAs(t, r.Grow(t.Context(), 1<<19+1), TooLarge)
	if !strings.Contains(refused.Message, "the 1 MB") {
		t.Errorf("message %q", refused.Message)
	}
	r.Release()
}

func TestBudgetIsWaitedFor(t *testing.T) {
	b := NewBudget(1000, time.Hour)
	holder := b.Reserve("")
	if err := holder.Grow(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	waiter := b.Reserve("")
	go func() { got <- waiter.Grow(t.Context(), 500) }()
	for b.Waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	holder.Release()
	if err := <-got; err != nil {
		t.Errorf("after memory came free: %v", err)
	}
	if b.Waiting() != 0 || b.Held() != 500 {
		t.Errorf("%d wait, %d held", b.Waiting(), b.Held())
	}
}

func TestBudgetIsWaitedForOnce(t *testing.T) {
	b := NewBudget(1000, 20*time.Millisecond)
	holder, r := b.Reserve(""), b.Reserve("")
	if err := holder.Grow(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, r.Grow(t.Context(), 1), Busy)
	if r.waited < b.wait {
		t.Errorf("waited %v of %v", r.waited, b.wait)
	}
	refusedAs(t, r.Grow(t.Context(), 1), Busy)
	if r.waited > 2*time.Second { // the wait is bounded per export, not per step
		t.Errorf("waited %v", r.waited)
	}
}

func TestBudgetAndClientsThatLeave(t *testing.T) {
	b := NewBudget(1000, time.Hour)
	holder := b.Reserve("")
	if err := holder.Grow(t.Context(), 1000); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Reserve("").Grow(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if b.Waiting() != 0 || b.Held() != 1000 {
		t.Errorf("%d wait, %d held", b.Waiting(), b.Held())
	}
}

func TestExpectedMemory(t *testing.T) {
	b := NewBudget(1000, 10*time.Millisecond)
	first, second := b.Reserve(""), b.Reserve("")
	if err := first.Expect(t.Context(), 600); err != nil {
		t.Fatal(err)
	}
	if err := second.Grow(t.Context(), 400); err != nil {
		t.Fatal(err)
	}
	// Expected memory is available, although others took the rest.
	for range 6 {
		if err := first.Grow(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
	}
	refusedAs(t, first.Grow(t.Context(), 1), Busy)
	first.Shrink(500) // and it stays reserved
	if b.Held() != 1000 {
		t.Errorf("held %d", b.Held())
	}
	if err := first.Grow(t.Context(), 500); err != nil {
		t.Fatal(err)
	}
	second.Release()
	if err := first.Expect(t.Context(), 300); err != nil || b.Held() != 900 {
		t.Errorf("held %d, %v", b.Held(), err)
	}
	refusedAs(t, first.Expect(t.Context(), 401), TooLarge)
	first.Release()
	if b.Held() != 0 {
		t.Errorf("%d bytes are lost", b.Held())
	}
}
