package analytics

import (
	"errors"
	"strings"
	"testing"
)

const (
	observationNames = "id,traceId,environment,parentObservationId,isRootObservation,type,name,level,version,userId,sessionId,tags,release,traceName,traceRelease," +
		"traceVersion,providedModelName,promptName,promptVersion,startTimeMonth,toolNames,calledToolNames,costType,usageType,experimentName,experimentDatasetId,experimentId"
	observationMeasureNames = "count,traceId,uniqueUserIds,uniqueSessionIds,latency,streamingLatency,inputTokens,outputTokens,totalTokens,outputTokensPerSecond," +
		"tokensPerSecond,inputCost,outputCost,totalCost,timeToFirstToken,countScores,toolDefinitions,toolCalls,costByType,usageByType"
	observationNamesV1 = "id,traceId,environment,parentObservationId,type,name,level,version,userId,sessionId,tags,traceName,traceRelease,traceVersion," +
		"providedModelName,promptName,promptVersion,startTimeMonth,toolNames,calledToolNames"
	observationMeasureNamesV1 = "count,latency,streamingLatency,inputTokens,outputTokens,totalTokens,outputTokensPerSecond,tokensPerSecond,inputCost,outputCost," +
		"totalCost,timeToFirstToken,countScores,toolDefinitions,toolCalls"
	scoreNames = "id,environment,name,source,dataType,traceId,traceName,tags,userId,sessionId,datasetRunId,traceRelease,traceVersion,observationId,observationName," +
		"observationModelName,observationPromptName,observationPromptVersion,configId,timestampMonth,timestampDay,experimentName,experimentId,evaluatorId,"
)

// TestRefused checks the messages for queries that make no sense, which clients know.
func TestRefused(t *testing.T) {
	where := func(condition string) string { return q("observations", "", "", `"filters":[`+condition+`]`) }
	const needBoth = "require both 'config.row_limit' and 'orderBy' with direction 'desc' on a measure field."
	const byCount = `"orderBy":[{"field":"count_count","direction":"desc"}]`
	const limit = `"config":{"row_limit":5}`
	for _, c := range []struct{ name, question, want string }{
		{"an unknown dimension", q("observations", "", "nope", ""), "Invalid dimension nope. Must be one of " + observationNames},
		{"an unknown measure", q("observations", "sum_nope", "", ""), "Invalid metric nope. Must be one of " + observationMeasureNames},
		{
			"an unknown dimension of scores", q("scores-numeric", "", "nope", ""),
			"Invalid dimension nope. Must be one of " + scoreNames + "value",
		},
		{
			"an unknown dimension of categories", q("scores-categorical", "", "value", ""),
			"Invalid dimension value. Must be one of " + scoreNames + "stringValue",
		},
		{
			"an unknown dimension of booleans", q("scores-boolean", "", "value", ""),
			"Invalid dimension value. Must be one of " + scoreNames + "booleanValue",
		},
		{"an unknown measure of categories", q("scores-categorical", "avg_value", "", ""), "Invalid metric value. Must be one of count"},
		{"an unknown measure of numbers", q("scores-numeric", "avg_latency", "", ""), "Invalid metric latency. Must be one of count,value"},
		{
			"the sum of texts", q("observations", "sum_traceId", "", ""),
			`Aggregation "sum" is not valid for measure "traceId" (type: string). Valid aggregations: count, uniq`,
		},
		{
			"the histogram of texts", q("observations", "histogram_uniqueUserIds", "", ""),
			`Aggregation "histogram" is not valid for measure "uniqueUserIds" (type: string). Valid aggregations: count, uniq`,
		},
		{"two kinds at once", q("observations", "", "costType usageType", ""), "costType and usageType cannot be used in the same query."},
		{
			"two kinds by measures", q("observations", "sum_costByType sum_usageByType", "", ""),
			"costType and usageType cannot be used in the same query.",
		},

		{
			"an unknown order", q("observations", "count_count", "name", `"orderBy":[{"field":"level","direction":"asc"}]`),
			"Invalid orderBy field: level. Must be one of the dimension or metric fields.",
		},
		{
			"order by a measure", q("observations", "count_count", "name", `"orderBy":[{"field":"count","direction":"asc"}]`),
			"Invalid orderBy field: count. Must be one of the dimension or metric fields.",
		},
		{
			"order by a time that is not cut",
			q("observations", "count_count", "name", `"orderBy":[{"field":"time_dimension","direction":"asc"}]`),
			"Invalid orderBy field: time_dimension. Must be one of the dimension or metric fields.",
		},
		{
			"order by a histogram",
			q("observations", "histogram_latency", "name", `"orderBy":[{"field":"histogram_latency","direction":"asc"}]`),
			"Invalid orderBy field: histogram_latency. Must be one of the dimension or metric fields.",
		},

		{
			"high cardinality with time", q("observations", "count_count", "name traceId userId", `"timeDimension":{"granularity":"day"}`),
			"High cardinality dimension(s) 'traceId, userId' cannot be used with timeDimension. Time series queries with high cardinality dimensions produce unbounded result sets.",
		},
		{"high cardinality alone", q("observations", "count_count", "traceId", ""), "High cardinality dimension(s) 'traceId' " + needBoth},
		{
			"high cardinality without a limit", q("observations", "count_count", "traceId", byCount),
			"High cardinality dimension(s) 'traceId' " + needBoth,
		},
		{
			"high cardinality without an order", q("observations", "count_count", "traceId", limit),
			"High cardinality dimension(s) 'traceId' " + needBoth,
		},
		{
			"high cardinality ascending",
			q("observations", "count_count", "traceId", limit+`,"orderBy":[{"field":"count_count","direction":"asc"}]`),
			"High cardinality dimension(s) 'traceId' " + needBoth,
		},
		{
			"high cardinality by something else",
			q("observations", "count_count", "traceId",
				limit+
					`,"orderBy":[{"field":"count_count","direction":"desc"},{"field":"traceId","direction":"desc"},{"field":"x","direction":"desc"}]`),
			"High cardinality dimension(s) 'traceId' require 'orderBy' with direction 'desc' on a measure field. 'traceId, x' is not a measure in this query.",
		},
		{
			"high cardinality before unknown names", q("observations", "sum_nope", "traceId nope", ""),
			"High cardinality dimension(s) 'traceId' " + needBoth,
		},
		{
			"high cardinality is satisfied by other aggregations, orderBy is not",
			q("observations", "count_count", "traceId", limit+`,"orderBy":[{"field":"sum_count","direction":"desc"}]`),
			"Invalid orderBy field: sum_count. Must be one of the dimension or metric fields.",
		},

		{
			"an unknown column", where(`{"type":"string","column":"nope","operator":"=","value":"x"}`),
			"Invalid filter column nope. Must be one of " + observationNames + " or start_time",
		},
		{
			"a measure as column", where(`{"type":"number","column":"latency","operator":">","value":1}`),
			"Invalid filter column latency. Must be one of " + observationNames + " or start_time",
		},
		{
			"the other name of time", where(`{"type":"datetime","column":"startTime","operator":">","value":"2026-01-01"}`),
			"Invalid filter column startTime. Must be one of " + observationNames + " or start_time",
		},
		{
			"a number as text", where(`{"type":"number","column":"name","operator":">","value":1}`),
			"Invalid filter for field 'name': Filter type 'number' is not supported for dimension type 'string'. Expected 'string' or 'stringOptions'.",
		},
		{
			"a number as prompt version", where(`{"type":"number","column":"promptVersion","operator":"=","value":1}`),
			"Invalid filter for field 'promptVersion': Filter type 'number' is not supported for dimension type 'string'. Expected 'string' or 'stringOptions'.",
		},
		{
			"a text as tags", where(`{"type":"string","column":"tags","operator":"contains","value":"a"}`),
			"Invalid filter for field 'tags': Filter type 'string' is not supported for dimension type 'string[]'. Expected 'arrayOptions'.",
		},
		{
			"texts as tools", where(`{"type":"stringOptions","column":"toolNames","operator":"any of","value":["a"]}`),
			"Invalid filter for field 'toolNames': Filter type 'stringOptions' is not supported for dimension type 'arrayString'. Expected 'arrayOptions'.",
		},
		{
			"a list as text", where(`{"type":"arrayOptions","column":"sessionId","operator":"any of","value":["a"]}`),
			"Invalid filter for field 'sessionId': Filter type 'arrayOptions' is not supported for dimension type 'string'. Expected 'string' or 'stringOptions'.",
		},
		{
			"a text as boolean", where(`{"type":"string","column":"isRootObservation","operator":"=","value":"true"}`),
			"Invalid filter for field 'isRootObservation': Filter type 'string' is not supported for dimension type 'boolean'. Expected 'boolean'.",
		},
		{
			"a text as time", where(`{"type":"string","column":"start_time","operator":"=","value":"2026"}`),
			"Invalid filter for field 'start_time': Filter type 'string' is not supported for time dimension 'start_time'. Expected 'datetime'.",
		},
		{
			"a text as metadata", where(`{"type":"string","column":"metadata","operator":"=","value":"a"}`),
			"Invalid filter for field 'metadata': Metadata filters require type 'stringObject' with a 'key' property, not 'string'.",
		},
		{
			"no metadata", where(`{"type":"null","column":"metadata","operator":"is null","value":""}`),
			"Invalid filter for field 'metadata': Metadata filters require type 'stringObject' with a 'key' property, not 'null'.",
		},
		{
			"a text as value", q("scores-numeric", "", "", `"filters":[{"type":"string","column":"value","operator":"=","value":"1"}]`),
			"Invalid filter for field 'value': Filter type 'string' is not supported for dimension type 'number'. Expected 'number'.",
		},
		{
			"an unknown column of scores",
			q("scores-boolean", "", "", `"filters":[{"type":"string","column":"start_time","operator":"=","value":"1"}]`),
			"Invalid filter column start_time. Must be one of " + scoreNames + "booleanValue or timestamp",
		},
	} {
		t.Run(c.name, func(t *testing.T) { checkRefused(t, V2, c.question, c.want) })
	}
	for _, c := range []struct{ name, question, want string }{
		{"an unknown dimension", q("observations", "", "release", ""), "Invalid dimension release. Must be one of " + observationNamesV1},
		{
			"an unknown measure", q("observations", "uniq_traceId", "", ""),
			"Invalid metric traceId. Must be one of " + observationMeasureNamesV1,
		},
		{
			"an unknown dimension of traces", q("traces", "", "level", ""),
			"Invalid dimension level. Must be one of id,name,tags,userId,sessionId,release,version,environment,timestampMonth",
		},
		{
			"an unknown measure of traces", q("traces", "sum_value", "", ""),
			"Invalid metric value. Must be one of count,observationsCount,scoresCount,uniqueUserIds,uniqueSessionIds,latency,totalTokens,totalCost",
		},
		{
			"a dimension of later scores", q("scores-numeric", "", "experimentId", ""),
			"Invalid dimension experimentId. Must be one of " + strings.NewReplacer("datasetRunId,", "", "experimentName,experimentId,",
				"").Replace(scoreNames) + "value",
		},
	} {
		t.Run("v1, "+c.name, func(t *testing.T) { checkRefused(t, V1, c.question, c.want) })
	}
}

func checkRefused(t *testing.T, version Version, question, want string) {
	t.Helper()
	query, err := ReadQuery(question, version)
	if err != nil {
		t.Fatal(err)
	}
	_, err = engines(t)["by the store"].Answer(t.Context(), project, query)
	var refused *InvalidQueryError
	if !errors.As(err, &refused) || refused.Message != want {
		t.Errorf("%s\ngot  %v\nwant %s", question, err, want)
	}
}

// TestCheckFields checks saved queries.
func TestCheckFields(t *testing.T) {
	metric := func(measure, aggregation string) []Metric { return []Metric{{measure, aggregation}} }
	for _, c := range []struct {
		query Query
		want  string
	}{
		{Query{View: "observations", Dimensions: []string{"userId", "traceId"}, Metrics: metric("latency", "p95")}, ""},
		{Query{View: "observations", Dimensions: []string{"nope"}}, "Invalid dimension nope. Must be one of " + observationNames},
		{Query{View: "observations", Metrics: metric("nope", "sum")}, "Invalid metric nope. Must be one of " + observationMeasureNames},
		{
			Query{
				View: "observations", Metrics: metric("uniqueUserIds", "sum"),
			}, `Aggregation "sum" is not valid for measure "uniqueUserIds" (type: string). Valid aggregations: count, uniq`,
		},
		{
			Query{View: "observations", Dimensions: []string{"costType", "usageType"}},
			"costType and usageType cannot be used in the same query.",
		},
		{Query{View: "scores-numeric", Metrics: metric("value", "avg")}, ""},
		{Query{View: "scores-categorical", Metrics: metric("value", "avg")}, "Invalid metric value. Must be one of count"},
		{Query{Version: V1, View: "traces", Metrics: metric("observationsCount", "sum")}, ""},
		{
			Query{Version: V1, View: "observations", Metrics: metric("uniqueUserIds", "uniq")},
			"Invalid metric uniqueUserIds. Must be one of " + observationMeasureNamesV1,
		},
	} {
		if c.query.Version == 0 {
			c.query.Version = V2
		}
		got := ""
		if err := c.query.CheckFields(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.query, got, c.want)
		}
	}
}
