package analytics

import (
	"context"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

type observationPlan = plan[domain.Observation, observationRow]

// observationRows returns the observations of a query, joined with what it needs, and repeated for each value to group
// by.
func (e *Engine) observationRows(ctx context.Context, scope domain.ProjectScope, p *observationPlan) iter.Seq2[*observationRow, error] {
	query := store.Query[domain.Observation]{Where: p.stored}
	query.From, query.To = p.query.window()
	if p.needs&(needCost|needUsage) != 0 {
		query.Want = store.WantUsage
	}
	join := &observationJoin{engine: e, scope: scope, plan: p, query: query}
	switch {
	case p.needs&needScores != 0:
		return func(yield func(*observationRow, error) bool) {
			if err := batches(ctx, e, scope, e.Store.Scores(), filter.ScoreColumn("traceId"), join.scored(),
				join.rows(ctx, yield)); err != nil {
				yield(nil, err)
			}
		}
	case p.needs&needTrace != 0:
		return func(yield func(*observationRow, error) bool) {
			if err := batches(ctx, e, scope, e.Store.Observations(), filter.ObservationColumn("traceId"), query,
				join.rows(ctx, yield)); err != nil {
				yield(nil, err)
			}
		}
	}
	return func(yield func(*observationRow, error) bool) {
		for o, err := range e.Store.Observations().Scan(ctx, scope, query) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !join.expand(&observationRow{Observation: o}, yield) {
				return
			}
		}
	}
}

// observationJoin joins observations with their traces and the number of their scores.
type observationJoin struct {
	engine *Engine
	scope  domain.ProjectScope
	plan   *observationPlan
	query  store.Query[domain.Observation]
}

// scored selects the scores of observations in the time range.
func (j *observationJoin) scored() store.Query[domain.Score] {
	return store.Query[domain.Score]{
		From: j.query.From, To: j.query.To, Where: []filter.Condition[domain.Score]{isSet(filter.ScoreColumn("observationId"))},
	}
}

// rows returns a function that yields the rows of some traces, and reports whether more are wanted.
func (j *observationJoin) rows(
	ctx context.Context, yield func(*observationRow, error) bool,
) func(f *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
	return func(f *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
		var summaries map[string]*domain.TraceSummary
		var scores map[subject]int
		if j.plan.needs&needScores != 0 {
			scored, err := ofTraces(j.scored(), filter.ScoreColumn("traceId"), ids)
			if err != nil {
				return false, err
			}
			if scores, err = j.engine.countScores(ctx, j.scope, scored, held, filter.ScoreColumn("observationId")); err != nil {
				return false, err
			}
		}
		if j.plan.needs&needTrace != 0 {
			var err error
			if summaries, err = f.Summaries(ctx, ids, held); err != nil {
				return false, err
			}
		}
		query, err := ofTraces(j.query, filter.ObservationColumn("traceId"), ids)
		if err != nil {
			return false, err
		}
		for o, err := range j.engine.Store.Observations().Scan(ctx, j.scope, query) {
			if err != nil {
				return false, err
			}
			row := &observationRow{Observation: o, scores: scores[subject{o.TraceID, o.ID}], trace: summaries[o.TraceID]}
			// A trace missing here arrived after the traces were assembled.
			if j.plan.needs&needScores != 0 && row.scores == 0 || j.plan.needs&needTrace != 0 && row.trace == nil {
				continue
			}
			if !j.expand(row, yield) {
				return false, nil
			}
		}
		return true, nil
	}
}

// once is the list of values for a row that is not expanded by them.
var once = []string{""}

// expand yields a row for each combination of the values that rows are grouped by, if it meets the conditions. It
// reports whether more rows are wanted.
func (j *observationJoin) expand(row *observationRow, yield func(*observationRow, error) bool) bool {
	p := j.plan
	tools, calls := once, once
	if p.expands&needTools != 0 {
		tools = row.ToolNames
	}
	if p.expands&needCalls != 0 {
		calls = row.ToolCallNames
	}
	entries := []entry{{}}
	switch {
	case p.needs&needCost != 0:
		entries = entriesOf(row.Cost)
	case p.needs&needUsage != 0:
		entries = entriesOf(row.Usage)
	}
	for _, e := range entries {
		row.kind, row.amount = e.kind, e.amount
		if !filter.MatchAll(p.joined, row) {
			continue
		}
		for _, row.tool = range tools {
			for _, row.call = range calls {
				if !yield(row, nil) {
					return false
				}
			}
		}
		if p.expands&(needCost|needUsage) == 0 {
			break // one matching kind is enough
		}
	}
	return true
}
