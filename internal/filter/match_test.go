package filter

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"almanac/internal/domain"
)

type condition = Condition[domain.Observation]

// States of text columns in rows.
const (
	isSet   = "set"   // the text is "Alpha beta"
	isUnset = "unset" // it is empty
	isNone  = "null"  // it is null
)

// TestText checks every operator on text against a row with a text, one without and, where possible, one with null.
// Each case lists the rows that it matches.
func TestText(t *testing.T) {
	const plain, emptyIsNull, nullable, long = "name", "release", "traceName", "input"
	text := func(op Operator, value string) func(*Column[domain.Observation]) (condition, error) {
		return func(c *Column[domain.Observation]) (condition, error) { return NewText(c, op, value) }
	}
	list := func(op Operator, values ...string) func(*Column[domain.Observation]) (condition, error) {
		return func(c *Column[domain.Observation]) (condition, error) { return NewTexts(c, op, values) }
	}
	null := func(isNull bool) func(*Column[domain.Observation]) (condition, error) {
		return func(c *Column[domain.Observation]) (condition, error) { return NewNull(c, isNull) }
	}
	all := []string{isSet, isUnset}
	set, unset, none := []string{isSet}, []string{isUnset}, []string(nil)
	cases := []struct {
		name   string
		make   func(*Column[domain.Observation]) (condition, error)
		column string
		finds  []string
	}{
		{"= the text", text(Equal, "Alpha beta"), plain, set},
		{"= is case-sensitive", text(Equal, "alpha beta"), plain, none},
		{"= empty", text(Equal, ""), plain, unset},
		{"contains", text(Contains, "pha b"), plain, set},
		{"contains is case-sensitive", text(Contains, "alpha"), plain, none},
		{"contains is literal", text(Contains, "%"), plain, none},
		{"contains empty", text(Contains, ""), plain, all},
		{"does not contain, held", text(DoesNotContain, "beta"), plain, unset},
		{"does not contain, not held", text(DoesNotContain, "gamma"), plain, all},
		{"does not contain empty", text(DoesNotContain, ""), plain, none},
		{"starts with", text(StartsWith, "Al"), plain, set},
		{"starts with what is inside", text(StartsWith, "beta"), plain, none},
		{"starts with empty", text(StartsWith, ""), plain, all},
		{"ends with", text(EndsWith, "beta"), plain, set},
		{"ends with what is inside", text(EndsWith, "Alpha"), plain, none},
		{"ends with empty", text(EndsWith, ""), plain, all},
		{"any of", list(AnyOf, "x", "Alpha beta"), plain, set},
		{"any of others", list(AnyOf, "x", "Alpha"), plain, none},
		{"any of with empty", list(AnyOf, "x", ""), plain, unset},
		{"none of", list(NoneOf, "Alpha beta"), plain, unset},
		{"none of others", list(NoneOf, "x"), plain, all},
		{"none of with empty", list(NoneOf, ""), plain, set},
		{"is null", null(true), plain, unset},
		{"is not null", null(false), plain, set},

		{"= the text", text(Equal, "Alpha beta"), emptyIsNull, set},
		{"= empty", text(Equal, ""), emptyIsNull, unset},
		{"contains", text(Contains, "beta"), emptyIsNull, set},
		{"contains empty", text(Contains, ""), emptyIsNull, unset},
		{"does not contain, held", text(DoesNotContain, "beta"), emptyIsNull, none},
		{"does not contain, not held", text(DoesNotContain, "gamma"), emptyIsNull, set},
		{"does not contain empty", text(DoesNotContain, ""), emptyIsNull, none},
		{"starts with", text(StartsWith, "Al"), emptyIsNull, set},
		{"starts with empty", text(StartsWith, ""), emptyIsNull, unset},
		{"ends with", text(EndsWith, "beta"), emptyIsNull, set},
		{"ends with empty", text(EndsWith, ""), emptyIsNull, unset},
		{"any of", list(AnyOf, "Alpha beta"), emptyIsNull, set},
		{"any of with empty", list(AnyOf, "Alpha beta", ""), emptyIsNull, all},
		{"any of empty only", list(AnyOf, ""), emptyIsNull, unset},
		{"none of", list(NoneOf, "Alpha beta"), emptyIsNull, none},
		{"none of others", list(NoneOf, "x"), emptyIsNull, set},
		{"none of with empty", list(NoneOf, "x", ""), emptyIsNull, set},
		{"is null", null(true), emptyIsNull, unset},
		{"is not null", null(false), emptyIsNull, set},

		{"= the text", text(Equal, "Alpha beta"), nullable, set},
		{"= empty", text(Equal, ""), nullable, unset},
		{"contains empty", text(Contains, ""), nullable, all},
		{"does not contain", text(DoesNotContain, "gamma"), nullable, all},
		{"starts with empty", text(StartsWith, ""), nullable, all},
		{"ends with empty", text(EndsWith, ""), nullable, all},
		{"any of with empty", list(AnyOf, ""), nullable, unset},
		{"none of", list(NoneOf, "x"), nullable, all},
		{"is null", null(true), nullable, []string{isUnset, isNone}},
		{"is not null", null(false), nullable, set},

		{"= the text", text(Equal, "Alpha beta"), long, set},
		{"= is case-sensitive", text(Equal, "alpha beta"), long, none},
		{"= empty", text(Equal, ""), long, unset},
		{"matches ignores case", text(Matches, "aLPHA b"), long, none},
		{"matches whole words", text(Matches, "aLPHA BETA"), long, set},
		{"matches a word", text(Matches, "beta"), long, set},
	}
	for _, c := range cases {
		t.Run(c.column+" "+c.name, func(t *testing.T) {
			made, err := c.make(observationColumn(t, c.column))
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, kind := range []string{isSet, isUnset, isNone} {
				if kind == isNone && c.column != nullable {
					continue
				}
				row := textRow(c.column, kind)
				matches := made.Match(&row)
				if matches {
					found = append(found, kind)
				}
				if got := made.MatchText(made.Column().Text(&row)); got != matches {
					t.Errorf("row %s: the column alone gives %v", kind, got)
				}
				// A store may store unset text as null.
				if kind == isUnset && c.column != nullable && made.MatchText("", true) != matches {
					t.Errorf("null and unset differ")
				}
			}
			if !slices.Equal(found, c.finds) {
				t.Errorf("found %v, want %v", found, c.finds)
			}
		})
	}
}

func textRow(column, kind string) domain.Observation {
	text := map[string]string{isSet: "Alpha beta"}[kind]
	row := domain.Observation{Name: text, Release: text, Input: text, TraceName: text}
	if column == "traceName" {
		row.Name = "" // it would stand in for the trace name
		if kind == isNone {
			row.ParentID = "p"
		}
	}
	return row
}

func TestManyTexts(t *testing.T) {
	var values []string
	for i := range 2 * manyTexts {
		values = append(values, strconv.Itoa(i))
	}
	anyOf, noneOf := must(NewTexts(observationColumn(t, "name"), AnyOf, values)),
		must(NewTexts(observationColumn(t, "tags"), NoneOf, values))
	few := must(NewTexts(observationColumn(t, "name"), AnyOf, values[3:4]))
	values[3] = "changed" // later changes to the caller's slice have no effect
	if !anyOf.MatchText("3", false) || anyOf.MatchText("changed", false) || anyOf.MatchText("", false) {
		t.Error("any of many texts finds the wrong ones")
	}
	if !few.MatchText("3", false) || few.MatchText("changed", false) {
		t.Error("any of few texts finds the wrong ones")
	}
	if noneOf.MatchList([]string{"x", "3"}) || !noneOf.MatchList([]string{"x"}) {
		t.Error("none of many texts finds the wrong lists")
	}
}

func TestList(t *testing.T) {
	tags := observationColumn(t, "tags")
	rows := map[string][]string{"none": nil, "a": {"a"}, "ab": {"a", "b"}, "c": {"c"}}
	cases := []struct {
		name  string
		made  condition
		finds []string
	}{
		{"any of", must(NewTexts(tags, AnyOf, []string{"a", "x"})), []string{"a", "ab"}},
		{"any of others", must(NewTexts(tags, AnyOf, []string{"x"})), nil},
		{"any of two", must(NewTexts(tags, AnyOf, []string{"b", "c"})), []string{"ab", "c"}},
		{"none of", must(NewTexts(tags, NoneOf, []string{"a"})), []string{"c", "none"}},
		{"none of nothing", must(NewTexts(tags, NoneOf, nil)), []string{"a", "ab", "c", "none"}},
		{"all of", must(NewTexts(tags, AllOf, []string{"a", "b"})), []string{"ab"}},
		{"all of one", must(NewTexts(tags, AllOf, []string{"a"})), []string{"a", "ab"}},
		{"all of nothing", must(NewTexts(tags, AllOf, nil)), []string{"a", "ab", "c", "none"}},
		{"is null", must(NewNull(tags, true)), []string{"none"}},
		{"is not null", must(NewNull(tags, false)), []string{"a", "ab", "c"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			for name, tags := range rows {
				if c.made.Match(&domain.Observation{Tags: tags}) {
					found = append(found, name)
				}
			}
			slices.Sort(found)
			if !slices.Equal(found, c.finds) {
				t.Errorf("found %v, want %v", found, c.finds)
			}
		})
	}
}

func TestNumber(t *testing.T) {
	null := math.NaN()
	cases := []struct {
		column   string
		operator Operator
		value    float64
		row      float64 // NaN for null
		want     bool
	}{
		{"promptVersion", Equal, 2, 2, true},
		{"promptVersion", Equal, 2, 3, false},
		{"promptVersion", Greater, 2, 3, true},
		{"promptVersion", Greater, 2, 2, false},
		{"promptVersion", GreaterEqual, 2, 2, true},
		{"promptVersion", GreaterEqual, 2, 1, false},
		{"promptVersion", Less, 2, 1, true},
		{"promptVersion", Less, 2, 2, false},
		{"promptVersion", LessEqual, 2, 2, true},
		{"promptVersion", LessEqual, 2, 3, false},
		{"promptVersion", Less, 2.0001, 2, true}, // all decimals count

		{"latency", Equal, 1.234, 1.234, true},
		{"latency", Equal, 1.2349, 1.234, true}, // truncated, not rounded
		{"latency", Equal, 1.2349, 1.235, false},
		{"latency", Greater, 1.2349, 1.235, true},
		{"latency", Less, 1.2349, 1.234, false},
		{"latency", Equal, 1.001, 1.001, true}, // slightly less in binary
		{"latency", Equal, 4.35, 4.35, true},
		{"latency", LessEqual, 0, 0, true},
		{"latency", Equal, -0.0004, 0, true},
		{"latency", Equal, 1e-9, 0, true},
		{"latency", Less, 1e300, 5, true},
		{"inputTokens", Equal, 10.0009, 10, true},
		{"inputTokens", Greater, 9.9999, 10, true},

		{"totalCost", Equal, 0.3, 0.1 + 0.2, true},
		{"totalCost", Equal, 0.1, 1 - 0.9, true},
		{"totalCost", Greater, 0.3, 0.1 + 0.2, false},
		{"totalCost", Less, 0.1, 1 - 0.9, false},
		{"totalCost", Equal, 0.0000000000019, 0.000000000001, true},
		{"totalCost", Equal, 12345.678, 12345.678, true},
		{"totalCost", Equal, 1e300, 2e300, false},
		{"totalCost", Equal, 123456.789012, 123456.789012, true},

		{"tokensPerSecond", Greater, 33.333, 100.0 / 3, true},
		{"tokensPerSecond", Greater, 1e308, math.Inf(1), true},
		{"tokensPerSecond", Less, 1e308, math.Inf(1), false},
		{"tokensPerSecond", Equal, 1e308, math.Inf(1), false},

		{"latency", Equal, 0, null, false},
		{"latency", Less, 1, null, false},
		{"latency", LessEqual, 1, null, false},
		{"latency", Greater, -1, null, false},
		{"latency", GreaterEqual, -1, null, false},
	}
	for _, c := range cases {
		made, err := NewNumber(observationColumn(t, c.column), c.operator, c.value)
		if err != nil {
			t.Fatal(err)
		}
		if got := made.MatchNumber(c.row, math.IsNaN(c.row)); got != c.want {
			t.Errorf("%v %s %s %v gives %v", c.row, c.column, c.operator, c.value, got)
		}
	}
	isNull, isNotNull := must(NewNull(observationColumn(t, "latency"), true)), must(NewNull(observationColumn(t, "latency"), false))
	open, done := domain.Observation{StartTime: 1000}, domain.Observation{StartTime: 1000, EndTime: 1000}
	if !isNull.Match(&open) || isNull.Match(&done) || isNotNull.Match(&open) || !isNotNull.Match(&done) {
		t.Error("latency is null for the wrong rows")
	}
}

func TestNumbers(t *testing.T) {
	null := math.NaN()
	cases := []struct {
		column string
		values []float64
		row    float64 // NaN for null
		want   bool    // of any of
	}{
		{"promptVersion", []float64{3, 1, 2}, 1, true},
		{"promptVersion", []float64{3, 1, 2}, 3, true},
		{"promptVersion", []float64{3, 1, 2}, 2.5, false},
		{"promptVersion", []float64{0}, math.Copysign(0, -1), true},
		{"latency", []float64{5, 1.2349}, 1.234, true},
		{"latency", []float64{5, 1.2349}, 1.235, false},
		{"totalCost", []float64{7, 0.3}, 0.1 + 0.2, true},
		{"latency", []float64{0}, null, false},
	}
	for _, c := range cases {
		some, none := must(NewNumbers(observationColumn(t, c.column), AnyOf, c.values)),
			must(NewNumbers(observationColumn(t, c.column), NoneOf, c.values))
		isNull := math.IsNaN(c.row)
		if got := some.MatchNumber(c.row, isNull); got != c.want {
			t.Errorf("%v %s any of %v gives %v", c.row, c.column, c.values, got)
		}
		if got := none.MatchNumber(c.row, isNull); got != (!c.want && !isNull) {
			t.Errorf("%v %s none of %v gives %v", c.row, c.column, c.values, got)
		}
		if !slices.IsSorted(some.Numbers()) || len(some.Numbers()) != len(c.values) || some.ValueKind() != Number {
			t.Errorf("the condition says %v", some.Numbers())
		}
	}
}

func TestTime(t *testing.T) {
	const at = domain.Micros(1_700_000_000_000_000)
	cases := []struct {
		operator   Operator
		value, row domain.Micros
		want       bool
	}{
		{Greater, at, at + 1000, true},
		{Greater, at, at + 999, false}, // the same millisecond
		{Greater, at + 999, at + 1000, true},
		{GreaterEqual, at, at, true},
		{GreaterEqual, at + 999, at, true},
		{GreaterEqual, at, at - 1, false},
		{Less, at, at - 1, true},
		{Less, at, at, false},
		{Less, at + 999, at, false},
		{LessEqual, at, at + 999, true},
		{LessEqual, at, at + 1000, false},
		{Greater, 0, at, true},
		{Less, at, 0, false},
		{LessEqual, at, 0, false},
		{Greater, -at, 0, false},
		{GreaterEqual, -at, 0, false},
		{Less, 0, -1, true},
	}
	for _, c := range cases {
		made := must(NewTime(observationColumn(t, "endTime"), c.operator, c.value))
		if got := made.Match(&domain.Observation{EndTime: c.row}); got != c.want {
			t.Errorf("%d %s %d gives %v", c.row, c.operator, c.value, got)
		}
	}
	isNull, isNotNull := must(NewNull(observationColumn(t, "endTime"), true)), must(NewNull(observationColumn(t, "endTime"), false))
	if !isNull.MatchTime(0) || isNull.MatchTime(at) || isNotNull.MatchTime(0) || !isNotNull.MatchTime(at) {
		t.Error("the end is null for the wrong rows")
	}
}

func TestBool(t *testing.T) {
	root := observationColumn(t, "isRootObservation")
	cases := []struct {
		name              string
		made              condition
		matchesT, matches bool // rows with true and with false
	}{
		{"= true", must(NewBool(root, Equal, true)), true, false},
		{"= false", must(NewBool(root, Equal, false)), false, true},
		{"<> true", must(NewBool(root, NotEqual, true)), false, true},
		{"<> false", must(NewBool(root, NotEqual, false)), true, false},
		{"is null", must(NewNull(root, true)), false, false},
		{"is not null", must(NewNull(root, false)), true, true},
	}
	for _, c := range cases {
		if got := c.made.Match(&domain.Observation{}); got != c.matchesT {
			t.Errorf("%s gives %v for true", c.name, got)
		}
		if got := c.made.Match(&domain.Observation{ParentID: "p"}); got != c.matches {
			t.Errorf("%s gives %v for false", c.name, got)
		}
	}
}
