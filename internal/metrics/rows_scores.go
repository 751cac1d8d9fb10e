package metrics

import (
	"context"
	"iter"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

type scorePlan = plan[domain.Score, scoreRow]

// scoreRows returns the scores that a question is about, put together with the observations that it needs. Scores without
// such an observation in the time range are left out.
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
				if row := (&scoreRow{Score: s}); meets(p.joined, row) && !yield(row, nil) {
					return
				}
			}
		}
	}
	join := &scoreJoin{engine: e, scope: scope, plan: p, query: query}
	return chunks(ctx, e, e.Store.Scores(), scope, scoreColumn("traceId"), query, func(ids []string, held *memory.Tally, yield func(*scoreRow, error) bool) (bool, error) {
		return join.rows(ctx, ids, held, yield)
	})
}

// scoreJoin puts scores together with the root of their trace and the observation that they are about.
type scoreJoin struct {
	engine *Engine
	scope  domain.ProjectScope
	plan   *scorePlan
	query  store.Query[domain.Score]
}

// rows yields the scores of some traces. It says whether more are wanted.
func (j *scoreJoin) rows(ctx context.Context, ids []string, held *memory.Tally, yield func(*scoreRow, error) bool) (bool, error) {
	query, err := ofTraces(j.query, scoreColumn("traceId"), ids)
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
		row := &scoreRow{Score: s, root: roots[s.TraceID], observed: observed[observationKey{s.TraceID, s.ObservationID}]}
		if j.plan.needs&needRoot != 0 && row.root == nil || j.plan.needs&needObserved != 0 && row.observed == nil {
			continue
		}
		if meets(j.plan.joined, row) && !yield(row, nil) {
			return false, nil
		}
	}
	return true, nil
}

// observations returns what is needed of traces: their roots, of several the latest, and the observations that the
// scores are about.
func (j *scoreJoin) observations(
	ctx context.Context, ids []string, scores store.Query[domain.Score], held *memory.Tally,
) (roots map[string]*domain.Observation, observed map[observationKey]*domain.Observation, err error) {
	roots, observed = make(map[string]*domain.Observation), make(map[observationKey]*domain.Observation)
	if j.plan.needs&needObserved != 0 {
		groups, err := j.engine.Store.Scores().Aggregate(ctx, j.scope, store.AggregateQuery[domain.Score]{
			From: scores.From, To: scores.To, Where: scores.Where, MaxGroups: maxGroups, MaxBytes: maxBytes,
			GroupBy: []*filter.Column[domain.Score]{scoreColumn("traceId"), scoreColumn("observationId")},
		})
		if err != nil {
			return nil, nil, err
		}
		if err := held.Add(int64(countBytes * len(groups.Rows))); err != nil {
			return nil, nil, err
		}
		for n := range groups.Rows {
			keys := groups.Rows[n].Keys
			observed[observationKey{keys[0], keys[1]}] = nil
		}
	}
	query, err := ofTraces(store.Query[domain.Observation]{From: j.query.From, To: j.query.To}, observationColumn("traceId"), ids)
	if err != nil {
		return nil, nil, err
	}
	for o, err := range j.engine.Store.Observations().Scan(ctx, j.scope, query) {
		if err != nil {
			return nil, nil, err
		}
		isRoot := j.plan.needs&needRoot != 0 && roots[o.TraceID] == nil && traces.IsRoot(o)
		_, isObserved := observed[observationKey{o.TraceID, o.ID}]
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
			observed[observationKey{found.TraceID, found.ID}] = found
		}
	}
	return roots, observed, nil
}

// joinedBytes returns how much memory joinedPart takes.
func joinedBytes(o *domain.Observation) int64 {
	const row, tag = 1500, 16
	bytes := row + len(o.TraceID) + len(o.ID) + len(o.ParentID) + len(o.Name) + len(o.TraceName) + len(o.UserID) + len(o.Release) +
		len(o.Version) + len(o.Model) + len(o.PromptName) + len(o.ExperimentID) + len(o.ExperimentName)
	for _, text := range o.Tags {
		bytes += tag + len(text)
	}
	return int64(bytes)
}

// joinedPart returns a copy of what views of scores have of an observation.
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
