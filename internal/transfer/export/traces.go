package export

import (
	"cmp"
	"context"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
)

func traceFields() []field[domain.TraceSummary] {
	type row = domain.TraceSummary
	return []field[row]{
		text("id", func(t *row) string { return t.ID }),
		moment("timestamp", func(t *row) domain.Micros { return t.Timestamp }),
		text("name", func(t *row) string { return t.Name }),
		text("environment", func(t *row) string { return cmp.Or(t.Environment, "default") }),
		text("userId", func(t *row) string { return t.UserID }),
		text("sessionId", func(t *row) string { return t.SessionID }),
		text("release", func(t *row) string { return t.Release }),
		text("version", func(t *row) string { return t.Version }),
		list("tags", func(t *row) []string { return t.Tags }),
		boolean("bookmarked", func(t *row) bool { return t.Bookmarked }),
		boolean("public", func(t *row) bool { return t.Public }),
		text("level", (*row).Level),
		integer("errorCount", func(t *row) int64 { return int64(t.ErrorCount) }),
		integer("warningCount", func(t *row) int64 { return int64(t.WarningCount) }),
		integer("defaultCount", func(t *row) int64 { return int64(t.DefaultCount) }),
		integer("debugCount", func(t *row) int64 { return int64(t.DebugCount) }),
		number("latency", func(t *row) float64 { return float64(t.LatencyMillis) / 1000 }),
		integer("inputTokens", func(t *row) int64 { return t.InputTokens }),
		integer("outputTokens", func(t *row) int64 { return t.OutputTokens }),
		integer("totalTokens", func(t *row) int64 { return t.TotalTokens }),
		number("inputCost", func(t *row) float64 { return t.InputCost }),
		number("outputCost", func(t *row) float64 { return t.OutputCost }),
		number("totalCost", func(t *row) float64 { return t.TotalCost }),
		text("input", func(t *row) string { return t.Input }),
		text("output", func(t *row) string { return t.Output }),
		rawJSON("metadata", func(t *row) string { return cmp.Or(t.Metadata, "{}") }),
		moment("createdAt", func(t *row) domain.Micros { return t.CreatedAt }),
		moment("updatedAt", func(t *row) domain.Micros { return t.UpdatedAt }),
	}
}

// tracesAtOnce is the number of traces found at a time.
const tracesAtOnce = 1000

// traces returns the table of traces that have a selected observation. Each is assembled from all of its rows at the
// moment when it is written.
func (r *Reader) traces(ctx context.Context, q *Request) (*Table, error) {
	selected, err := r.selected(ctx, q)
	if err != nil {
		return nil, err
	}
	fields := traceFields()
	beside, err := r.extraColumns(ctx, q, "TRACE", columnsOf(fields))
	if err != nil {
		return nil, err
	}
	total, err := r.count(ctx, selected)
	if err != nil {
		return nil, err
	}
	return &Table{Columns: beside.columns, Total: total, rows: func(ctx context.Context, emit func([]Value) error) error {
		some := batches[*domain.TraceSummary]{held: memory.NewTally(ctx), hand: func(rows []*domain.TraceSummary) error {
			return emitAll(ctx, beside, rows, func(t *domain.TraceSummary) subject { return subject{traceID: t.ID} },
				func(t *domain.TraceSummary, row []Value) { fill(fields, t, row) }, emit)
		}}
		err := r.eachTrace(ctx, selected, func(t *domain.TraceSummary) error {
			return some.add(t, len(t.Input)+len(t.Output)+len(t.Metadata))
		})
		if err != nil {
			return err
		}
		return some.flush()
	}}, nil
}

// eachTrace calls each with every trace that has a selected observation, newest first.
func (r *Reader) eachTrace(ctx context.Context, s *explore.Selection, each func(*domain.TraceSummary) error) error {
	for after := (*explore.TracePlace)(nil); ; {
		ids, next, err := r.explorer().TraceIDs(ctx, s, after, tracesAtOnce)
		if err != nil {
			return err
		}
		for t, err := range r.finder().Read(ctx, ids, traces.Parts{Content: true}) {
			if err != nil {
				return err
			}
			if err := each(t); err != nil {
				return err
			}
		}
		if next == nil {
			return nil
		}
		after = next
	}
}
