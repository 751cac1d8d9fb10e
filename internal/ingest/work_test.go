package ingest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
)

// slowPrices blocks exports of project a until open is closed.
type slowPrices struct {
	Prices
	reached chan struct{}
	open    chan struct{}
}

func (s *slowPrices) Of(ctx context.Context, scope domain.ProjectScope) (*pricing.List, error) {
	if scope.ProjectID() == "a" {
		s.reached <- struct{}{}
		<-s.open
	}
	return s.Prices.Of(ctx, scope)
}

// TestTurnsOfExports keeps as many exports of one project busy as possible, and checks that another project is still
// served.
func TestTurnsOfExports(t *testing.T) {
	slow := &slowPrices{reached: make(chan struct{}), open: make(chan struct{})}
	b := newBench(t, func(o *Options) {
		slow.Prices, o.Prices = o.Prices, slow
		o.Turns, o.TurnWait = 4, time.Minute
	})
	send := func(project string) error {
		body := b.NewBody(project)
		defer body.Release()
		if err := body.Read(t.Context(), strings.NewReader(export(span("1", project))), 0, 1<<20); err != nil {
			return err
		}
		_, err := b.Traces(t.Context(), domain.OfProject(project), Request{Transport: "http", Encoding: JSON, Body: body})
		return err
	}
	var work sync.WaitGroup
	for range 10 {
		work.Go(func() {
			if err := send("a"); err != nil {
				t.Error(err)
			}
		})
	}
	for range 3 { // a's share
		<-slow.reached
	}
	for b.turns.Waiting() < 7 {
		time.Sleep(time.Millisecond)
	}
	if err := send("b"); err != nil {
		t.Errorf("another project: %v", err)
	}
	go func() {
		for range 7 {
			<-slow.reached
		}
	}()
	close(slow.open)
	work.Wait()
	if len(b.table.scopes) != 11 || b.table.scopes[0] != "b" {
		t.Errorf("stored in the order %v, want b first of 11", b.table.scopes)
	}
	if b.turns.Held() != 0 || b.working.Held() != 0 || b.receiving.Held() != 0 {
		t.Errorf("%d turns, %d and %d bytes are lost", b.turns.Held(), b.working.Held(), b.receiving.Held())
	}
}

// TestUnpackedBodiesGiveTheirTurnBack checks that decompression takes a turn, and that an abandoned export gives it
// back.
func TestUnpackedBodiesGiveTheirTurnBack(t *testing.T) {
	b := newBench(t, nil)
	packed := received(t, b.Pipeline, pack(t, []byte(export(span("1", "a"))), gzipped))
	body, err := b.Decompress(t.Context(), packed, "gzip")
	if err != nil {
		t.Fatal(err)
	}
	if b.turns.Held() != 1 || b.receiving.Held() != 0 {
		t.Errorf("%d turns and %d bytes of what was received are held, want a turn only", b.turns.Held(), b.receiving.Held())
	}
	body.Release()
	body.Release()
	if b.turns.Held() != 0 || b.working.Held() != 0 {
		t.Errorf("%d turns and %d bytes are lost", b.turns.Held(), b.working.Held())
	}
}

func TestNoTurnInTime(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Turns, o.TurnWait = 1, time.Millisecond })
	b.turns.TryTake("a", 1, 0)
	_, err := b.send(t, export(span("1", "a")), nil)
	if refused := refusedAs(t, err, Busy); refused.Reason != "turn" || refused.RetryAfter <= 0 {
		t.Errorf("refused with %+v", refused)
	}
	b.turns.Give("a", 1)
	if _, err := b.send(t, export(span("1", "a")), nil); err != nil {
		t.Error(err)
	}
	if b.turns.Held() != 0 {
		t.Errorf("%d turns are lost", b.turns.Held())
	}
}

func TestBudgetIsShared(t *testing.T) {
	b := newSharedBudget(1000, 10*time.Millisecond)
	first, second, other := b.Reserve("a"), b.Reserve("a"), b.Reserve("b")
	if err := first.Grow(t.Context(), 700); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, second.Grow(t.Context(), 100), Busy)
	if err := other.Grow(t.Context(), 250); err != nil {
		t.Errorf("nothing is left for another project: %v", err)
	}
	other.Release()
	if err := first.Grow(t.Context(), 300); err != nil {
		t.Errorf("one export does not get everything: %v", err)
	}
	first.Release()
	if b.Held() != 0 {
		t.Errorf("%d bytes are lost", b.Held())
	}
}
