package traces_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// metricsRows returns two traces on one day and one on the day before.
func metricsRows() []domain.Observation {
	row := func(trace, id, parent, model string, day, second int64, cost float64) domain.Observation {
		o := domain.Observation{
			TraceID: trace, ID: id, ParentID: parent, Type: "SPAN", Level: "DEFAULT", Environment: "production", Name: "step",
			StartTime: apitest.October + domain.Micros((day*86400+second)*1_000_000), UserID: "u-" + trace,
		}
		o.EndTime = o.StartTime + 1_500_000
		if model != "" {
			o.Type, o.Model, o.InputTokens, o.OutputTokens = "GENERATION", model, 10, 5
			o.TotalTokens, o.TotalCost = domain.IntOf(15), domain.FloatOf(cost)
		}
		return o
	}
	rows := []domain.Observation{
		row("t1", "o1", "", "", 0, 0, 0), row("t1", "o2", "o1", "gpt-4o", 0, 1, 0.1), row("t1", "o3", "o1", "gpt-4o", 0, 2, 0.2),
		row("t2", "o4", "", "gpt-4o-mini", 0, 5, 0.05), row("t3", "o5", "", "", -1, 0, 0),
	}
	rows[0].Name, rows[0].TraceName, rows[0].Tags = "answer", "chat", []string{"a", "b"}
	rows[3].Environment = "staging"
	return rows
}

const wholeOctober = `"fromTimestamp":"2026-10-01T00:00:00Z","toTimestamp":"2026-11-01T00:00:00Z"`

// deprecatedMetrics are the headers of the deprecated metrics routes.
var deprecatedMetrics = map[string]string{
	"Deprecation": "@1767225600", "Link": `</api/public/v2/metrics>; rel="successor-version"`,
}

func TestMetricsV2(t *testing.T) {
	ask := func(name, question string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: "/api/public/v2/metrics" + apitest.MetricsOf(question), Key: "limited", Given: metricsRows(),
			Scores: []domain.Score{
				{ID: "s1", TraceID: "t1", Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.9), Timestamp: apitest.October},
			},
			Status: status, Want: want, WantHeader: map[string]string{"Deprecation": ""},
		}
	}
	apitest.Run(t, []apitest.Scenario{
		ask("cost and latency by model", `{"view":"observations","dimensions":[{"field":"providedModelName"}],"metrics":[`+
			`{"measure":"totalCost","aggregation":"sum"},{"measure":"latency","aggregation":"p95"},{"measure":"count","aggregation":"count"}],`+wholeOctober+`}`, 200,
			`{"data":[{"providedModelName":"gpt-4o","sum_totalCost":0.3,"p95_latency":1500,"count_count":2},`+
				`{"providedModelName":"gpt-4o-mini","sum_totalCost":0.05,"p95_latency":1500,"count_count":1},`+
				`{"providedModelName":null,"sum_totalCost":0,"p95_latency":1500,"count_count":2}]}`),
		ask("by day", `{"view":"observations","metrics":[{"measure":"count","aggregation":"count"}],"timeDimension":{"granularity":"day"},`+
			`"fromTimestamp":"2026-10-04T00:00:00Z","toTimestamp":"2026-10-07T00:00:00Z"}`, 200,
			`{"data":[{"time_dimension":"2026-10-04","count_count":0},{"time_dimension":"2026-10-05","count_count":1},{"time_dimension":"2026-10-06","count_count":4}]}`),
		ask("a histogram", `{"view":"observations","metrics":[{"measure":"totalTokens","aggregation":"histogram"}],`+wholeOctober+`}`, 200,
			`{"data":[{"histogram_totalTokens":[[0,7.5,2],[7.5,15,3]]}]}`),
		ask("scores with their traces", `{"view":"scores-numeric","dimensions":[{"field":"traceName"},{"field":"tags"}],`+
			`"metrics":[{"measure":"value","aggregation":"avg"}],`+wholeOctober+`}`, 200,
			`{"data":[{"traceName":"chat","tags":["a","b"],"avg_value":0.9}]}`),
		{
			Name: "no query", Path: "/api/public/v2/metrics", Key: "limited", Status: 400,
			Want: `{"message":"Invalid request data","error":[{"expected":"string","code":"invalid_type","path":["query"],"message":"Invalid input: expected string, received undefined"}]}`,
		},
		{
			Name: "two queries", Path: "/api/public/v2/metrics?query=a&query=b", Key: "limited", Status: 400,
			Want: `{"message":"Invalid request data","error":[{"expected":"string","code":"invalid_type","path":["query"],"message":"Invalid input: expected string, received array"}]}`,
		},
		ask("no JSON", `{nope`, 400, `{"message":"Invalid JSON in query parameter","error":"InvalidRequestError"}`),
		ask("an unknown view", `{"view":"traces","metrics":[],`+wholeOctober+`}`, 400,
			`{"message":"Invalid request data","error":[{"code":"invalid_value",`+
				`"values":["observations","scores-numeric","scores-categorical","scores-boolean"],"path":["query","view"],`+
				`"message":"Invalid option: expected one of \"observations\"|\"scores-numeric\"|\"scores-categorical\"|\"scores-boolean\""}]}`),
		ask("too many values", `{"view":"observations","dimensions":[{"field":"traceId"}],"metrics":[],`+wholeOctober+`}`, 400,
			`{"message":"High cardinality dimension(s) 'traceId' require both 'config.row_limit' and 'orderBy' with direction 'desc' on a measure field.","error":"InvalidRequestError"}`),
		{Name: "no credentials", Path: "/api/public/v2/metrics", Status: 401},
		{Name: "an organization's key", Path: "/api/public/v2/metrics", Key: "organization", Status: 403},
		{
			Name: "another project", Path: "/api/public/v2/metrics" + apitest.MetricsOf(`{"view":"observations","metrics":[],`+wholeOctober+`}`),
			Key:   "neighbour",
			Given: metricsRows(), Status: 200, Want: `{"data":[{"count":0}]}`,
		},
	})
}

func TestMetricsV1(t *testing.T) {
	ask := func(name, question string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: "/api/public/metrics" + apitest.MetricsOf(question), Key: "limited", Given: metricsRows(), Status: status, Want: want,
			WantHeader: deprecatedMetrics,
		}
	}
	apitest.Run(t, []apitest.Scenario{
		ask("traces by name", `{"view":"traces","dimensions":[{"field":"name"}],"metrics":[{"measure":"count","aggregation":"count"},`+
			`{"measure":"totalCost","aggregation":"sum"}],`+wholeOctober+`}`, 200,
			`{"data":[{"name":"step","count_count":2,"sum_totalCost":0.05},{"name":"chat","count_count":1,"sum_totalCost":0.3}]}`),
		ask("many values",
			`{"view":"traces","dimensions":[{"field":"id"}],"metrics":[{"measure":"observationsCount","aggregation":"sum"}],`+
				wholeOctober+`}`, 200,
			`{"data":[{"id":"t1","sum_observationsCount":3},{"id":"t2","sum_observationsCount":1},{"id":"t3","sum_observationsCount":1}]}`),
		ask("more rows than anybody can read", `{"view":"traces","metrics":[],"timeDimension":{"granularity":"minute"},`+
			`"fromTimestamp":"1026-10-04T00:00:00Z","toTimestamp":"2026-10-07T00:00:00Z"}`, 422,
			`{"message":"The answer would have more than 100000 rows. Ask for less: a shorter time range, a coarser granularity or config.row_limit.","error":"Request timed out"}`),
		ask("an unknown measure", `{"view":"traces","metrics":[{"measure":"x","aggregation":"sum"}],`+wholeOctober+`}`, 400,
			`{"message":"Invalid metric x. Must be one of count,observationsCount,scoresCount,uniqueUserIds,uniqueSessionIds,latency,totalTokens,totalCost","error":"InvalidRequestError"}`),
		{Name: "no credentials", Path: "/api/public/metrics", Status: 401, WantHeader: deprecatedMetrics},
	})
}

func TestDailyMetrics(t *testing.T) {
	const (
		mini   = `{"model":"gpt-4o-mini","inputUsage":10,"outputUsage":5,"totalUsage":15,"totalCost":0.05,"countObservations":1,"countTraces":1}`
		gpt    = `{"model":"gpt-4o","inputUsage":20,"outputUsage":10,"totalUsage":30,"totalCost":0.3,"countObservations":2,"countTraces":1}`
		none   = `{"model":null,"inputUsage":0,"outputUsage":0,"totalUsage":0,"totalCost":0,"countObservations":1,"countTraces":1}`
		second = `{"date":"2026-10-06","countTraces":2,"countObservations":4,"totalCost":0.35,"usage":[` + none + `,` + gpt + `,` +
			mini + `]}`
		first  = `{"date":"2026-10-05","countTraces":1,"countObservations":1,"totalCost":0,"usage":[` + none + `]}`
		onlyT1 = `{"date":"2026-10-06","countTraces":1,"countObservations":3,"totalCost":0.3,"usage":[` + none + `,` + gpt + `]}`
		onlyT2 = `{"date":"2026-10-06","countTraces":1,"countObservations":1,"totalCost":0.05,"usage":[` + mini + `]}`
	)
	list := func(query, end string, days ...string) apitest.Scenario {
		return apitest.Scenario{
			Name: query, Path: "/api/public/metrics/daily" + query, Key: "limited", Given: metricsRows(), Status: 200,
			Want: `{"data":[` + strings.Join(days, ",") + end, WantHeader: deprecatedMetrics,
		}
	}
	apitest.Run(t, []apitest.Scenario{
		list("", apitest.Meta(1, 50, 2, 1), second, first),
		list("?limit=1", apitest.Meta(1, 1, 2, 2), second),
		list("?limit=1&page=2", apitest.Meta(2, 1, 2, 2), first),
		list("?page=9", apitest.Meta(9, 50, 2, 1)),
		list("?traceName=chat", apitest.Meta(1, 50, 1, 1), onlyT1),
		list("?userId=u-t2", apitest.Meta(1, 50, 1, 1), onlyT2),
		list("?userId=u-t2&toTimestamp=2026-10-06T00:00:00Z", apitest.Meta(1, 50, 0, 0)),
		list("?userId=", apitest.Meta(1, 50, 0, 0)),
		list("?tags=a,b", apitest.Meta(1, 50, 1, 1), onlyT1),
		list("?tags=a&tags=c", apitest.Meta(1, 50, 0, 0)),
		list("?environment=staging", apitest.Meta(1, 50, 1, 1), onlyT2),
		list("?fromTimestamp=2026-10-06T00:00:00Z", apitest.Meta(1, 50, 1, 1), second),
		list("?toTimestamp=2026-10-06T00:00:00Z", apitest.Meta(1, 50, 1, 1), first),
		{
			Name: "invalid", Path: "/api/public/metrics/daily?page=0&limit=101&fromTimestamp=2026", Key: "limited", Status: 400,
			Contains: []string{`"path":["page"]`, `"path":["limit"]`, `"path":["fromTimestamp"]`}, WantHeader: deprecatedMetrics,
		},
		{Name: "no credentials", Path: "/api/public/metrics/daily", Status: 401},
		{
			Name: "another project", Path: "/api/public/metrics/daily", Key: "neighbour", Given: metricsRows(), Status: 200,
			Want: `{"data":[` + apitest.Meta(1, 50, 0, 0),
		},
	})
}
