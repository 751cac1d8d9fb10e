package filter

import (
	"slices"

	"almanac/internal/domain"
)

// draft is a condition as a client wrote it: its form is right, but nobody looked at its column yet.
type draft struct {
	typ      *conditionType
	column   string
	key      string
	operator Operator

	text    string
	texts   []string
	number  float64
	time    domain.Micros
	boolean bool
}

// conditionType is a type of conditions: the form that they have, and the columns that they fit.
type conditionType struct {
	name      string
	operators []string
	searches  bool // matches is an operator too
	keyed     bool // they need a key
	value     Kind // Text, List, Number, Time or Bool
	columns   []Kind

	emptyFor []Operator // their list may be empty with these operators
	optional bool       // the value may be absent
	unused   bool       // the value says nothing: it is absent, null or empty
	ignored  bool       // the whole condition says nothing
}

// The operators of types, in the order in which clients are told them.
var (
	textOperators   = names(Equal, Contains, DoesNotContain, StartsWith, EndsWith)
	numberOperators = names(Equal, Greater, Less, GreaterEqual, LessEqual)
	timeOperators   = names(Greater, Less, GreaterEqual, LessEqual)
	boolOperators   = names(Equal, NotEqual)
	choiceOperators = names(AnyOf, NoneOf)
	listOperators   = names(AnyOf, NoneOf, AllOf)
	nullOperators   = names(IsNull, IsNotNull)
)

func names(operators ...Operator) []string {
	texts := make([]string, len(operators))
	for n, operator := range operators {
		texts[n] = string(operator)
	}
	return texts
}

var conditionTypes = []conditionType{
	{name: "string", operators: textOperators, searches: true, value: Text, columns: []Kind{Text, LongText}},
	{name: "stringOptions", operators: choiceOperators, value: List, columns: []Kind{Text}},
	{name: "arrayOptions", operators: listOperators, value: List, columns: []Kind{List}, emptyFor: []Operator{NoneOf, AllOf}},
	{name: "number", operators: numberOperators, value: Number, columns: []Kind{Number}},
	{name: "datetime", operators: timeOperators, value: Time, columns: []Kind{Time}},
	{name: "boolean", operators: boolOperators, value: Bool, columns: []Kind{Bool}},
	{name: "stringObject", operators: textOperators, searches: true, keyed: true, value: Text, columns: []Kind{Metadata}},
	{name: "numberObject", operators: numberOperators, keyed: true, value: Number, columns: []Kind{Metadata}},
	{name: "booleanObject", operators: boolOperators, keyed: true, value: Bool, columns: []Kind{Metadata}},
	// Categories of scores; no row of ours has such a column.
	{name: "categoryOptions", operators: choiceOperators, keyed: true, value: List, emptyFor: []Operator{AnyOf, NoneOf}},
	{name: "null", operators: nullOperators, unused: true, columns: []Kind{Text, List, Number, Time, Bool, Metadata}},
	// Where a row stands in its trace; clients send it along with other conditions and expect nothing of it.
	{name: "positionInTrace", operators: names(Equal), optional: true, value: Number, ignored: true},
}

// typeNamed returns the type of this name; nil if there is none.
func typeNamed(name string) *conditionType {
	for n := range conditionTypes {
		if conditionTypes[n].name == name {
			return &conditionTypes[n]
		}
	}
	return nil
}

// fields are the members of a condition that mean something.
type fields struct{ typ, column, key, operator, value jsonValue }

// readFields returns the members of a condition, which are absent if it is no object.
func (p *parser) readFields(v jsonValue) fields {
	var f fields
	known := []struct {
		name  string
		field *jsonValue
	}{{"type", &f.typ}, {"column", &f.column}, {"key", &f.key}, {"operator", &f.operator}, {"value", &f.value}}
	for _, k := range known {
		*k.field = v.inner(k.name, "")
	}
	for m := newMembers(v.raw); m.next(); {
		for _, k := range known {
			if !m.named(k.name) {
				continue
			}
			if k.field.raw != "" {
				p.violation(*k.field, "Invalid input: the member is given twice")
			}
			k.field.raw = m.value
		}
	}
	return f
}

// readCondition reads one condition. What is wrong with it becomes issues, in the order of its members.
func (p *parser) readCondition(v jsonValue) draft {
	var d draft
	if !p.is(v, "object") {
		return d
	}
	f := p.readFields(v)
	if f.typ.kind() == "string" {
		d.typ = typeNamed(f.typ.text())
	}
	if d.typ == nil {
		p.wrongValue(f.typ) // there is no way to fit
		return d
	}
	d.column = p.readColumn(f.column)
	if d.typ.keyed {
		d.key = p.readText(f.key, p.limits.Characters)
	}
	d.operator = p.readOperator(f.operator, d.typ)
	p.readValue(f.value, &d)
	return d
}

// readColumn reads the name of a column.
func (p *parser) readColumn(v jsonValue) string {
	if p.columns == nil {
		return p.readText(v, maxColumnName)
	}
	if v.kind() == "string" {
		if name := v.text(); slices.Contains(p.columns, name) {
			return name
		}
	}
	p.wrongValue(v, p.columns)
	return ""
}

// maxColumnName is how many characters the name of a column may have; it is repeated to the client if it is unknown.
const maxColumnName = 200
