package metrics

import (
	"context"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// traceRows returns the traces that a question is about: those that began in the time range.
func (e *Engine) traceRows(ctx context.Context, scope domain.ProjectScope, p *plan[traceRow, traceRow]) iter.Seq2[*traceRow, error] {
	var query store.Query[domain.Observation]
	query.From, query.To = p.query.window()
	var want store.Want
	if filter.Addresses(p.joined, p.view.metadata.joined) {
		want = store.WantTrace | store.WantMetadata
	}
	return chunks(ctx, e, e.Store.Observations(), scope, observationColumn("traceId"), query, func(ids []string, held *memory.Tally, yield func(*traceRow, error) bool) (bool, error) {
		found, err := assembleTraces(ctx, e.Store, scope, ids, want, held)
		if err != nil {
			return false, err
		}
		var scores map[string]int
		if p.needs&needScores != 0 {
			if scores, err = e.scoresOfTraces(ctx, scope, query.From, query.To, ids, held); err != nil {
				return false, err
			}
		}
		for id, t := range found {
			row := &traceRow{TraceSummary: t.summary, observations: t.observations, scores: scores[id], cost: t.cost}
			if t.summary.Timestamp < query.From || t.summary.Timestamp >= query.To || !meets(p.joined, row) {
				continue
			}
			if p.needs&needScores != 0 && row.scores == 0 {
				continue
			}
			if !yield(row, nil) {
				return false, nil
			}
		}
		return true, nil
	})
}

// scoresOfTraces returns how many scores traces have in a time range, with those on their observations.
func (e *Engine) scoresOfTraces(
	ctx context.Context, scope domain.ProjectScope, from, to domain.Micros, ids []string, held *memory.Tally,
) (map[string]int, error) {
	query, err := ofTraces(store.Query[domain.Score]{}, scoreColumn("traceId"), ids)
	if err != nil {
		return nil, err
	}
	groups, err := e.Store.Scores().Aggregate(ctx, scope, store.AggregateQuery[domain.Score]{
		From: from, To: to, Where: query.Where, GroupBy: []*filter.Column[domain.Score]{scoreColumn("traceId")},
		Measures: []store.Measure[domain.Score]{{Function: store.Count}},
	})
	if err != nil {
		return nil, err
	}
	if err := held.Add(int64(countBytes * len(groups.Rows))); err != nil {
		return nil, err
	}
	counts := make(map[string]int, len(groups.Rows))
	for n := range groups.Rows {
		counts[groups.Rows[n].Keys[0]] = int(groups.Rows[n].Values[0].Value)
	}
	memory.Of(ctx).Shrink(groups.Held)
	return counts, nil
}
