package endpoint

import (
	"context"
	"sync"
)

// turn is a request's permission to run: a turn, an event read, or both. A request gives it up while it waits for
// memory, since the requests that hold the memory may need it to finish.
type turn struct {
	admission      *Admission
	ctx            context.Context //nolint:containedctx // of the one request
	tenant         string
	slot, readSlot bool // whether it includes a turn, and an event read

	mu      sync.Mutex
	held    bool
	waiting int  // goroutines of the request that wait for memory
	paused  bool // it was held when the first of them began to wait
}

// take waits for the turn.
func (t *turn) take() error {
	if t.slot {
		if err := t.admission.takeTurn(t.ctx, t.tenant); err != nil {
			return err
		}
	}
	if t.readSlot {
		if err := t.admission.takeRead(t.ctx, t.tenant); err != nil {
			if t.slot {
				t.admission.endTurn(t.tenant)
			}
			return err
		}
	}
	t.held = true
	return nil
}

// end gives the turn back, if it is held.
func (t *turn) end() {
	if !t.held {
		return
	}
	t.held = false
	if t.readSlot {
		t.admission.endRead(t.tenant)
	}
	if t.slot {
		t.admission.endTurn(t.tenant)
	}
}

// pause gives the turn up while wait runs, and takes it again after the last of several concurrent waits.
func (t *turn) pause(wait func() error) error {
	t.mu.Lock()
	if t.waiting++; t.waiting == 1 {
		t.paused = t.held
		t.end()
	}
	t.mu.Unlock()
	err := wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting--; t.waiting > 0 || err != nil || !t.paused {
		return err
	}
	return t.take()
}
