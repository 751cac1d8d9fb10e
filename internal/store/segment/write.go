package segment

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Append implements store.Table.
func (t *table[R]) Append(ctx context.Context, scope domain.ProjectScope, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.free.check(); err != nil {
		return err
	}
	if err := t.admit(ctx); err != nil {
		return err
	}
	r, err := t.newAppend(scope.ProjectID(), rows)
	if err != nil {
		return err
	}
	return t.submit(r)
}

// Delete implements store.Table.
func (t *table[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	kinds := 0
	for _, given := range []bool{len(s.TraceIDs) > 0, len(s.IDs) > 0, s.Before != 0, s.All} {
		if given {
			kinds++
		}
	}
	if kinds != 1 {
		return 0, fmt.Errorf("%w: a selection names rows in %d ways instead of one", store.ErrInvalid, kinds)
	}
	s.TraceIDs, s.IDs = slices.Clone(s.TraceIDs), slices.Clone(s.IDs)
	r := t.newDelete(scope.ProjectID(), s)
	if len(r.record) > maxFrame/2 {
		return 0, fmt.Errorf("%w: a selection of %d MB is too large", store.ErrInvalid, len(r.record)>>20)
	}
	if s.All || s.Before != 0 {
		r.plan = t.planDelete(r.project, &s)
	}
	err := t.submit(r)
	return r.removed, err
}
