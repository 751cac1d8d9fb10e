package filter_test

import (
	"fmt"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// TestMeaning checks the contract's prose about operators, from the text of a filter to the rows it matches.
func TestMeaning(t *testing.T) {
	type row = domain.Observation
	const start = domain.Micros(1_000_000_000)
	named, nameless := row{Name: "Alpha beta"}, row{}
	released, unreleased := row{Release: "v1"}, row{}
	trace, noTrace := row{TraceName: "t", ParentID: "p"}, row{ParentID: "p"}
	lasting := func(micros domain.Micros) row { return row{StartTime: start, EndTime: start + micros} }
	tagged := func(tags ...string) row { return row{Tags: tags} }
	input := func(text string) row { return row{Input: text} }
	meta := func(json string) row { return row{Metadata: json} }
	instant := row{StartTime: start, EndTime: start, OutputTokens: 1}
	cost := func(cost float64) row { return row{TotalCost: domain.FloatOf(cost)} }

	text := func(column, operator, value string) string {
		return fmt.Sprintf(`{"type":"string","column":%q,"operator":%q,"value":%q}`, column, operator, value)
	}
	options := func(column, operator, values string) string {
		return fmt.Sprintf(`{"type":"stringOptions","column":%q,"operator":%q,"value":%s}`, column, operator, values)
	}
	array := func(operator, values string) string {
		return fmt.Sprintf(`{"type":"arrayOptions","column":"tags","operator":%q,"value":%s}`, operator, values)
	}
	number := func(column, operator, value string) string {
		return fmt.Sprintf(`{"type":"number","column":%q,"operator":%q,"value":%s}`, column, operator, value)
	}
	entry := func(typ, key, operator, value string) string {
		return fmt.Sprintf(`{"type":%q,"column":"metadata","key":%q,"operator":%q,"value":%s}`, typ, key, operator, value)
	}
	null := func(column string) string {
		return fmt.Sprintf(`{"type":"null","column":%q,"operator":"is null"}`, column)
	}
	cases := []struct {
		name      string
		condition string
		row       row
		want      bool
	}{
		{"= is exact", text("name", "=", "Alpha beta"), named, true},
		{"= is case-sensitive", text("name", "=", "alpha beta"), named, false},
		{"contains is case-sensitive", text("name", "contains", "alpha"), named, false},
		{"contains is literal", text("name", "contains", "Alpha%"), named, false},
		{"an empty value is contained everywhere", text("name", "contains", ""), nameless, true},
		{"everything starts with an empty value", text("name", "starts with", ""), named, true},
		{"everything ends with an empty value", text("name", "ends with", ""), named, true},
		{"unset text does not contain anything", text("name", "does not contain", "x"), nameless, true},
		{"a null trace name meets no negation", text("traceName", "does not contain", "x"), noTrace, false},
		{"a trace name that is set does", text("traceName", "does not contain", "x"), trace, true},
		{"any of", options("name", "any of", `["x","Alpha beta"]`), named, true},
		{"none of includes unset text", options("name", "none of", `["x"]`), nameless, true},
		{"none of excludes a null trace name", options("traceName", "none of", `["x"]`), noTrace, false},

		{"empty = null: = empty finds unset rows", text("release", "=", ""), unreleased, true},
		{"empty = null: contains empty finds unset rows only", text("release", "contains", ""), released, false},
		{"empty = null: starts with empty", text("release", "starts with", ""), unreleased, true},
		{"empty = null: ends with empty", text("release", "ends with", ""), released, false},
		{"empty = null: any of with empty", options("release", "any of", `["x",""]`), unreleased, true},
		{"empty = null: does not contain excludes unset rows", text("release", "does not contain", "x"), unreleased, false},
		{"empty = null: none of excludes unset rows", options("release", "none of", `["x"]`), unreleased, false},
		{"empty = null: none of finds others", options("release", "none of", `["x"]`), released, true},
		{"empty = null: is null is unset", null("parentObservationId"), nameless, true},

		{"unset text is null", null("name"), nameless, true},
		{"text is not null", null("name"), named, false},
		{"no end is null", null("endTime"), lasting(-start), true},
		{"no latency is null", null("latency"), lasting(-start), true},
		{"a latency of 0 is not null", null("latency"), lasting(0), false},
		{"a latency of 0 is at most 0", number("latency", "<=", "0"), lasting(0), true},

		{"null meets no order", number("latency", "<", "1000"), lasting(-start), false},
		{"latency has 3 decimals", number("latency", "=", "1.234"), lasting(1_234_567), true},
		{"the value is cut", number("latency", "=", "1.2349"), lasting(1_234_000), true},
		{"and not rounded", number("latency", "=", "1.2349"), lasting(1_235_000), false},
		{"so nothing is above it that equals it", number("latency", ">=", "1.2349"), lasting(1_234_000), true},
		{"cost has 12 decimals", number("totalCost", "=", "0.0000000000019"), cost(1e-12), true},
		{"cost is what was meant by its sum", number("totalCost", "=", "0.3"), cost(0.1 + 0.2), true},
		{"tokens in no time are more than any number", number("tokensPerSecond", ">", "1e300"), instant, true},

		{"any of tags", array("any of", `["a","x"]`), tagged("a", "b"), true},
		{"none of tags, without tags", array("none of", `["a"]`), tagged(), true},
		{"none of tags, with one", array("none of", `["a"]`), tagged("b", "a"), false},
		{"all of tags", array("all of", `["a","b"]`), tagged("b", "c", "a"), true},
		{"all of tags, one missing", array("all of", `["a","b"]`), tagged("a"), false},
		{"all of no tags", array("all of", `[]`), tagged(), true},

		{"a nested entry has a dotted key", entry("stringObject", "a.b", "=", `"1"`), meta(`{"a":{"b":1}}`), true},
		{"an inner object is no entry", entry("stringObject", "a", "contains", `""`), meta(`{"a":{"b":1}}`), false},
		{"a list is compact JSON", entry("stringObject", "a", "=", `"[\"x\"]"`), meta(`{"a":[ "x" ]}`), true},
		{"true is its text", entry("stringObject", "a", "=", `"true"`), meta(`{"a":true}`), true},
		{"null is empty", entry("stringObject", "a", "=", `""`), meta(`{"a":null}`), true},
		{"without the key not even a negation", entry("stringObject", "a", "does not contain", `"x"`), meta(`{"b":"y"}`), false},
		{"entries are case-sensitive", entry("stringObject", "a", "contains", `"X"`), meta(`{"a":"x"}`), false},
		{"the first of two entries", entry("stringObject", "a", "=", `"1"`), meta(`{"a":"1","a":"2"}`), true},
		{"an entry as a number", entry("numberObject", "a", ">", "1"), meta(`{"a":1.5}`), true},
		{"a text that is a number", entry("numberObject", "a", "=", "42"), meta(`{"a":"42"}`), true},
		{"a text that is not", entry("numberObject", "a", "<", "42"), meta(`{"a":"x"}`), false},
		{"an entry as a boolean", entry("booleanObject", "a", "=", "true"), meta(`{"a":true}`), true},
		{"another boolean", entry("booleanObject", "a", "<>", "true"), meta(`{"a":false}`), true},
		{"no boolean at all", entry("booleanObject", "a", "<>", "true"), meta(`{"b":false}`), false},

		{"matches ignores ASCII case", text("input", "matches", "needle"), input("Needle in"), true},
		{"matches words between marks", text("input", "matches", "needle"), input("needle@x.io"), true},
		{"matches no part of a word", text("input", "matches", "needle"), input("foobarneedle"), false},
		{"matches in order", text("input", "matches", "alpha beta"), input("beta alpha"), false},
		{"matches without gaps", text("input", "matches", "alpha beta"), input("alpha gap beta"), false},
		{"matches literally", text("input", "matches", "100%"), input("100 of them"), false},
		{"= of input is exact", text("input", "=", "needle"), input("Needle"), false},
		{"matches of metadata is case-sensitive", entry("stringObject", "a", "matches", `"needle"`), meta(`{"a":"a Needle"}`), false},
		{"words may be in other entries", entry("stringObject", "a", "matches", `"needle"`), meta(`{"a":"myneedles","b":"needle"}`), true},
		{"the whole may not", entry("stringObject", "a", "matches", `"needle"`), meta(`{"a":"hay","b":"needle"}`), false},

		{"a position finds everything", `{"type":"positionInTrace","column":"name","operator":"=","value":1}`, named, true},
		{"all conditions are to be met", text("name", "contains", "Alpha") + "," + text("name", "contains", "gamma"), named, false},
		{"on one column too", text("name", "contains", "Alpha") + "," + text("name", "ends with", "beta"), named, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := matchAll(parse(t, "["+c.condition+"]"), &c.row); got != c.want {
				t.Errorf("%s finds the row: %v", c.condition, got)
			}
		})
	}
}

// TestTimes checks the accepted time formats.
func TestTimes(t *testing.T) {
	at := func(text string) time.Time {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			panic(err)
		}
		return t
	}
	cases := []struct {
		value string
		want  time.Time // the zero time if it is invalid
	}{
		{`"2026-03-04T05:06:07.123Z"`, at("2026-03-04T05:06:07.123Z")},
		{`"2026-03-04T05:06:07Z"`, at("2026-03-04T05:06:07Z")},
		{`"2026-03-04T05:06Z"`, at("2026-03-04T05:06:00Z")},
		{`"2026-03-04T05:06:07.123456789Z"`, at("2026-03-04T05:06:07.123Z")}, // truncated
		{`"2026-03-04T05:06:07.1+02:00"`, at("2026-03-04T03:06:07.1Z")},
		{`"2026-03-04T05:06:07-0130"`, at("2026-03-04T06:36:07Z")},
		{`"2026-03-04T05:06:07+02"`, at("2026-03-04T03:06:07Z")},
		{`"2026-03-04T05:06-08:00"`, at("2026-03-04T13:06:00Z")},
		{`"2026-03-04T05:06+0200"`, at("2026-03-04T03:06:00Z")},
		{`"2026-03-04T05:06+02"`, at("2026-03-04T03:06:00Z")},
		{`"2026-03-04T05:06:07.123"`, at("2026-03-04T05:06:07.123Z")}, // UTC
		{`"2026-03-04T05:06"`, at("2026-03-04T05:06:00Z")},
		{`"2026-03-04 05:06:07"`, at("2026-03-04T05:06:07Z")},
		{`"2026-03-04 05:06:07.5+00:00"`, at("2026-03-04T05:06:07.5Z")},
		{`"2026-03-04t05:06:07z"`, at("2026-03-04T05:06:07Z")},
		{`"2026-03-04"`, at("2026-03-04T00:00:00Z")},
		{`"2024-02-29"`, at("2024-02-29T00:00:00Z")},
		{`"1969-12-31T23:59:59.9999Z"`, at("1969-12-31T23:59:59.999Z")},
		{`"0001-01-01T00:00:00Z"`, time.UnixMilli(-62135596800000)}, // not mistaken for unset
		{`"9999-12-31T23:59:59.999Z"`, at("9999-12-31T23:59:59.999Z")},
		{`0`, at("1970-01-01T00:00:00Z")},
		{`1772600767123`, at("2026-03-04T05:06:07.123Z")},
		{`1.772600767123e12`, at("2026-03-04T05:06:07.123Z")},
		{`1772600767123.9`, at("2026-03-04T05:06:07.123Z")},
		{`-1`, at("1969-12-31T23:59:59.999Z")},
		{`8.64e15`, time.UnixMilli(8.64e15)},
		{`-8.64e15`, time.UnixMilli(-8.64e15)},

		{`8640000000000001`, time.Time{}},
		{`-1e300`, time.Time{}},
		{`1e999`, time.Time{}},
		{`""`, time.Time{}},
		{`"0"`, time.Time{}},
		{`"1772600767123"`, time.Time{}},
		{`"now"`, time.Time{}},
		{`"2026-02-30"`, time.Time{}},
		{`"2025-02-29T00:00:00Z"`, time.Time{}},
		{`"2026-13-01"`, time.Time{}},
		{`"2026-03-04T25:00:00Z"`, time.Time{}},
		{`"2026-03-04T05:06:07Z trailing"`, time.Time{}},
		{`"2026-03-04T05:06:07 02:00"`, time.Time{}}, // a plus that was decoded to a space
		{`"2026-03-04T"`, time.Time{}},
		{`"04/03/2026"`, time.Time{}},
		{`"2026-03-04T05:06:07.` + fmt.Sprintf("%0100d", 1) + `Z"`, time.Time{}},
		{`true`, time.Time{}},
		{`["2026-03-04"]`, time.Time{}},
		{`{}`, time.Time{}},
	}
	for _, c := range cases {
		text := `[{"type":"datetime","column":"startTime","operator":">=","value":` + c.value + `}]`
		conditions, err := filter.Parse(filter.Observations(), text, filter.DefaultLimits())
		switch {
		case (err != nil) != c.want.IsZero() && c.value != `"0001-01-01T00:00:00Z"`:
			t.Errorf("%s: %v", c.value, err)
		case err == nil && conditions[0].Millis() != c.want.UnixMilli():
			t.Errorf("%s is %s, want %s", c.value, time.UnixMilli(conditions[0].Millis()).UTC(), c.want.UTC())
		}
	}
}
