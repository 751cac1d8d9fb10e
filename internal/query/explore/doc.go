// Package explore provides the lists, counts, facets, histograms, groups and diffs that the web application shows for
// observations, traces, sessions and users, and single traces as trees. It works with any store and knows nothing of
// HTTP.
package explore

import (
	"cmp"
	"context"
	"errors"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Explorer reads the rows of one project.
type Explorer struct {
	Store store.Store
	Scope domain.ProjectScope
	// Traces assembles traces.
	Traces *traces.Finder
	// TimeLimit is the time limit for results that may be partial; 0 for DefaultTimeLimit. A page is searched for about a
	// twentieth of it.
	TimeLimit time.Duration
	// Scored is the maximum number of traces and observations with the scores that a condition asks for; 0 for
	// MaxScored.
	Scored int

	now func() time.Time // set in tests
}

// DefaultTimeLimit is the default time limit for results that may be partial.
const DefaultTimeLimit = 2 * time.Second

type (
	row       = domain.Observation
	column    = filter.Column[domain.Observation]
	condition = filter.Condition[domain.Observation]
	measure   = store.Measure[domain.Observation]
)

func columnOf(name string) *column { return filter.ObservationColumn(name) }

// Selection is a set of observations.
type Selection struct {
	// From and To bound when observations started: From <= time < To. 0 means no bound.
	From, To domain.Micros
	// Within are conditions on the scope in which rows are counted, like From and To: the environments being viewed.
	Within []condition
	// Where are the search conditions.
	Where []condition
	// Scores are search conditions on scores.
	Scores []ScoreCondition
	// OfTraces selects traces that have a selected observation: traces are listed and counted, and conditions on scores
	// apply to them.
	OfTraces bool
	// ByTrace selects traces that have an observation within From, To and Within, and as a whole meet the clauses. Where are
	// conditions that one of its observations meets, all of them.
	ByTrace bool
	// By, if set, selects sessions or users that have an observation within From, To and Within, and whose observations there
	// meet the clauses as a whole.
	By *EntityKind
	// Search is the text that is looked for by one of the conditions, or empty.
	Search string
	// counted, if set, is the column whose values are counted instead of observations.
	counted *column
	// clauses are further search conditions, all of which must hold.
	clauses []*clause
}

// ofTraces returns the selection of the traces that have a selected observation.
func (s *Selection) ofTraces() *Selection {
	traces := *s
	traces.OfTraces = true
	return &traces
}

// ofObservations returns the selection with conditions on scores that apply to observations.
func (s *Selection) ofObservations() *Selection {
	other := *s
	other.OfTraces, other.counted = false, nil
	return &other
}

// whole reports whether the conditions hold for what observations belong to.
func (s *Selection) whole() bool { return s.ByTrace || s.By != nil }

// conditions returns all conditions. Those on scores must have been resolved: ignoring them would select too much.
func (s *Selection) conditions() []condition {
	if len(s.Scores) > 0 || len(s.clauses) > 0 || s.whole() {
		panic("BUG: a selection is used whose conditions were not resolved")
	}
	return append(append(make([]condition, 0, len(s.Within)+len(s.Where)+1), s.Within...), s.Where...)
}

// without returns the selection without its conditions on a column.
func (s *Selection) without(c *column) *Selection {
	other := *s
	other.Within, other.Where = leaveOut(s.Within, c), leaveOut(s.Where, c)
	other.clauses = nil
	for _, one := range s.clauses {
		if one.column != c {
			other.clauses = append(other.clauses, one)
		}
	}
	return &other
}

// conditionOn reports whether there is a condition on a column.
func (s *Selection) conditionOn(c *column) bool {
	other := s.without(c)
	return len(other.clauses) < len(s.clauses) || len(other.Within) < len(s.Within) || len(other.Where) < len(s.Where)
}

// HasConditions reports whether there are search conditions.
func (s *Selection) HasConditions() bool { return len(s.Where)+len(s.Scores)+len(s.clauses) > 0 }

func leaveOut(conditions []condition, c *column) []condition {
	var rest []condition
	for _, one := range conditions {
		if one.Column() != c {
			rest = append(rest, one)
		}
	}
	return rest
}

// aggregate groups rows of the selection that meet further conditions.
func (e *Explorer) aggregate(ctx context.Context, s *Selection, q store.AggregateQuery[row], more ...condition) (*store.Groups, error) {
	q.From, q.To, q.Where = s.From, s.To, append(s.conditions(), more...)
	return e.Store.Observations().Aggregate(ctx, e.Scope, q)
}

func (e *Explorer) timeLimit() time.Duration { return cmp.Or(e.TimeLimit, DefaultTimeLimit) }

// withTimeLimit runs work within the time limit and reports whether it was cut short.
func (e *Explorer) withTimeLimit(ctx context.Context, work func(context.Context) error) (partial bool, err error) {
	limited, cancel := context.WithTimeout(ctx, e.timeLimit())
	defer cancel()
	err = work(limited)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// failed returns a condition for rows with level ERROR.
func failed() condition {
	return filter.Must(filter.NewText(columnOf("level"), filter.Equal, "ERROR"))
}

// named returns a condition for rows whose column is one of texts.
func named(c *column, texts []string) (condition, error) {
	return filter.NewTexts(c, filter.AnyOf, texts)
}

// numberOf returns the value of a measure, or 0 if it is unset.
func numberOf(v domain.OptFloat) float64 { return v.Value }
