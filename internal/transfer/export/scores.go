package export

import (
	"cmp"
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// listedScore is a score with its trace and author.
type listedScore struct {
	*domain.Score
	trace  *domain.TraceSummary
	author string
}

func scoreFields() []field[listedScore] {
	type row = listedScore
	ofTrace := func(get func(*domain.TraceSummary) string) func(*row) string {
		return func(s *row) string {
			if s.trace == nil {
				return ""
			}
			return get(s.trace)
		}
	}
	return []field[row]{
		text("id", func(s *row) string { return s.ID }),
		text("traceId", func(s *row) string { return s.TraceID }),
		text("sessionId", func(s *row) string { return s.SessionID }),
		text("datasetRunId", func(s *row) string { return s.ExperimentID }),
		moment("timestamp", func(s *row) domain.Micros { return s.Timestamp }),
		text("source", func(s *row) string { return s.Source }),
		text("name", func(s *row) string { return s.Name }),
		text("dataType", func(s *row) string { return s.DataType }),
		{Column{"value", Float}, func(s *row, v *Value) { v.optFloat(s.Value) }},
		text("stringValue", func(s *row) string { return s.StringValue }),
		text("comment", func(s *row) string { return s.Comment }),
		rawJSON("metadata", func(s *row) string { return cmp.Or(s.Metadata, "{}") }),
		text("observationId", func(s *row) string { return s.ObservationID }),
		text("traceName", ofTrace(func(t *domain.TraceSummary) string { return t.Name })),
		text("userId", ofTrace(func(t *domain.TraceSummary) string { return t.UserID })),
		list("traceTags", func(s *row) []string {
			if s.trace == nil {
				return nil
			}
			return s.trace.Tags
		}),
		text("environment", func(s *row) string { return cmp.Or(s.Environment, "default") }),
		text("authorUserName", func(s *row) string { return s.author }),
		text("authorUserId", func(s *row) string { return s.AuthorUserID }),
		text("configId", func(s *row) string { return s.ConfigID }),
		text("queueId", func(s *row) string { return s.QueueID }),
		text("executionTraceId", func(s *row) string { return s.ExecutionTraceID }),
		moment("createdAt", func(s *row) domain.Micros { return s.CreatedAt }),
		moment("updatedAt", func(s *row) domain.Micros { return s.UpdatedAt }),
	}
}

// scores returns the table of selected scores, as of the moment when reading begins.
func (r *Reader) scores(ctx context.Context, q *Request) (*Table, error) {
	query, err := q.Scores()
	if err != nil {
		return nil, err
	}
	query.Want, query.Once = store.WantDetails|store.WantMetadata, true
	counted, err := r.Store.Scores().Aggregate(ctx, r.Scope, store.AggregateQuery[domain.Score]{
		From: query.From, To: query.To, Where: query.Where, Measures: []store.Measure[domain.Score]{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	defer memory.Of(ctx).Shrink(counted.Held)
	total := new(int64)
	for n := range counted.Rows {
		*total += int64(counted.Rows[n].Values[0].Value)
	}
	fields := scoreFields()
	return &Table{Columns: columnsOf(fields), Total: total, rows: func(ctx context.Context, emit func([]Value) error) error {
		row := make([]Value, len(fields))
		some := batches[domain.Score]{held: memory.NewTally(ctx), hand: func(rows []domain.Score) error {
			held := memory.NewTally(ctx)
			defer held.Release()
			listed, err := r.listScores(ctx, rows, q.WithTraces, held)
			if err != nil {
				return err
			}
			for n := range listed {
				fill(fields, &listed[n], row)
				if err := emit(row); err != nil {
					return err
				}
			}
			return nil
		}}
		for s, err := range r.Store.Scores().Scan(ctx, r.Scope, query) {
			if err != nil {
				return err
			}
			if err := some.add(s.Clone(), s.TextBytes()); err != nil {
				return err
			}
		}
		return some.flush()
	}}, nil
}

// listScores looks up the traces and authors of scores.
func (r *Reader) listScores(ctx context.Context, rows []domain.Score, withTraces bool, held *memory.Tally) ([]listedScore, error) {
	var traceIDs, authors []string
	for n := range rows {
		if rows[n].TraceID != "" {
			traceIDs = append(traceIDs, rows[n].TraceID)
		}
		if rows[n].AuthorUserID != "" {
			authors = append(authors, rows[n].AuthorUserID)
		}
	}
	slices.Sort(traceIDs)
	slices.Sort(authors)
	var found map[string]*domain.TraceSummary
	var err error
	if withTraces {
		if found, err = r.finder().Summaries(ctx, slices.Compact(traceIDs), held); err != nil {
			return nil, err
		}
	}
	names, err := r.Catalog.UserNames(ctx, r.Scope, slices.Compact(authors))
	if err != nil {
		return nil, err
	}
	listed := make([]listedScore, len(rows))
	for n := range rows {
		listed[n] = listedScore{&rows[n], found[rows[n].TraceID], names[rows[n].AuthorUserID]}
	}
	return listed, nil
}
