package export

import (
	"context"
	"fmt"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Reader reads the tables of a project.
type Reader struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Scope   domain.ProjectScope

	maxOwned int // replaces the constant in tests
}

// Table provides the rows of a file. One row is in memory at a time, or a few hundred where something must be looked up
// for them.
type Table struct {
	Columns []Column
	// Total is the number of rows; nil if counting them would take as long as writing them.
	Total *int64
	rows  func(ctx context.Context, emit func([]Value) error) error
}

// Open returns a table. Its rows are read when it is written.
func (r *Reader) Open(ctx context.Context, q *Request) (*Table, error) {
	switch q.Table {
	case Observations:
		return r.observations(ctx, q)
	case Traces:
		return r.traces(ctx, q)
	case Sessions, Users:
		return r.entities(ctx, q)
	case Scores:
		return r.scores(ctx, q)
	case DatasetItems:
		return r.datasetItems(ctx, q)
	case DatasetRunItems:
		return r.datasetRunItems(ctx, q)
	case AuditLogs:
		return r.auditLogs(ctx, q)
	}
	return nil, fmt.Errorf("unknown table %q", q.Table)
}

// Write writes all rows, and calls progress after each with the number of rows so far.
func (t *Table) Write(ctx context.Context, w Writer, progress func(rows int64)) error {
	rows, lease := int64(0), memory.Of(ctx)
	if err := t.rows(ctx, func(row []Value) error {
		held := copiesOf(w, row)
		if err := lease.Grow(ctx, held); err != nil {
			return err
		}
		defer lease.Shrink(held)
		if err := w.Write(row); err != nil {
			return err
		}
		rows++
		progress(rows)
		return ctx.Err()
	}); err != nil {
		return err
	}
	return w.Close()
}

// copiesOf returns the memory that a writer needs for the copies of a long row. The buffers for short ones are counted
// by whoever makes the writer.
func copiesOf(w Writer, row []Value) int64 {
	const short = 256 << 10
	bytes := 0
	for n := range row {
		bytes += len(row[n].Text)
	}
	switch _, columnar := w.(*parquetWriter); {
	case bytes < short:
		return 0
	case columnar:
		return 2 * int64(bytes) // a page and its compressed form
	}
	return int64(bytes) // text formats pass a row on in pieces, but a value may be a copy
}

// NewFinder returns a Finder for the traces of a project, with the marks that users set on them.
func NewFinder(c *catalog.Catalog, s store.Store, scope domain.ProjectScope) *traces.Finder {
	return &traces.Finder{Store: s, Scope: scope, Marks: traces.Marks{
		Of: func(ctx context.Context, ids []string) (map[string]domain.TraceMark, error) {
			return c.TraceMarks(ctx, scope, ids)
		},
		Tags: func(ctx context.Context) (map[string][]string, error) { return c.TagsOfTraces(ctx, scope) },
		All:  func(ctx context.Context) (map[string]domain.TraceMark, error) { return c.AllTraceMarks(ctx, scope) },
		Comments: func(ctx context.Context, limit int) (map[string]int, error) {
			return c.CommentCounts(ctx, scope, domain.ObjectTrace, limit)
		},
	}}
}

func (r *Reader) finder() *traces.Finder { return NewFinder(r.Catalog, r.Store, r.Scope) }

func (r *Reader) explorer() *explore.Explorer {
	return &explore.Explorer{Store: r.Store, Scope: r.Scope, Traces: r.finder()}
}

// selected returns the resolved selection of observations or traces.
func (r *Reader) selected(ctx context.Context, q *Request) (*explore.Selection, error) {
	s, err := q.Observations()
	if err != nil {
		return nil, err
	}
	s.OfTraces = q.Table == Traces
	return r.explorer().Resolve(ctx, s)
}

// field is a column with the function that sets its value.
type field[R any] struct {
	Column
	get func(*R, *Value)
}

func text[R any](name string, get func(*R) string) field[R] {
	return field[R]{Column{name, Text}, func(r *R, v *Value) { v.text(get(r)) }}
}

func rawJSON[R any](name string, get func(*R) string) field[R] {
	return field[R]{Column{name, JSON}, func(r *R, v *Value) { v.json(get(r)) }}
}

func list[R any](name string, get func(*R) []string) field[R] {
	return field[R]{Column{name, JSON}, func(r *R, v *Value) { v.list(get(r)) }}
}

func moment[R any](name string, get func(*R) domain.Micros) field[R] {
	return field[R]{Column{name, Time}, func(r *R, v *Value) { v.time(get(r)) }}
}

func integer[R any](name string, get func(*R) int64) field[R] {
	return field[R]{Column{name, Int}, func(r *R, v *Value) { v.int(get(r)) }}
}

func number[R any](name string, get func(*R) float64) field[R] {
	return field[R]{Column{name, Float}, func(r *R, v *Value) { v.float(get(r)) }}
}

func boolean[R any](name string, get func(*R) bool) field[R] {
	return field[R]{Column{name, Bool}, func(r *R, v *Value) { v.bool(get(r)) }}
}

// columnsOf returns the columns of fields.
func columnsOf[R any](fields []field[R]) []Column {
	columns := make([]Column, len(fields))
	for n := range fields {
		columns[n] = fields[n].Column
	}
	return columns
}

// fill sets the values of a row, which is reused for the next one.
func fill[R any](fields []field[R], from *R, row []Value) {
	clear(row)
	for n := range fields {
		fields[n].get(from, &row[n])
	}
}

// Rows that need lookups are collected up to these limits: their number, and the total size of their texts in bytes.
const (
	batchRows  = 500
	batchBytes = 4 << 20
)

// batches collects copies of rows and passes them on in batches.
type batches[R any] struct {
	rows  []R
	bytes int
	held  *memory.Tally
	hand  func([]R) error
}

func (b *batches[R]) add(row R, bytes int) error {
	const perRow = 1000
	if err := b.held.Add(int64(perRow + bytes)); err != nil {
		return err
	}
	b.rows, b.bytes = append(b.rows, row), b.bytes+bytes
	if len(b.rows) < batchRows && b.bytes < batchBytes {
		return nil
	}
	return b.flush()
}

func (b *batches[R]) flush() error {
	if len(b.rows) == 0 {
		return nil
	}
	err := b.hand(b.rows)
	b.held.Release()
	clear(b.rows)
	b.rows, b.bytes = b.rows[:0], 0
	return err
}
