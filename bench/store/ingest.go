package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/bench/corpus"
	"almanac/internal/domain"
	"almanac/internal/store"
)

// source distributes the rows of one generator to several producers.
type source struct {
	mu        sync.Mutex
	generator *corpus.Generator
}

func (s *source) fill(batch []domain.Observation) (project string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.generator.Fill(batch)
}

// fillUpTo fills as much of the batch as brings the generator to the given number of rows.
func (s *source) fillUpTo(rows int, batch []domain.Observation) (project string, filled []domain.Observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	filled = batch[:max(0, min(len(batch), rows-s.generator.Rows()))]
	if len(filled) == 0 {
		return "", nil
	}
	return s.generator.Fill(filled), filled
}

// generatorCost returns the CPU time of the generator per row, which must not be attributed to a store.
func generatorCost(g *corpus.Generator, rows, batchSize int) time.Duration {
	g.Restart()
	defer g.Restart()
	batch := make([]domain.Observation, batchSize)
	cpu := thisProcess.cpuTime()
	for g.Rows() < rows {
		g.Fill(batch)
	}
	return (thisProcess.cpuTime() - cpu) / time.Duration(g.Rows())
}

// acks holds how long callers waited for acknowledgements.
type acks struct {
	mu    sync.Mutex
	took  durations
	tries int // refused because the store was busy
}

// send appends a batch and retries while the store is busy: a producer would not give up either.
func (a *acks) send(ctx context.Context, e engine, project string, batch []domain.Observation) error {
	began, refused := time.Now(), 0
	for {
		err := e.append(ctx, project, batch)
		if err == nil {
			break
		}
		if !errors.Is(err, store.ErrBusy) {
			return fmt.Errorf("append %d rows: %w", len(batch), err)
		}
		refused++
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.took = append(a.took, time.Since(began))
	a.tries += refused
	return nil
}

// ingest makes producers append rows as fast as they are acknowledged, until the generator has made the given number.
func ingest(ctx context.Context, e engine, s *source, rows, producers, batchSize int) (*acks, error) {
	a := new(acks)
	group, ctx := errgroup.WithContext(ctx)
	for range producers {
		group.Go(func() error {
			batch := make([]domain.Observation, batchSize)
			for {
				project, filled := s.fillUpTo(rows, batch)
				if filled == nil {
					return nil
				}
				if err := a.send(ctx, e, project, filled); err != nil {
					return err
				}
			}
		})
	}
	return a, group.Wait()
}

// load appends rows at a steady rate until it is stopped.
type load struct {
	acks   acks
	rows   int
	began  time.Time
	took   time.Duration
	err    error
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// startLoad begins to append the given number of rows per second. A store that cannot keep up gets fewer.
func startLoad(ctx context.Context, e engine, s *source, perSecond, batchSize int) *load {
	ctx, cancel := context.WithCancel(ctx)
	l := &load{began: time.Now(), cancel: cancel}
	batch := make([]domain.Observation, min(batchSize, max(1, perSecond/10)))
	interval := time.Duration(len(batch)) * time.Second / time.Duration(perSecond)
	l.done.Go(func() {
		defer func() { l.took = time.Since(l.began) }()
		due := l.began
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Until(due)):
			}
			due = due.Add(interval)
			if late := time.Since(due); late > time.Second {
				due = due.Add(late) // missed rows are not made up for
			}
			project := s.fill(batch)
			// The batch in flight when the load ends is still sent, so that the end does not appear as an error of the
			// store.
			if l.err = l.acks.send(context.WithoutCancel(ctx), e, project, batch); l.err != nil {
				return
			}
			l.rows += len(batch)
		}
	})
	return l
}

// stop ends the load and returns its error, if any.
func (l *load) stop() error {
	l.cancel()
	l.done.Wait()
	return l.err
}
