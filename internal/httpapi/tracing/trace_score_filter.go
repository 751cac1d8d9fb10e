package tracing

import (
	"fmt"
	"slices"

	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// scoreColumns are the columns of traces that are about scores, with the type of condition that each takes. One takes all.
var scoreColumns = map[string][]string{
	"scores_avg": {"numberObject"}, "score_categories": {"categoryOptions"}, "score_booleans": {"booleanObject"},
	"scores": {"numberObject", "categoryOptions", "booleanObject"},
}

// parseTraceFilter reads a filter on traces. Conditions on scores are told apart from the others, whose columns a trace has
// itself.
func parseTraceFilter(text string) ([]traceCondition, []filter.Draft, error) {
	// The form of all conditions is checked first, whatever their columns are.
	drafts, err := filter.ParseDrafts(text, filter.DefaultLimits(), "filter")
	if err != nil {
		return nil, nil, endpoint.FilterError(err)
	}
	var scores []filter.Draft
	var others []filter.Draft
	for _, d := range drafts {
		switch kinds := scoreColumns[d.Column]; {
		case kinds == nil:
			others = append(others, d)
		case !slices.Contains(kinds, d.Type()):
			return nil, nil, respond.InvalidRequest(fmt.Sprintf("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.",
				d.Type(), d.Column, kinds[0]))
		default:
			scores = append(scores, d)
		}
	}
	where, err := filter.Build(filter.Traces(), others)
	if err != nil {
		return nil, nil, endpoint.FilterError(err)
	}
	return where, scores, refuseMatches(where)
}
