package ingest

import (
	"context"
)

// work is what an export holds while it is processed: memory, and a turn until its rows are complete.
type work struct {
	Reservation
	pipeline *Pipeline
	hasTurn  bool
}

// workFactor is the memory needed to process a typical export as a multiple of its length; smallWork is needed in any
// case.
const (
	workFactor = 5
	smallWork  = 512 << 10
)

// beginWork waits for a turn and reserves the memory that an export of the given size usually takes. Anything beyond
// that is reserved later and may involve waiting while others wait; this does not happen for typical exports.
//
// The turn is taken first, so that an export waiting for one holds no memory that exports with a turn might wait for.
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

// takeTurn waits until the project may process an export. Waiting projects are served in turn.
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

// endTurn lets another export begin. It is safe to call it more than once.
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
