package endpoint

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestPause: a turn is given up while any goroutine of its request waits, and taken again when the last of them is
// done.
func TestPause(t *testing.T) {
	ad := NewAdmission(Limits{Concurrent: 4, Reads: 4, Wait: time.Second})
	var none, one [2]int64
	one = [2]int64{1, 1}
	check := func(when string, want [2]int64) {
		t.Helper()
		turns, reads := ad.Held()
		if got := [2]int64{turns, reads}; got != want {
			t.Errorf("%s: %d turns and reads are held, want %d", when, got, want)
		}
	}
	begin := func() *turn {
		turn := &turn{admission: ad, ctx: t.Context(), tenant: "p", slot: true, readSlot: true}
		if err := turn.take(); err != nil {
			t.Fatal(err)
		}
		check("at first", one)
		return turn
	}

	turn := begin()
	err := turn.pause(func() error {
		check("while it waits", none)
		return turn.pause(func() error {
			check("while two wait", none)
			return nil
		})
	})
	if check("when all have what they need", one); err != nil {
		t.Error(err)
	}
	turn.end()
	turn.end()
	check("at the end", none)

	failed := errors.New("in vain")
	turn = begin()
	if err := turn.pause(func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	check("after waiting in vain", none)
	turn.end()
	check("at the end of that", none)

	turn = begin()
	turn.end()
	if err := turn.pause(func() error { return nil }); err != nil { // responses are sent without a turn
		t.Error(err)
	}
	check("when there was none", none)

	// A request that resumes waits for a turn like any other.
	ctx, cancel := context.WithCancel(t.Context())
	turn = begin()
	turn.ctx = ctx
	err = turn.pause(func() error {
		for _, tenant := range []string{"a", "b", "c", "d"} {
			if err := ad.takeTurn(t.Context(), tenant); err != nil {
				t.Error(err)
			}
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("all turns are taken, and the error is %v", err)
	}
	turn.end()
	check("when others have them all", [2]int64{4, 0})
}

// TestTurnIsGivenUpWhileMemoryIsWaitedFor: several goroutines of a request may wait concurrently. The first gives the
// turn up, the last takes it again.
func TestTurnIsGivenUpWhileMemoryIsWaitedFor(t *testing.T) {
	ad := NewAdmission(Limits{Concurrent: 1, Reads: 1, Wait: time.Millisecond})
	free := func() bool { // whether another request gets a turn
		other := &turn{admission: ad, ctx: t.Context(), tenant: "other", slot: true}
		if other.take() != nil {
			return false
		}
		other.end()
		return true
	}
	mine := &turn{admission: ad, ctx: t.Context(), tenant: "mine", slot: true, readSlot: true}
	if err := mine.take(); err != nil {
		t.Fatal(err)
	}
	if free() {
		t.Error("another request has a turn beside the one that there is")
	}
	err := mine.pause(func() error {
		if !free() {
			t.Error("the turn is kept while memory is waited for")
		}
		err := mine.pause(func() error { return nil }) // another goroutine of the request
		if !free() {
			t.Error("the turn is taken again while one still waits")
		}
		return err
	})
	if err != nil || !mine.held || free() {
		t.Errorf("the turn is not taken again: %v", err)
	}
	broken := errors.New("no memory")
	if err := mine.pause(func() error { return broken }); !errors.Is(err, broken) || mine.held || !free() {
		t.Errorf("after a wait in vain the turn is held: %v, %v", mine.held, err)
	}
	if err := mine.pause(func() error { return nil }); err != nil || mine.held || !free() {
		t.Errorf("a request without a turn has one after a wait: %v", err)
	}
}
