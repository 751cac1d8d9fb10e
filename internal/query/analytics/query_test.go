package analytics

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
)

// TestQueryIssues checks the form of each member of a query. Issues are as clients see them.
func TestQueryIssues(t *testing.T) {
	const (
		times  = `"fromTimestamp":"2026-03-04T00:00:00Z","toTimestamp":"2026-03-06T00:00:00Z"`
		valid  = `"view":"observations","metrics":[],` + times
		views  = `"values":["observations","scores-numeric","scores-categorical","scores-boolean"],"path":["query","view"],"message":"Invalid option: expected one of \"observations\"|\"scores-numeric\"|\"scores-categorical\"|\"scores-boolean\""}]`
		counts = `"values":["sum","avg","count","max","min","p50","p75","p90","p95","p99","histogram","uniq"],"path":["query","metrics",0,"aggregation"],` +
			`"message":"Invalid option: expected one of \"sum\"|\"avg\"|\"count\"|\"max\"|\"min\"|\"p50\"|\"p75\"|\"p90\"|\"p95\"|\"p99\"|\"histogram\"|\"uniq\""}]`
	)
	typed := func(expected, path, received string) string {
		return `[{"expected":"` + expected + `","code":"invalid_type","path":["query"` + path + `],"message":"Invalid input: expected ` +
			expected + `, received ` + received + `"}]`
	}
	for _, c := range []struct{ name, query, want string }{
		{"not an object", `5`, typed("object", "", "number")},
		{"null", `null`, typed("object", "", "null")},
		{"no view", `{"metrics":[],` + times + `}`, `[{"code":"invalid_value",` + views},
		{"an unknown view", `{"view":"traces","metrics":[],` + times + `}`, `[{"code":"invalid_value",` + views},
		{"dimensions are null", `{` + valid + `,"dimensions":null}`, typed("array", `,"dimensions"`, "null")},
		{"a dimension is a text", `{` + valid + `,"dimensions":["name"]}`, typed("object", `,"dimensions",0`, "string")},
		{"a dimension without a field", `{` + valid + `,"dimensions":[{}]}`, typed("string", `,"dimensions",0,"field"`, "undefined")},
		{"no metrics", `{"view":"observations",` + times + `}`, typed("array", `,"metrics"`, "undefined")},
		{
			"a metric without a measure", `{"view":"observations","metrics":[{"aggregation":"sum"}],` + times + `}`,
			typed("string", `,"metrics",0,"measure"`, "undefined"),
		},
		{
			"an unknown aggregation", `{"view":"observations","metrics":[{"measure":"count","aggregation":"median"}],` + times + `}`,
			`[{"code":"invalid_value",` + counts,
		},
		{"filters are null", `{` + valid + `,"filters":null}`, typed("array", `,"filters"`, "null")},
		{"filters are an object", `{` + valid + `,"filters":{}}`, typed("array", `,"filters"`, "object")},
		{
			"an unknown type", `{` + valid + `,"filters":[{"type":"regex","column":"name","operator":"=","value":"x"}]}`,
			`[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type","path":["query","filters",0,"type"],"message":"Invalid input"}]`,
		},
		{
			"matches is no operator", `{` + valid + `,"filters":[{"type":"string","column":"name","operator":"matches","value":"x"}]}`,
			`[{"code":"invalid_value","values":["=","contains","does not contain","starts with","ends with"],"path":["query","filters",0,"operator"],` +
				`"message":"Invalid option: expected one of \"=\"|\"contains\"|\"does not contain\"|\"starts with\"|\"ends with\""}]`,
		},
		{
			"a value of the wrong type", `{` + valid + `,"filters":[{"type":"string","column":"name","operator":"=","value":1}]}`,
			typed("string", `,"filters",0,"value"`, "number"),
		},
		{"an unknown granularity", `{` + valid +
			`,"timeDimension":{"granularity":"year"}}`, `[{"code":"invalid_value","values":["auto","minute","hour","day","week","month"],` +
			`"path":["query","timeDimension","granularity"],"message":"Invalid option: expected one of \"auto\"|\"minute\"|\"hour\"|\"day\"|\"week\"|\"month\""}]`},
		{
			"an unknown time zone", `{` + valid + `,"timeDimension":{"granularity":"day","timeZone":"Local"}}`,
			`[{"code":"custom","path":["query","timeDimension","timeZone"],"message":"timeZone must be the name of a time zone, such as Europe/Berlin"}]`,
		},
		{
			"a path as a time zone", `{` + valid + `,"timeDimension":{"granularity":"day","timeZone":"../../etc/passwd"}}`,
			`[{"code":"custom","path":["query","timeDimension","timeZone"],"message":"timeZone must be the name of a time zone, such as Europe/Berlin"}]`,
		},
		{
			"no time", `{"view":"observations","metrics":[],"toTimestamp":"2026-03-06T00:00:00Z"}`,
			typed("string", `,"fromTimestamp"`, "undefined"),
		},
		{
			"the end is not after the beginning",
			`{"view":"observations","metrics":[],"fromTimestamp":"2026-03-04T00:00:00Z","toTimestamp":"2026-03-04T00:00:00Z"}`,
			`[{"code":"custom","path":["query"],"message":"fromTimestamp must be before toTimestamp"}]`,
		},
		{"orderBy is an object", `{` + valid + `,"orderBy":{}}`, typed("array", `,"orderBy"`, "object")},
		{
			"a direction in capitals", `{` + valid +
				`,"orderBy":[{"field":"name","direction":"DESC"}]}`,
			`[{"code":"invalid_value","values":["asc","desc"],"path":["query","orderBy",0,"direction"],` +
				`"message":"Invalid option: expected one of \"asc\"|\"desc\""}]`,
		},
		{
			"an order without a field", `{` + valid + `,"orderBy":[{"direction":"asc"}]}`,
			typed("string", `,"orderBy",0,"field"`, "undefined"),
		},
		{
			"no bins", `{` + valid + `,"config":{"bins":0}}`,
			`[{"origin":"number","code":"too_small","minimum":1,"inclusive":true,"path":["query","config","bins"],"message":"Too small: expected number to be >=1"}]`,
		},
		{
			"too many bins", `{` + valid + `,"config":{"bins":101}}`,
			`[{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["query","config","bins"],"message":"Too big: expected number to be <=100"}]`,
		},
		{
			"a fraction of a bin", `{` + valid + `,"config":{"bins":1.5}}`,
			`[{"expected":"int","format":"safeint","code":"invalid_type","path":["query","config","bins"],"message":"Invalid input: expected int, received number"}]`,
		},
		{"bins as text", `{` + valid + `,"config":{"bins":"5"}}`, typed("number", `,"config","bins"`, "string")},
		{
			"no rows", `{` + valid + `,"config":{"row_limit":0}}`,
			`[{"origin":"number","code":"too_small","minimum":1,"inclusive":true,"path":["query","config","row_limit"],"message":"Too small: expected number to be >=1"}]`,
		},
		{
			"too many rows", `{` + valid + `,"config":{"row_limit":1001}}`,
			`[{"origin":"number","code":"too_big","maximum":1000,"inclusive":true,"path":["query","config","row_limit"],"message":"Too big: expected number to be <=1000"}]`,
		},
		{
			"too many dimensions", `{` + valid + `,"dimensions":[` + strings.Repeat(`{"field":"a"},`, 100) + `{"field":"a"}]}`,
			`[{"origin":"array","code":"too_big","maximum":100,"inclusive":true,"path":["query","dimensions"],"message":"Too big: expected array to have <=100 items"}]`,
		},
		{
			"a long name", `{` + valid + `,"dimensions":[{"field":"` + strings.Repeat("a", 201) + `"}]}`,
			`[{"origin":"string","code":"too_big","maximum":200,"inclusive":true,"path":["query","dimensions",0,"field"],"message":"Too big: expected string to have <=200 characters"}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadQuery(c.query, V2)
			var invalid *decode.Invalid
			if !errors.As(err, &invalid) {
				t.Fatalf("%s: %v", c.query, err)
			}
			got, err := json.Marshal(invalid.Issues)
			if err != nil {
				t.Fatal(err)
			}
			var gotValue, wantValue any
			if json.Unmarshal(got, &gotValue) != nil || json.Unmarshal([]byte(c.want), &wantValue) != nil {
				t.Fatalf("not JSON: %s", c.want)
			}
			if diff := cmp.Diff(wantValue, gotValue); diff != "" {
				t.Errorf("%s\n%s", got, diff)
			}
		})
	}
}

func TestDatetimeIssue(t *testing.T) {
	_, err := ReadQuery(`{"view":"observations","metrics":[],"fromTimestamp":"2026-03-04","toTimestamp":"2026-03-06T00:00:00Z"}`, V2)
	if err == nil || !strings.Contains(err.Error(), "Invalid ISO datetime") {
		t.Errorf("a date alone: %v", err)
	}
}

// TestIssuesInOrder reads a query in which every member is wrong.
func TestIssuesInOrder(t *testing.T) {
	_, err := ReadQuery(`{"view":1,"dimensions":1,"metrics":1,"filters":1,"timeDimension":1,"fromTimestamp":1,"toTimestamp":1,"orderBy":1,"config":1}`, V2)
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	var members []any
	for _, issue := range invalid.Issues {
		members = append(members, issue.Path[1])
	}
	want := []any{"view", "dimensions", "metrics", "filters", "timeDimension", "fromTimestamp", "toTimestamp", "orderBy", "config"}
	if diff := cmp.Diff(want, members); diff != "" {
		t.Error(diff)
	}
}

func TestReadQuery(t *testing.T) {
	got, err := ReadQuery(`{"view":"observations","dimensions":[{"field":"name","more":1},{"field":"level"},{"field":"name"}],"unknown":{},`+
		`"metrics":[{"measure":"count","aggregation":"sum"},{"measure":"count","aggregation":"sum"}],"filters":[{"type":"positionInTrace","column":"","operator":"="}],`+
		`"timeDimension":{"granularity":"hour"},"fromTimestamp":"2026-03-04T00:00Z","toTimestamp":"2026-03-06T00:00:00.1239+01:00",`+
		`"orderBy":[{"field":"a","direction":"desc"},{"field":"b","direction":"asc"}],"config":{"bins":3,"row_limit":7}}`, V2)
	if err != nil {
		t.Fatal(err)
	}
	want := &Query{
		Version: V2, View: "observations", Dimensions: []string{"name", "level"}, Metrics: []Metric{{"count", "sum"}}, Granularity: "hour",
		From: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 5, 23, 0, 0, 123e6, time.UTC),
		Order: []Order{{"a", true}, {"b", false}}, Bins: 3, RowLimit: 7,
	}
	if len(got.Filters) != 0 {
		t.Errorf("%d filters", len(got.Filters))
	}
	got.Filters = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, err = ReadQuery(`{"view":"traces","metrics":[],"timeDimension":null,"orderBy":null,"fromTimestamp":"2026-03-04T00:00Z","toTimestamp":"2026-03-06T00:00Z"}`, V1)
	if err != nil || got.View != "traces" || got.Granularity != "" || got.Order != nil || got.Bins != 10 || got.RowLimit != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestQueryBounds(t *testing.T) {
	for _, c := range []struct{ name, query, want string }{
		{"no JSON", `{nope`, ErrNotJSON.Error()},
		{"nothing", ``, ErrNotJSON.Error()},
		{"deep", strings.Repeat("[", 300) + strings.Repeat("]", 300), ErrNotJSON.Error()},
		{"long", strings.Repeat(" ", maxQueryBytes) + "1", "The query is longer than 131072 bytes."},
		{
			"a long filter", q("observations", "", "", `"filters":[`+strings.Repeat(" ", 70_000)+`]`),
			"The filter is longer than 65536 bytes.",
		},
	} {
		if _, err := ReadQuery(c.query, V2); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
