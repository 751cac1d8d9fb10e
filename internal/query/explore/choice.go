package explore

import (
	"encoding/json"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Choice is a selection in serialisable form: it can be saved and turned into a Selection or a query later.
type Choice struct {
	From         domain.Micros   `json:"from,omitempty"` // From and To bound when rows started: From <= time < To; 0 for no bound
	To           domain.Micros   `json:"to,omitempty"`
	Environments []string        `json:"environments,omitempty"` // "default" also matches rows without one
	Filter       json.RawMessage `json:"filter,omitempty"`       // conditions, in the form of the public API's filter parameter
	Search       string          `json:"search,omitempty"`
	// OnTraces makes the conditions of filter and search hold for whole traces instead of observations.
	OnTraces bool `json:"onTraces,omitempty"`
	// On, if set, is the kind of entities that the conditions hold for: "sessions" or "users".
	On string `json:"on,omitempty"`
}

// Observations returns the selection of observations. Errors about the filter are those of package filter; place is the
// path at which they report it. A search without a word is filter.ErrNoWords.
func (c *Choice) Observations(place ...any) (*Selection, error) {
	var groups []filter.Group
	var err error
	if len(c.Filter) > 0 {
		limits := filter.DefaultLimits()
		limits.Depth = 32 // a group takes two levels
		if groups, err = filter.ParseGroups(string(c.Filter), limits, place...); err != nil {
			return nil, err
		}
	}
	if c.OnTraces {
		return c.onTraces(groups)
	}
	if kind := entityKind(c.On); kind != nil {
		return c.onEntities(groups, kind)
	}
	s := new(Selection)
	var others []filter.Draft // on columns of the observation itself
	var combined []filter.Group
	for n := range groups {
		d := &groups[n].Draft
		switch {
		case groups[n].Op != "":
			combined = append(combined, groups[n])
		case !AboutScores(d.Column):
			others = append(others, *d)
		default:
			if err := s.AddScores(d); err != nil {
				return nil, err
			}
		}
	}
	if s.clauses, err = clausesOf(combined, nil); err != nil {
		return nil, err
	}
	q, environments, err := chosen(c, filter.Observations(), "startTime", others)
	if err != nil {
		return nil, err
	}
	s.From, s.To, s.Within, s.Where = q.From, q.To, environments, q.Where
	if c.Search != "" {
		found, err := filter.Search(c.Search)
		if err != nil {
			return nil, err
		}
		s.Where, s.Search = append(s.Where, found), c.Search
	}
	return s, nil
}

// onTraces returns the selection of traces.
func (c *Choice) onTraces(groups []filter.Group) (*Selection, error) {
	q, environments, err := chosen(c, filter.Observations(), "startTime", nil)
	if err != nil {
		return nil, err
	}
	s := &Selection{From: q.From, To: q.To, Within: environments, OfTraces: true, ByTrace: true}
	if s.clauses, err = clausesOf(groups, traceClause); err != nil {
		return nil, err
	}
	if c.Search != "" {
		found, err := filter.Search(c.Search)
		if err != nil {
			return nil, err
		}
		s.clauses, s.Search = append(s.clauses, &clause{where: []condition{found}}), c.Search
	}
	return s, nil
}

// onEntities returns the selection of sessions or users. A search is one for a part of their ids.
func (c *Choice) onEntities(groups []filter.Group, kind *EntityKind) (*Selection, error) {
	q, environments, err := chosen(c, filter.Observations(), "startTime", nil)
	if err != nil {
		return nil, err
	}
	s := &Selection{From: q.From, To: q.To, Within: environments, By: kind}
	if s.clauses, err = clausesOf(groups, kind.clause); err != nil {
		return nil, err
	}
	if c.Search != "" {
		part, err := filter.NewText(columnOf(kind.column), filter.Contains, c.Search)
		if err != nil {
			return nil, err
		}
		s.clauses = append(s.clauses, &clause{where: []condition{part}})
	}
	return s, nil
}

// Scores returns the query for the chosen scores. Search does not apply to scores.
func (c *Choice) Scores(place ...any) (store.Query[domain.Score], error) {
	drafts, err := c.drafts(place)
	if err != nil {
		return store.Query[domain.Score]{}, err
	}
	q, environments, err := chosen(c, filter.Scores(), "timestamp", drafts)
	q.Where = append(q.Where, environments...)
	return q, err
}

func (c *Choice) drafts(place []any) ([]filter.Draft, error) {
	if len(c.Filter) == 0 {
		return nil, nil
	}
	return filter.ParseDrafts(string(c.Filter), filter.DefaultLimits(), place...)
}

// chosen returns the conditions of the filter, with the time bounds that follow from them, and the conditions on
// environments.
func chosen[R any](
	c *Choice, columns *filter.Catalogue[R], time string, drafts []filter.Draft,
) (q store.Query[R], environments []filter.Condition[R], err error) {
	q.From, q.To = c.From, c.To
	if q.Where, err = filter.Build(columns, drafts); err != nil {
		return q, nil, err
	}
	for n := range q.Where {
		if q.Where[n].Column().ID() == time {
			q.Narrow(&q.Where[n])
		}
	}
	if len(c.Environments) == 0 {
		return q, nil, nil
	}
	names := slices.Clone(c.Environments)
	if slices.Contains(names, "default") {
		names = append(names, "") // rows without one are shown as "default"
	}
	within, err := filter.NewTexts(columns.MustColumn("environment"), filter.AnyOf, names)
	return q, []filter.Condition[R]{within}, err
}
