package ingest

import (
	"context"
)

// work is what an export holds while it is worked on: memory, and a turn until its rows are made.
type work struct {
	Reservation
	pipeline *Pipeline
	hasTurn  bool
}

// workFactor is how many times the length of a usual export is needed to work on it, smallWork how much is needed anyway.
const (
	workFactor = 5
	smallWork  = 512 << 10
)

// beginWork waits for a turn and reserves what an export of so many bytes will usually take. What it takes beyond that is
// reserved later, and may have to be waited for while others wait; for usual exports that does not happen.
//
// The turn comes first: whoever waits for one holds no memory that those who have one might wait for.
func (p *Pipeline) beginWork(ctx context.Context, project string, bytes int64) (*work, error) {
	if err := p.takeTurn(ctx, project); err != nil {
		return nil, err
	}
	w := &work{Reservation: Reservation{budget: p.working, project: project}, pipeline: p, hasTurn: true}
	if err := w.Expect(ctx, min(workFactor*bytes+smallWork, p.working.size)); err != nil {
		w.release()
		return nil, err
	}
	return w, nil
}

// takeTurn waits until the project may make rows of an export. Projects that wait are served one after the other.
func (p *Pipeline) takeTurn(ctx context.Context, project string) error {
	if p.turns.TryTake(project, 1, 0) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, p.turnWait)
	defer cancel()
	err := p.turns.Take(limited, project, 1, 0)
	if err != nil && ctx.Err() == nil {
		return busy("turn", "The server is working on as many exports as it can. Try again shortly.", retryMemory, err)
	}
	return err
}

// endTurn lets another export begin. It may be called again.
func (w *work) endTurn() {
	if w.hasTurn {
		w.hasTurn = false
		w.pipeline.turns.Give(w.project, 1)
	}
}

func (w *work) release() {
	w.Release()
	w.endTurn()
}
