package analytics

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestOrder(t *testing.T) {
	ordered := func(name, metrics, dimensions, order, want string) answerCase {
		return answerCase{name, q("observations", metrics, dimensions, order), want}
	}
	checkAnswers(t, V2, []answerCase{
		ordered("by the first metric, descending", "sum_totalTokens count_count", "type", "",
			`[{"type":"GENERATION","sum_totalTokens":30,"count_count":2},{"type":"EVENT","sum_totalTokens":0,"count_count":1},{"type":"SPAN","sum_totalTokens":0,"count_count":1}]`),
		ordered("by the first dimension without metrics", "", "type", "",
			`[{"type":"EVENT","count":1},{"type":"GENERATION","count":2},{"type":"SPAN","count":1}]`),
		ordered("a histogram orders nothing", "histogram_count", "type", "",
			`[{"type":"EVENT","histogram_count":[[1,1,1]]},{"type":"GENERATION","histogram_count":[[1,1,2]]},{"type":"SPAN","histogram_count":[[1,1,1]]}]`),
		ordered("null is last", "max_latency", "type", "",
			`[{"type":"SPAN","max_latency":2000},{"type":"GENERATION","max_latency":1000},{"type":"EVENT","max_latency":null}]`),
		ordered("null is last, ascending", "max_latency", "type", `"orderBy":[{"field":"max_latency","direction":"asc"}]`,
			`[{"type":"GENERATION","max_latency":1000},{"type":"SPAN","max_latency":2000},{"type":"EVENT","max_latency":null}]`),
		ordered("by a dimension with null, descending", "", "providedModelName",
			`"orderBy":[{"field":"providedModelName","direction":"desc"}]`,
			`[{"providedModelName":"m2","count":1},{"providedModelName":"m1","count":2},{"providedModelName":null,"count":1}]`),
		ordered("by two fields", "count_count", "type level",
			`"orderBy":[{"field":"level","direction":"desc"},{"field":"count_count","direction":"asc"}]`,
			`[{"type":"GENERATION","level":"ERROR","count_count":1},{"type":"EVENT","level":"DEFAULT","count_count":1},{"type":"GENERATION","level":"DEFAULT","count_count":1},{"type":"SPAN","level":"DEFAULT","count_count":1}]`),
		ordered("an empty order is none", "count_count", "level", `"orderBy":[]`,
			`[{"level":"DEFAULT","count_count":3},{"level":"ERROR","count_count":1}]`),
		ordered("a limit", "count_count", "type", `"config":{"row_limit":1}`, `[{"type":"GENERATION","count_count":2}]`),
		ordered("numbers", "", "promptVersion", `"orderBy":[{"field":"promptVersion","direction":"asc"}]`,
			`[{"promptVersion":2,"count":1},{"promptVersion":null,"count":3}]`),
	})
}

func TestTime(t *testing.T) {
	cut := func(granularity, more, want string) answerCase {
		if more != "" {
			more = "," + more
		}
		return answerCase{granularity, q("observations", "count_count", "", `"timeDimension":{"granularity":"`+granularity+`"}`+more), want}
	}
	checkAnswers(t, V2, []answerCase{
		cut("day", "", `[{"time_dimension":"2026-03-04","count_count":3},{"time_dimension":"2026-03-05","count_count":1}]`),
		cut("day", `"fromTimestamp":"2026-03-03T23:00:00Z","toTimestamp":"2026-03-06T00:00:00Z"`,
			`[{"time_dimension":"2026-03-03","count_count":0},{"time_dimension":"2026-03-04","count_count":3},{"time_dimension":"2026-03-05","count_count":1}]`),
		// The last bucket is not filled in, but is included if it has rows.
		cut("day", `"fromTimestamp":"2026-03-04T00:00:00Z","toTimestamp":"2026-03-06T23:00:00Z"`,
			`[{"time_dimension":"2026-03-04","count_count":3},{"time_dimension":"2026-03-05","count_count":1}]`),
		cut("day", `"fromTimestamp":"2026-03-04T00:00:00Z","toTimestamp":"2026-03-05T12:00:00Z"`,
			`[{"time_dimension":"2026-03-04","count_count":3},{"time_dimension":"2026-03-05","count_count":1}]`),
		cut("hour", `"fromTimestamp":"2026-03-04T11:30:00Z","toTimestamp":"2026-03-04T14:30:00Z"`,
			`[{"time_dimension":"2026-03-04T11:00:00Z","count_count":0},{"time_dimension":"2026-03-04T12:00:00Z","count_count":2},{"time_dimension":"2026-03-04T13:00:00Z","count_count":1}]`),
		cut("minute", `"fromTimestamp":"2026-03-04T11:59:00Z","toTimestamp":"2026-03-04T12:01:30Z"`,
			`[{"time_dimension":"2026-03-04T11:59:00Z","count_count":0},{"time_dimension":"2026-03-04T12:00:00Z","count_count":2}]`),
		cut("week", `"fromTimestamp":"2026-03-01T00:00:00Z","toTimestamp":"2026-03-09T00:00:00Z"`,
			`[{"time_dimension":"2026-02-23","count_count":0},{"time_dimension":"2026-03-02","count_count":4}]`),
		cut("month", `"fromTimestamp":"2026-01-31T00:00:00Z","toTimestamp":"2026-04-30T00:00:00Z"`,
			`[{"time_dimension":"2026-01-01","count_count":0},{"time_dimension":"2026-02-01","count_count":0},{"time_dimension":"2026-03-01","count_count":4},{"time_dimension":"2026-04-01","count_count":1}]`),
		{
			"days in a time zone",
			q("observations", "count_count", "", `"timeDimension":{"granularity":"day","timeZone":"Pacific/Kiritimati"},`+
				`"fromTimestamp":"2026-03-03T10:00:00Z","toTimestamp":"2026-03-06T10:00:00Z"`),
			`[{"time_dimension":"2026-03-04","count_count":0},{"time_dimension":"2026-03-05","count_count":3},{"time_dimension":"2026-03-06","count_count":1}]`,
		},
		// With an order given by the client, gaps are not filled.
		cut("hour", `"orderBy":[{"field":"time_dimension","direction":"desc"}]`,
			`[{"time_dimension":"2026-03-05T12:00:00Z","count_count":1},{"time_dimension":"2026-03-04T13:00:00Z","count_count":1},{"time_dimension":"2026-03-04T12:00:00Z","count_count":2}]`),
		{
			"filled where no value has a row",
			q("observations", "count_count", "level",
				`"timeDimension":{"granularity":"hour"},"fromTimestamp":"2026-03-04T12:00:00Z","toTimestamp":"2026-03-04T15:00:00Z"`),
			`[{"level":"DEFAULT","time_dimension":"2026-03-04T12:00:00Z","count_count":2},{"level":"ERROR","time_dimension":"2026-03-04T13:00:00Z","count_count":1},{"level":"","time_dimension":"2026-03-04T14:00:00Z","count_count":0}]`,
		},
	})
}

// TestLimitOfRows checks how many rows of a long series are returned.
func TestLimitOfRows(t *testing.T) {
	e := engines(t)["by the store"]
	rows := func(version Version, question string) int {
		return strings.Count(answerOf(t, e, version, question), "time_dimension")
	}
	series := q("observations", "count_count", "", `"timeDimension":{"granularity":"minute"}`)
	if got := rows(V2, series); got != 100 {
		t.Errorf("%d rows by default", got)
	}
	if got := rows(V2, strings.TrimSuffix(series, "}")+`,"config":{"row_limit":1000}}`); got != 1000 {
		t.Errorf("%d rows of 1000", got)
	}
	if got := rows(V1, series); got != 2*24*60 {
		t.Errorf("%d rows without a limit", got)
	}
	long := strings.ReplaceAll(series, "2026-03-04", "1026-03-04")
	if got := rows(V2, long); got != 100 {
		t.Errorf("%d rows of a thousand years", got)
	}
	if got, want := answerOf(t, e, V1, long), tooManyRows(maxGroups).Error(); got != want {
		t.Errorf("a thousand years of minutes: %s", got)
	}
}

func hours(n float64) time.Duration { return time.Duration(n * float64(time.Hour)) }

func TestAuto(t *testing.T) {
	for _, c := range []struct {
		hours float64
		want  string
	}{
		{1, "minute"},
		{1.9, "minute"},
		{2, "hour"},
		{71.9, "hour"},
		{72, "day"},
		{1439.9, "day"},
		{1440, "week"},
		{8759.9, "week"},
		{8760, "month"},
		{2e6, "month"},
	} {
		query := &Query{Granularity: "auto", From: noon.Time()}
		query.To = query.From.Add(hours(c.hours))
		want := cutOf(&Query{Granularity: c.want})
		got := cutOf(query)
		at := noon.Millis() + 12345678
		gotStart, gotEnd := got.buckets(at)
		if start, end := want.buckets(at); gotStart != start || gotEnd != end || got.layout != want.layout {
			t.Errorf("%v hours: not in buckets of a %s", c.hours, c.want)
		}
	}
	if cutOf(&Query{}) != nil {
		t.Error("time is cut without a granularity")
	}
}

// TestHistogram puts values into bins.
func TestHistogram(t *testing.T) {
	e := engines(t)["by the store"]
	for _, c := range []struct{ bins, want string }{
		{"", "[[0,0.125,1],[0.125,0.375,1],[0.375,0.75,1],[0.75,2,2],[2,3,1]]"},
		{`"config":{"bins":3}`, "[[0,0.625,3],[0.625,2,2],[2,3,1]]"},
		{`"config":{"bins":1}`, "[[0,3,6]]"},
	} {
		want := fmt.Sprintf(`[{"histogram_value":%s}]`, c.want)
		if got := answerOf(t, e, V2, q("scores-numeric", "histogram_value", "", c.bins)); got != want {
			t.Errorf("%s: got %s, want %s", c.bins, got, want)
		}
	}
}
