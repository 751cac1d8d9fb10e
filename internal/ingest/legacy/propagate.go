package legacy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// retoldBytes is the approximate number of bytes of rows per append when inherited fields are updated.
const retoldBytes = 8 << 20

// propagateTraceFields updates the inherited fields of the other observations of changed traces. The rows of the traces
// themselves are stored afterwards: if anything fails in between, the retried event does it again.
func (r *rows) propagateTraceFields(ctx context.Context) error {
	if len(r.retold) == 0 {
		return nil
	}
	traces, err := r.outdated(ctx)
	if err != nil || len(traces) == 0 {
		return err
	}
	var list []domain.Observation
	bytes := 0
	flush := func() error {
		if err := r.in.Table.Append(ctx, r.scope, list); err != nil {
			return fmt.Errorf("cannot store %d observations of traces that were changed: %w", len(list), err)
		}
		r.memory.Shrink(int64(bytes))
		list, bytes = list[:0], 0
		return nil
	}
	err = r.lookup(ctx, store.Lookup{TraceIDs: traces, Want: store.WantAll}, func(row *domain.Observation) error {
		if !r.inherits(row) {
			return nil
		}
		kept := row.Clone()
		kept.DropInherited()
		if !inherit(&kept, r.traceRecords[kept.TraceID]) {
			return nil
		}
		kept.UpdatedAt = r.now
		size := kept.TextBytes()
		if err := r.grow(ctx, size); err != nil {
			return err
		}
		list = append(list, kept)
		if bytes += size; bytes < retoldBytes {
			return nil
		}
		return flush()
	})
	if err != nil || len(list) == 0 {
		return err
	}
	return flush()
}

// outdated returns the traces with observations whose inherited fields are outdated.
func (r *rows) outdated(ctx context.Context) ([]string, error) {
	found := make(map[string]struct{})
	lookup := store.Lookup{TraceIDs: slices.Collect(maps.Keys(r.retold))}
	err := r.lookup(ctx, lookup, func(row *domain.Observation) error {
		if _, known := found[row.TraceID]; known || !r.inherits(row) {
			return nil
		}
		if probe := *row.Sent(); inherit(&probe, r.traceRecords[row.TraceID]) {
			found[strings.Clone(row.TraceID)] = struct{}{}
		}
		return nil
	})
	return slices.Collect(maps.Keys(found)), err
}

// inherits reports whether a stored row is an observation that inherits from its trace and is not being changed anyway.
func (r *rows) inherits(row *domain.Observation) bool {
	if !row.IsIngested() {
		return false
	}
	for _, known := range r.found[row.ID] {
		if known.TraceID == row.TraceID && r.touched[known] {
			return false
		}
	}
	return true
}
