package filter

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"almanac/internal/domain"
)

// Errors of constructors wrap one of these.
var (
	// ErrType means that the column does not accept values of this type.
	ErrType = errors.New("the type of the condition does not fit the column")
	// ErrOperator means that the operator does not fit the column and the type.
	ErrOperator = errors.New("the operator does not fit")
	// ErrMatches means that the column cannot be searched for words.
	ErrMatches = errors.New("only long text and metadata can be searched for words")
	// ErrNoWords means that the value of matches contains no word.
	ErrNoWords = errors.New("matches needs at least one word")
	// ErrValue means that the value is unusable: an empty list, or not a finite number.
	ErrValue = errors.New("the value does not fit")
)

// manyTexts is the number of texts from which a hash lookup beats comparing with each.
const manyTexts = 12

// NewText returns a condition that compares a text, or searches a long text.
func NewText[R any](column *Column[R], operator Operator, value string) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Text, text: value}
	switch column.kind {
	case Text:
		if operator == Matches {
			return Condition[R]{}, fmt.Errorf("%s: %w", column.id, ErrMatches)
		}
		return c.check(Text, Equal, Contains, DoesNotContain, StartsWith, EndsWith)
	case LongText:
		return c.withPhrase(true).check(LongText, Equal, Matches)
	}
	return c.check(Text)
}

// NewTexts returns a condition that looks for several texts. On a list column, none of and all of accept an empty list
// and are then always met; any other condition needs at least one text.
func NewTexts[R any](column *Column[R], operator Operator, values []string) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: List, texts: slices.Clone(values)}
	if len(values) >= manyTexts {
		c.set = make(map[string]struct{}, len(values))
		for _, v := range values {
			c.set[v] = struct{}{}
		}
	}
	var err error
	if column.kind == List {
		_, err = c.check(List, AnyOf, NoneOf, AllOf)
	} else {
		_, err = c.check(Text, AnyOf, NoneOf)
	}
	if err != nil {
		return Condition[R]{}, err
	}
	if len(values) == 0 && (column.kind == Text || operator == AnyOf) {
		return Condition[R]{}, fmt.Errorf("%s %s: %w: the list is empty", column.id, operator, ErrValue)
	}
	return c, nil
}

// NewNumber returns a condition that compares a number.
func NewNumber[R any](column *Column[R], operator Operator, value float64) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Number}
	return c.withNumber(value).check(Number, Equal, Greater, Less, GreaterEqual, LessEqual)
}

// NewNumbers returns a condition that looks for several numbers ("any of") or for all other numbers ("none of"). A row
// without a number meets neither.
func NewNumbers[R any](column *Column[R], operator Operator, values []float64) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Number}
	if len(values) == 0 {
		return Condition[R]{}, fmt.Errorf("%s %s: %w: the list is empty", column.id, operator, ErrValue)
	}
	for _, v := range values {
		if _, err := c.withNumber(v).check(Number, AnyOf, NoneOf); err != nil {
			return Condition[R]{}, err
		}
		c.numbers = append(c.numbers, cut(v, column.decimals))
	}
	slices.Sort(c.numbers)
	return c, nil
}

// NewTime returns a condition that compares a time.
func NewTime[R any](column *Column[R], operator Operator, value domain.Micros) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Time, millis: value.Millis()}
	return c.check(Time, Greater, Less, GreaterEqual, LessEqual)
}

// NewBool returns a condition that compares a boolean.
func NewBool[R any](column *Column[R], operator Operator, value bool) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Bool, boolean: value}
	return c.check(Bool, Equal, NotEqual)
}

// NewNull returns a condition on whether there is a value: "is null" or "is not null".
func NewNull[R any](column *Column[R], isNull bool) (Condition[R], error) {
	c := Condition[R]{column: column, operator: IsNotNull, value: column.kind}
	if isNull {
		c.operator = IsNull
	}
	if column.kind == LongText {
		return Condition[R]{}, fmt.Errorf("%s: %w", column.id, ErrType)
	}
	return c, nil
}

// NewMetadataText returns a condition that compares or searches the text of a metadata entry. The key is the dotted
// path of the entry.
func NewMetadataText[R any](column *Column[R], operator Operator, key, value string) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Text, key: key, text: value}
	return c.withPhrase(false).check(Metadata, Equal, Contains, DoesNotContain, StartsWith, EndsWith, Matches)
}

// NewMetadataNumber returns a condition that compares a metadata entry whose text is a number.
func NewMetadataNumber[R any](column *Column[R], operator Operator, key string, value float64) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Number, key: key}
	return c.withNumber(value).check(Metadata, Equal, Greater, Less, GreaterEqual, LessEqual)
}

// NewMetadataBool returns a condition that compares a metadata entry whose text is true or false.
func NewMetadataBool[R any](column *Column[R], operator Operator, key string, value bool) (Condition[R], error) {
	c := Condition[R]{column: column, operator: operator, value: Bool, key: key, boolean: value}
	return c.check(Metadata, Equal, NotEqual)
}

// withPhrase prepares the search of a matches condition.
func (c Condition[R]) withPhrase(fold bool) Condition[R] {
	if c.operator == Matches {
		c.phrase = newPhrase(c.text, fold)
	}
	return c
}

func (c Condition[R]) withNumber(value float64) Condition[R] {
	c.number = value
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		c.number = cut(value, c.column.decimals)
	}
	return c
}

// check returns the condition if the column is of the given kind, the operator is one of those given, and the value is
// usable.
func (c Condition[R]) check(kind Kind, operators ...Operator) (Condition[R], error) {
	switch {
	case c.column.kind != kind:
		return Condition[R]{}, fmt.Errorf("%s: %w: it holds %s", c.column.id, ErrType, c.column.kind)
	case !slices.Contains(operators, c.operator):
		return Condition[R]{}, fmt.Errorf("%s %q: %w", c.column.id, c.operator, ErrOperator)
	case c.phrase != nil && len(c.phrase.words) == 0:
		return Condition[R]{}, fmt.Errorf("%s: %w", c.column.id, ErrNoWords)
	case math.IsNaN(c.number) || math.IsInf(c.number, 0):
		return Condition[R]{}, fmt.Errorf("%s: %w: it is not a finite number", c.column.id, ErrValue)
	}
	return c, nil
}
