package segment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/store"
)

// request is a write for the committer.
type request[R any] struct {
	record  []byte // as written to the log; the committer fills in the sequence number
	project string
	rows    []*hotRow[R]     // of an append; sorted
	remove  *store.Selection // of a delete
	plan    planned[R]       // of a delete by time
	amends  []amended[R]     // of an append of rows that were read: where
	refused error            // why it was not committed, although the others of its group were
	bytes   int64
	removed int
	done    chan error
}

// commitLoop commits requests until the table is closed.
func (t *table[R]) commitLoop() {
	defer t.stopped.Done()
	for r := range t.requests {
		for group := t.waiting(r); len(group) > 0; {
			some := group[:1+untilAmendment(group[1:])]
			group = group[len(some):]
			err := t.commit(some)
			for _, r := range some {
				r.done <- cmp.Or(r.refused, err)
			}
		}
	}
}

// untilAmendment returns the number of requests before the first that amends rows: whether it may depends on all before.
func untilAmendment[R any](group []*request[R]) int {
	if n := slices.IndexFunc(group, func(r *request[R]) bool { return r.amends != nil }); n >= 0 {
		return n
	}
	return len(group)
}

// The limits of a group commit. A record is at most half a frame, so that a group with one more always fits into one.
const (
	maxGroup      = 64
	maxGroupBytes = 64 << 20
)

// waiting returns a request and those that wait behind it, as many as are committed together.
func (t *table[R]) waiting(first *request[R]) []*request[R] {
	group, bytes := []*request[R]{first}, len(first.record)
	for len(group) < maxGroup && bytes < maxGroupBytes {
		select {
		case r, ok := <-t.requests:
			if !ok {
				return group
			}
			group, bytes = append(group, r), bytes+len(r.record)
		default:
			return group
		}
	}
	return group
}

// commit makes a group of requests durable and visible.
func (t *table[R]) commit(group []*request[R]) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.failure(); err != nil {
		return err
	}
	if group[0].outdated(t.current.Load()) {
		group[0].refused = errOutdated
		if group = group[1:]; len(group) == 0 {
			return nil
		}
	}
	seq := t.current.Load().seq
	records := make([][]byte, len(group))
	for n, r := range group {
		records[n] = r.record
		putSeq(r.record, seq+uint64(n)+1)
	}
	if err := t.log.write(records); err != nil {
		if !errors.Is(err, store.ErrDiskFull) && !errors.Is(err, errFrameTooLarge) { // nothing is written then
			t.fail(err)
		}
		return err
	}
	if err := t.applyGuarded(group, seq+1); err != nil {
		t.fail(err)
		return err
	}
	if _, bytes := t.current.Load().active().size(); bytes >= t.options.FlushBytes && !t.freezeFailed {
		_ = t.freeze() // these writes are done; failures are recorded
	}
	return nil
}

// applyGuarded is apply, but returns an error on a fault.
func (t *table[R]) applyGuarded(group []*request[R], seq uint64) (err error) {
	defer t.onFault(&err)()
	t.apply(group, seq)
	return nil
}

// freeze closes the current hot table, which becomes a segment in the background. If there is no space or file
// descriptor for a new log file, the table keeps using the current one, and flushLoop retries. The caller must hold mu.
func (t *table[R]) freeze() error {
	err := t.startLog(nil, nil)
	switch {
	case errors.Is(err, errNoLog) && !errors.Is(err, errLogStays):
		if !t.freezeFailed {
			t.options.Log.Error("cannot create the next log file; retrying", "table", t.schema.table, "error", err)
		}
		t.freezeFailed = true
		time.AfterFunc(time.Second, func() { wake(t.flushNow) })
	case err != nil:
		t.fail(err)
		err = t.failure()
	default:
		t.freezeFailed = false
		wake(t.flushNow)
	}
	return err
}

// retryFreeze retries a freeze that failed.
func (t *table[R]) retryFreeze() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.freezeFailed && t.failure() == nil {
		_ = t.freeze() // it will be retried
	}
}

// apply applies requests to memory and publishes the resulting version. Only the committer and replay call it.
func (t *table[R]) apply(group []*request[R], seq uint64) {
	v := *t.current.Load()
	k := &tombstoner[R]{table: t, version: &v}
	for n, r := range group {
		at := seq + uint64(n)
		if r.remove != nil {
			k.plan = r.plan
			r.removed = k.markDeleted(r.project, r.remove, at)
			k.plan = nil
		} else {
			k.replace(r, at)
			v.active().add(r.project, r.rows, at, r.bytes)
		}
		if r.remove != nil {
			v.active().recordWrite(at, int64(len(r.record)))
		} else {
			v.active().recordWrite(at, 0)
		}
		v.seq = at
	}
	t.publish(&v)
}

// admit waits until there is space for a batch in memory. What a flush has written so far counts as free although its
// memory is not released yet, and space for one flush is reserved for that: writers proceed at the speed of the flush
// instead of waiting for its end. Waiting writers are admitted one at a time, in order of arrival.
func (t *table[R]) admit(ctx context.Context) error {
	if len(t.admission) == 0 {
		if ok, err := t.hasRoom(); ok || err != nil {
			return err
		}
	}
	deadline := time.NewTimer(t.options.BusyTimeout)
	defer deadline.Stop()
	again := time.NewTicker(5 * time.Millisecond) // the flush has made progress
	defer again.Stop()
	turn := t.admission
	for {
		select {
		case turn <- struct{}{}:
			turn = nil
			defer func() { <-t.admission }()
		case <-again.C:
		case <-deadline.C:
			return fmt.Errorf("%w: %d MB of table %s wait to be written", store.ErrBusy, t.hotBytes()>>20, t.schema.table)
		case <-ctx.Done():
			return ctx.Err()
		case <-t.stop:
			return store.ErrClosed
		}
		if turn == nil {
			if ok, err := t.hasRoom(); ok || err != nil {
				return err
			}
		}
	}
}

// hasRoom reports whether there is space for a batch in memory.
func (t *table[R]) hasRoom() (bool, error) {
	if err := t.failure(); err != nil {
		return false, err
	}
	return t.hotBytes()-t.flushed.Load() < t.options.HotBytes-t.options.FlushBytes, nil
}

// hotBytes returns the memory taken by rows that are not in segments yet.
func (t *table[R]) hotBytes() int64 {
	sum := int64(0)
	for _, h := range t.current.Load().hot {
		_, bytes := h.size()
		sum += bytes
	}
	return sum
}

// submit passes a request to the committer and waits until it is done.
func (t *table[R]) submit(r *request[R]) error {
	t.closing.RLock()
	if t.closed {
		t.closing.RUnlock()
		return store.ErrClosed
	}
	err := t.checkDeferred(r.project)
	if t.readOnly() {
		err = errReadOnly
	}
	if err != nil {
		t.closing.RUnlock()
		return err
	}
	t.requests <- r
	t.closing.RUnlock()
	return <-r.done
}
