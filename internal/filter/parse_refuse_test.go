package filter_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/filter"
)

// TestRefused checks what clients are told about well-formed conditions that make no sense.
func TestRefused(t *testing.T) {
	const (
		longType     = "Input/output filters only support filter type `string`."
		longOperator = "Input/output filters require at least one `matches` or `=` operator."
		matches      = "`matches` is only supported for input, output, and metadata filters."
		noWords      = "`matches` requires at least one search token."
	)
	unknown := func(column string) string { return "Column " + column + " is not one that can be filtered by." }
	mismatch := func(typ, column, expected string) string {
		return fmt.Sprintf("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.", typ, column, expected)
	}
	cases := []struct{ text, want string }{
		{`{"type":"string","column":"nope","operator":"=","value":"x"}`, unknown("nope")},
		{`{"type":"string","column":"","operator":"=","value":"x"}`, unknown("")},
		{`{"type":"string","column":"Name","operator":"=","value":"x"}`, unknown("Name")},
		{`{"type":"null","column":"nope","operator":"is null"}`, unknown("nope")},
		{`{"type":"string","column":"nope","operator":"matches","value":"x"}`, unknown("nope")},
		{`{"type":"numberObject","column":"scores_avg","key":"k","operator":"=","value":1}`, unknown("scores_avg")},
		{
			`{"type":"categoryOptions","column":"score_categories","key":"k","operator":"any of","value":["a"]}`,
			unknown("score_categories"),
		},

		{`{"type":"number","column":"name","operator":">","value":1}`, mismatch("number", "name", "stringOptions")},
		{`{"type":"number","column":"userId","operator":">","value":1}`, mismatch("number", "userId", "string")},
		{
			`{"type":"arrayOptions","column":"name","operator":"any of","value":["a"]}`,
			mismatch("arrayOptions", "name", "stringOptions"),
		},
		{
			`{"type":"arrayOptions","column":"traceEnvironment","operator":"none of","value":[]}`,
			mismatch("arrayOptions", "traceEnvironment", "stringOptions"),
		},
		{`{"type":"datetime","column":"traceId","operator":">","value":0}`, mismatch("datetime", "traceId", "string")},
		{
			`{"type":"stringObject","column":"name","key":"k","operator":"=","value":"a"}`,
			mismatch("stringObject", "name", "stringOptions"),
		},
		{`{"type":"string","column":"tags","operator":"contains","value":"a"}`, mismatch("string", "tags", "arrayOptions")},
		{
			`{"type":"stringOptions","column":"traceTags","operator":"any of","value":["alpha"]}`,
			mismatch("stringOptions", "traceTags", "arrayOptions"),
		},
		{`{"type":"string","column":"latency","operator":"=","value":"1"}`, mismatch("string", "latency", "number")},
		{`{"type":"datetime","column":"latency","operator":">","value":1}`, mismatch("datetime", "latency", "number")},
		{`{"type":"number","column":"startTime","operator":">","value":1}`, mismatch("number", "startTime", "datetime")},
		{
			`{"type":"string","column":"endTime","operator":"=","value":"2026-01-01"}`,
			mismatch("string", "endTime", "datetime"),
		},
		{`{"type":"string","column":"hasInput","operator":"=","value":"true"}`, mismatch("string", "hasInput", "boolean")},
		{`{"type":"string","column":"metadata","operator":"=","value":"a"}`, mismatch("string", "metadata", "stringObject")},
		{
			`{"type":"string","column":"metadata","operator":"matches","value":"a"}`,
			mismatch("string", "metadata", "stringObject"),
		},
		{
			`{"type":"boolean","column":"metadata","operator":"=","value":true}`,
			mismatch("boolean", "metadata", "stringObject"),
		},
		{
			`{"type":"stringOptions","column":"metadata","operator":"any of","value":["a"]}`,
			mismatch("stringOptions", "metadata", "stringObject"),
		},
		{
			`{"type":"categoryOptions","column":"metadata","key":"k","operator":"any of","value":["a"]}`,
			mismatch("categoryOptions", "metadata", "stringObject"),
		},
		{
			`{"type":"categoryOptions","column":"name","key":"k","operator":"none of","value":[]}`,
			mismatch("categoryOptions", "name", "stringOptions"),
		},
		{
			`{"type":"booleanObject","column":"hasInput","key":"k","operator":"=","value":true}`,
			mismatch("booleanObject", "hasInput", "boolean"),
		},
		{
			`{"type":"numberObject","column":"latency","key":"k","operator":"=","value":1}`,
			mismatch("numberObject", "latency", "number"),
		},

		{`{"type":"string","column":"name","operator":"matches","value":"a"}`, matches},
		{`{"type":"string","column":"traceName","operator":"matches","value":"a"}`, matches},
		{`{"type":"string","column":"input","operator":"matches","value":""}`, noWords},
		{`{"type":"string","column":"output","operator":"matches","value":" !%_-"}`, noWords},
		{`{"type":"stringObject","column":"metadata","key":"k","operator":"matches","value":"..."}`, noWords},

		{`{"type":"null","column":"input","operator":"is null"}`, longType},
		{`{"type":"null","column":"output","operator":"is not null","value":""}`, longType},
		{`{"type":"stringOptions","column":"input","operator":"any of","value":["a"]}`, longType},
		{`{"type":"stringObject","column":"output","key":"k","operator":"matches","value":"a"}`, longType},
		{`{"type":"number","column":"input","operator":"=","value":1}`, longType},
		{`{"type":"string","column":"input","operator":"contains","value":"needle"}`, longOperator},
		{`{"type":"string","column":"input","operator":"does not contain","value":"needle"}`, longOperator},
		{`{"type":"string","column":"output","operator":"starts with","value":"needle"}`, longOperator},
		{`{"type":"string","column":"output","operator":"ends with","value":""}`, longOperator},
		// Next to an allowed condition, the others are still refused.
		{
			`{"type":"string","column":"input","operator":"matches","value":"a"},` +
				`{"type":"string","column":"output","operator":"contains","value":"a"}`,
			longOperator,
		},
		// The first condition that makes no sense is reported.
		{
			`{"type":"string","column":"name","operator":"=","value":"a"},{"type":"string","column":"a","operator":"=","value":"a"},` +
				`{"type":"string","column":"b","operator":"=","value":"a"}`,
			unknown("a"),
		},
	}
	for _, c := range cases {
		conditions, err := filter.Parse(filter.Observations(), "["+c.text+"]", filter.DefaultLimits())
		var refused *filter.Refused
		if !errors.As(err, &refused) || refused.Message != c.want || refused.Error() != c.want || conditions != nil {
			t.Errorf("%s is answered\n%v, want\n%s", c.text, err, c.want)
		}
	}
}

// TestColumns checks that each column accepts the types that the contract lists, and no others. It also checks that a
// refused condition never results in an internal error.
func TestColumns(t *testing.T) {
	values := map[string]string{
		"string": `"="|"a"`, "stringOptions": `"any of"|["a"]`, "arrayOptions": `"all of"|["a"]`,
		"number": `">"|1`, "datetime": `">"|"2026-01-01"`, "boolean": `"="|true`,
		"stringObject": `"="|"a"`, "numberObject": `"="|1`, "booleanObject": `"<>"|true`, "categoryOptions": `"any of"|["a"]`,
		"null": `"is null"|""`, "positionInTrace": `"="|1`,
	}
	columns := map[string][]string{ // by the types they accept, other than positionInTrace
		"string stringOptions null": {
			"id", "type", "level", "environment", "traceEnvironment", "name", "traceId", "statusMessage", "version", "userId",
			"sessionId", "promptName", "model", "providedModelName", "modelId", "traceName", "release", "parentObservationId",
			"experimentId", "experimentDatasetId", "experimentName", "experimentItemId", "ingestionApiKey", "ingestionSdkName",
			"ingestionSdkVersion", "ingestionSource",
		},
		"arrayOptions null": {"tags", "traceTags", "toolNames", "calledToolNames"},
		"datetime null":     {"startTime", "endTime"},
		"number null": {
			"latency", "timeToFirstToken", "tokensPerSecond", "inputTokens", "outputTokens", "totalTokens", "tokens",
			"inputCost", "outputCost", "totalCost", "promptVersion", "toolDefinitions", "toolCalls",
		},
		"boolean null": {
			"isRootObservation", "hasParentObservation", "hasInput", "hasOutput", "isExperimentItemRootSpan", "hasExperimentDescription",
			"hasExperimentMetadata",
		},
		"string": {"input", "output"},
		"stringObject numberObject booleanObject null": {"metadata"},
	}
	known := 0
	for types, names := range columns {
		known += len(names)
		for _, name := range names {
			for typ, sample := range values {
				operator, value, _ := strings.Cut(sample, "|")
				text := fmt.Sprintf(`[{"type":%q,"column":%q,"key":"k","operator":%s,"value":%s}]`, typ, name, operator, value)
				_, err := filter.Parse(filter.Observations(), text, filter.DefaultLimits())
				takes := strings.Contains(" "+types+" positionInTrace ", " "+typ+" ")
				if refused := new(filter.Refused); takes != (err == nil) || err != nil && !errors.As(err, &refused) {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
	have := 0
	for _, column := range filter.Observations().Columns() {
		have += 1 + len(column.Aliases())
	}
	if have != known {
		t.Errorf("there are %d names of columns, and %d are tested", have, known)
	}
}

func TestLimits(t *testing.T) {
	limits := filter.Limits{Bytes: 2000, Depth: 4, Conditions: 3, Values: 4, Characters: 5}
	condition := func(value string) string {
		return `{"type":"string","column":"name","operator":"=","value":"` + value + `"}`
	}
	conditions := func(n int) string { return "[" + strings.Repeat(condition("a")+",", n-1) + condition("a") + "]" }
	bytes := func(n int) string { return conditions(1) + strings.Repeat(" ", n-len(conditions(1))) }
	list := func(values ...string) string {
		return `[{"type":"stringOptions","column":"name","operator":"any of","value":["` + strings.Join(values, `","`) + `"]}]`
	}
	keyed := func(key string) string {
		return `[{"type":"stringObject","column":"metadata","key":"` + key + `","operator":"=","value":""}]`
	}
	deep := func(levels int) string {
		return `[{"x":` + strings.Repeat("[", levels-2) + strings.Repeat("]", levels-2) + "," + condition("a")[1:] + "]"
	}
	column := func(name string) string { return strings.Replace(conditions(1), "name", name, 1) }
	tooBig := func(path, origin string, maximum int) string {
		unit := map[string]string{"array": "items", "string": "characters"}[origin]
		return fmt.Sprintf(`[{"origin":%q,"code":"too_big","maximum":%d,"inclusive":true,"path":[%s],"message":"Too big: expected %s to have <=%d %s"}]`,
			origin, maximum, path, origin, maximum, unit)
	}
	const tooDeep = "The filter is nested more than 4 levels deep."
	cases := []struct {
		name, within, beyond string
		want                 string // issues, or a message
	}{
		{"bytes", bytes(2000), bytes(2001), "The filter is longer than 2000 bytes."},
		{"depth", deep(4), deep(5), tooDeep},
		{"depth in a string", "[" + condition(`[\"[[`) + "]", deep(500), tooDeep},
		{"depth of what is no JSON", deep(4), strings.Repeat(`{"a":[`, 300), tooDeep},
		{"conditions", conditions(3), conditions(4), tooBig(`"filter"`, "array", 3)},
		{"values", list("a", "b", "c", "d"), list("a", "b", "c", "d", "e"), tooBig(`"filter",0,"value"`, "array", 4)},
		{"characters", "[" + condition("ééééé") + "]", "[" + condition("éééééé") + "]", tooBig(`"filter",0,"value"`, "string", 5)},
		{"characters in a list", list("a", "12345"), list("a", "123456"), tooBig(`"filter",0,"value",1`, "string", 5)},
		{"characters of a key", keyed("12345"), keyed("123456"), tooBig(`"filter",0,"key"`, "string", 5)},
		{"characters of a column", conditions(1), column(strings.Repeat("x", 201)), tooBig(`"filter",0,"column"`, "string", 200)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := filter.Parse(filter.Observations(), c.within, limits); err != nil {
				t.Errorf("%s is refused: %v", c.within, err)
			}
			_, err := filter.Parse(filter.Observations(), c.beyond, limits)
			got := fmt.Sprint(err)
			if invalid := new(decode.Invalid); errors.As(err, &invalid) {
				got = issuesOf(t, err)
			}
			if got != c.want {
				t.Errorf("it is answered\n%s, want\n%s", got, c.want)
			}
		})
	}
}

// TestDefaultLimits checks that the limits leave room for what people ask, and that a filter that reaches all of them
// is still processed.
func TestDefaultLimits(t *testing.T) {
	limits := filter.DefaultLimits()
	if limits.Bytes < 64<<10 || limits.Conditions < 100 || limits.Values < 1000 || limits.Characters < 10_000 {
		t.Errorf("the limits are tight: %+v", limits)
	}
	many := `[{"type":"stringOptions","column":"traceId","operator":"any of","value":["` +
		strings.Repeat(strings.Repeat("f", 32)+`","`, limits.Values-1) + `0"]}]`
	if conditions := parse(t, many); len(conditions[0].Texts()) != limits.Values {
		t.Errorf("%d of %d values are kept", len(conditions[0].Texts()), limits.Values)
	}
	_, err := filter.Parse(filter.Observations(), "["+strings.Repeat("{},", limits.Conditions-1)+"{}]", limits)
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) || len(invalid.Issues) != limits.Conditions {
		t.Errorf("of %d wrong conditions it says %.200v", limits.Conditions, err)
	}
	wrong := `{"type":"stringOptions","column":"name","operator":"any of","value":[` + strings.Repeat("1,", 900) + `1]}`
	_, err = filter.Parse(filter.Observations(), "["+strings.Repeat(wrong+",", 30)+wrong+"]", limits)
	if !errors.As(err, &invalid) || len(invalid.Issues) != 100 {
		t.Errorf("of thousands of wrong values it says %.200v", err)
	}
}
