package clickhouse

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"almanac/internal/store"
)

// writer collects the appends of many goroutines and commits them in batches, one at a time.
type writer struct {
	options Options
	room    *semaphore.Weighted // bytes that may be queued
	queue   chan *pending
	commit  func(context.Context, []*pending) error
}

// maxQueue is the maximum number of queued appends. Further ones block.
const maxQueue = 4096

// pending is an append waiting to be batched.
type pending struct {
	rows     []encodedRow
	bytes    int64
	deadline time.Time // for the result
	// state is waiting until either the writer takes it or its caller gives up: only one of them succeeds.
	state atomic.Int32
	done  chan error // buffered for the one result
}

const (
	waiting int32 = iota
	taken
	abandoned
)

func newWriter(o Options, commit func(context.Context, []*pending) error) *writer {
	return &writer{options: o, room: semaphore.NewWeighted(o.Memory), queue: make(chan *pending, maxQueue), commit: commit}
}

// append waits until the rows are in ClickHouse, but not longer than Patience.
func (w *writer) append(ctx context.Context, rows []encodedRow, bytes int64) error {
	bytes = min(bytes, w.options.Memory) // an append larger than the limit gets all of it
	deadline := time.Now().Add(w.options.Patience)
	// Half of the time is for the insert.
	patience, cancel := context.WithDeadline(ctx, deadline.Add(-w.options.Patience/2))
	defer cancel()
	p := &pending{rows: rows, bytes: bytes, deadline: deadline, done: make(chan error, 1)}
	if err := w.room.Acquire(patience, bytes); err != nil {
		return w.busy(ctx)
	}
	select {
	case w.queue <- p:
	case <-patience.Done():
		w.room.Release(bytes)
		return w.busy(ctx)
	}
	select {
	case err := <-p.done:
		return err
	case <-patience.Done():
	}
	if p.state.CompareAndSwap(waiting, abandoned) {
		return w.busy(ctx)
	}
	// It is being inserted, which ends by the deadline. Only the caller's may be shorter.
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// busy returns the error for rows that were not taken in time.
func (w *writer) busy(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%w: rows waited %s to be inserted", store.ErrBusy, w.options.Patience/2)
}

// run inserts queued appends until ctx is done.
func (w *writer) run(ctx context.Context) {
	var last time.Time
	for {
		var first *pending
		select {
		case <-ctx.Done():
			w.refuse()
			return
		case first = <-w.queue:
		}
		batch := w.gather(ctx, first, last.Add(w.options.Pause))
		last = time.Now()
		var taking []*pending
		bytes := int64(0)
		for _, p := range batch {
			bytes += p.bytes
			if p.state.CompareAndSwap(waiting, taken) {
				taking = append(taking, p)
			}
		}
		if len(taking) > 0 {
			err := w.commit(ctx, taking)
			for _, p := range taking {
				p.done <- err
			}
		}
		w.room.Release(bytes)
	}
}

// gather collects queued appends until the batch is full or the given time is reached.
func (w *writer) gather(ctx context.Context, first *pending, until time.Time) []*pending {
	batch := []*pending{first}
	rows, bytes := len(first.rows), first.bytes
	pause := time.NewTimer(time.Until(until))
	defer pause.Stop()
	for rows < w.options.BatchRows && bytes < int64(w.options.BatchBytes) {
		var p *pending
		select {
		case p = <-w.queue:
		default:
			if !time.Now().Before(until) {
				return batch
			}
			select {
			case p = <-w.queue:
			case <-pause.C:
				return batch
			case <-ctx.Done():
				return batch
			}
		}
		batch = append(batch, p)
		rows += len(p.rows)
		bytes += p.bytes
	}
	return batch
}

// refuse fails the appends still queued when the store is closed.
func (w *writer) refuse() {
	for {
		select {
		case p := <-w.queue:
			if p.state.CompareAndSwap(waiting, taken) {
				p.done <- fmt.Errorf("appending: %w", store.ErrClosed)
			}
			w.room.Release(p.bytes)
		default:
			return
		}
	}
}
