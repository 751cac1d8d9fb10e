package legacy

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/store"
)

// rows are the rows affected by a few changes, first as stored and then as changed.
type rows struct {
	*work
	in     *Ingester
	memory *ingest.Reservation
	loaded int // bytes

	// traces are the traces whose locks are held.
	traces map[string]struct{}
	// found are the stored rows by the ids of changed observations.
	found map[string][]*domain.Observation
	// traceRecords are the trace records. Those that are not changed are loaded without long fields.
	traceRecords map[string]*domain.Observation

	changed []*domain.Observation // in order of first change
	touched map[*domain.Observation]bool
	retold  map[string]struct{} // traces whose inherited fields changed
}

// storeAtOnce stores changes with one append. It fails with errLoaded if they concern too many bytes of rows.
func (in *Ingester) storeAtOnce(ctx context.Context, w *work, changes []*change) error {
	r := &rows{work: w, in: in, memory: in.Memory.Reserve(w.scope.ProjectID()), traces: make(map[string]struct{})}
	defer r.memory.Release()
	for _, c := range changes {
		r.traces[cmp.Or(c.traceID, c.id)] = struct{}{} // a new observation without a trace becomes a trace of its own
	}
	release, err := r.load(ctx, changes)
	if err != nil {
		return err
	}
	defer release()
	for _, c := range changes {
		if err := r.apply(c); err != nil {
			w.errs[c.event] = err
		}
	}
	if err := r.propagateTraceFields(ctx); err != nil {
		return err
	}
	return r.append(ctx)
}

// load reads the rows affected by the changes, with all their locks held. The trace of an observation, which has a lock
// as well, may be known only once the observation is read; then all rows are read again.
func (r *rows) load(ctx context.Context, changes []*change) (release func(), err error) {
	ids, told := make(map[string]struct{}), make(map[string]struct{})
	for _, c := range changes {
		if c.isTrace() {
			told[c.traceID] = struct{}{}
		} else {
			ids[c.id] = struct{}{}
		}
	}
	for {
		if release, err = r.in.Lock(ctx, r.scope, r.namesOf(ids)); err != nil {
			return nil, err
		}
		if err = r.read(ctx, ids, told); err != nil {
			release()
			return nil, err
		}
		if !r.meetTraces() {
			break
		}
		release()
	}
	if err = r.readTraceRecords(ctx, told); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// namesOf returns the names of the locks: those of observations, and those of traces, whose ids may be the same.
func (r *rows) namesOf(ids map[string]struct{}) []string {
	names := make([]string, 0, len(ids)+len(r.traces))
	for id := range ids {
		names = append(names, store.ObservationLock(id))
	}
	for id := range r.traces {
		names = append(names, store.TraceLock(id))
	}
	return names
}

// read loads the rows to be changed, with all fields.
func (r *rows) read(ctx context.Context, ids, told map[string]struct{}) error {
	r.found, r.traceRecords = make(map[string][]*domain.Observation), make(map[string]*domain.Observation)
	r.touched, r.retold = make(map[*domain.Observation]bool), make(map[string]struct{})
	r.memory.Shrink(int64(r.loaded))
	r.loaded = 0
	wanted := make([]string, 0, len(ids)+len(told))
	for id := range ids {
		wanted = append(wanted, id)
	}
	for trace := range told {
		wanted = append(wanted, domain.TraceRecordID(trace))
	}
	return r.lookup(ctx, store.Lookup{IDs: wanted, Want: store.WantAll}, func(row *domain.Observation) error {
		_, isTold := told[row.TraceID]
		_, isWanted := ids[row.ID]
		if isTold = isTold && row.IsTraceRecord(); !isTold && !isWanted {
			return nil
		}
		bytes := row.TextBytes()
		if r.loaded += bytes; r.loaded > maxLoaded && len(wanted) > 1 {
			return errLoaded
		}
		if err := r.grow(ctx, bytes); err != nil {
			return err
		}
		kept := row.Clone()
		kept.DropInherited() // what is stored is looked at anew
		if isTold {
			r.traceRecords[kept.TraceID] = &kept
		} else if !kept.IsTraceRecord() {
			r.found[kept.ID] = append(r.found[kept.ID], &kept)
		}
		return nil
	})
}

// grow reserves memory for a row.
func (r *rows) grow(ctx context.Context, bytes int) error {
	err := r.memory.Grow(ctx, int64(bytes))
	refused, ok := errors.AsType[*ingest.Error](err)
	switch {
	case ok && refused.Kind == ingest.Busy:
		return fmt.Errorf("%w: %w", store.ErrBusy, err)
	case ok:
		return refuse(decode.Violation([]any{"body"}, "What is stored already is too large to be changed: "+refused.Message))
	}
	return err
}

// lookup calls visit for the rows found in the store.
func (r *rows) lookup(ctx context.Context, l store.Lookup, visit func(*domain.Observation) error) error {
	for row, err := range r.in.Table.Lookup(ctx, r.scope, l) {
		if err != nil {
			return fmt.Errorf("cannot read what %d events are about: %w", len(l.IDs)+len(l.TraceIDs), err)
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

// meetTraces adds the traces of the rows that were read, and reports whether the locks of any of them are not held yet.
func (r *rows) meetTraces() (more bool) {
	for _, list := range r.found {
		for _, row := range list {
			if _, known := r.traces[row.TraceID]; !known {
				r.traces[row.TraceID], more = struct{}{}, true
			}
		}
	}
	return more
}

// readTraceRecords loads the fields that observations inherit from traces that are not changed.
func (r *rows) readTraceRecords(ctx context.Context, told map[string]struct{}) error {
	var ids []string
	for trace := range r.traces {
		if _, isTold := told[trace]; !isTold {
			ids = append(ids, domain.TraceRecordID(trace))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return r.lookup(ctx, store.Lookup{IDs: ids}, func(row *domain.Observation) error {
		if _, wanted := r.traces[row.TraceID]; wanted && row.IsTraceRecord() {
			kept := row.Clone()
			kept.DropInherited()
			r.traceRecords[kept.TraceID] = &kept
		}
		return nil
	})
}

// apply applies a change to its row.
func (r *rows) apply(c *change) error {
	var row *domain.Observation
	if c.isTrace() {
		row = r.traceRecords[c.traceID]
	} else {
		row = r.observation(c)
	}
	var next domain.Observation
	switch {
	case row != nil:
		next = *row
	case c.isTrace():
		next = *r.newRow(c, domain.TraceRecordID(c.traceID), c.traceID)
	default:
		trace := cmp.Or(c.traceID, c.id)
		if c.id == domain.TraceRecordID(trace) {
			return refuse(decode.Violation([]any{"body", "id"}, "The id t-<trace id> is that of the trace itself"))
		}
		next = *r.newRow(c, c.id, trace)
	}
	if err := r.applyTo(c, &next); err != nil {
		return err
	}
	if row == nil {
		row = new(domain.Observation)
		if c.isTrace() {
			r.traceRecords[c.traceID] = row
			r.retold[c.traceID] = struct{}{}
		} else {
			r.found[c.id] = append(r.found[c.id], row)
		}
	} else if c.isTrace() && !sameInherited(row, &next) {
		r.retold[c.traceID] = struct{}{}
	}
	*row = next
	if !r.touched[row] {
		r.touched[row] = true
		r.changed = append(r.changed, row)
	}
	return nil
}

// observation returns the row that a change is about; nil if there is none yet. Rows are identified by trace and id,
// but clients of this endpoint rely on ids alone: an observation sent here before stays in its trace, whatever an
// update says.
func (r *rows) observation(c *change) *domain.Observation {
	var best *domain.Observation
	for _, row := range r.found[c.id] {
		switch {
		case row.TraceID == c.traceID:
			return row
		case row.IsIngested(), best == nil && c.traceID == "":
			best = row
		}
	}
	return best
}

// append stores the changed rows.
func (r *rows) append(ctx context.Context) error {
	if len(r.changed) == 0 {
		return nil
	}
	list := make([]domain.Observation, 0, len(r.changed))
	newest := domain.Micros(0)
	for _, row := range r.changed {
		if trace := r.traceRecords[row.TraceID]; trace != nil && row.IsIngested() {
			inherit(row, trace)
		}
		list = append(list, *row)
		newest = max(newest, row.StartTime)
	}
	if r.in.LinkPrompts != nil {
		r.in.LinkPrompts(ctx, r.scope, list)
	}
	if err := r.in.Table.Append(ctx, r.scope, list); err != nil {
		return fmt.Errorf("cannot store %d traces and observations: %w", len(list), err)
	}
	if r.in.Stored != nil {
		r.in.Stored(min(newest, r.now))
	}
	return nil
}
