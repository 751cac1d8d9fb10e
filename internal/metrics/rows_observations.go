package metrics

import (
	"context"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

type observationPlan = plan[domain.Observation, observationRow]

// observationRows returns the observations that a question is about, put together with what it needs, and as often as
// they have values to group by.
func (e *Engine) observationRows(ctx context.Context, scope domain.ProjectScope, p *observationPlan) iter.Seq2[*observationRow, error] {
	query := store.Query[domain.Observation]{Where: p.stored}
	query.From, query.To = p.query.window()
	if p.needs&(needCost|needUsage) != 0 {
		query.Want = store.WantUsage
	}
	join := &observationJoin{engine: e, scope: scope, plan: p, query: query}
	ofSome := func(ids []string, held *memory.Tally, yield func(*observationRow, error) bool) (bool, error) {
		return join.rows(ctx, ids, held, yield)
	}
	switch {
	case p.needs&needScores != 0:
		scored := store.Query[domain.Score]{From: query.From, To: query.To, Where: []filter.Condition[domain.Score]{isSet(scoreColumn("observationId"))}}
		return chunks(ctx, e, e.Store.Scores(), scope, scoreColumn("traceId"), scored, ofSome)
	case p.needs&needTrace != 0:
		return chunks(ctx, e, e.Store.Observations(), scope, observationColumn("traceId"), query, ofSome)
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

// isSet returns the condition that a row has a text or a list.
func isSet[R any](column *filter.Column[R]) filter.Condition[R] {
	condition, err := filter.NewNull(column, false)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return condition
}

// observationJoin puts observations together with their traces and the number of their scores.
type observationJoin struct {
	engine *Engine
	scope  domain.ProjectScope
	plan   *observationPlan
	query  store.Query[domain.Observation]
}

// rows yields the rows of some traces. It says whether more are wanted.
func (j *observationJoin) rows(
	ctx context.Context, ids []string, held *memory.Tally, yield func(*observationRow, error) bool,
) (bool, error) {
	var summaries map[string]*assembled
	var scores map[observationKey]int
	var err error
	if j.plan.needs&needScores != 0 {
		if scores, err = j.scoresOf(ctx, ids, held); err != nil {
			return false, err
		}
	}
	if j.plan.needs&needTrace != 0 {
		if summaries, err = assembleTraces(ctx, j.engine.Store, j.scope, ids, 0, held); err != nil {
			return false, err
		}
	}
	query, err := ofTraces(j.query, observationColumn("traceId"), ids)
	if err != nil {
		return false, err
	}
	for o, err := range j.engine.Store.Observations().Scan(ctx, j.scope, query) {
		if err != nil {
			return false, err
		}
		row := &observationRow{Observation: o}
		if j.plan.needs&needScores != 0 {
			if row.scores = scores[observationKey{o.TraceID, o.ID}]; row.scores == 0 {
				continue
			}
		}
		if j.plan.needs&needTrace != 0 {
			trace := summaries[o.TraceID]
			if trace == nil {
				continue // it came after the traces were put together
			}
			row.trace = trace.summary
		}
		if !j.expand(row, yield) {
			return false, nil
		}
	}
	return true, nil
}

// countBytes is what a place in a map of counts takes; about.
const countBytes = 120

// observationKey is the key of an observation.
type observationKey struct{ traceID, id string }

// scoresOf returns how many scores the observations of some traces have in the time range.
func (j *observationJoin) scoresOf(ctx context.Context, ids []string, held *memory.Tally) (map[observationKey]int, error) {
	query, err := ofTraces(store.Query[domain.Score]{Where: []filter.Condition[domain.Score]{isSet(scoreColumn("observationId"))}}, scoreColumn("traceId"), ids)
	if err != nil {
		return nil, err
	}
	groups, err := j.engine.Store.Scores().Aggregate(ctx, j.scope, store.AggregateQuery[domain.Score]{
		From: j.query.From, To: j.query.To, Where: query.Where, MaxGroups: maxGroups, MaxBytes: maxBytes,
		GroupBy:  []*filter.Column[domain.Score]{scoreColumn("traceId"), scoreColumn("observationId")},
		Measures: []store.Measure[domain.Score]{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	if err := held.Add(int64(countBytes * len(groups.Rows))); err != nil {
		return nil, err
	}
	counts := make(map[observationKey]int, len(groups.Rows))
	for n := range groups.Rows {
		g := &groups.Rows[n]
		counts[observationKey{g.Keys[0], g.Keys[1]}] = int(g.Values[0].Value)
	}
	memory.Of(ctx).Shrink(groups.Held)
	return counts, nil
}

// once is the list of values of a row that is not expanded by them.
var once = []string{""}

// expand yields a row for each combination of the values that rows are grouped by, if it meets the conditions. It says
// whether more are wanted.
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
		if !meets(p.joined, row) {
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
			break // one kind that meets the conditions is enough
		}
	}
	return true
}
