package analytics

import (
	"slices"
	"strings"

	"almanac/internal/filter"
)

// view defines what can be queried for one kind of row. S is the type of stored rows, R that of rows joined from them,
// of which there may be several for a stored row with several values.
type view[S, R any] struct {
	// time is the column of the time range, and timeName its name in filters.
	time     columns[S, R]
	timeName string
	metadata columns[S, R]
	// Both are in the order in which clients are told about them.
	dimensions []dimension[S, R]
	measures   []measure[S, R]
}

// columns is a column of both types of rows. Only joined is always set.
type columns[S, R any] struct {
	stored *filter.Column[S]
	joined *filter.Column[R]
}

// dimension is a dimension that rows can be grouped by and filtered on.
type dimension[S, R any] struct {
	name string
	// shows is the type of its values in the rows of a result.
	shows valueKind
	// filterType is the type that clients are told when a condition does not fit.
	filterType string
	// nullable means that an unset value is shown as null, not as empty text.
	nullable bool
	// strict means that conditions that exclude values also exclude rows without a value.
	strict bool
	// highCardinality means that there may be as many distinct values as rows.
	highCardinality bool
	// key is what rows are grouped by, test is what conditions apply to.
	key, test columns[S, R]
	// elements means that a row belongs to one group per value; without values it belongs to none.
	elements bool
	// needs is what rows must be joined with.
	needs need
}

// need is a set of things that stored rows must be joined with.
type need uint8

const (
	needRoot     need = 1 << iota // the root of the score's trace
	needObserved                  // the observation that was scored
	needTrace                     // the trace, assembled from its rows
	needCost                      // each kind of cost separately
	needUsage                     // each kind of usage separately
	needScores                    // the number of scores
	needTools                     // each offered tool separately
	needCalls                     // each called tool separately
)

// valueKind is the type of values in the rows of a result.
type valueKind uint8

const (
	showsText valueKind = iota
	showsNumber
	showsBool
	showsList // the text is a JSON array
)

// The types of dimensions as clients are told them, and the types of conditions that fit each.
const (
	typeText     = "string"
	typeNumber   = "number"
	typeBool     = "boolean"
	typeList     = "string[]"
	typeElements = "arrayString"
)

var fittingTypes = map[string][]string{
	typeText:     {"string", "stringOptions"},
	typeNumber:   {"number"},
	typeBool:     {"boolean"},
	typeList:     {"arrayOptions"},
	typeElements: {"arrayOptions"},
}

// measure is a value of each row that can be aggregated.
type measure[S, R any] struct {
	name string
	// text means that the measure is a text, whose values can only be counted.
	text bool
	// nullable means that rows may have no value, and that without values the aggregate is null.
	nullable bool
	// emptyIsNull means that without rows the aggregate is null although rows always have a value.
	emptyIsNull bool
	// cost means that the value is in dollars, with twelve decimals.
	cost bool
	// column holds the value as clients see it.
	column columns[S, R]
	// fast is a column that the store aggregates faster; form says how to convert its results to those of column.
	fast *filter.Column[S]
	form fastForm
	// adds is a dimension that is added to a query with this measure.
	adds  string
	needs need
}

// fastForm is how the values of a fast column differ from those that clients see.
type fastForm uint8

const (
	asIs     fastForm = iota
	inMillis          // seconds where clients see milliseconds
	orZero            // null where clients see 0
)

func (v *view[S, R]) dimension(name string) *dimension[S, R] {
	if at := slices.IndexFunc(v.dimensions, func(d dimension[S, R]) bool { return d.name == name }); at >= 0 {
		return &v.dimensions[at]
	}
	return nil
}

func (v *view[S, R]) measure(name string) *measure[S, R] {
	if at := slices.IndexFunc(v.measures, func(m measure[S, R]) bool { return m.name == name }); at >= 0 {
		return &v.measures[at]
	}
	return nil
}

// dimensionNames returns the names of all dimensions, as clients are told them.
func (v *view[S, R]) dimensionNames() string {
	names := make([]string, len(v.dimensions))
	for n := range v.dimensions {
		names[n] = v.dimensions[n].name
	}
	return strings.Join(names, ",")
}

func (v *view[S, R]) measureNames() string {
	names := make([]string, len(v.measures))
	for n := range v.measures {
		names[n] = v.measures[n].name
	}
	return strings.Join(names, ",")
}

// withoutDimensions returns the view without some dimensions.
func (v *view[S, R]) withoutDimensions(names ...string) *view[S, R] {
	less := *v
	less.dimensions = slices.DeleteFunc(slices.Clone(v.dimensions), func(d dimension[S, R]) bool { return slices.Contains(names, d.name) })
	return &less
}

// withoutMeasures returns the view without some measures.
func (v *view[S, R]) withoutMeasures(names ...string) *view[S, R] {
	less := *v
	less.measures = slices.DeleteFunc(slices.Clone(v.measures), func(m measure[S, R]) bool { return slices.Contains(names, m.name) })
	return &less
}

// Dimensions that many views have. Options refine them.

type option[S, R any] func(*dimension[S, R])

func textDimension[S, R any](name string, c columns[S, R], options ...option[S, R]) dimension[S, R] {
	d := dimension[S, R]{name: name, filterType: typeText, key: c, test: c}
	for _, refine := range options {
		refine(&d)
	}
	return d
}

// orNull makes unset values null, also to conditions.
func orNull[S, R any](d *dimension[S, R]) { d.nullable, d.strict = true, true }

// shownNull shows unset values as null, but conditions see an empty text, or null if the column itself is nullable.
func shownNull[S, R any](d *dimension[S, R]) { d.nullable = true }

func highCardinality[S, R any](d *dimension[S, R]) { d.highCardinality = true }

func needing[S, R any](n need) option[S, R] { return func(d *dimension[S, R]) { d.needs |= n } }

// boolDimension returns a boolean dimension.
func boolDimension[S, R any](name string, c columns[S, R]) dimension[S, R] {
	return dimension[S, R]{name: name, shows: showsBool, filterType: typeBool, key: c, test: c}
}
