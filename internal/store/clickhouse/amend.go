package clickhouse

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// beyondAmendments is by how much the version of a row that is replaced or deleted rises at least. Amending a row raises
// its version by one. So an amendment never outlives a row that a client sends again, or a deletion, whoever of them read
// the row first, and whatever the clocks of their servers say.
const beyondAmendments = 1024

const (
	// amendedRows and amendedBytes are how many rows are amended with one insert, about.
	amendedRows  = 2000
	amendedBytes = 8 << 20
)

// Amend implements store.Table. Most rows need not be amended, so their short columns are read first.
func (t *table[R]) Amend(ctx context.Context, scope domain.ProjectScope, traceIDs []string, change func(*R) bool) (int, error) {
	project := scope.ProjectID()
	var ids []string
	n := 0
	flush := func() error {
		amended, err := t.amend(ctx, project, traceIDs, ids, change)
		n, ids = n+amended, nil
		return err
	}
	for row, err := range t.Lookup(ctx, scope, store.Lookup{TraceIDs: traceIDs}) {
		if err != nil {
			return n, err
		}
		if !change(row) {
			continue
		}
		_, id := t.keyOf(row)
		if ids = append(ids, strings.Clone(id)); len(ids) == amendedRows {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	if len(ids) == 0 {
		return n, nil
	}
	return n, flush()
}

// amend reads rows with everything and inserts those that are changed.
func (t *table[R]) amend(ctx context.Context, project string, traces, ids []string, change func(*R) bool) (n int, err error) {
	number := int64(0)
	q := t.selection(project)
	q.naming(project, "traceId", traces)
	q.add("id IN (" + q.args.texts(ids) + ")")
	columns := append(q.reading(store.WantAll), &column[R]{
		name: "toInt64(version)", get: func(d *decoder, _ *R) { number = d.int() },
	})
	q.ask(columns, "")
	var body []byte
	rows := 0
	insert := func() error {
		if rows == 0 {
			return nil
		}
		s := &statement{sql: t.insert, rows: body, settings: t.insertSettings()}
		if err := t.retry(ctx, func() error { return t.store.client.exec(ctx, s) }); err != nil {
			return t.unavailable(fmt.Errorf("amending %d %s: %w", rows, t.name, err), false)
		}
		n += rows
		memory.Of(ctx).Shrink(int64(cap(body)))
		body, rows = nil, 0
		return nil
	}
	defer func() { memory.Of(ctx).Shrink(int64(cap(body))) }()
	var failure error
	err = t.stream(ctx, q, columns, 0, func(row *R) bool {
		if !change(row) {
			return true
		}
		encoded := t.encode(project, row)
		before := cap(body)
		body = append(body, encoded.bytes...)
		setVersion(body, number+1, false)
		if rows++; cap(body) > before {
			failure = memory.Of(ctx).Grow(ctx, int64(cap(body)-before))
		}
		if failure == nil && len(body) >= amendedBytes {
			failure = insert()
		}
		return failure == nil
	})
	switch {
	case failure != nil:
		return n, failure
	case err != nil:
		return n, fmt.Errorf("reading %s to amend them: %w", t.name, err)
	}
	return n, insert()
}

// Arrivals implements store.Table. Replaced rows count as well.
func (t *table[R]) Arrivals(ctx context.Context, window store.Window, limit int) (traces []store.ArrivedTrace, upTo int64, err error) {
	if err := t.store.closed(); err != nil {
		return nil, 0, err
	}
	ctx, stop := t.store.withLifetime(ctx)
	defer stop()
	q := &queryBuilder[R]{table: t}
	q.settings = cancellable()
	q.arrived(&window)
	q.sql = "SELECT toUInt8(1), project_id, trace_id, toInt64(version) FROM " + t.name + " WHERE NOT deleted AND " +
		strings.Join(q.where, " AND ") + " ORDER BY version LIMIT " + q.args.int(int64(limit)) + readSettings + " FORMAT RowBinary"
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return nil, 0, fmt.Errorf("looking for new %s: %w", t.name, classify(err))
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	known := map[store.ArrivedTrace]bool{}
	rows, last := 0, int64(0)
	for ; d.next(); rows++ {
		trace := store.ArrivedTrace{ProjectID: strings.Clone(d.text()), TraceID: strings.Clone(d.text())}
		last = d.int()
		if !known[trace] {
			known[trace] = true
			traces = append(traces, trace)
		}
	}
	if d.err != nil {
		return nil, 0, fmt.Errorf("looking for new %s: %w", t.name, asReadError(ctx, d.err))
	}
	if rows < limit {
		return traces, window.UpTo, nil
	}
	// There may be more rows with the last version, which another server assigned.
	return traces, max(last-1, window.After+1), nil
}
