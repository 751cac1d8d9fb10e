package analytics

import (
	"context"
	"iter"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

type scorePlan = plan[domain.Score, scoreRow]

// scoreRows returns the scores of a query, joined with the observations that it needs. Scores without such an
// observation in the time range are left out.
func (e *Engine) scoreRows(ctx context.Context, scope domain.ProjectScope, p *scorePlan) iter.Seq2[*scoreRow, error] {
	query := store.Query[domain.Score]{Where: p.stored}
	query.From, query.To = p.query.window()
	if p.needs == 0 {
		return func(yield func(*scoreRow, error) bool) {
			for s, err := range e.Store.Scores().Scan(ctx, scope, query) {
				if err != nil {
					yield(nil, err)
					return
				}
				if row := (&scoreRow{Score: s}); filter.MatchAll(p.joined, row) && !yield(row, nil) {
					return
				}
			}
		}
	}
	join := &scoreJoin{engine: e, scope: scope, plan: p, query: query}
	return func(yield func(*scoreRow, error) bool) {
		if err := batches(ctx, e, scope, e.Store.Scores(), filter.ScoreColumn("traceId"), query, join.rows(ctx, yield)); err != nil {
			yield(nil, err)
		}
	}
}

// scoreJoin joins scores with the root of their trace and the observation that was scored.
type scoreJoin struct {
	engine *Engine
	scope  domain.ProjectScope
	plan   *scorePlan
	query  store.Query[domain.Score]
}

// rows returns a function that yields the scores of some traces, and reports whether more are wanted.
func (j *scoreJoin) rows(
	ctx context.Context, yield func(*scoreRow, error) bool,
) func(_ *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
	return func(_ *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
		query, err := ofTraces(j.query, filter.ScoreColumn("traceId"), ids)
		if err != nil {
			return false, err
		}
		roots, observed, err := j.observations(ctx, ids, query, held)
		if err != nil {
			return false, err
		}
		for s, err := range j.engine.Store.Scores().Scan(ctx, j.scope, query) {
			if err != nil {
				return false, err
			}
			row := &scoreRow{Score: s, root: roots[s.TraceID], observed: observed[subject{s.TraceID, s.ObservationID}]}
			if j.plan.needs&needRoot != 0 && row.root == nil || j.plan.needs&needObserved != 0 && row.observed == nil {
				continue
			}
			if filter.MatchAll(j.plan.joined, row) && !yield(row, nil) {
				return false, nil
			}
		}
		return true, nil
	}
}

// observations returns what the join needs from traces: their roots, the latest if there are several, and the
// observations that were scored.
func (j *scoreJoin) observations(
	ctx context.Context, ids []string, scores store.Query[domain.Score], held *memory.Tally,
) (roots map[string]*domain.Observation, observed map[subject]*domain.Observation, err error) {
	roots, observed = make(map[string]*domain.Observation), make(map[subject]*domain.Observation)
	var scored map[subject]int
	if j.plan.needs&needObserved != 0 {
		if scored, err = j.engine.countScores(ctx, j.scope, scores, held, filter.ScoreColumn("observationId")); err != nil {
			return nil, nil, err
		}
	}
	query, err := ofTraces(store.Query[domain.Observation]{From: j.query.From, To: j.query.To}, filter.ObservationColumn("traceId"), ids)
	if err != nil {
		return nil, nil, err
	}
	for o, err := range j.engine.Store.Observations().Scan(ctx, j.scope, query) {
		if err != nil {
			return nil, nil, err
		}
		isRoot := j.plan.needs&needRoot != 0 && roots[o.TraceID] == nil && o.IsTraceRoot()
		isObserved := scored[subject{o.TraceID, o.ID}] > 0
		if !isRoot && !isObserved {
			continue
		}
		if err := held.Add(joinedBytes(o)); err != nil {
			return nil, nil, err
		}
		found := joinedPart(o)
		if isRoot {
			roots[found.TraceID] = found
		}
		if isObserved {
			observed[subject{found.TraceID, found.ID}] = found
		}
	}
	return roots, observed, nil
}

// joinedBytes returns the memory that joinedPart takes.
func joinedBytes(o *domain.Observation) int64 {
	const row, tag = 1500, 16
	bytes := row + len(o.TraceID) + len(o.ID) + len(o.ParentID) + len(o.Name) + len(o.TraceName) + len(o.UserID) + len(o.Release) +
		len(o.Version) + len(o.Model) + len(o.PromptName) + len(o.ExperimentID) + len(o.ExperimentName)
	for _, text := range o.Tags {
		bytes += tag + len(text)
	}
	return int64(bytes)
}

// joinedPart returns a copy of the fields of an observation that views of scores use.
func joinedPart(o *domain.Observation) *domain.Observation {
	tags := slices.Clone(o.Tags)
	for n, tag := range tags {
		tags[n] = strings.Clone(tag)
	}
	return &domain.Observation{
		TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID), ParentID: strings.Clone(o.ParentID), IsAppRoot: o.IsAppRoot,
		Name: strings.Clone(o.Name), TraceName: strings.Clone(o.TraceName), UserID: strings.Clone(o.UserID), Tags: tags,
		Release: strings.Clone(o.Release), Version: strings.Clone(o.Version), Model: strings.Clone(o.Model),
		PromptName: strings.Clone(o.PromptName), PromptVersion: o.PromptVersion,
		ExperimentID: strings.Clone(o.ExperimentID), ExperimentName: strings.Clone(o.ExperimentName),
	}
}
