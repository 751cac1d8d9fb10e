package filter

import (
	"slices"

	"almanac/internal/domain"
)

// OverrideTags returns conditions that use the tags users gave to traces, by trace id, instead of those in the rows.
func OverrideTags(where []Condition[domain.Observation], tags map[string][]string) ([]Condition[domain.Observation], error) {
	column, trace := ObservationColumn("tags"), ObservationColumn("traceId")
	if len(tags) == 0 || !Addresses(where, column) {
		return where, nil
	}
	seen := slices.Clone(where)
	for n, c := range where {
		if c.column != column {
			continue
		}
		var meeting, others []string
		for id, list := range tags {
			if c.MatchList(list) {
				meeting = append(meeting, id)
			} else {
				others = append(others, id)
			}
		}
		if len(meeting) > 0 {
			named, err := NewTexts(trace, AnyOf, meeting)
			if err != nil {
				return nil, err
			}
			either, err := NewBool(DerivedBool(column.id, func(o *domain.Observation) bool {
				return c.Match(o) || named.Match(o)
			}, column, trace), Equal, true)
			if err != nil {
				return nil, err
			}
			either.alternatives = []Condition[domain.Observation]{c, named}
			seen[n] = either
		}
		if len(others) > 0 {
			not, err := NewTexts(trace, NoneOf, others)
			if err != nil {
				return nil, err
			}
			seen = append(seen, not)
		}
	}
	return seen, nil
}
