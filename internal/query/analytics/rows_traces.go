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

// traceRows returns the traces of a query: those that began in the time range.
func (e *Engine) traceRows(ctx context.Context, scope domain.ProjectScope, p *plan[traceRow, traceRow]) iter.Seq2[*traceRow, error] {
	from, to := p.query.window()
	var want store.Want
	if filter.Addresses(p.joined, p.view.metadata.joined) {
		want = traces.WantMetadata
	}
	rows := store.Query[domain.Observation]{From: from, To: to}
	return func(yield func(*traceRow, error) bool) {
		err := batches(ctx, e, scope, e.Store.Observations(), filter.ObservationColumn("traceId"), rows,
			func(f *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
				found, err := f.Assemble(ctx, ids, want, held.Add, nil)
				if err != nil {
					return false, err
				}
				var scores map[subject]int
				if p.needs&needScores != 0 {
					query, err := ofTraces(store.Query[domain.Score]{From: from, To: to}, filter.ScoreColumn("traceId"), ids)
					if err != nil {
						return false, err
					}
					if scores, err = e.countScores(ctx, scope, query, held); err != nil { // including scores on their observations
						return false, err
					}
				}
				for id, t := range found {
					summary := t.Summary()
					row := &traceRow{
						TraceSummary: summary, observations: t.Observations(), scores: scores[subject{traceID: id}],
						cost: domain.OptFloat{Value: summary.TotalCost, Set: t.HasCost()},
					}
					if summary.Timestamp < from || summary.Timestamp >= to || p.needs&needScores != 0 && row.scores == 0 ||
						!filter.MatchAll(p.joined, row) {
						continue
					}
					if !yield(row, nil) {
						return false, nil
					}
				}
				return true, nil
			})
		if err != nil {
			yield(nil, err)
		}
	}
}
