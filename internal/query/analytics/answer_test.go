package analytics

import "testing"

type answerCase struct {
	name     string
	question string
	want     string
}

func checkAnswers(t *testing.T, version Version, cases []answerCase) {
	t.Helper()
	for how, e := range engines(t) {
		for _, c := range cases {
			t.Run(c.name+", "+how, func(t *testing.T) {
				if got := answerOf(t, e, version, c.question); got != c.want {
					t.Errorf("%s\ngot  %s\nwant %s", c.question, got, c.want)
				}
			})
		}
	}
}

// TestObservationDimensions groups by each dimension.
func TestObservationDimensions(t *testing.T) {
	by := func(dimension, more, want string) answerCase {
		return answerCase{dimension, q("observations", "count_count", dimension, more), want}
	}
	const top = `"orderBy":[{"field":"count_count","direction":"desc"}],"config":{"row_limit":10}`
	checkAnswers(t, V2, []answerCase{
		by("environment", "", `[{"environment":"production","count_count":3},{"environment":"staging","count_count":1}]`),
		by("version", "", `[{"version":null,"count_count":3},{"version":"v1","count_count":1}]`),
		by("traceVersion", "", `[{"traceVersion":null,"count_count":3},{"traceVersion":"v1","count_count":1}]`),
		by("release", "", `[{"release":null,"count_count":3},{"release":"r1","count_count":1}]`),
		by("traceRelease", "", `[{"traceRelease":null,"count_count":3},{"traceRelease":"r1","count_count":1}]`),
		by("providedModelName", "",
			`[{"providedModelName":"m1","count_count":2},{"providedModelName":"m2","count_count":1},{"providedModelName":null,"count_count":1}]`),
		by("promptName", "", `[{"promptName":null,"count_count":3},{"promptName":"greet","count_count":1}]`),
		by("promptVersion", "", `[{"promptVersion":null,"count_count":3},{"promptVersion":2,"count_count":1}]`),
		// The root of t2 has no name to lend to its trace, which then has an empty one; the other rows do not know the
		// name of their trace.
		by("traceName", "", `[{"traceName":null,"count_count":2},{"traceName":"","count_count":1},{"traceName":"chat","count_count":1}]`),
		by("name", "", `[{"name":"llm","count_count":2},{"name":"","count_count":1},{"name":"root","count_count":1}]`),
		by("type", "", `[{"type":"GENERATION","count_count":2},{"type":"EVENT","count_count":1},{"type":"SPAN","count_count":1}]`),
		by("level", "", `[{"level":"DEFAULT","count_count":3},{"level":"ERROR","count_count":1}]`),
		by("tags", "", `[{"tags":[],"count_count":3},{"tags":["a","b"],"count_count":1}]`),
		by("isRootObservation", "", `[{"isRootObservation":false,"count_count":2},{"isRootObservation":true,"count_count":2}]`),
		by("startTimeMonth", "", `[{"startTimeMonth":"2026-03","count_count":4}]`),
		by("toolNames", "", `[{"toolNames":"fetch","count_count":1},{"toolNames":"search","count_count":1}]`),
		by("calledToolNames", "", `[{"calledToolNames":"search","count_count":2}]`),
		by("toolNames calledToolNames", "",
			`[{"toolNames":"fetch","calledToolNames":"search","count_count":2},{"toolNames":"search","calledToolNames":"search","count_count":2}]`),
		by("costType", "",
			`[{"costType":"input","count_count":1},{"costType":"output","count_count":1},{"costType":"total","count_count":1}]`),
		by("usageType", "",
			`[{"usageType":"input","count_count":1},{"usageType":"output","count_count":1},{"usageType":"total","count_count":1}]`),
		by("id", top, `[{"id":"o1","count_count":1},{"id":"o2","count_count":1},{"id":"o3","count_count":1},{"id":"o4","count_count":1}]`),
		by("traceId", top, `[{"traceId":"t1","count_count":3},{"traceId":"t2","count_count":1}]`),
		by("userId", top, `[{"userId":"u1","count_count":3},{"userId":"u2","count_count":1}]`),
		by("sessionId", top, `[{"sessionId":"s1","count_count":2},{"sessionId":null,"count_count":2}]`),
		by("parentObservationId", top, `[{"parentObservationId":"o1","count_count":2},{"parentObservationId":null,"count_count":2}]`),
		by("experimentName", top, `[{"experimentName":null,"count_count":3},{"experimentName":"first","count_count":1}]`),
		by("experimentDatasetId", top, `[{"experimentDatasetId":null,"count_count":3},{"experimentDatasetId":"d1","count_count":1}]`),
		by("experimentId", top, `[{"experimentId":null,"count_count":3},{"experimentId":"e1","count_count":1}]`),
		{"two dimensions", q("observations", "count_count", "type level", ""), `[{"type":"EVENT","level":"DEFAULT","count_count":1},` +
			`{"type":"GENERATION","level":"DEFAULT","count_count":1},{"type":"GENERATION","level":"ERROR","count_count":1},{"type":"SPAN","level":"DEFAULT","count_count":1}]`},
		{
			"a dimension twice", q("observations", "count_count", "level level", ""),
			`[{"level":"DEFAULT","count_count":3},{"level":"ERROR","count_count":1}]`,
		},
	})
}

// TestObservationMeasures computes each measure. The rows differ in which of them they have.
func TestObservationMeasures(t *testing.T) {
	of := func(metrics, want string) answerCase {
		return answerCase{metrics, q("observations", metrics, "", ""), want}
	}
	checkAnswers(t, V2, []answerCase{
		of("count_count sum_count avg_count max_count p99_count uniq_count",
			`[{"count_count":4,"sum_count":4,"avg_count":1,"max_count":1,"p99_count":1,"uniq_count":1}]`),
		of("histogram_count", `[{"histogram_count":[[1,1,4]]}]`),
		of("", `[{"count":4}]`),
		of("sum_latency avg_latency min_latency max_latency count_latency uniq_latency",
			`[{"sum_latency":3000,"avg_latency":1500,"min_latency":1000,"max_latency":2000,"count_latency":2,"uniq_latency":2}]`),
		of("p50_latency p75_latency p90_latency p95_latency p99_latency",
			`[{"p50_latency":1500,"p75_latency":1750,"p90_latency":1900,"p95_latency":1950,"p99_latency":1990}]`),
		of("histogram_latency", `[{"histogram_latency":[[1000,1500,1],[1500,2000,1]]}]`),
		of("sum_streamingLatency count_streamingLatency", `[{"sum_streamingLatency":600,"count_streamingLatency":1}]`),
		of("sum_timeToFirstToken p50_timeToFirstToken", `[{"sum_timeToFirstToken":400,"p50_timeToFirstToken":400}]`),
		of("sum_inputTokens avg_inputTokens max_outputTokens", `[{"sum_inputTokens":10,"avg_inputTokens":2.5,"max_outputTokens":20}]`),
		of("sum_totalTokens avg_totalTokens count_totalTokens min_totalTokens max_totalTokens uniq_totalTokens p50_totalTokens",
			`[{"sum_totalTokens":30,"avg_totalTokens":7.5,"count_totalTokens":4,"min_totalTokens":0,"max_totalTokens":30,"uniq_totalTokens":2,"p50_totalTokens":0}]`),
		of("histogram_totalTokens", `[{"histogram_totalTokens":[[0,15,3],[15,30,1]]}]`),
		of("sum_inputCost sum_outputCost sum_totalCost avg_totalCost",
			`[{"sum_inputCost":0.1,"sum_outputCost":0.2,"sum_totalCost":0.3,"avg_totalCost":0.075}]`),
		// One second boundary lies between 12:00:00.500 and 12:00:01.500, and between .900 and 12:00:01.500.
		of("avg_tokensPerSecond avg_outputTokensPerSecond count_tokensPerSecond",
			`[{"avg_tokensPerSecond":15,"avg_outputTokensPerSecond":20,"count_tokensPerSecond":2}]`),
		of("sum_toolDefinitions sum_toolCalls count_toolCalls min_toolCalls",
			`[{"sum_toolDefinitions":2,"sum_toolCalls":2,"count_toolCalls":1,"min_toolCalls":2}]`),
		of("uniq_traceId count_traceId uniq_uniqueUserIds count_uniqueUserIds uniq_uniqueSessionIds count_uniqueSessionIds",
			`[{"uniq_traceId":2,"count_traceId":4,"uniq_uniqueUserIds":2,"count_uniqueUserIds":4,"uniq_uniqueSessionIds":1,"count_uniqueSessionIds":2}]`),
		of("sum_countScores count_count", `[{"sum_countScores":4,"count_count":2}]`), // two observations have scores
		{"kinds of cost", q("observations", "sum_costByType count_count", "",
			""), `[{"costType":"total","sum_costByType":0.3,"count_count":1},` +
			`{"costType":"output","sum_costByType":0.2,"count_count":1},{"costType":"input","sum_costByType":0.1,"count_count":1}]`},
		{"kinds of usage", q("observations", "sum_usageByType", "name usageType",
			""), `[{"name":"llm","usageType":"total","sum_usageByType":30},` +
			`{"name":"llm","usageType":"output","sum_usageByType":20},{"name":"llm","usageType":"input","sum_usageByType":10}]`},
		{
			"null where no row has a value",
			q("observations",
				"sum_latency avg_latency max_latency p50_latency count_latency histogram_latency sum_totalCost sum_totalTokens",
				"level", ""),
			`[{"level":"DEFAULT","sum_latency":3000,"avg_latency":1500,"max_latency":2000,"p50_latency":1500,"count_latency":2,"histogram_latency":[[1000,1500,1],[1500,2000,1]],"sum_totalCost":0.3,"sum_totalTokens":30},` +
				`{"level":"ERROR","sum_latency":null,"avg_latency":null,"max_latency":null,"p50_latency":null,"count_latency":0,"histogram_latency":[],"sum_totalCost":0,"sum_totalTokens":0}]`,
		},
	})
}

// TestNoRows queries a time range without rows.
func TestNoRows(t *testing.T) {
	const nothing = `"fromTimestamp":"2020-01-01T00:00:00Z","toTimestamp":"2020-01-03T00:00:00Z"`
	const metrics = "count_count uniq_traceId sum_totalTokens max_totalTokens min_totalTokens avg_totalTokens p50_totalTokens histogram_totalTokens sum_totalCost sum_latency max_latency count_latency"
	checkAnswers(t, V2, []answerCase{
		{
			"one row", q("observations", metrics, "",
				nothing),
			`[{"count_count":0,"uniq_traceId":0,"sum_totalTokens":0,"max_totalTokens":0,"min_totalTokens":0,"avg_totalTokens":null,` +
				`"p50_totalTokens":null,"histogram_totalTokens":[],"sum_totalCost":null,"sum_latency":null,"max_latency":null,"count_latency":0}]`,
		},
		{"a bare count", q("observations", "", "", nothing), `[{"count":0}]`},
		{"no row with dimensions", q("observations", "count_count", "name", nothing), `[]`},
		{
			"filled", q("observations", metrics, "", nothing+`,"timeDimension":{"granularity":"day"},"config":{"row_limit":1}`),
			`[{"time_dimension":"2020-01-01","count_count":0,"uniq_traceId":0,"sum_totalTokens":0,"max_totalTokens":0,"min_totalTokens":0,"avg_totalTokens":0,` +
				`"p50_totalTokens":0,"histogram_totalTokens":[],"sum_totalCost":null,"sum_latency":null,"max_latency":null,"count_latency":0}]`,
		},
		{
			"filled, with every kind of dimension",
			q("observations", "", "environment name tags isRootObservation promptVersion traceName startTimeMonth",
				nothing+`,"timeDimension":{"granularity":"day"}`),
			`[{"environment":null,"name":"","tags":[],"isRootObservation":false,"promptVersion":null,"traceName":null,"startTimeMonth":"","time_dimension":"2020-01-01","count":0},` +
				`{"environment":null,"name":"","tags":[],"isRootObservation":false,"promptVersion":null,"traceName":null,"startTimeMonth":"","time_dimension":"2020-01-02","count":0}]`,
		},
		{
			"filled, scores",
			q("scores-numeric", "avg_value count_value", "value",
				nothing+`,"timeDimension":{"granularity":"day"},"config":{"row_limit":1}`),
			`[{"value":0,"time_dimension":"2020-01-01","avg_value":null,"count_value":0}]`,
		},
		{
			"scores", q("scores-boolean", "avg_value sum_value count_count", "", nothing),
			`[{"avg_value":null,"sum_value":null,"count_count":0}]`,
		},
	})
}

// TestWindow checks that both ends of the time range are inclusive.
func TestWindow(t *testing.T) {
	count := func(from, to, want string) answerCase {
		return answerCase{
			from + " " + to, q("observations", "count_count", "", `"fromTimestamp":"`+from+`","toTimestamp":"`+to+`"`),
			`[{"count_count":` + want + `}]`,
		}
	}
	checkAnswers(t, V2, []answerCase{
		count("2026-03-04T12:00:00Z", "2026-03-04T12:00:00.500Z", "2"),
		count("2026-03-04T12:00:00.001Z", "2026-03-04T12:00:00.500Z", "1"),
		count("2026-03-04T12:00:00Z", "2026-03-04T12:00:00.499Z", "1"),
		count("2026-03-04T13:00:00+01:00", "2026-03-04T13:00:01+01:00", "2"),
		count("1969-12-31T00:00:00Z", "1969-12-31T23:59:59.999Z", "0"),
		count("0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "5"),
	})
}
