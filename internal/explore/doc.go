// Package explore answers what people ask about many rows while they look for a few: lists of observations, traces, sessions and
// users, counts, facets, histograms, groups, and one trace as a tree. It reads any store and knows nothing of HTTP.
package explore

import (
	"cmp"
	"context"
	"errors"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// Explorer reads the rows of one project.
type Explorer struct {
	Store store.Store
	Scope domain.ProjectScope
	// Traces puts traces together.
	Traces *traces.Finder
	// Box is how long an answer that may be partial is worked on, and about 20 times as long as a page is searched for; 0 for DefaultBox.
	Box time.Duration
	// Scored is how many traces and observations may have the scores that a condition asks for; 0 for MaxScored.
	Scored int

	now func() time.Time // in tests
}

// DefaultBox is how long an answer that may be partial is worked on.
const DefaultBox = 2 * time.Second

type (
	row       = domain.Observation
	column    = filter.Column[domain.Observation]
	condition = filter.Condition[domain.Observation]
	measure   = store.Measure[domain.Observation]
)

func columnOf(name string) *column { return filter.ObservationColumn(name) }

// Selection is a set of observations.
type Selection struct {
	// From and To bound when they started: From <= it < To. 0 stands for no bound.
	From, To domain.Micros
	// Within are conditions on what is counted at all, as From and To are: the environments that somebody looks at.
	Within []condition
	// Where are conditions on what is looked for.
	Where []condition
	// Scores are conditions on the scores of what is looked for.
	Scores []ScoreCondition
	// OfTraces says that traces are looked for which have a selected observation: these are listed and counted, and conditions on scores are
	// about them.
	OfTraces bool
}

// ofTraces returns the selection of the traces that have a selected observation.
func (s *Selection) ofTraces() *Selection {
	traces := *s
	traces.OfTraces = true
	return &traces
}

// conditions returns all conditions. Those on scores must have been resolved: without them, more would be selected than anybody asked for.
func (s *Selection) conditions() []condition {
	if len(s.Scores) > 0 {
		panic("BUG: a selection is used whose conditions on scores were not resolved")
	}
	return append(append(make([]condition, 0, len(s.Within)+len(s.Where)+1), s.Within...), s.Where...)
}

// without returns the selection without its conditions on a column.
func (s *Selection) without(c *column) *Selection {
	other := *s
	other.Within, other.Where = leaveOut(s.Within, c), leaveOut(s.Where, c)
	return &other
}

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

func (e *Explorer) box() time.Duration { return cmp.Or(e.Box, DefaultBox) }

// boxed runs something that may be left unfinished. It reports whether it was.
func (e *Explorer) boxed(ctx context.Context, work func(context.Context) error) (partial bool, err error) {
	limited, cancel := context.WithTimeout(ctx, e.box())
	defer cancel()
	err = work(limited)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// failed is the condition that rows meet which say that something failed.
func failed() condition {
	return filter.Must(filter.NewText(columnOf("level"), filter.Equal, "ERROR"))
}

// named is the condition that rows meet whose column is one of some texts.
func named(c *column, texts []string) (condition, error) {
	return filter.NewTexts(c, filter.AnyOf, texts)
}

// numberOf returns the number of a measure; 0 if there is none.
func numberOf(v domain.OptFloat) float64 { return v.Value }
