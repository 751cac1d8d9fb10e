package filter

import (
	"errors"
	"fmt"
	"slices"
)

// Messages about well-formed conditions that do not fit. Clients know these sentences.
const (
	refusedLongTextType     = "Input/output filters only support filter type `string`."
	refusedLongTextOperator = "Input/output filters require at least one `matches` or `=` operator."
	refusedMatches          = "`matches` is only supported for input, output, and metadata filters."
	refusedNoWords          = "`matches` requires at least one search token."
)

// Build makes conditions from drafts. The error is a *Refused for the first draft that does not fit its column.
func Build[R any](catalogue *Catalogue[R], drafts []Draft) ([]Condition[R], error) {
	conditions := make([]Condition[R], 0, len(drafts))
	for n := range drafts {
		condition, err := build(catalogue, &drafts[n])
		if err != nil {
			return nil, err
		}
		conditions = append(conditions, condition)
	}
	return conditions, nil
}

// build makes a condition from a draft if its type and operator fit the column.
func build[R any](catalogue *Catalogue[R], d *Draft) (Condition[R], error) {
	var none Condition[R]
	column, ok := catalogue.Column(d.Column)
	if !ok {
		return none, refuse("Column %s is not one that can be filtered by.", d.Column)
	}
	switch long := column.kind == LongText; {
	case long && !slices.Contains(d.typ.columns, LongText):
		return none, &Refused{refusedLongTextType}
	case !slices.Contains(d.typ.columns, column.kind):
		return none, refuse("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.",
			d.typ.Name, d.Column, expectedType(column))
	case long && d.Operator != Equal && d.Operator != Matches:
		return none, &Refused{refusedLongTextOperator}
	}
	return Make(column, d)
}

// Make makes a condition on a column from a draft. The error is a *Refused if the draft is at fault; any other means
// that its type does not fit the kind of the column, which the caller must check first.
func Make[R any](column *Column[R], d *Draft) (Condition[R], error) {
	var none Condition[R]
	condition, err := construct(column, d)
	switch {
	case errors.Is(err, ErrMatches):
		return none, &Refused{refusedMatches}
	case errors.Is(err, ErrNoWords):
		return none, &Refused{refusedNoWords}
	case err != nil:
		return none, fmt.Errorf("cannot make a condition of type %s and operator %q: %w", d.typ.Name, d.Operator, err)
	}
	return condition, nil
}

// construct calls the constructor for the type of the draft and the kind of the column.
func construct[R any](column *Column[R], d *Draft) (Condition[R], error) {
	if d.IsNull() {
		return NewNull(column, d.Operator == IsNull)
	}
	keyed := column.kind == Metadata
	switch d.typ.Value {
	case List:
		return NewTexts(column, d.Operator, d.Texts)
	case Time:
		return NewTime(column, d.Operator, d.Time)
	case Number:
		if keyed {
			return NewMetadataNumber(column, d.Operator, d.Key, d.Number)
		}
		return NewNumber(column, d.Operator, d.Number)
	case Bool:
		if keyed {
			return NewMetadataBool(column, d.Operator, d.Key, d.Bool)
		}
		return NewBool(column, d.Operator, d.Bool)
	}
	if keyed {
		return NewMetadataText(column, d.Operator, d.Key, d.Text)
	}
	return NewText(column, d.Operator, d.Text)
}

// expectedType returns the type that a client is told to use for a column. Of the two types that fit text, it is the
// one clients are used to: "string" for texts with many different values, "stringOptions" for the others.
func expectedType[R any](column *Column[R]) string {
	switch column.kind {
	case List:
		return "arrayOptions"
	case Number:
		return "number"
	case Time:
		return "datetime"
	case Bool:
		return "boolean"
	case Metadata:
		return "stringObject"
	}
	switch column.id {
	case "traceId", "userId", "sessionId", "version", "statusMessage":
		return "string"
	}
	return "stringOptions"
}
