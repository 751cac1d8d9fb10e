package filtertest

import (
	"encoding/json"
	"fmt"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// Cell is a filter with a single condition: one cell of the table of all columns, types, operators and values.
type Cell struct {
	Column, Type, Operator string
	Filter                 string // JSON, as a client sends it
}

// Cells returns the whole table. It has every name of every column of the catalogue with every operator of every type
// that fits it. Each operator has values that some of the Rows have, values that none has, and special values such as
// the empty text.
func Cells() []Cell {
	rows := Rows()
	var cells []Cell
	for _, column := range filter.Observations().Columns() {
		for _, name := range append([]string{column.ID()}, column.Aliases()...) {
			for _, f := range formsOf(column.Kind()) {
				for _, operator := range f.operators {
					for _, arguments := range f.values(column.ID(), operator, rows) {
						cells = append(cells, newCell(name, f.typ, operator, arguments))
					}
				}
			}
		}
	}
	return cells
}

func newCell(column, typ, operator string, a arguments) Cell {
	members := map[string]any{"type": typ, "column": column, "operator": operator, "value": a.value}
	if a.keyed {
		members["key"] = a.key
	}
	text, err := json.Marshal([]any{members})
	if err != nil {
		panic(err)
	}
	return Cell{Column: column, Type: typ, Operator: operator, Filter: string(text)}
}

// State is the state of a column in a row.
type State string

// The states.
const (
	Set   State = "set"
	Unset State = "unset" // an empty text, a list or metadata without entries
	Null  State = "null"
)

// StateOf returns the state of a column in a row.
func StateOf(column string, row *domain.Observation) State {
	switch value := Value(unaliased(column), row); {
	case value == nil:
		return Null
	case isEmpty(value):
		return Unset
	}
	return Set
}

// form is a type of condition with its operators and the values to try.
type form struct {
	typ       string
	operators []string
	values    func(column, operator string, rows []domain.Observation) []arguments
}

// arguments are the value of a condition, and its key if it has one.
type arguments struct {
	keyed bool
	key   string
	value any
}

// formsOf returns the types that fit a kind of column.
func formsOf(kind filter.Kind) []form {
	compare, order := []string{"=", "contains", "does not contain", "starts with", "ends with"}, []string{">", "<", ">=", "<="}
	null := form{"null", []string{"is null", "is not null"}, noValues}
	switch kind {
	case filter.Text:
		return []form{{"string", compare, textValues}, {"stringOptions", []string{"any of", "none of"}, choiceValues}, null}
	case filter.List:
		return []form{{"arrayOptions", []string{"any of", "none of", "all of"}, listValues}, null}
	case filter.Number:
		return []form{{"number", append([]string{"="}, order...), numberValues}, null}
	case filter.Time:
		return []form{{"datetime", order, timeValues}, null}
	case filter.Bool:
		return []form{{"boolean", []string{"=", "<>"}, boolValues}, null}
	case filter.LongText:
		return []form{{"string", []string{"=", "matches"}, longTextValues}}
	case filter.Metadata:
		return []form{
			{"stringObject", append([]string{"matches"}, compare...), entryTexts},
			{"numberObject", append([]string{"="}, order...), entryNumbers},
			{"booleanObject", []string{"=", "<>"}, entryBools},
			null,
		}
	}
	panic(fmt.Sprintf("there are no forms for %v", kind))
}
