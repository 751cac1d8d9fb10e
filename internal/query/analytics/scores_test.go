package analytics

import "testing"

func TestScores(t *testing.T) {
	const top = `"orderBy":[{"field":"count_count","direction":"desc"}],"config":{"row_limit":10}`
	numeric := func(dimensions, more, want string) answerCase {
		return answerCase{dimensions, q("scores-numeric", "count_count", dimensions, more), want}
	}
	checkAnswers(t, V2, []answerCase{
		{
			"numbers and booleans", q("scores-numeric", "count_count sum_value avg_value min_value p50_value uniq_value", "", ""),
			`[{"count_count":6,"sum_value":5.75,"avg_value":0.9583333333333334,"min_value":0,"p50_value":0.75,"uniq_value":5}]`,
		},
		{"booleans", q("scores-boolean", "avg_value count_count", "name", ""), `[{"name":"ok","avg_value":0.5,"count_count":2}]`},
		{
			"true and false", q("scores-boolean", "count_count", "booleanValue", ""),
			`[{"booleanValue":false,"count_count":1},{"booleanValue":true,"count_count":1}]`,
		},
		{
			"categories", q("scores-categorical", "count_count", "name stringValue", ""),
			`[{"name":"mood","stringValue":"good","count_count":1}]`,
		},
		numeric("name", "", `[{"name":"quality","count_count":3},{"name":"ok","count_count":2},{"name":"session","count_count":1}]`),
		numeric("environment source dataType", "",
			`[{"environment":"production","source":"API","dataType":"NUMERIC","count_count":4},{"environment":"production","source":"API","dataType":"BOOLEAN","count_count":2}]`),
		numeric("configId", "", `[{"configId":null,"count_count":5},{"configId":"config","count_count":1}]`),
		numeric("timestampMonth timestampDay", "", `[{"timestampMonth":"2026-03","timestampDay":"2026-03-04","count_count":6}]`),
		numeric("value", "",
			`[{"value":1,"count_count":2},{"value":0,"count_count":1},{"value":0.25,"count_count":1},{"value":0.5,"count_count":1},{"value":3,"count_count":1}]`),
		// Only scores whose trace has a root, or whose observation exists, in the time range.
		numeric("traceName", "", `[{"traceName":"chat","count_count":4}]`),
		numeric("tags traceRelease traceVersion", "", `[{"tags":["a","b"],"traceRelease":"r1","traceVersion":"v1","count_count":4}]`),
		numeric("observationName observationModelName", "", `[{"observationName":"llm","observationModelName":"m1","count_count":2}]`),
		numeric("observationPromptName observationPromptVersion", "",
			`[{"observationPromptName":"greet","observationPromptVersion":2,"count_count":2}]`),
		numeric("traceName observationName", "", `[{"traceName":"chat","observationName":"llm","count_count":2}]`),
		numeric("traceName", `"fromTimestamp":"2026-03-04T12:00:00.001Z","toTimestamp":"2026-03-05T00:00:00Z"`, `[]`),
		{
			"category with its observation",
			q("scores-categorical", "count_count", "observationName observationPromptName observationPromptVersion", ""),
			`[{"observationName":"llm","observationPromptName":null,"observationPromptVersion":null,"count_count":1}]`,
		},
		numeric("userId", top, `[{"userId":"u1","count_count":4}]`),
		numeric("experimentName experimentId", top, `[{"experimentName":"first","experimentId":"e1","count_count":2}]`),
		{"no experiment", q("scores-categorical", "count_count", "experimentId", top), `[{"experimentId":null,"count_count":1}]`},
		numeric("id", top,
			`[{"id":"b1","count_count":1},{"id":"b2","count_count":1},{"id":"n1","count_count":1},{"id":"n2","count_count":1},{"id":"n3","count_count":1},{"id":"n4","count_count":1}]`),
		numeric("traceId", top, `[{"traceId":"t1","count_count":4},{"traceId":"t9","count_count":1},{"traceId":null,"count_count":1}]`),
		numeric("observationId", top, `[{"observationId":null,"count_count":4},{"observationId":"o2","count_count":2}]`),
		numeric("sessionId", top, `[{"sessionId":null,"count_count":5},{"sessionId":"s1","count_count":1}]`),
		numeric("datasetRunId", top, `[{"datasetRunId":null,"count_count":5},{"datasetRunId":"e1","count_count":1}]`),
		numeric("evaluatorId", top, `[{"evaluatorId":null,"count_count":6}]`),
		{
			"a joined condition drops the others",
			q("scores-numeric", "count_count", "", `"filters":[{"type":"null","column":"traceName","operator":"is not null","value":""}]`),
			`[{"count_count":4}]`,
		},
		{
			"by its metadata",
			q("scores-numeric", "count_count", "",
				`"filters":[{"type":"stringObject","column":"metadata","key":"by","operator":"=","value":"judge"}]`), `[{"count_count":1}]`,
		},
		{
			"by its value",
			q("scores-numeric", "count_count", "", `"filters":[{"type":"number","column":"value","operator":">","value":0.5}]`),
			`[{"count_count":3}]`,
		},
		{
			"by true",
			q("scores-boolean", "count_count", "", `"filters":[{"type":"boolean","column":"booleanValue","operator":"=","value":true}]`),
			`[{"count_count":1}]`,
		},
		{
			"by time",
			q("scores-boolean", "count_count", "",
				`"filters":[{"type":"datetime","column":"timestamp","operator":"<","value":"2026-03-04T12:00:01Z"}]`),
			`[{"count_count":0}]`,
		},
		{
			"by tags",
			q("scores-numeric", "count_count", "",
				`"filters":[{"type":"arrayOptions","column":"tags","operator":"all of","value":["b","a"]}]`), `[{"count_count":4}]`,
		},
		{
			"none of the versions",
			q("scores-numeric", "count_count", "",
				`"filters":[{"type":"stringOptions","column":"traceVersion","operator":"none of","value":["v2"]}]`), `[{"count_count":4}]`,
		},
		{
			"by an observation's prompt",
			q("scores-numeric", "count_count", "",
				`"filters":[{"type":"string","column":"observationPromptVersion","operator":"=","value":"2"}]`), `[{"count_count":2}]`,
		},
		{
			"by time, with an observation",
			q("scores-numeric", "count_count", "observationName",
				`"timeDimension":{"granularity":"week"},"orderBy":[{"field":"time_dimension","direction":"desc"}]`),
			`[{"observationName":"llm","time_dimension":"2026-03-02","count_count":2}]`,
		},
	})
}
