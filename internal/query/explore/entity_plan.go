package explore

import (
	"context"
	"math"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// entityPlan is how the store finds sessions or users: it gathers what the conditions and the order need about each, and
// decides by it.
type entityPlan struct {
	kind  *EntityKind
	scope *Selection // the rows that count
	flags []store.RankFlag[row]
	// measures are the figures that are gathered.
	measures entityMeasures
	decide   entityCheck // nil if all are wanted
}

// judged is what is known about an entity when it is decided upon.
type judged struct {
	*store.RankTotals
	Entity
}

type entityCheck func(*judged) bool

// planEntities returns the plan for the entities of a kind that a selection names: those that meet its clauses, or those
// of the observations that it selects.
func (e *Explorer) planEntities(ctx context.Context, s *Selection, kind *EntityKind) (*entityPlan, error) {
	p := &entityPlan{kind: kind, scope: &Selection{From: s.From, To: s.To, Within: s.Within}}
	if s.By == nil || *s.By != *kind {
		s, err := e.Resolve(ctx, s)
		if err != nil {
			return nil, err
		}
		p.scope.From, p.scope.To, p.scope.Within = s.From, s.To, s.Within
		if len(s.Where) > 0 {
			flag := p.flag(s.Where)
			p.decide = func(o *judged) bool { return o.Has(flag) }
		}
		return p, nil
	}
	checks, err := e.entityChecks(ctx, p, s.clauses)
	if err != nil {
		return nil, err
	}
	if len(checks) > 0 {
		p.decide = allOf(checks)
	}
	if len(p.flags) > store.MaxRankFlags {
		return nil, &filter.Refused{Message: "These are too many conditions for one query. Leave out some of them."}
	}
	return p, nil
}

func (p *entityPlan) flag(where []condition) int {
	p.flags = append(p.flags, store.RankFlag[row]{Where: where})
	return len(p.flags) - 1
}

// isEverything reports whether all entities are selected.
func (p *entityPlan) isEverything() bool { return p.decide == nil }

func allOf(checks []entityCheck) entityCheck {
	return func(o *judged) bool {
		for _, met := range checks {
			if !met(o) {
				return false
			}
		}
		return true
	}
}

func anyOf(checks []entityCheck) entityCheck {
	return func(o *judged) bool {
		for _, met := range checks {
			if met(o) {
				return true
			}
		}
		return false
	}
}

func not(check entityCheck) entityCheck { return func(o *judged) bool { return !check(o) } }

func (e *Explorer) entityChecks(ctx context.Context, p *entityPlan, clauses []*clause) ([]entityCheck, error) {
	var checks []entityCheck
	for _, c := range clauses {
		check, err := e.entityCheck(ctx, p, c)
		if err != nil {
			return nil, err
		}
		checks = append(checks, check)
	}
	return checks, nil
}

// entityCheck returns how a clause is decided.
func (e *Explorer) entityCheck(ctx context.Context, p *entityPlan, c *clause) (entityCheck, error) {
	switch {
	case c.score != nil:
		return e.checkScores(ctx, p, c.score)
	case c.figure != nil && c.figure.of.distinct != "":
		return e.checkDistinct(ctx, p, c.figure)
	case c.figure != nil:
		p.measures.add(c.figure.of.name)
		return func(o *judged) bool { return c.figure.meets(&o.Entity) }, nil
	case c.op == "" || c.op == filter.Has:
		where, err := e.observed(ctx, p.scope, c)
		if err != nil {
			return nil, err
		}
		if readsTexts(where) {
			found, err := e.entitiesAtOnce(ctx, p, where)
			return inEntities(found), err
		}
		flag := p.flag(where)
		return func(o *judged) bool { return o.Has(flag) }, nil
	}
	inner, err := e.entityChecks(ctx, p, c.of)
	if err != nil {
		return nil, err
	}
	switch c.op {
	case filter.Any:
		return anyOf(inner), nil
	case filter.Not:
		return not(allOf(inner)), nil
	}
	return allOf(inner), nil
}

func inEntities(found *store.HashSet) entityCheck {
	return func(o *judged) bool { return found.Has(o.Hash) }
}

// checkScores returns how a condition on the scores of an entity is decided: those of its traces and their observations
// and, for a session, its own.
func (e *Explorer) checkScores(ctx context.Context, p *entityPlan, c *ScoreCondition) (entityCheck, error) {
	about, err := e.scored(ctx, p.scope.ofTraces(), c)
	if err != nil {
		return nil, err
	}
	where, err := about.conditions(false)
	if err != nil {
		return nil, err
	}
	flag := p.flag(where)
	has := func(o *judged) bool { return o.Has(flag) }
	if *p.kind == Sessions {
		own, err := e.scoredSessions(ctx, p.scope, c)
		if err != nil {
			return nil, err
		}
		has = anyOf([]entityCheck{has, inEntities(own)})
	}
	if c.none {
		return not(has), nil
	}
	return has, nil
}

// scoredSessions returns the sessions that have such a score of their own.
func (e *Explorer) scoredSessions(ctx context.Context, s *Selection, c *ScoreCondition) (*store.HashSet, error) {
	q := e.scoreQuery(s, c, ownScores())
	q.GroupBy = []*filter.Column[domain.Score]{filter.ScoreColumn("sessionId")}
	found := new(store.HashSet)
	groups, err := e.Store.Scores().Aggregate(ctx, e.Scope, q)
	if tooLarge(err) {
		return nil, &traces.TooMany{Things: "sessions with such scores", Limit: e.maxScored()}
	}
	if err != nil {
		return nil, err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		found.Add(store.TextHash(groups.Rows[n].Keys[0]))
	}
	return found, nil
}

// ownScores returns the conditions for the scores of sessions themselves.
func ownScores() []scoreCondition {
	return []scoreCondition{
		filter.Must(filter.NewNull(filter.ScoreColumn("sessionId"), false)),
		filter.Must(filter.NewNull(filter.ScoreColumn("traceId"), true)),
		filter.Must(filter.NewTexts(filter.ScoreColumn("dataType"), filter.NoneOf, []string{domain.ScoreCorrection})),
	}
}

// checkDistinct returns how a condition on the number of traces or sessions of an entity is decided.
func (e *Explorer) checkDistinct(ctx context.Context, p *entityPlan, c *figureCondition) (entityCheck, error) {
	found, held := new(store.HashSet), memory.NewTally(ctx)
	taken := 0
	err := e.countDistinct(ctx, p, c.of, func(id string, count float64) {
		if c.MatchNumber(count, false) {
			taken += found.Add(store.TextHash(id))
		}
	})
	if err == nil {
		err = held.Add(int64(taken))
	}
	return inEntities(found), err
}

// countDistinct calls each with the number of traces or sessions of every entity.
func (e *Explorer) countDistinct(ctx context.Context, p *entityPlan, of *figure, each func(id string, count float64)) error {
	groups, err := e.aggregate(ctx, p.scope, store.AggregateQuery[row]{
		GroupBy:  []*column{columnOf(p.kind.column)},
		Measures: []measure{{Function: store.Distinct, Column: columnOf(of.distinct)}}, MaxGroups: traces.MaxTraces,
	}, p.kind.named())
	if tooLarge(err) {
		return &traces.TooMany{Things: p.kind.things, Limit: traces.MaxTraces}
	}
	if err != nil {
		return err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		each(groups.Rows[n].Keys[0], numberOf(groups.Rows[n].Values[0]))
	}
	return nil
}

// entitiesAtOnce returns the entities with an observation that meets conditions whose texts must be read.
func (e *Explorer) entitiesAtOnce(ctx context.Context, p *entityPlan, where []condition) (*store.HashSet, error) {
	found, held := new(store.HashSet), memory.NewTally(ctx)
	scope := *p.scope
	scope.Where = append(slices.Clone(where), p.kind.named())
	partial, err := e.inWindows(ctx, &scope, func(ctx context.Context, part *Selection) error {
		groups, err := e.aggregate(ctx, part, store.AggregateQuery[row]{
			GroupBy: []*column{columnOf(p.kind.column)}, MaxGroups: traces.MaxTraces,
		})
		if tooLarge(err) {
			return &traces.TooMany{Things: p.kind.things, Limit: traces.MaxTraces}
		}
		if err != nil {
			return err
		}
		taken := 0
		for n := range groups.Rows {
			taken += found.Add(store.TextHash(groups.Rows[n].Keys[0]))
		}
		memory.Of(ctx).Shrink(groups.Held)
		return held.Add(int64(taken))
	})
	if err == nil && partial {
		return nil, &filter.Refused{Message: "Searching texts takes too long here. Choose a shorter time range."}
	}
	return found, err
}

// query returns the query for the entities of a plan, judged by the plan and ordered by order, if that is not nil.
func (p *entityPlan) query(order func(*judged) float64) store.RankQuery[row] {
	s := p.scope
	q := store.RankQuery[row]{
		From: s.From, To: s.To, Where: s.Within, Key: columnOf(p.kind.column), Flags: p.flags, Measures: p.measures.queries(),
	}
	if p.isEverything() && order == nil {
		return q
	}
	q.Judge = func(t *store.RankTotals) (place store.RankOrder, verdict store.Verdict) {
		o := judged{RankTotals: t}
		p.measures.fill(t, &o.Entity)
		if p.decide != nil && !p.decide(&o) {
			return place, store.Unwanted
		}
		if order != nil {
			place.Value = order(&o)
		}
		return place, store.Wanted
	}
	return q
}

// entityMeasures are figures that the store gathers about entities.
type entityMeasures struct {
	list []string
}

// parts are the figures that others follow from.
var parts = map[string][]string{"duration": {"firstSeen", "lastSeen", "lastEnd"}}

func (m *entityMeasures) add(name string) {
	needs, ok := parts[name]
	if !ok {
		needs = []string{name}
	}
	for _, need := range needs {
		if m.at(need) < 0 {
			m.list = append(m.list, need)
		}
	}
}

func (m *entityMeasures) at(name string) int {
	for n, one := range m.list {
		if one == name {
			return n
		}
	}
	return -1
}

func (m *entityMeasures) queries() []store.RankMeasure[row] {
	var all []store.RankMeasure[row]
	for _, name := range m.list {
		all = append(all, entityMeasure(name))
	}
	return all
}

func entityMeasure(name string) store.RankMeasure[row] {
	observed := filter.Must(filter.NewTexts(columnOf("ingestionSource"), filter.NoneOf, []string{domain.SourceIngestionTrace}))
	switch name {
	case "firstSeen":
		return store.RankMeasure[row]{Function: store.Min, Column: columnOf("startTime")}
	case "lastSeen":
		return store.RankMeasure[row]{Function: store.Max, Column: columnOf("startTime")}
	case "lastEnd":
		return store.RankMeasure[row]{Function: store.Max, Column: columnOf("endTime")}
	case "observations":
		return store.RankMeasure[row]{Function: store.Count, If: []condition{observed}}
	case "errors":
		return store.RankMeasure[row]{Function: store.Count, If: []condition{failed(), observed}}
	}
	return store.RankMeasure[row]{Function: store.Sum, Column: columnOf(name)}
}

// fill sets the figures of an entity that were gathered.
func (m *entityMeasures) fill(t *store.RankTotals, o *Entity) {
	for n, name := range m.list {
		if value := t.Values[n]; !math.IsNaN(value) {
			o.set(name, value)
		}
	}
}
