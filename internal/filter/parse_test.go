package filter_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// said is a condition in comparable form.
type said struct {
	Column, Key string
	Operator    filter.Operator
	Value       any // nil for null conditions
}

func saidBy(c *condition) said {
	s := said{Column: c.Column().ID(), Key: c.Key(), Operator: c.Operator()}
	if s.Operator == filter.IsNull || s.Operator == filter.IsNotNull {
		return s
	}
	switch c.ValueKind() {
	case filter.List:
		s.Value = c.Texts()
	case filter.Number:
		s.Value = c.Number()
	case filter.Time:
		s.Value = c.Millis()
	case filter.Bool:
		s.Value = c.Bool()
	default:
		s.Value = c.Text()
	}
	return s
}

func saidByAll(conditions []condition) []said {
	all := make([]said, len(conditions))
	for n := range conditions {
		all[n] = saidBy(&conditions[n])
	}
	return all
}

// TestParseForms checks that every form of a condition is parsed as written.
func TestParseForms(t *testing.T) {
	cases := []struct {
		name, text string
		want       []said
	}{
		{"no text", ``, []said{}},
		{"no conditions", ` [ ] `, []said{}},
		{"string", `[{"type":"string","column":"name","operator":"=","value":"a"}]`, []said{{"name", "", "=", "a"}}},
		{
			"an empty string",
			`[{"type":"string","column":"name","operator":"contains","value":""}]`,
			[]said{{"name", "", "contains", ""}},
		},
		{
			"escapes",
			`[{"type":"string","column":"\u006eame","operator":"\u003d","value":"a\"\\\/\n\ud83d\ude00\ud800é"}]`,
			[]said{{"name", "", "=", "a\"\\/\n😀\uFFFDé"}},
		},
		{
			"escaped names",
			`[{"t\u0079pe":"string","column":"name","operator":"=","v\u0061lue":"a"}]`,
			[]said{{"name", "", "=", "a"}},
		},
		{
			"not UTF-8", "[{\"type\":\"string\",\"column\":\"name\",\"operator\":\"=\",\"value\":\"a\xff\xfeb\"}]",
			[]said{{"name", "", "=", "a\uFFFDb"}},
		},
		{
			"stringOptions",
			`[{"type":"stringOptions","column":"type","operator":"any of","value":["SPAN","a,b",""]}]`,
			[]said{{"type", "", "any of", []string{"SPAN", "a,b", ""}}},
		},
		{
			"arrayOptions",
			`[{"type":"arrayOptions","column":"tags","operator":"all of","value":["a"]}]`,
			[]said{{"tags", "", "all of", []string{"a"}}},
		},
		{
			"all of nothing",
			`[{"type":"arrayOptions","column":"tags","operator":"all of","value":[]}]`,
			[]said{{"tags", "", "all of", []string{}}},
		},
		{
			"none of nothing",
			`[{"type":"arrayOptions","column":"tags","operator":"none of","value":[ ]}]`,
			[]said{{"tags", "", "none of", []string{}}},
		},
		{
			"number",
			`[{"type":"number","column":"latency","operator":">=","value":-1.5e0}]`,
			[]said{{"latency", "", ">=", -1.5}},
		},
		{
			"a number is cut to what its column has",
			`[{"type":"number","column":"latency","operator":"=","value":1.2349}]`,
			[]said{{"latency", "", "=", 1.234}},
		},
		{
			"a cost has more decimals",
			`[{"type":"number","column":"totalCost","operator":"=","value":0.0000000000019}]`,
			[]said{{"totalCost", "", "=", 1e-12}},
		},
		{
			"a number of many digits",
			`[{"type":"number","column":"value","operator":"=","value":9007199254740993}]`,
			nil, // a column of scores
		},
		{
			"datetime",
			`[{"type":"datetime","column":"startTime","operator":"<","value":"1970-01-01T00:00:01Z"}]`,
			[]said{{"startTime", "", "<", int64(1000)}},
		},
		{
			"boolean",
			`[{"type":"boolean","column":"isRootObservation","operator":"<>","value":true}]`,
			[]said{{"isRootObservation", "", "<>", true}},
		},
		{
			"stringObject",
			`[{"type":"stringObject","column":"metadata","key":"a.b","operator":"starts with","value":"x"}]`,
			[]said{{"metadata", "a.b", "starts with", "x"}},
		},
		{
			"an empty key",
			`[{"type":"stringObject","column":"metadata","key":"","operator":"=","value":""}]`,
			[]said{{"metadata", "", "=", ""}},
		},
		{
			"numberObject",
			`[{"type":"numberObject","column":"metadata","key":"k","operator":"<=","value":1}]`,
			[]said{{"metadata", "k", "<=", 1.0}},
		},
		{
			"booleanObject",
			`[{"type":"booleanObject","column":"metadata","key":"k","operator":"=","value":false}]`,
			[]said{{"metadata", "k", "=", false}},
		},
		{
			"matches",
			`[{"type":"string","column":"input","operator":"matches","value":"a b"}]`,
			[]said{{"input", "", "matches", "a b"}},
		},
		{
			"matches of metadata",
			`[{"type":"stringObject","column":"metadata","key":"k","operator":"matches","value":"a"}]`,
			[]said{{"metadata", "k", "matches", "a"}},
		},
		{
			"null with an empty value",
			`[{"type":"null","column":"endTime","operator":"is null","value":""}]`,
			[]said{{"endTime", "", "is null", nil}},
		},
		{
			"null with null",
			`[{"type":"null","column":"endTime","operator":"is not null","value":null}]`,
			[]said{{"endTime", "", "is not null", nil}},
		},
		{
			"null without a value",
			`[{"type":"null","column":"tags","operator":"is null"}]`,
			[]said{{"tags", "", "is null", nil}},
		},
		{
			"a position is ignored",
			`[{"type":"positionInTrace","column":"nothing","operator":"=","key":"last","value":1}]`,
			[]said{},
		},
		{"a position without a number", `[{"type":"positionInTrace","column":"x","operator":"="}]`, []said{}},
		{
			"aliases",
			`[{"type":"stringOptions","column":"traceEnvironment","operator":"none of","value":["a"]},` +
				`{"type":"number","column":"tokens","operator":"=","value":1}]`,
			[]said{{"environment", "", "none of", []string{"a"}}, {"totalTokens", "", "=", 1.0}},
		},
		{
			"further members and any order",
			` [{"value" : "a" ,"id":{"value":[1]},"operator":"=","id":2, "type":"string","column":"name","key":7}]`,
			[]said{{"name", "", "=", "a"}},
		},
		{
			"several conditions on one column",
			`[{"type":"string","column":"name","operator":"=","value":"a"},{"type":"positionInTrace","column":"x","operator":"="},` +
				`{"type":"string","column":"name","operator":"ends with","value":"b"}]`,
			[]said{{"name", "", "=", "a"}, {"name", "", "ends with", "b"}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.want == nil {
				scores, err := filter.Parse(filter.Scores(), c.text, filter.DefaultLimits())
				if err != nil || len(scores) != 1 || scores[0].Number() != 9007199254740992 {
					t.Errorf("a condition on scores: %v", err)
				}
				return
			}
			if diff := cmp.Diff(c.want, saidByAll(parse(t, c.text))); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
		})
	}
}

// TestParseOperators checks which operators a type has, and what a client is told about any other.
func TestParseOperators(t *testing.T) {
	text := `"=","contains","does not contain","starts with","ends with"`
	number := `"=",">","<",">=","<="`
	types := []struct {
		name, column, value string
		operators           string // JSON, in the order in which clients are told about them
		searches            bool
	}{
		{"string", "name", `"a"`, text, true},
		{"stringOptions", "name", `["a"]`, `"any of","none of"`, false},
		{"arrayOptions", "tags", `["a"]`, `"any of","none of","all of"`, false},
		{"number", "latency", `1`, number, false},
		{"datetime", "startTime", `"2026-01-01"`, `">","<",">=","<="`, false},
		{"boolean", "hasInput", `true`, `"=","<>"`, false},
		{"stringObject", "metadata", `"a"`, text, true},
		{"numberObject", "metadata", `1`, number, false},
		{"booleanObject", "metadata", `true`, `"=","<>"`, false},
		{"categoryOptions", "metadata", `["a"]`, `"any of","none of"`, false},
		{"null", "name", `""`, `"is null","is not null"`, false},
		{"positionInTrace", "name", `1`, `"="`, false},
	}
	every := []string{
		"=", "<>", ">", "<", ">=", "<=", "contains", "does not contain", "starts with", "ends with", "any of", "none of", "all of",
		"is null", "is not null", "like", "", "Contains", "!=", "ANY OF",
	}
	for _, typ := range types {
		var allowed []string
		if err := json.Unmarshal([]byte("["+typ.operators+"]"), &allowed); err != nil {
			t.Fatal(err)
		}
		issue := func(values string) string {
			message := "Invalid option: expected one of " + strings.ReplaceAll(values, ",", "|")
			if !strings.Contains(values, ",") {
				message = "Invalid input: expected " + values
			}
			quoted, _ := json.Marshal(message)
			text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(quoted))
			return `{"code":"invalid_value","values":[` + values + `],"path":[%s],"message":` + text + `}`
		}
		const path = `"filter",0,"operator"`
		want := fmt.Sprintf(issue(typ.operators), path)
		if typ.searches {
			want = fmt.Sprintf(`{"code":"invalid_union","errors":[[%s],[%s]],"path":[%s],"message":"Invalid input"}`,
				fmt.Sprintf(issue(typ.operators), ""), fmt.Sprintf(issue(`"matches"`), ""), path)
		}
		for _, operator := range every {
			text := fmt.Sprintf(`[{"type":%q,"column":%q,"key":"k","operator":%q,"value":%s}]`, typ.name, typ.column, operator, typ.value)
			_, err := filter.Parse(filter.Observations(), text, filter.DefaultLimits())
			if slices.Contains(allowed, operator) {
				if invalid := new(decode.Invalid); errors.As(err, &invalid) || err != nil && typ.name != "categoryOptions" {
					t.Errorf("%s: %v", text, err)
				}
				continue
			}
			if got := issuesOf(t, err); got != "["+want+"]" {
				t.Errorf("%s is answered\n%s, want\n[%s]", text, got, want)
			}
		}
	}
}

// TestParsePlace checks that issues begin with the place of the filter.
func TestParsePlace(t *testing.T) {
	const text = `[{"type":"null","column":"comment","operator":"is null"},{"type":"x"}]`
	_, err := filter.ParseDrafts(text, filter.DefaultLimits(), "query", "filters")
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"query", "filters", 1, "type"}, invalid.Issues[0].Path); diff != "" {
		t.Errorf("path (-want +got):\n%s", diff)
	}
}

// TestAddresses checks which columns a filter takes over from request parameters.
func TestAddresses(t *testing.T) {
	cases := []struct {
		text string
		want []string
	}{
		{``, nil},
		{`[]`, nil},
		{`[{"type":"string","column":"name","operator":"=","value":"a"}]`, []string{"name"}},
		{`[{"type":"datetime","column":"startTime","operator":">","value":0}]`, []string{"startTime"}},
		{`[{"type":"stringOptions","column":"traceEnvironment","operator":"any of","value":["a"]}]`, []string{"environment"}},
		{`[{"type":"boolean","column":"isRootObservation","operator":"=","value":true}]`, []string{"isRootObservation"}},
		{
			`[{"type":"null","column":"parentObservationId","operator":"is null"},{"type":"string","column":"userId","operator":"=","value":""}]`,
			[]string{"parentObservationId", "userId"},
		},
		{`[{"type":"positionInTrace","column":"name","operator":"=","value":1}]`, nil},
	}
	for _, c := range cases {
		conditions := parse(t, c.text)
		var got []string
		for _, column := range filter.Observations().Columns() {
			if filter.Addresses(conditions, column) {
				got = append(got, column.ID())
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s addresses %v, want %v", c.text, got, c.want)
		}
	}
	if name, _ := filter.Observations().Column("name"); filter.Addresses([]filter.Condition[domain.Observation](nil), name) {
		t.Error("nothing addresses a column")
	}
}
