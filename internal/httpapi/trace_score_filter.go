package httpapi

import (
	"fmt"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
)

// scoreCondition is a condition on the scores of a trace that have a name, its key.
type scoreCondition struct{ filter.Draft }

// scoreColumns are the columns of traces that are about scores, with the type of condition that each takes. One takes all.
var scoreColumns = map[string][]string{
	"scores_avg": {"numberObject"}, "score_categories": {"categoryOptions"}, "score_booleans": {"booleanObject"},
	"scores": {"numberObject", "categoryOptions", "booleanObject"},
}

// parseTraceFilter reads a filter on traces. Conditions on scores are told apart from the others, whose columns a trace has
// itself.
func parseTraceFilter(text string) ([]traceCondition, []scoreCondition, error) {
	// The form of all conditions is checked first, whatever their columns are.
	drafts, err := filter.ParseDrafts(text, filter.DefaultLimits(), "filter")
	if err != nil {
		return nil, nil, filterError(err)
	}
	var scores []scoreCondition
	var others []filter.Draft
	for _, d := range drafts {
		switch kinds := scoreColumns[d.Column]; {
		case kinds == nil:
			others = append(others, d)
		case !slices.Contains(kinds, d.Type()):
			return nil, nil, respond.InvalidRequest(fmt.Sprintf("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.",
				d.Type(), d.Column, kinds[0]))
		default:
			scores = append(scores, scoreCondition{d})
		}
	}
	where, err := filter.Build(filter.Traces(), others)
	if err != nil {
		return nil, nil, filterError(err)
	}
	return where, scores, refuseMatches(where)
}

// match says whether the scores of a trace meet the condition.
func (c *scoreCondition) match(scores []domain.Score) bool {
	switch c.Type() {
	case "numberObject":
		average, ok := c.average(scores)
		return ok && filter.Compare(c.Operator, average, c.Number)
	case "booleanObject":
		found := slices.ContainsFunc(scores, func(s domain.Score) bool {
			return s.Name == c.Key && s.DataType == "BOOLEAN" && (s.Value.Value == 1) == c.Bool
		})
		return found == (c.Operator == filter.Equal)
	}
	found := slices.ContainsFunc(scores, func(s domain.Score) bool {
		return s.Name == c.Key && s.DataType == "CATEGORICAL" && slices.Contains(c.Texts, s.StringValue)
	})
	return found == (c.Operator == filter.AnyOf)
}

// average returns the average of the scores of that name that have a value.
func (c *scoreCondition) average(scores []domain.Score) (average float64, ok bool) {
	sum, count := 0.0, 0
	for n := range scores {
		if s := &scores[n]; s.Name == c.Key && (s.DataType == "NUMERIC" || s.DataType == "BOOLEAN") {
			sum += s.Value.Value
			count++
		}
	}
	return sum / float64(max(1, count)), count > 0
}
