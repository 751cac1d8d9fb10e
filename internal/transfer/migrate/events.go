// Package migrate copies an installation on one machine to shared storage: events into another store, the catalog into
// another database, media into a bucket. It can be interrupted and resumed, and run again later for what has been added
// since: what has been copied already is not copied again. Everything copied is read back and compared.
package migrate

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/domain"
	"almanac/internal/store"
)

const day = 24 * time.Hour

// Rows are written to the target in batches limited by number and by bytes.
const (
	batchRows  = 5000
	batchBytes = 16 << 20
)

// Progress is called when a day of a project is done.
type Progress func(Day)

// Day reports what was done for the rows of one project and one day.
type Day struct {
	Project string
	Kind    string // observations or scores
	Date    time.Time
	Rows    int64 // in the source
	Copied  int64 // 0 if the target had them all
	Removed int64 // from the target, as the source no longer has them
}

// Total is the sum of all days.
type Total struct{ Rows, Copied, Removed int64 }

func (t *Total) add(d Day) {
	t.Rows, t.Copied, t.Removed = t.Rows+d.Rows, t.Copied+d.Copied, t.Removed+d.Removed
}

// Events copies the events of some projects from one store to another. The source must not change meanwhile.
func Events(ctx context.Context, from, to store.Store, projects []domain.ProjectScope, told Progress) (Total, error) {
	var total Total
	done := func(d Day) {
		total.add(d)
		if told != nil {
			told(d)
		}
	}
	for _, scope := range projects {
		observations := copier[domain.Observation]{
			kind: observationKind(), scope: scope, from: from.Observations(), to: to.Observations(), done: done,
		}
		if err := observations.run(ctx); err != nil {
			return total, err
		}
		scores := copier[domain.Score]{kind: scoreKind(), scope: scope, from: from.Scores(), to: to.Scores(), done: done}
		if err := scores.run(ctx); err != nil {
			return total, err
		}
	}
	return total, nil
}

// kind describes a table to the copier.
type kind[R any] struct {
	name  string
	clone func(*R) R
	bytes func(*R) int
	// unit returns the id by which a row is deleted, and looked up in the source, together with all rows that share it.
	unit   func(*R) string
	remove func(units []string) store.Selection
	find   func(units []string) store.Lookup
}

func observationKind() kind[domain.Observation] {
	return kind[domain.Observation]{
		name:  "observations",
		clone: (*domain.Observation).Clone, bytes: (*domain.Observation).TextBytes,
		unit:   func(o *domain.Observation) string { return o.TraceID },
		remove: func(units []string) store.Selection { return store.Selection{TraceIDs: units} },
		find:   func(units []string) store.Lookup { return store.Lookup{TraceIDs: units, Want: store.WantAll} },
	}
}

func scoreKind() kind[domain.Score] {
	return kind[domain.Score]{
		name:  "scores",
		clone: (*domain.Score).Clone, bytes: (*domain.Score).TextBytes,
		unit:   func(s *domain.Score) string { return s.ID },
		remove: func(units []string) store.Selection { return store.Selection{IDs: units} },
		find:   func(units []string) store.Lookup { return store.Lookup{IDs: units, Want: store.WantAll} },
	}
}

// copier copies the rows of one project in one table, day by day.
type copier[R any] struct {
	kind[R]
	scope    domain.ProjectScope
	from, to store.Table[R]
	done     func(Day)
	hasher   hasher
}

func (c *copier[R]) run(ctx context.Context) error {
	failed := func(what string, err error) error {
		return fmt.Errorf("cannot %s %s of project %s: %w", what, c.name, c.scope.ProjectID(), err)
	}
	source, err := c.days(ctx, c.from)
	if err != nil {
		return failed("count", err)
	}
	target, err := c.days(ctx, c.to)
	if err != nil {
		return failed("count copied", err)
	}
	// A row that moved to another day is replaced when its new day is copied, so surplus rows are known only after all
	// days are copied.
	done := make(map[int64]*Day)
	var open []int64
	for at := range union(source, target) {
		d := &Day{Project: c.scope.ProjectID(), Kind: c.name, Date: time.UnixMilli(at).UTC()}
		done[at] = d
		same, err := c.copyDay(ctx, d)
		if err != nil {
			return failed("copy", fmt.Errorf("%s: %w", d.Date.Format(time.DateOnly), err))
		}
		if same {
			c.done(*d)
		} else {
			open = append(open, at)
		}
	}
	for _, at := range open {
		d := done[at]
		if err := c.settleDay(ctx, d); err != nil {
			return failed("compare", fmt.Errorf("%s: %w", d.Date.Format(time.DateOnly), err))
		}
		c.done(*d)
	}
	return nil
}

// days returns the days that have rows, as Unix milliseconds of their start.
func (c *copier[R]) days(ctx context.Context, table store.Table[R]) (map[int64]bool, error) {
	groups, err := table.Aggregate(ctx, c.scope, store.AggregateQuery[R]{
		Bucket: day.Milliseconds(), Measures: []store.Measure[R]{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	days := make(map[int64]bool, len(groups.Rows))
	for _, g := range groups.Rows {
		days[g.Bucket] = true
	}
	return days, nil
}

func union(a, b map[int64]bool) map[int64]bool {
	all := make(map[int64]bool, len(a)+len(b))
	for _, days := range []map[int64]bool{a, b} {
		for at := range days {
			all[at] = true
		}
	}
	return all
}

// query returns the bounds of a day.
func (d *Day) query() (from, to domain.Micros) {
	// 0 would mean no bound. The microsecond before it belongs to the previous day, but nothing is that old.
	from, to = domain.Micros(d.Date.UnixMicro()), domain.Micros(d.Date.Add(day).UnixMicro())
	from = cmp.Or(from, -1)
	return from, to
}

// digest summarizes the rows of a day in a table and calls each, unless it is nil, for every row.
func (c *copier[R]) digest(ctx context.Context, table store.Table[R], d *Day, each func(hash uint64, row *R) error) (digest, error) {
	var sum digest
	from, to := d.query()
	for row, err := range table.Scan(ctx, c.scope, store.Query[R]{From: from, To: to, Want: store.WantAll}) {
		if err != nil {
			return sum, err
		}
		hash := c.hasher.of(row)
		sum.add(hash)
		if each != nil {
			if err := each(hash, row); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// copyDay copies the rows of a day that the target lacks. It reports whether the target then has exactly the rows of
// the source.
func (c *copier[R]) copyDay(ctx context.Context, d *Day) (bool, error) {
	there := make(map[uint64]bool)
	had, err := c.digest(ctx, c.to, d, func(hash uint64, _ *R) error {
		there[hash] = true
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("reading back copied rows: %w", err)
	}
	w := newWriter(ctx, c)
	want, err := c.digest(ctx, c.from, d, func(hash uint64, row *R) error {
		if there[hash] {
			return nil
		}
		d.Copied++
		return w.add(row)
	})
	if err := w.close(err); err != nil {
		return false, err
	}
	d.Rows = want.rows
	if d.Copied == 0 {
		return had == want, nil
	}
	got, err := c.digest(ctx, c.to, d, nil)
	return got == want, err
}

// settleDay removes surplus rows from the target. It returns an error unless the target then has exactly the rows of
// the source.
func (c *copier[R]) settleDay(ctx context.Context, d *Day) error {
	rows := make(map[uint64]bool)
	want, err := c.digest(ctx, c.from, d, func(hash uint64, _ *R) error {
		rows[hash] = true
		return nil
	})
	if err != nil {
		return err
	}
	units := make(map[string]bool)
	if _, err := c.digest(ctx, c.to, d, func(hash uint64, row *R) error {
		if !rows[hash] {
			units[strings.Clone(c.unit(row))] = true
		}
		return nil
	}); err != nil {
		return err
	}
	var list []string
	for unit := range units {
		list = append(list, unit)
	}
	for len(list) > 0 {
		some := list[:min(500, len(list))]
		list = list[len(some):]
		if err := c.replace(ctx, d, some); err != nil {
			return err
		}
	}
	got, err := c.digest(ctx, c.to, d, nil)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("the copy differs: it has %d rows with checksum %016x, the source %d with %016x; nothing else may write to the "+
			"target during a migration",
			got.rows, got.sum, want.rows, want.sum)
	}
	return nil
}

// replace replaces the rows of some units in the target by those of the source, whatever their day.
func (c *copier[R]) replace(ctx context.Context, d *Day, units []string) error {
	removed, err := c.to.Delete(ctx, c.scope, c.remove(units))
	if err != nil {
		return fmt.Errorf("removing rows that the source no longer has: %w", err)
	}
	d.Removed += int64(removed)
	w := newWriter(ctx, c)
	for row, err := range c.from.Lookup(ctx, c.scope, c.find(units)) {
		if err == nil {
			d.Removed--
			err = w.add(row)
		}
		if err != nil {
			return w.close(err)
		}
	}
	return w.close(nil)
}

// writer appends rows in batches. One batch is written while the next is collected.
type writer[R any] struct {
	c     *copier[R]
	group *errgroup.Group
	ctx   context.Context
	batch []R
	bytes int
}

func newWriter[R any](ctx context.Context, c *copier[R]) *writer[R] {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	return &writer[R]{c: c, group: group, ctx: ctx}
}

func (w *writer[R]) add(row *R) error {
	w.batch = append(w.batch, w.c.clone(row))
	w.bytes += w.c.bytes(row)
	if len(w.batch) >= batchRows || w.bytes >= batchBytes {
		w.send()
	}
	return w.ctx.Err()
}

func (w *writer[R]) send() {
	batch := w.batch
	w.batch, w.bytes = nil, 0
	w.group.Go(func() error {
		if err := w.c.to.Append(w.ctx, w.c.scope, batch); err != nil {
			return fmt.Errorf("writing %d rows: %w", len(batch), err)
		}
		return nil
	})
}

// close waits for all batches. It returns the first error of writing or, if there is none, the one it is given.
func (w *writer[R]) close(err error) error {
	if err == nil && len(w.batch) > 0 {
		w.send()
	}
	if failed := w.group.Wait(); failed != nil {
		return failed
	}
	return err
}
