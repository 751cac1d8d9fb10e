package traces

import (
	"fmt"
	"slices"

	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// scoreColumns maps the score columns of traces to the types of condition that they accept.
var scoreColumns = map[string][]string{
	"scores_avg": {"numberObject"}, "score_categories": {"categoryOptions"}, "score_booleans": {"booleanObject"},
	"scores": {"numberObject", "categoryOptions", "booleanObject"},
}

// parseTraceFilter parses a filter on traces. It returns the conditions on scores separately from those on the trace's
// own columns.
func parseTraceFilter(text string) ([]traceCondition, []filter.Draft, error) {
	// The syntax of all conditions is checked first, whatever their columns.
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
