package analytics

import (
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store/storetest"
)

// TestTracesV1 queries traces, and the trace fields of observations and scores.
func TestTracesV1(t *testing.T) {
	all := `"fromTimestamp":"2026-03-01T00:00:00Z","toTimestamp":"2026-05-01T00:00:00Z"`
	checkAnswers(t, V1, []answerCase{
		{
			"by name", q("traces", "count_count sum_totalCost", "name", ""),
			`[{"name":"","count_count":1,"sum_totalCost":null},{"name":"chat","count_count":1,"sum_totalCost":0.3}]`,
		},
		{
			"measures",
			q("traces", "sum_observationsCount uniq_uniqueUserIds uniq_uniqueSessionIds max_latency sum_totalTokens avg_totalCost", "", ""),
			`[{"sum_observationsCount":4,"uniq_uniqueUserIds":2,"uniq_uniqueSessionIds":1,"max_latency":3600000,"sum_totalTokens":30,"avg_totalCost":0.3}]`,
		},
		{"scores", q("traces", "sum_scoresCount count_count", "", ""), `[{"sum_scoresCount":7,"count_count":1}]`},
		{
			"dimensions", q("traces", "", "id tags userId sessionId release version environment timestampMonth", ""),
			`[{"id":"t1","tags":["a","b"],"userId":"u1","sessionId":"s1","release":"r1","version":"v1","environment":"production","timestampMonth":"2026-03","count":1},` +
				`{"id":"t2","tags":[],"userId":"u2","sessionId":null,"release":null,"version":null,"environment":"staging","timestampMonth":"2026-03","count":1}]`,
		},
		{
			"by day", q("traces", "count_count", "", `"timeDimension":{"granularity":"month"},`+all),
			`[{"time_dimension":"2026-03-01","count_count":2},{"time_dimension":"2026-04-01","count_count":1}]`,
		},
		// A trace counts at the time when it began.
		{
			"the end of a trace",
			q("traces", "count_count", "", `"fromTimestamp":"2026-03-04T12:30:00Z","toTimestamp":"2026-03-04T14:00:00Z"`),
			`[{"count_count":0}]`,
		},
		{"conditions", q("traces", "count_count", "",
			`"filters":[{"type":"stringObject","column":"metadata","key":"tenant","operator":"=","value":"acme"},`+
				`{"type":"arrayOptions","column":"tags","operator":"any of","value":["a"]},{"type":"stringOptions","column":"userId","operator":"none of","value":["u2"]},`+
				`{"type":"datetime","column":"timestamp","operator":"<","value":"2026-03-05"}]`), `[{"count_count":1}]`},
		{
			"observations by their trace",
			q("observations", "count_count", "traceName userId sessionId tags traceRelease traceVersion", ""),
			`[{"traceName":"chat","userId":"u1","sessionId":"s1","tags":["a","b"],"traceRelease":"r1","traceVersion":"v1","count_count":3},` +
				`{"traceName":"","userId":"u2","sessionId":null,"tags":[],"traceRelease":null,"traceVersion":null,"count_count":1}]`,
		},
		{
			"observations of a trace's user",
			q("observations", "count_count", "", `"filters":[{"type":"string","column":"sessionId","operator":"=","value":"s1"}]`),
			`[{"count_count":3}]`,
		},
		{"scores of observations", q("observations", "sum_countScores", "traceName", ""), `[{"traceName":"chat","sum_countScores":4}]`},
		{
			"observations by themselves", q("observations", "count_count", "traceId", ""),
			`[{"traceId":"t1","count_count":3},{"traceId":"t2","count_count":1}]`,
		},
		{
			"scores by trace", q("scores-numeric", "count_count", "traceName traceId", ""),
			`[{"traceName":"chat","traceId":"t1","count_count":4}]`,
		},
	})
}

// TestTraceRecords checks that a row that stands for a trace is not an observation in the deprecated version.
func TestTraceRecords(t *testing.T) {
	s := storetest.NewModel()
	keep(t, s, []domain.Observation{
		{TraceID: "t1", ID: domain.TraceRecordID("t1"), Source: domain.SourceIngestionTrace, TraceName: "told", StartTime: after(0)},
		{TraceID: "t1", ID: "o1", ParentID: domain.TraceRecordID("t1"), Source: domain.SourceIngestion, Name: "a", StartTime: after(1)},
	}, nil)
	e := &Engine{Store: s}
	for _, c := range []struct {
		version        Version
		question, want string
	}{
		{V1, q("traces", "count_count sum_observationsCount", "name", ""), `[{"name":"told","count_count":1,"sum_observationsCount":1}]`},
		{
			V1, q("observations", "count_count", "parentObservationId traceName", ""),
			`[{"parentObservationId":null,"traceName":"told","count_count":1}]`,
		},
		{V2, q("observations", "count_count", "", ""), `[{"count_count":2}]`},
	} {
		if got := answerOf(t, e, c.version, c.question); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.question, got, c.want)
		}
	}
	days, err := e.Daily(t.Context(), project, new(DailyQuery))
	if err != nil || len(days) != 1 || days[0].Observations != 1 || days[0].Traces != 1 {
		t.Errorf("%+v, %v", days, err)
	}
}
