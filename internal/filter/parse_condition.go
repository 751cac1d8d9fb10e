package filter

import (
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// Draft is a condition as a client wrote it: its form is right, but its column has not been checked yet.
type Draft struct {
	typ      *Type
	Column   string
	Key      string // for types that need one
	Operator Operator

	// The type decides which of these holds the value.
	Text   string
	Texts  []string
	Number float64
	Time   domain.Micros
	Bool   bool
}

// Type returns the type of the condition, as the client wrote it.
func (d *Draft) Type() string { return d.typ.Name }

// IsNull reports whether the condition is "is null" or "is not null", which have no value.
func (d *Draft) IsNull() bool { return d.Operator == IsNull || d.Operator == IsNotNull }

// Type is a type of condition: its form, and the kinds of columns that it fits.
type Type struct {
	Name      string
	Operators []string
	Keyed     bool // conditions need a key
	Value     Kind // Text, List, Number, Time or Bool
	Unused    bool // the value is meaningless: absent, null or empty

	searches bool // "matches" is also an operator
	columns  []Kind
	emptyFor []Operator // the list may be empty with these operators
	optional bool       // the value may be absent
	ignored  bool       // the whole condition has no effect
}

// The operators of types, in the order in which clients are told about them.
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

// conditionTypes are in the order in which clients are told about them.
var conditionTypes = []Type{
	{Name: "string", Operators: textOperators, searches: true, Value: Text, columns: []Kind{Text, LongText}},
	{Name: "number", Operators: numberOperators, Value: Number, columns: []Kind{Number}},
	{Name: "datetime", Operators: timeOperators, Value: Time, columns: []Kind{Time}},
	{Name: "boolean", Operators: boolOperators, Value: Bool, columns: []Kind{Bool}},
	{Name: "null", Operators: nullOperators, Unused: true, columns: []Kind{Text, List, Number, Time, Bool, Metadata}},
	{Name: "stringOptions", Operators: choiceOperators, Value: List, columns: []Kind{Text}},
	{Name: "arrayOptions", Operators: listOperators, Value: List, columns: []Kind{List}, emptyFor: []Operator{NoneOf, AllOf}},
	// Categories of scores; no rows have such a column.
	{Name: "categoryOptions", Operators: choiceOperators, Keyed: true, Value: List, emptyFor: []Operator{AnyOf, NoneOf}},
	{Name: "stringObject", Operators: textOperators, searches: true, Keyed: true, Value: Text, columns: []Kind{Metadata}},
	{Name: "numberObject", Operators: numberOperators, Keyed: true, Value: Number, columns: []Kind{Metadata}},
	{Name: "booleanObject", Operators: boolOperators, Keyed: true, Value: Bool, columns: []Kind{Metadata}},
	// The position of a row in its trace; clients send it along with other conditions and expect no effect.
	{Name: "positionInTrace", Operators: names(Equal), optional: true, Value: Number, ignored: true},
}

// TypeNames returns the names of the types that are not ignored.
func TypeNames() []string {
	var names []string
	for n := range conditionTypes {
		if !conditionTypes[n].ignored {
			names = append(names, conditionTypes[n].Name)
		}
	}
	return names
}

// TypeNamed returns the type with this name, or nil if there is none. The caller must not modify it.
func TypeNamed(name string) *Type {
	for n := range conditionTypes {
		if conditionTypes[n].Name == name {
			return &conditionTypes[n]
		}
	}
	return nil
}

// readCondition reads a condition. Problems become issues, in the order of its members.
func (p *parser) readCondition(v decode.Value) Draft {
	var d Draft
	o := v.Object()
	if v.Kind() != "object" {
		return d
	}
	typ, column, key, operator, value := o.Field("type"), o.Field("column"), o.Field("key"), o.Field("operator"), o.Field("value")
	for _, name := range o.Repeated() {
		if slices.Contains([]string{"type", "column", "key", "operator", "value"}, name) {
			v.Reject(decode.Violation(o.Field(name).Path(), "Invalid input: the member is given twice"))
		}
	}
	if typ.Kind() == "string" {
		d.typ = TypeNamed(typ.Text())
	}
	if d.typ == nil {
		v.Reject(decode.NoDiscriminator(typ.Path(), "type"))
		return d
	}
	if p.columns != nil {
		d.Column = column.Enum(p.columns...)
	} else {
		d.Column = readText(column, maxColumnName)
	}
	if d.typ.Keyed {
		d.Key = readText(key, p.limits.Characters)
	}
	d.Operator = p.readOperator(operator, d.typ)
	p.readValue(value, &d)
	return d
}

// maxColumnName is the maximum length of a column name in characters; an unknown name is echoed to the client.
const maxColumnName = 200
