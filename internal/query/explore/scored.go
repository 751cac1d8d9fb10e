package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// ScoreCondition is a condition on the scores of rows: a score that meets some conditions exists, or does not.
//
// The scores of an observation are its own and those of its trace. The scores of a trace are its own and those of all
// its observations. Scores of sessions and experiments belong to neither.
type ScoreCondition struct {
	name  string // name of the scores; empty for any
	where []scoreCondition
	none  bool
}

type scoreCondition = filter.Condition[domain.Score]

// Columns of conditions on scores.
const (
	scoresColumn = "scores"
	namesColumn  = "scoreNames"
	scoresPrefix = scoresColumn + "."
)

// SuggestsScores reports whether a name is "scores" or "scores." followed by the name of a score. Suggest accepts these
// in addition to columns.
func SuggestsScores(name string) bool {
	return name == scoresColumn || len(name) > len(scoresPrefix) && strings.HasPrefix(name, scoresPrefix)
}

// AboutScores reports whether a column named by a client is on scores.
func AboutScores(column string) bool { return column == scoresColumn || column == namesColumn }

// AddScores adds a client's condition on scores to the selection. The error is a *filter.Refused if the type does not
// fit the column.
//
// Positive conditions on scores with the same name must all be met by the same score.
func (s *Selection) AddScores(d *filter.Draft) error {
	wanted, err := scoreConditions(d)
	for _, c := range wanted {
		same := slices.IndexFunc(s.Scores, func(other ScoreCondition) bool {
			return !other.none && !c.none && other.name == c.name && c.name != ""
		})
		if same < 0 {
			s.Scores = append(s.Scores, c)
		} else {
			s.Scores[same].where = append(s.Scores[same].where, c.where...)
		}
	}
	return err
}

func scoreConditions(d *filter.Draft) ([]ScoreCondition, error) {
	switch {
	case d.Column == namesColumn && d.Type() == "arrayOptions":
		return namedScores(d), nil
	case d.Column == scoresColumn && d.IsNull():
		return []ScoreCondition{{none: d.Operator == filter.IsNull}}, nil
	case d.Column != scoresColumn:
		return nil, refusedType(d, "arrayOptions")
	}
	c := ScoreCondition{name: d.Key}
	var err error
	switch d.Type() {
	case "numberObject":
		err = c.is(filter.NewNumber(filter.ScoreColumn("value"), d.Operator, d.Number))
		c.where = append(c.where, ofTypes("NUMERIC", "BOOLEAN"))
	case "booleanObject":
		c.none = d.Operator == filter.NotEqual
		value := 0.0
		if d.Bool {
			value = 1
		}
		err = c.is(filter.NewNumber(filter.ScoreColumn("value"), filter.Equal, value))
		c.where = append(c.where, ofTypes("BOOLEAN"))
	case "categoryOptions":
		c.none = d.Operator == filter.NoneOf
		if len(d.Texts) == 0 && c.none {
			return nil, nil
		}
		if len(d.Texts) == 0 {
			return nil, &filter.Refused{Message: "A condition on the categories of scores needs at least one category."}
		}
		err = c.is(filter.NewTexts(filter.ScoreColumn("stringValue"), filter.AnyOf, d.Texts))
	case "stringObject":
		operator := d.Operator
		if c.none = operator == filter.DoesNotContain; c.none {
			operator = filter.Contains
		}
		if operator == filter.Matches {
			return nil, &filter.Refused{Message: "`matches` is only supported for input, output, and metadata filters."}
		}
		err = c.is(filter.NewText(filter.ScoreColumn("stringValue"), operator, d.Text))
	default:
		return nil, refusedType(d, "numberObject', 'categoryOptions', 'booleanObject', 'stringObject' or 'null")
	}
	return []ScoreCondition{c}, err
}

func (c *ScoreCondition) is(condition scoreCondition, err error) error {
	c.where = append(c.where, condition)
	return err
}

// namedScores returns conditions on the names of scores.
func namedScores(d *filter.Draft) []ScoreCondition {
	if d.Operator == filter.AllOf {
		var all []ScoreCondition
		for _, name := range d.Texts {
			all = append(all, ScoreCondition{name: name})
		}
		return all
	}
	if len(d.Texts) == 0 {
		return nil // none of nothing
	}
	names := filter.Must(filter.NewTexts(filter.ScoreColumn("name"), filter.AnyOf, d.Texts))
	return []ScoreCondition{{where: []scoreCondition{names}, none: d.Operator == filter.NoneOf}}
}

func refusedType(d *filter.Draft, expected string) error {
	return &filter.Refused{
		Message: fmt.Sprintf("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.", d.Type(), d.Column, expected),
	}
}

func ofTypes(names ...string) scoreCondition {
	return filter.Must(filter.NewTexts(filter.ScoreColumn("dataType"), filter.AnyOf, names))
}

// shownScores returns the conditions for the scores that rows show.
func shownScores() []scoreCondition {
	return []scoreCondition{
		filter.Must(filter.NewNull(filter.ScoreColumn("traceId"), false)),
		filter.Must(filter.NewNull(filter.ScoreColumn("sessionId"), true)),
		filter.Must(filter.NewNull(filter.ScoreColumn("experimentId"), true)),
		filter.Must(filter.NewTexts(filter.ScoreColumn("dataType"), filter.NoneOf, []string{domain.ScoreCorrection})),
	}
}

const (
	// MaxScored is the maximum number of traces and observations with the scores that a condition asks for.
	MaxScored = 100_000
	// scoredBefore is how long before the time range of a selection its rows may have been scored, since clocks differ.
	scoredBefore = 24 * 60 * 60 * 1_000_000
)

// Resolve returns an equivalent selection with conditions on observations only: scores and traces are looked up, and
// conditions on their traces and observations replace those on them. Conditions on tags use the tags given by users.
func (e *Explorer) Resolve(ctx context.Context, s *Selection) (*Selection, error) {
	if s.ByTrace {
		p, err := e.plan(ctx, s)
		if err != nil {
			return nil, err
		}
		return e.narrowed(ctx, p)
	}
	if s.By != nil {
		return e.ofEntities(ctx, s)
	}
	where, err := e.tagged(ctx, s.Where)
	if err != nil {
		return nil, err
	}
	resolved := *s
	resolved.Scores, resolved.clauses, resolved.Where = nil, nil, slices.Clone(where)
	for n := range s.Scores {
		about, err := e.scored(ctx, s, &s.Scores[n])
		if err != nil {
			return nil, err
		}
		where, err := about.conditions(s.Scores[n].none)
		if err != nil {
			return nil, err
		}
		resolved.Where = append(resolved.Where, where...)
	}
	for _, c := range s.clauses {
		where, err := e.observed(ctx, s, c)
		if err != nil {
			return nil, err
		}
		resolved.Where = append(resolved.Where, where...)
	}
	return &resolved, nil
}

// tagged returns conditions with the tags given by users instead of those in rows.
func (e *Explorer) tagged(ctx context.Context, where []condition) ([]condition, error) {
	if e.Traces == nil || e.Traces.Marks.Tags == nil || !filter.Addresses(where, columnOf("tags")) {
		return where, nil
	}
	tags, err := e.Traces.Marks.Tags(ctx)
	if err != nil {
		return nil, err
	}
	return filter.OverrideTags(where, tags)
}

// subject is the subject of a score: an observation, or a trace if observation is empty.
type subject struct{ trace, observation string }

// subjects are the subjects of some scores.
type subjects struct {
	traces       []string // traces with a score that applies to all their rows
	observations map[subject]struct{}
}

func (e *Explorer) maxScored() int {
	if e.Scored > 0 {
		return e.Scored
	}
	return MaxScored
}

// scoreQuery returns the query for the scores that a condition asks for, of those that meet others as well.
func (e *Explorer) scoreQuery(s *Selection, c *ScoreCondition, of []scoreCondition) store.AggregateQuery[domain.Score] {
	q := store.AggregateQuery[domain.Score]{Where: append(of, c.where...), MaxGroups: e.maxScored()}
	if c.name != "" {
		q.Where = append(q.Where, filter.Must(filter.NewText(filter.ScoreColumn("name"), filter.Equal, c.name)))
	}
	if s.From > scoredBefore {
		q.From = s.From - scoredBefore
	}
	return q
}

// scored returns the subjects of the scores that a condition asks for.
func (e *Explorer) scored(ctx context.Context, s *Selection, c *ScoreCondition) (*subjects, error) {
	q := e.scoreQuery(s, c, shownScores())
	q.GroupBy = []*filter.Column[domain.Score]{filter.ScoreColumn("traceId")}
	if !s.OfTraces {
		q.GroupBy = append(q.GroupBy, filter.ScoreColumn("observationId"))
	}
	groups, err := e.Store.Scores().Aggregate(ctx, e.Scope, q)
	if tooLarge(err) {
		return nil, &traces.TooMany{Things: "rows with such scores", Limit: e.maxScored()}
	}
	if err != nil {
		return nil, err
	}
	found := &subjects{observations: make(map[subject]struct{})}
	for n := range groups.Rows {
		keys := groups.Rows[n].Keys
		if len(keys) == 1 || keys[1] == "" {
			found.traces = append(found.traces, keys[0])
		} else {
			found.observations[subject{keys[0], keys[1]}] = struct{}{}
		}
	}
	return found, nil
}

// term returns a condition on the traces that have such a score, or on all others.
func (s *subjects) term(none bool) *traces.Term {
	found := new(store.HashSet)
	for _, id := range s.traces {
		found.Add(store.TextHash(id))
	}
	for one := range s.observations {
		found.Add(store.TextHash(one.trace))
	}
	if none {
		return &traces.Term{Not: &traces.Term{In: found}}
	}
	return &traces.Term{In: found}
}

// noRow returns conditions that no row meets, since none has two traces.
func noRow() []condition {
	traceID := columnOf("traceId")
	return []condition{
		filter.Must(filter.NewText(traceID, filter.Equal, "a")), filter.Must(filter.NewText(traceID, filter.Equal, "b")),
	}
}

// conditions returns conditions for the rows that the scores apply to, or for all other rows. Stores find rows by
// trace, so the first condition is on traces, and the second one picks their rows.
func (s *subjects) conditions(none bool) ([]condition, error) {
	traceID, id := columnOf("traceId"), columnOf("id")
	if len(s.traces) == 0 && len(s.observations) == 0 {
		if none {
			return nil, nil
		}
		return noRow(), nil
	}
	if len(s.observations) == 0 {
		operator := filter.AnyOf
		if none {
			operator = filter.NoneOf
		}
		c, err := filter.NewTexts(traceID, operator, s.traces)
		return []condition{c}, err
	}
	whole := make(map[string]struct{}, len(s.traces))
	for _, id := range s.traces {
		whole[id] = struct{}{}
	}
	has := filter.DerivedBool("scored", func(o *row) bool {
		if _, ok := whole[o.TraceID]; ok {
			return true
		}
		_, ok := s.observations[subject{o.TraceID, o.ID}]
		return ok
	}, traceID, id)
	exact, err := filter.NewBool(has, filter.Equal, !none)
	if none || err != nil {
		return []condition{exact}, err
	}
	ids := slices.Clone(s.traces)
	for one := range s.observations {
		ids = append(ids, one.trace)
	}
	slices.Sort(ids)
	near, err := filter.NewTexts(traceID, filter.AnyOf, slices.Compact(ids))
	return []condition{near, exact}, err
}
