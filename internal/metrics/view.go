package metrics

import (
	"slices"
	"strings"

	"almanac/internal/filter"
)

// view is what can be asked of one kind of rows. S are the rows that the store has, R rows that were put together from
// them: with rows that they are joined with, and once for each of several values.
type view[S, R any] struct {
	// time is the column that the time range is about, and its name in filters.
	time     columns[S, R]
	timeName string
	metadata columns[S, R]
	// The order of both is the one in which clients are told them.
	dimensions []dimension[S, R]
	measures   []measure[S, R]
}

// columns is a column of both kinds of rows. Only joined is always there.
type columns[S, R any] struct {
	stored *filter.Column[S]
	joined *filter.Column[R]
}

// dimension is something that rows can be grouped by and filtered on.
type dimension[S, R any] struct {
	name string
	// shows is what its values are in the rows of an answer.
	shows valueKind
	// filterType is the type that clients are told it has when a condition does not fit.
	filterType string
	// nullable: an unset value is shown as null and not as empty text.
	nullable bool
	// strict: conditions that exclude values leave out rows without a value, too.
	strict bool
	// highCardinality: there may be as many different values as rows.
	highCardinality bool
	// key is what rows are grouped by, test what conditions are about.
	key, test columns[S, R]
	// elements: a row belongs to as many groups as it has values; without values it belongs to none.
	elements bool
	// needs is what rows have to be put together with.
	needs need
}

// need is a set of things that rows of the store have to be put together with.
type need uint8

const (
	needRoot     need = 1 << iota // the root of the score's trace
	needObserved                  // the observation that was scored
	needTrace                     // the trace, put together from its rows
	needCost                      // each kind of cost on its own
	needUsage                     // each kind of usage on its own
	needScores                    // the number of scores
	needTools                     // each tool that is offered on its own
	needCalls                     // each tool that is called on its own
)

// valueKind is what values are in the rows of an answer.
type valueKind uint8

const (
	showsText valueKind = iota
	showsNumber
	showsBool
	showsList // its text is that of a JSON array
)

// The types of dimensions, as clients are told them, and the types of conditions that fit each.
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
	// text: it is a text, of which only the number of values can be told.
	text bool
	// nullable: rows may have no value, and without values the aggregate is null.
	nullable bool
	// emptyIsNull: without rows the aggregate is null although rows always have a value.
	emptyIsNull bool
	// cost: it is in dollars, with twelve decimals.
	cost bool
	// column has the value as clients see it.
	column columns[S, R]
	// fast is a column that the store aggregates faster, and form says how to get from there to what column would give.
	fast *filter.Column[S]
	form fastForm
	// adds is a dimension that is added to a query with this measure.
	adds  string
	needs need
}

// fastForm says how the values of a fast column differ from those that clients see.
type fastForm uint8

const (
	asIs     fastForm = iota
	inMillis          // it has seconds, clients see milliseconds
	orZero            // it has null where clients see 0
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

// The dimensions that there are in many views. Options refine them.

type option[S, R any] func(*dimension[S, R])

func textDimension[S, R any](name string, c columns[S, R], options ...option[S, R]) dimension[S, R] {
	d := dimension[S, R]{name: name, filterType: typeText, key: c, test: c}
	for _, refine := range options {
		refine(&d)
	}
	return d
}

// orNull: unset values are null, to conditions too.
func orNull[S, R any](d *dimension[S, R]) { d.nullable, d.strict = true, true }

// shownNull: unset values are shown as null, but conditions see an empty text, or a null that the column has by itself.
func shownNull[S, R any](d *dimension[S, R]) { d.nullable = true }

func highCardinality[S, R any](d *dimension[S, R]) { d.highCardinality = true }

func needing[S, R any](n need) option[S, R] { return func(d *dimension[S, R]) { d.needs |= n } }

// boolDimension is one of true and false.
func boolDimension[S, R any](name string, c columns[S, R]) dimension[S, R] {
	return dimension[S, R]{name: name, shows: showsBool, filterType: typeBool, key: c, test: c}
}
