package segment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

const (
	// amendedBytes is roughly how many bytes of rows are amended with one write.
	amendedBytes = 4 << 20
	// amendAttempts is how often rows are read again that others replace or rewrite meanwhile.
	amendAttempts = 20
)

// errOutdated means that a row that is to be amended is no longer where it was read.
var errOutdated = errors.New("rows were replaced while they were being amended")

// amended is where a row that is amended was read: in memory or in a row group.
type amended[R any] struct {
	table *hotTable[R]
	hot   *hotRow[R]
	group *rowGroup[R]
	row   int
}

// Amend implements store.Table. An amended row is appended like any other, but the committer, which knows of every write
// before it, refuses it if the row that was read is not the current one any more. Then everything is read again.
func (t *table[R]) Amend(ctx context.Context, scope domain.ProjectScope, traceIDs []string, change func(*R) bool) (int, error) {
	all := 0
	for attempt := 1; ; attempt++ {
		n, err := t.amend(ctx, scope.ProjectID(), traceIDs, change)
		all += n
		switch {
		case !errors.Is(err, errOutdated):
			return all, err
		case attempt == amendAttempts:
			return all, fmt.Errorf("%w: %w", store.ErrBusy, err)
		case ctx.Err() != nil:
			return all, ctx.Err()
		}
	}
}

// amendment is an attempt.
type amendment[R any] struct {
	*table[R]
	ctx     context.Context //nolint:containedctx // of the one call
	project string
	change  func(*R) bool
	rows    []R
	places  []amended[R]
	bytes   int64
	done    int
}

func (t *table[R]) amend(ctx context.Context, project string, traceIDs []string, change func(*R) bool) (n int, err error) {
	defer t.onFault(&err)()
	v, err := t.view()
	if err != nil {
		return 0, err
	}
	defer runtime.KeepAlive(v) // the files of the rows stay open until these are written
	a := &amendment[R]{table: t, ctx: ctx, project: project, change: change}
	defer func() { memory.Of(ctx).Shrink(a.bytes) }()
	wanted := keyLookup{t.schema.trace, traceIDs}
	for _, hot := range v.hot {
		if err := a.inMemory(v, hot, wanted); err != nil {
			return a.done, err
		}
	}
	for _, g := range v.groups {
		if err := a.inGroup(g, wanted); err != nil {
			return a.done, err
		}
	}
	return a.done, a.write()
}

func (a *amendment[R]) inMemory(v *version[R], table *hotTable[R], wanted keyLookup) (err error) {
	table.find(wanted, a.project, v.seq, func(h *hotRow[R]) {
		if row := h.row; err == nil && a.change(&row) {
			err = a.add(row, amended[R]{table: table, hot: h})
		}
	})
	return err
}

// inGroup reads the rows of a row group without their long columns first: most need not be amended.
func (a *amendment[R]) inGroup(g liveGroup[R], wanted keyLookup) error {
	rows, err := matchingRows(g, a.project, wanted)
	if err != nil || len(rows) == 0 {
		return err
	}
	short, whole := newRowReader(g.rowGroup, 0).countIn(a.ctx), newRowReader(g.rowGroup, store.WantAll).countIn(a.ctx)
	defer short.close()
	defer whole.close()
	var some, all R
	for _, n := range rows {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		if err := short.fill(n, &some); err != nil {
			return err
		}
		if row := some; !a.change(&row) {
			continue
		}
		if err := whole.fill(n, &all); err != nil {
			return err
		}
		if row := all; a.change(&row) {
			if err := a.add(row, amended[R]{group: g.rowGroup, row: n}); err != nil {
				return err
			}
			if a.bytes == 0 { // it was written with those before it
				whole.dropLong(&all)
			}
		}
	}
	return nil
}

// add amends a row, together with those before it if they are large enough.
func (a *amendment[R]) add(row R, at amended[R]) error {
	const copies = 3 // the row, its record in the log, and the row in memory
	bytes := copies * int64(rowOverhead+a.schema.textBytes(&row))
	if err := memory.Of(a.ctx).Grow(a.ctx, bytes); err != nil {
		return err
	}
	a.rows, a.places, a.bytes = append(a.rows, row), append(a.places, at), a.bytes+bytes
	if a.bytes < copies*amendedBytes {
		return nil
	}
	return a.write()
}

// write writes the amended rows.
func (a *amendment[R]) write() error {
	if len(a.rows) == 0 {
		return nil
	}
	if err := a.free.check(); err != nil {
		return err
	}
	if err := a.admit(a.ctx); err != nil {
		return err
	}
	r, err := a.newAppend(a.project, a.rows)
	if err != nil {
		return err
	}
	r.amends = a.places
	if err := a.submit(r); err != nil {
		return err
	}
	a.done += len(a.rows)
	memory.Of(a.ctx).Shrink(a.bytes)
	a.rows, a.places, a.bytes = nil, nil, 0
	return nil
}

// outdated reports whether a row that a request amends is no longer the current one in a version, or was moved.
func (r *request[R]) outdated(v *version[R]) bool {
	var group *liveGroup[R] // of the row before
	for _, at := range r.amends {
		if at.hot != nil {
			if at.hot.dead.Load() != 0 || !slices.Contains(v.hot, at.table) {
				return true
			}
			continue
		}
		if group == nil || group.rowGroup != at.group {
			n := slices.IndexFunc(v.groups, func(g liveGroup[R]) bool { return g.rowGroup == at.group })
			if n < 0 || v.groups[n].stale != nil {
				return true
			}
			group = &v.groups[n]
		}
		if group.dead.has(at.row) {
			return true
		}
	}
	return false
}
