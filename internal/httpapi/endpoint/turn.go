package endpoint

import (
	"context"
	"sync"
)

// turn is a request's permission to run: a turn, an event read, or both. A request gives it up while it waits for
// memory, since the requests that hold the memory may need it to finish.
type turn struct {
	admission   *Admission
	ctx         context.Context //nolint:containedctx // of the one request
	party       string
	whole, read bool // whether it includes a turn, and an event read

	mu      sync.Mutex
	held    bool
	waiting int  // goroutines of the request that wait for memory
	paused  bool // it was held when the first of them began to wait
}

// take waits for the turn.
func (t *turn) take() error {
	if t.whole {
		if err := t.admission.takeTurn(t.ctx, t.party); err != nil {
			return err
		}
	}
	if t.read {
		if err := t.admission.takeRead(t.ctx, t.party); err != nil {
			if t.whole {
				t.admission.endTurn(t.party)
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
	if t.read {
		t.admission.endRead(t.party)
	}
	if t.whole {
		t.admission.endTurn(t.party)
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
