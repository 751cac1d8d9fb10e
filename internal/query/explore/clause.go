package explore

import (
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
)

// clause is a condition of a selection, or several that are combined.
type clause struct {
	op filter.GroupOp // empty for a condition, which is one of the members after of
	of []*clause
	// where are conditions on an observation: on traces, that one of its observations meets all of them.
	where []condition
	trace *filter.Condition[domain.TraceSummary]
	score *ScoreCondition
	// comments is a condition on the number of comments on a trace.
	comments *filter.Condition[domain.TraceSummary]
	// figure is a condition on a figure of a session or user.
	figure *figureCondition
	// column is the column that a client named.
	column *column
}

func negation(c *clause) *clause {
	return &clause{op: filter.Not, of: []*clause{c}, column: c.column}
}

// clauseOf makes a clause on traces, sessions or users of what a client wrote.
type clauseOf func(*filter.Draft) (*clause, error)

// clausesOf turns what a client wrote, all of which must hold, into clauses on what is made by of, or on observations if
// that is nil.
//
// A range is a pair of conditions on a number. On traces, it must be met by one observation, unless it is on a figure of
// the whole trace, and so must several conditions on the same score.
func clausesOf(groups []filter.Group, of clauseOf) ([]*clause, error) {
	var clauses []*clause
	var scores Selection // collects the conditions on scores that belong together
	ranges := make(map[[2]string]*clause)
	for n := range groups {
		g := &groups[n]
		switch d := &g.Draft; {
		case g.Op != "":
			inside := of
			if g.Op == filter.Has {
				inside = nil
			}
			inner, err := clausesOf(g.Of, inside)
			if err != nil {
				return nil, err
			}
			clauses = append(clauses, &clause{op: g.Op, of: inner})
		case AboutScores(d.Column):
			if err := scores.AddScores(d); err != nil {
				return nil, err
			}
		case of == nil:
			where, err := filter.Build(filter.Observations(), []filter.Draft{*d})
			if err != nil {
				return nil, err
			}
			clauses = append(clauses, &clause{where: where, column: where[0].Column()})
		default:
			c, err := of(d)
			if err != nil {
				return nil, err
			}
			key := [2]string{d.Column, d.Key}
			if same := ranges[key]; isRange(d) && len(c.where) > 0 && same != nil {
				same.where = append(same.where, c.where...)
				continue
			}
			if isRange(d) && len(c.where) > 0 {
				ranges[key] = c
			}
			clauses = append(clauses, c)
		}
	}
	for n := range scores.Scores {
		clauses = append(clauses, &clause{score: &scores.Scores[n]})
	}
	return clauses, nil
}

// isRange reports whether a condition may be a half of a range.
func isRange(d *filter.Draft) bool {
	switch d.Operator {
	case filter.Greater, filter.GreaterEqual, filter.Less, filter.LessEqual:
		return true
	}
	return false
}

// traceColumns are the columns of observations that say something about their trace, with those of the trace.
var traceColumns = map[string]string{
	"traceId": "id", "traceName": "name", "userId": "userId", "sessionId": "sessionId", "tags": "tags", "version": "version",
	"release": "release", "environment": "environment", "startTime": "timestamp",
	"latency": "latency", "inputTokens": "inputTokens", "outputTokens": "outputTokens", "totalTokens": "totalTokens",
	"inputCost": "inputCost", "outputCost": "outputCost", "totalCost": "totalCost",
}

// traceClause returns a condition on traces. What the trace has as a whole is compared with that; anything else must be
// met by one of its observations or, if it excludes something, by all of them.
func traceClause(d *filter.Draft) (*clause, error) {
	if TraceFigure(d.Column) {
		return ofWholeTrace(d, d.Column)
	}
	if c, err := markClause(d); c != nil || err != nil {
		return c, err
	}
	of, known := filter.Observations().Column(d.Column)
	if !known {
		_, err := filter.Build(filter.Observations(), []filter.Draft{*d}) // says so
		return nil, err
	}
	name, whole := traceColumns[of.ID()]
	switch {
	case of.ID() == "name":
		return ofNames(d, of)
	case !whole || of.Kind() == filter.Number && d.IsNull():
		return ofObservations(d, of)
	}
	c, err := ofWholeTrace(d, name)
	if err == nil && of.ID() == "totalCost" { // a trace without a cost costs nothing, but that is not shown
		priced := &clause{where: []condition{filter.Must(filter.NewNull(of, false))}}
		c.op, c.of, c.trace = filter.All, []*clause{{trace: c.trace}, priced}, nil
	}
	if err == nil {
		c.column = of
	}
	return c, err
}

// TraceFigure reports whether a name is that of a number that only traces have.
func TraceFigure(name string) bool {
	return name == "errorCount" || name == "warningCount" || name == filter.ObservationCount().ID()
}

// ofWholeTrace returns a condition on a column of traces.
func ofWholeTrace(d *filter.Draft, name string) (*clause, error) {
	if name == filter.ObservationCount().ID() && !d.IsNull() {
		if d.Type() != "number" {
			return nil, refusedType(d, "number")
		}
		made, err := filter.Make(filter.ObservationCount(), d)
		return &clause{trace: &made}, err
	}
	draft := *d
	draft.Column = name
	made, err := filter.Build(filter.Traces(), []filter.Draft{draft})
	if err != nil {
		return nil, err
	}
	return &clause{trace: &made[0]}, nil
}

// ofNames returns a condition on the names of a trace: its own, and those of its observations.
func ofNames(d *filter.Draft, of *column) (*clause, error) {
	positive, excludes := withoutNot(d)
	observed, err := ofObservations(&positive, of)
	if err != nil {
		return nil, err
	}
	whole, err := ofWholeTrace(&positive, "name")
	if err != nil {
		return nil, err
	}
	c := &clause{op: filter.Any, of: []*clause{whole, observed}, column: of}
	if excludes {
		return negation(c), nil
	}
	return c, nil
}

// ofObservations returns a condition that one of the observations of a trace meets, or none.
func ofObservations(d *filter.Draft, of *column) (*clause, error) {
	positive, excludes := withoutNot(d)
	if positive.Operator == filter.AnyOf && len(positive.Texts) == 0 || positive.Operator == filter.AllOf {
		all := &clause{op: filter.All, column: of}
		for _, text := range positive.Texts {
			one := positive
			one.Operator, one.Texts = filter.AnyOf, []string{text}
			inner, err := ofObservations(&one, of)
			if err != nil {
				return nil, err
			}
			all.of = append(all.of, inner)
		}
		return all, nil // of nothing, if there are no texts: none and all of nothing are met
	}
	where, err := filter.Build(filter.Observations(), []filter.Draft{positive})
	if err != nil {
		return nil, err
	}
	c := &clause{where: where, column: of}
	if excludes {
		return negation(c), nil
	}
	return c, nil
}

// withoutNot returns the condition that a condition excludes, or itself if it excludes nothing.
func withoutNot(d *filter.Draft) (positive filter.Draft, excludes bool) {
	positive = *d
	switch d.Operator {
	case filter.NoneOf:
		positive.Operator = filter.AnyOf
	case filter.DoesNotContain:
		positive.Operator = filter.Contains
	case filter.IsNull:
		positive.Operator = filter.IsNotNull
	case filter.NotEqual:
		positive.Operator = filter.Equal
	case filter.Equal:
		if d.Type() != "boolean" || d.Bool {
			return positive, false
		}
		positive.Bool = true
	default:
		return positive, false
	}
	if d.Operator == filter.NotEqual && d.Type() == "boolean" && !d.Bool { // not false
		positive.Bool = true
		return positive, false
	}
	return positive, true
}

// observed returns a clause as conditions on an observation, all of which must be met.
func (e *Explorer) observed(ctx context.Context, s *Selection, c *clause) ([]condition, error) {
	switch {
	case c.score != nil:
		about, err := e.scored(ctx, s, c.score)
		if err != nil {
			return nil, err
		}
		return about.conditions(c.score.none)
	case c.op == "":
		return e.tagged(ctx, c.where)
	}
	var all []condition
	var each [][]condition
	for _, one := range c.of {
		where, err := e.observed(ctx, s, one)
		if err != nil {
			return nil, err
		}
		all, each = append(all, where...), append(each, where)
	}
	switch c.op {
	case filter.Any:
		if slices.ContainsFunc(each, func(where []condition) bool { return len(where) == 0 }) {
			return nil, nil // one of them is always met
		}
		var either []condition
		for _, where := range each {
			either = append(either, filter.AllOfThese(where))
		}
		return []condition{filter.AnyOfThese(either)}, nil
	case filter.Not:
		return []condition{filter.NotAllOfThese(all)}, nil
	}
	return all, nil
}

// term returns a clause as a condition on traces. Observations whose texts must be read are looked for in the scope of
// the selection only, and at once.
func (e *Explorer) term(ctx context.Context, s *Selection, c *clause) (*traces.Term, error) {
	switch {
	case c.score != nil:
		about, err := e.scored(ctx, s, c.score)
		if err != nil {
			return nil, err
		}
		return about.term(c.score.none), nil
	case c.comments != nil:
		return e.commented(ctx, c.comments)
	case c.trace != nil:
		return &traces.Term{Trace: c.trace}, nil
	case c.op == "" || c.op == filter.Has:
		where, err := e.observed(ctx, s.ofObservations(), c)
		if err != nil {
			return nil, err
		}
		if readsTexts(where) {
			found, err := e.tracesAtOnce(ctx, s, where)
			return &traces.Term{In: found}, err
		}
		return &traces.Term{Has: append([]condition{}, where...)}, nil
	}
	var inner []*traces.Term
	for _, one := range c.of {
		t, err := e.term(ctx, s, one)
		if err != nil {
			return nil, err
		}
		inner = append(inner, t)
	}
	switch c.op {
	case filter.Any:
		return &traces.Term{Any: inner}, nil
	case filter.Not:
		return &traces.Term{Not: &traces.Term{All: inner}}, nil
	}
	return &traces.Term{All: inner}, nil
}
