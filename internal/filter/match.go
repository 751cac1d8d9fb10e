package filter

import (
	"slices"
	"strings"

	"almanac/internal/domain"
)

// Match reports whether a row meets the condition.
func (c *Condition[R]) Match(row *R) bool {
	if c.column == nil {
		panic("BUG: the condition was not made by a constructor")
	}
	switch c.column.kind {
	case Text, LongText:
		return c.MatchText(c.column.text(row))
	case List:
		return c.MatchList(c.column.list(row))
	case Number:
		return c.MatchNumber(c.column.number(row))
	case Time:
		return c.MatchTime(c.column.time(row))
	case Bool:
		return c.MatchBool(c.column.boolean(row))
	case Metadata:
		text, _ := c.column.text(row)
		return c.MatchMetadata(text)
	}
	panic("BUG: column " + c.column.id + " has no kind")
}

// MatchText reports whether a row with this text meets a condition on Text or LongText. Null is for Nullable columns;
// on others it is the same as an empty text.
func (c *Condition[R]) MatchText(value string, null bool) bool {
	column := c.column
	if column.kind != Text && column.kind != LongText {
		column.panicNot(Text)
	}
	if null {
		value = ""
	}
	switch {
	case c.operator == IsNull:
		return value == ""
	case c.operator == IsNotNull:
		return value != ""
	case null && column.nullable:
		return false
	case column.emptyIsNull && value == "":
		return c.asksForUnset()
	case column.emptyIsNull && c.text == "" && c.value == Text:
		return false // every text contains the empty string, which means unset here
	}
	switch c.operator {
	case AnyOf:
		return c.names(value)
	case NoneOf:
		return !c.names(value)
	case Matches:
		return c.phrase.in(value)
	}
	return compareText(c.operator, value, c.text)
}

// asksForUnset reports whether unset text meets the condition on a column where unset text counts as null.
func (c *Condition[R]) asksForUnset() bool {
	switch c.operator {
	case Equal, Contains, StartsWith, EndsWith:
		return c.text == ""
	case AnyOf:
		return c.names("")
	}
	return false
}

// names reports whether value is one of the condition's texts.
func (c *Condition[R]) names(value string) bool {
	if c.set != nil {
		_, ok := c.set[value]
		return ok
	}
	return slices.Contains(c.texts, value)
}

func compareText(operator Operator, text, value string) bool {
	switch operator {
	case Equal:
		return text == value
	case Contains:
		return strings.Contains(text, value)
	case DoesNotContain:
		return !strings.Contains(text, value)
	case StartsWith:
		return strings.HasPrefix(text, value)
	case EndsWith:
		return strings.HasSuffix(text, value)
	}
	panic("BUG: " + string(operator) + " does not compare texts")
}

// MatchList reports whether a row with this list meets a condition on List.
func (c *Condition[R]) MatchList(values []string) bool {
	if c.column.kind != List {
		c.column.panicNot(List)
	}
	switch c.operator {
	case AnyOf:
		return slices.ContainsFunc(values, c.names)
	case NoneOf:
		return !slices.ContainsFunc(values, c.names)
	case AllOf:
		for _, v := range c.texts {
			if !slices.Contains(values, v) {
				return false
			}
		}
		return true
	case IsNull:
		return len(values) == 0
	case IsNotNull:
		return len(values) > 0
	}
	panic("BUG: " + string(c.operator) + " does not compare lists")
}

// MatchNumber reports whether a row with this number meets a condition on Number. Only as many decimals count as the
// column has.
func (c *Condition[R]) MatchNumber(value float64, null bool) bool {
	if c.column.kind != Number {
		c.column.panicNot(Number)
	}
	switch {
	case c.operator == IsNull:
		return null
	case c.operator == IsNotNull:
		return !null
	case null:
		return false
	}
	value = snap(value, c.column.decimals)
	if c.operator == AnyOf || c.operator == NoneOf {
		_, found := slices.BinarySearch(c.numbers, value)
		return found == (c.operator == AnyOf)
	}
	return Compare(c.operator, value, c.number)
}

// MatchTime reports whether a row with this time meets a condition on Time. Times are compared in whole milliseconds; 0
// is null.
func (c *Condition[R]) MatchTime(value domain.Micros) bool {
	if c.column.kind != Time {
		c.column.panicNot(Time)
	}
	switch {
	case c.operator == IsNull:
		return value == 0
	case c.operator == IsNotNull:
		return value != 0
	case value == 0:
		return false
	}
	return Compare(c.operator, value.Millis(), c.millis)
}

// MatchBool reports whether a row with this boolean meets a condition on Bool.
func (c *Condition[R]) MatchBool(value bool) bool {
	if c.column.kind != Bool {
		c.column.panicNot(Bool)
	}
	switch c.operator {
	case Equal:
		return value == c.boolean
	case NotEqual:
		return value != c.boolean
	}
	return c.operator == IsNotNull
}

// MatchMetadata reports whether a row with this metadata meets a condition on Metadata. The text is a JSON object or
// empty; only the entry named by the condition's key is considered. In invalid JSON, entries end at the first error.
func (c *Condition[R]) MatchMetadata(json string) bool {
	if c.column.kind != Metadata {
		c.column.panicNot(Metadata)
	}
	switch c.operator {
	case IsNull:
		return !HasEntries(json)
	case IsNotNull:
		return HasEntries(json)
	}
	raw, ok := lookup(json, c.key)
	if !ok {
		return false
	}
	text := leafText(raw)
	if c.operator == Matches {
		return c.phrase.inMetadata(json, text)
	}
	return c.MatchEntry(text)
}

// ComparesEntry reports whether a condition on Metadata depends only on the text of the entry that it names.
func (c *Condition[R]) ComparesEntry() bool {
	return c.column.kind == Metadata && c.operator != IsNull && c.operator != IsNotNull && c.operator != Matches
}

// MatchEntry reports whether a metadata entry with this text meets the condition; see EachLeaf. A row without the entry
// does not meet it.
func (c *Condition[R]) MatchEntry(text string) bool {
	switch c.value {
	case Number:
		number, ok := readNumber(text)
		return ok && Compare(c.operator, number, c.number)
	case Bool:
		return (text == "true" || text == "false") && ((text == "true") == c.boolean) == (c.operator == Equal)
	}
	return compareText(c.operator, text, c.text)
}
