package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
)

// scoreCondition is a condition on the scores of a trace that have a name.
type scoreCondition struct {
	kind     string // the type of the condition
	name     string
	operator filter.Operator
	number   float64
	boolean  bool
	texts    []string
}

// scoreColumns are the columns of traces that are about scores, with the type of condition that each takes. One takes all.
var scoreColumns = map[string][]string{
	"scores_avg": {"numberObject"}, "score_categories": {"categoryOptions"}, "score_booleans": {"booleanObject"},
	"scores": {"numberObject", "categoryOptions", "booleanObject"},
}

// parseTraceFilter reads a filter on traces. Conditions on scores are told apart from the others, whose columns a trace has
// itself.
func parseTraceFilter(text string) ([]traceCondition, []scoreCondition, error) {
	// The form of all conditions is checked first, whatever their columns are.
	var refused *filter.Refused
	if _, err := filter.Parse(filter.Traces(), text, filter.DefaultLimits()); err != nil && !errors.As(err, &refused) {
		return nil, nil, filterError(err)
	}
	var items []json.RawMessage
	if text != "" && json.Unmarshal([]byte(text), &items) != nil {
		items = nil // it is refused below
	}
	var scores []scoreCondition
	for n, item := range items {
		condition, err := readScoreCondition(item)
		if err != nil {
			return nil, nil, err
		}
		if condition != nil {
			scores = append(scores, *condition)
			items[n] = json.RawMessage(`{"type":"positionInTrace","column":"","operator":"="}`) // it says nothing
		}
	}
	if len(scores) > 0 {
		rest, err := json.Marshal(items)
		if err != nil {
			return nil, nil, fmt.Errorf("cannot write a filter without its %d conditions on scores: %w", len(scores), err)
		}
		text = string(rest)
	}
	where, err := parseFilter(filter.Traces(), text)
	if err == nil {
		err = refuseMatches(where)
	}
	return where, scores, err
}

// readScoreCondition returns a condition that is about scores; nil for any other.
func readScoreCondition(item json.RawMessage) (*scoreCondition, error) {
	var members map[string]json.RawMessage // a struct would also take names in other letter cases
	text := func(name string) (text string) {
		_ = json.Unmarshal(members[name], &text) // what is no text names no column of scores
		return text
	}
	_ = json.Unmarshal(item, &members) // nor does what is no object
	column, kind := text("column"), text("type")
	kinds := scoreColumns[column]
	switch {
	case kinds == nil || kind == "positionInTrace":
		return nil, nil
	case !slices.Contains(kinds, kind):
		return nil, respond.InvalidRequest(fmt.Sprintf("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.",
			kind, column, kinds[0]))
	}
	c := &scoreCondition{kind: kind}
	value := map[string]any{"numberObject": &c.number, "booleanObject": &c.boolean, "categoryOptions": &c.texts}[kind]
	if err := errors.Join(
		json.Unmarshal(members["key"], &c.name), json.Unmarshal(members["operator"], &c.operator),
		json.Unmarshal(members["value"], value),
	); err != nil {
		return nil, fmt.Errorf("a condition on scores whose form was checked does not read: %w", err)
	}
	return c, nil
}

// match says whether the scores of a trace meet the condition.
func (c *scoreCondition) match(scores []domain.Score) bool {
	switch c.kind {
	case "numberObject":
		average, ok := c.average(scores)
		return ok && compareNumbers(c.operator, average, c.number)
	case "booleanObject":
		found := slices.ContainsFunc(scores, func(s domain.Score) bool {
			return s.Name == c.name && s.DataType == "BOOLEAN" && (s.Value.Value == 1) == c.boolean
		})
		return found == (c.operator == filter.Equal)
	}
	found := slices.ContainsFunc(scores, func(s domain.Score) bool {
		return s.Name == c.name && s.DataType == "CATEGORICAL" && slices.Contains(c.texts, s.StringValue)
	})
	return found == (c.operator == filter.AnyOf)
}

// average returns the average of the scores of that name that have a value.
func (c *scoreCondition) average(scores []domain.Score) (average float64, ok bool) {
	sum, count := 0.0, 0
	for n := range scores {
		if s := &scores[n]; s.Name == c.name && (s.DataType == "NUMERIC" || s.DataType == "BOOLEAN") {
			sum += s.Value.Value
			count++
		}
	}
	return sum / float64(max(1, count)), count > 0
}

func compareNumbers(operator filter.Operator, a, b float64) bool {
	switch operator {
	case filter.Greater:
		return a > b
	case filter.Less:
		return a < b
	case filter.GreaterEqual:
		return a >= b
	case filter.LessEqual:
		return a <= b
	}
	return a == b
}
