package filter

import (
	"errors"
	"math"
	"slices"
	"testing"

	"almanac/internal/domain"
)

// TestConstructors checks which operators each type of condition accepts on each kind of column. The contract lists
// them.
func TestConstructors(t *testing.T) {
	operators := []Operator{
		Equal, NotEqual, Greater, Less, GreaterEqual, LessEqual, Contains, DoesNotContain, StartsWith, EndsWith, Matches, AnyOf,
		NoneOf, AllOf, IsNull, IsNotNull, "", "like",
	}
	texts := []Operator{Equal, Contains, DoesNotContain, StartsWith, EndsWith}
	numbers := []Operator{Equal, Greater, Less, GreaterEqual, LessEqual}
	times := []Operator{Greater, Less, GreaterEqual, LessEqual}
	bools := []Operator{Equal, NotEqual}
	type column = *Column[domain.Observation]
	types := []struct {
		name  string
		make  func(column, Operator) (condition, error)
		takes map[Kind][]Operator
	}{
		{
			"text", func(c column, op Operator) (condition, error) { return NewText(c, op, "a") },
			map[Kind][]Operator{Text: texts, LongText: {Equal, Matches}},
		},
		{
			"texts", func(c column, op Operator) (condition, error) { return NewTexts(c, op, []string{"a"}) },
			map[Kind][]Operator{Text: {AnyOf, NoneOf}, List: {AnyOf, NoneOf, AllOf}},
		},
		{"number", func(c column, op Operator) (condition, error) { return NewNumber(c, op, 1) }, map[Kind][]Operator{Number: numbers}},
		{"time", func(c column, op Operator) (condition, error) { return NewTime(c, op, 1) }, map[Kind][]Operator{Time: times}},
		{"bool", func(c column, op Operator) (condition, error) { return NewBool(c, op, true) }, map[Kind][]Operator{Bool: bools}},
		{
			"metadata text", func(c column, op Operator) (condition, error) { return NewMetadataText(c, op, "k", "a") },
			map[Kind][]Operator{Metadata: append(slices.Clone(texts), Matches)},
		},
		{
			"metadata number", func(c column, op Operator) (condition, error) { return NewMetadataNumber(c, op, "k", 1) },
			map[Kind][]Operator{Metadata: numbers},
		},
		{
			"metadata bool", func(c column, op Operator) (condition, error) { return NewMetadataBool(c, op, "k", true) },
			map[Kind][]Operator{Metadata: bools},
		},
	}
	for _, typ := range types {
		for _, c := range Observations().Columns() {
			for _, op := range operators {
				made, err := typ.make(c, op)
				var want error
				switch taken, known := typ.takes[c.Kind()]; {
				case slices.Contains(taken, op):
				case typ.name == "text" && c.Kind() == Text && op == Matches:
					want = ErrMatches
				case known:
					want = ErrOperator
				default:
					want = ErrType
				}
				if !errors.Is(err, want) {
					t.Errorf("%s %q on %s: %v, want %v", typ.name, op, c.ID(), err, want)
				}
				if (made.Column() == nil) != (err != nil) {
					t.Errorf("%s %q on %s returns both a condition and an error, or neither", typ.name, op, c.ID())
				}
			}
		}
	}
	for _, c := range Observations().Columns() {
		if _, err := NewNull(c, true); (err != nil) != (c.Kind() == LongText) {
			t.Errorf("is null on %s: %v", c.ID(), err)
		}
	}
}

func TestWrongValues(t *testing.T) {
	cases := []struct {
		name string
		err  func() error
		want error
	}{
		{"any of nothing", func() error { _, err := NewTexts(observationColumn(t, "name"), AnyOf, nil); return err }, ErrValue},
		{"none of nothing", func() error { _, err := NewTexts(observationColumn(t, "name"), NoneOf, nil); return err }, ErrValue},
		{"any of no tags", func() error { _, err := NewTexts(observationColumn(t, "tags"), AnyOf, nil); return err }, ErrValue},
		{"not a number", func() error { _, err := NewNumber(observationColumn(t, "latency"), Equal, math.NaN()); return err }, ErrValue},
		{"infinite", func() error { _, err := NewNumber(observationColumn(t, "latency"), Less, math.Inf(1)); return err }, ErrValue},
		{"any of no numbers", func() error { _, err := NewNumbers(observationColumn(t, "latency"), AnyOf, nil); return err }, ErrValue},
		{"any of what is not a number", func() error {
			_, err := NewNumbers(observationColumn(t, "latency"), AnyOf, []float64{1, math.NaN()})
			return err
		}, ErrValue},
		{"all of numbers", func() error {
			_, err := NewNumbers(observationColumn(t, "latency"), AllOf, []float64{1})
			return err
		}, ErrOperator},
		{"numbers of a text", func() error {
			_, err := NewNumbers(observationColumn(t, "name"), AnyOf, []float64{1})
			return err
		}, ErrType},
		{"no words", func() error { _, err := NewText(observationColumn(t, "input"), Matches, " .%-_"); return err }, ErrNoWords},
		{"no words in metadata", func() error {
			_, err := NewMetadataText(observationColumn(t, "metadata"), Matches, "k", "")
			return err
		}, ErrNoWords},
	}
	for _, c := range cases {
		if err := c.err(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestAccessors(t *testing.T) {
	text := must(NewMetadataText(observationColumn(t, "metadata"), Matches, "k", "b A b"))
	if text.Key() != "k" || text.Text() != "b A b" || text.ValueKind() != Text || !slices.Equal(text.Words(), []string{"b", "A"}) ||
		text.Operator() != Matches {
		t.Errorf("a text condition says %q %q %v %v", text.Key(), text.Text(), text.ValueKind(), text.Words())
	}
	folded := must(NewText(observationColumn(t, "input"), Matches, "b A B"))
	if !slices.Equal(folded.Words(), []string{"b", "a"}) || folded.Text() != "b A B" {
		t.Errorf("a search of long text says %v", folded.Words())
	}
	number := must(NewNumber(observationColumn(t, "latency"), Equal, 1.2349))
	at := must(NewTime(observationColumn(t, "startTime"), Less, 1999))
	boolean := must(NewMetadataBool(observationColumn(t, "metadata"), Equal, "k", true))
	list := must(NewTexts(observationColumn(t, "tags"), AllOf, []string{"a"}))
	if number.Number() != 1.234 || at.Millis() != 1 || !boolean.Bool() || boolean.ValueKind() != Bool || len(list.Texts()) != 1 ||
		list.Words() != nil {
		t.Error("a condition does not return its value")
	}
}
