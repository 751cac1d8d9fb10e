package memory

import (
	"errors"
	"testing"
)

func TestTally(t *testing.T) {
	b := NewBudget(Sizes{Shared: 10 * tallyStep}, 0)
	tally := NewTally(With(t.Context(), b.Lease("a")))
	for range 100 {
		if err := tally.Add(tallyStep / 16); err != nil {
			t.Fatal(err)
		}
	}
	if held := b.Held(); held != 6*tallyStep {
		t.Errorf("%d bytes are held, %d in use", held, 100*tallyStep/16)
	}
	if err := tally.Add(10 * tallyStep); !errors.Is(err, ErrTooLarge) {
		t.Errorf("more than there is: %v", err)
	}
	tally.Release()
	if b.Held() != 0 {
		t.Errorf("%d bytes are lost", b.Held())
	}
	if err := tally.Add(10 * tallyStep); err != nil || b.Held() != 10*tallyStep {
		t.Errorf("after a release: %v, %d bytes", err, b.Held())
	}
	if err := tally.Add(-4 * tallyStep); err != nil || b.Held() != 6*tallyStep || tally.Taken() != 6*tallyStep {
		t.Errorf("after some were given back: %v, %d bytes", err, b.Held())
	}
	if tally.Release(); b.Held() != 0 {
		t.Errorf("%d bytes are lost", b.Held())
	}
	none := NewTally(t.Context())
	if err := none.Add(1 << 50); err != nil {
		t.Errorf("without a lease: %v", err)
	}
	none.Release()
}

func TestTryGrow(t *testing.T) {
	b := NewBudget(Sizes{Shared: 1000, Large: 500}, 0)
	other, l := b.Lease("a"), b.Lease("b")
	if err := other.TryGrow(400); err != nil {
		t.Fatal(err)
	}
	if err := l.TryGrow(501); !errors.Is(err, ErrTooLarge) {
		t.Errorf("more than one may have: %v", err)
	}
	third := b.Lease("c")
	for _, lease := range []*Lease{third, l} { // the rest of the shared lane, and the large one
		if err := lease.TryGrow(500); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.TryGrow(101); !errors.Is(err, ErrTooLarge) {
		t.Errorf("more than one may have: %v", err)
	}
	fourth := b.Lease("d")
	if err := fourth.TryGrow(200); !errors.Is(err, ErrBusy) || b.Waiting() != 0 {
		t.Errorf("what others hold: %v, %d wait", err, b.Waiting())
	}
	l.Release()
	if err := l.TryGrow(1); !errors.Is(err, ErrReleased) {
		t.Errorf("after its end: %v", err)
	}
	other.Release()
	third.Release()
	fourth.Release()
	if b.Held() != 0 || len(b.owners) != 0 {
		t.Errorf("%d bytes and %d owners are left", b.Held(), len(b.owners))
	}
	var none *Lease
	if err := none.TryGrow(1 << 50); err != nil {
		t.Errorf("without a lease: %v", err)
	}
}
