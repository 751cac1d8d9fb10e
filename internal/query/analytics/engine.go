package analytics

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Engine runs queries on the rows of a store.
type Engine struct {
	Store store.Store
	// History, if set, provides totals of days whose observations were deleted.
	History History
	// rowByRow makes the engine avoid the store's Aggregate, so that tests can compare the two.
	rowByRow bool
	// tracesAtOnce is the number of traces processed together in memory; 0 for the default.
	tracesAtOnce int
}

// Bounds of a result.
const (
	// maxGroups is the maximum number of groups of a query, before the row limit is applied.
	maxGroups = 100_000
	// maxBytes is the maximum memory of the groups, with everything collected in them.
	maxBytes = 256 << 20
)

// TooLarge is returned for a query whose result would take too much. The message is meant for the client.
type TooLarge struct{ Message string }

func (e *TooLarge) Error() string { return e.Message }

func tooLarge(format string, args ...any) *TooLarge { return &TooLarge{fmt.Sprintf(format, args...)} }

func tooManyRows(limit int) error {
	return tooLarge("The answer would have more than %d rows. Ask for less: a shorter time range, a coarser granularity or "+
		"config.row_limit.", limit)
}

// Answer runs a query. The error is a *Refused if the query makes no sense, a *TooLarge if it asks for too much, or
// else the store's.
func (e *Engine) Answer(ctx context.Context, scope domain.ProjectScope, q *Query) (*Result, error) {
	switch q.View {
	case "traces":
		p, err := newPlan(tracesV1(), q)
		if err != nil {
			return nil, err
		}
		return answer(ctx, p, nil, scope, e.traceRows(ctx, scope, p), func(r *traceRow) domain.Micros { return r.Timestamp })
	case "observations":
		p, err := newPlan(observationsOf(q.Version), q)
		if err != nil {
			return nil, err
		}
		if q.Version == V1 {
			p.stored = append(p.stored, withoutTraceRecords())
		}
		table := e.Store.Observations()
		if e.History != nil {
			table = withHistory{table, e.History}
		}
		return answer(ctx, p, tableOf(e, p, table), scope, e.observationRows(ctx, scope, p),
			func(r *observationRow) domain.Micros { return r.StartTime })
	}
	p, err := newPlan(scoresOf(q.Version, q.View), q)
	if err != nil {
		return nil, err
	}
	ofType, err := filter.NewTexts(filter.ScoreColumn("dataType"), filter.AnyOf, scoreTypes[q.View])
	if err != nil {
		return nil, err
	}
	p.stored = append(p.stored, ofType)
	return answer(ctx, p, tableOf(e, p, e.Store.Scores()), scope, e.scoreRows(ctx, scope, p),
		func(r *scoreRow) domain.Micros { return r.Timestamp })
}

// withoutTraceRecords excludes rows that are not observations but stand for their trace.
func withoutTraceRecords() filter.Condition[domain.Observation] {
	return filter.Must(filter.NewTexts(filter.ObservationColumn("ingestionSource"), filter.NoneOf, []string{domain.SourceIngestionTrace}))
}

// tableOf returns the table if it can answer the query by itself, or nil if it cannot.
func tableOf[S, R any](e *Engine, p *plan[S, R], table store.Table[S]) store.Table[S] {
	if e.rowByRow || !p.byStore() {
		return nil
	}
	return table
}

// answer runs a query on the table or, if that is nil, on the joined rows.
func answer[S, R any](
	ctx context.Context, p *plan[S, R], table store.Table[S], scope domain.ProjectScope,
	rows iter.Seq2[*R, error], at func(*R) domain.Micros,
) (*Result, error) {
	var groups *store.Groups
	var answers []metricAnswer
	var err error
	keys := make([]bool, len(p.dimensions))
	if table != nil {
		q := store.AggregateQuery[S]{Where: p.stored, MaxGroups: maxGroups, MaxBytes: maxBytes}
		q.From, q.To = p.query.window()
		for n, d := range p.dimensions {
			q.GroupBy = append(q.GroupBy, d.key.stored)
			keys[n] = d.key.stored.Nullable()
		}
		q.Measures, answers = askAll(p, (*plannedMetric[S, R]).askStore)
		cutTime(&q, p.cut)
		groups, err = table.Aggregate(ctx, scope, q)
	} else {
		q := store.AggregateQuery[R]{MaxGroups: maxGroups, MaxBytes: maxBytes}
		for n, d := range p.dimensions {
			q.GroupBy = append(q.GroupBy, d.key.joined)
			keys[n] = d.key.joined.Nullable()
		}
		q.Measures, answers = askAll(p, (*plannedMetric[S, R]).askRows)
		cutTime(&q, p.cut)
		groups, err = store.GroupRows(ctx, rows, at, q)
	}
	var result *Result
	if err == nil {
		result, err = p.result(groups, keys, answers, memory.NewTally(ctx))
	}
	if errors.Is(err, store.ErrTooLarge) || errors.Is(err, memory.ErrTooLarge) {
		return nil, tooLarge("The answer would take more than %d groups, or too much memory. "+
			"Ask for less: a shorter time range, a coarser granularity, or dimensions with fewer values.", maxGroups)
	}
	return result, err
}

// askAll collects the measures of all metrics. A query without metrics counts rows.
func askAll[S, R, T any](p *plan[S, R], ask func(*plannedMetric[S, R], int) question[T]) ([]store.Measure[T], []metricAnswer) {
	metrics := p.metrics
	if len(metrics) == 0 {
		metrics = []plannedMetric[S, R]{{Metric{countMeasure, "count"}, p.view.measure(countMeasure)}}
	}
	var measures []store.Measure[T]
	var answers []metricAnswer
	for n := range metrics {
		q := ask(&metrics[n], p.query.Bins)
		answers = append(answers, metricAnswer{len(measures), len(q.asked), q.answer})
		measures = slices.Concat(measures, q.asked)
	}
	return measures, answers
}

func cutTime[T any](q *store.AggregateQuery[T], c *cut) {
	switch {
	case c == nil:
	case c.millis != 0:
		q.Bucket = c.millis
	default:
		q.Calendar = c.buckets
	}
}
