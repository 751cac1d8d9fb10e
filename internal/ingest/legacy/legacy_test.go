package legacy

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/pricing"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

var scope = domain.OfProject("p")

// prices are the built-in prices, which are read-only.
var prices = sync.OnceValue(func() *pricing.List {
	list, err := pricing.Default()
	if err != nil {
		panic(err)
	}
	return list
})

// bench is an ingester with a store in memory.
type bench struct {
	t     testing.TB
	in    *Ingester
	table Table
	now   time.Time
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, table: storetest.NewModel().Observations(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.in = New(Options{
		Table: b.table, Lock: store.LockObservations(nil, nil).Lock, Prices: prices(), Memory: ingest.NewBudget(64<<20, time.Second),
		Clock: func() time.Time { return b.now },
	})
	return b
}

// ev returns an event that happened the given number of seconds after noon.
// TestPublishingNeedsAPermission sends events that publish a trace, with and without the permission. Without it they
// change nothing about who can read the trace.
func TestPublishingNeedsAPermission(t *testing.T) {
	b := newBench(t)
	private := func(e Event) Event {
		e.MayPublish = false
		return e
	}
	for n, c := range []struct {
		event Event
		want  bool
	}{
		{private(ev(1, "trace-create", `{"id":"T","name":"a","public":true}`)), false},
		{ev(2, "trace-create", `{"id":"T","name":"b","public":true}`), true},
		{private(ev(3, "trace-create", `{"id":"T","name":"c","public":true}`)), true},
		{private(ev(4, "trace-create", `{"id":"T","name":"d","public":false}`)), false},
	} {
		b.send(c.event)
		if o := b.row("T", "t-T"); o.Public != c.want || o.Name != string(rune('a'+n)) {
			t.Errorf("after event %d: public is %v, the name is %q", n, o.Public, o.Name)
		}
	}
}

func ev(second int, kind, body string) Event {
	return Event{ID: "e", Type: kind, Timestamp: at(second), Body: json.RawMessage(body), MayPublish: true}
}

func at(second int) domain.Micros {
	return domain.MicrosOf(time.Date(2026, 3, 1, 12, 0, second, 0, time.UTC))
}

func (b *bench) try(events ...Event) []error {
	b.t.Helper()
	return b.in.Ingest(b.t.Context(), scope, "pk", events)
}

// send stores events in one batch, all of which must succeed.
func (b *bench) send(events ...Event) {
	b.t.Helper()
	for n, err := range b.try(events...) {
		if err != nil {
			b.t.Fatalf("%s %s: %v", events[n].Type, events[n].Body, err)
		}
	}
}

// rows returns the rows of a trace by their ids.
func (b *bench) rows(trace string) map[string]domain.Observation {
	b.t.Helper()
	all := make(map[string]domain.Observation)
	for row, err := range b.table.Lookup(b.t.Context(), scope, store.Lookup{TraceIDs: []string{trace}, Want: store.WantAll}) {
		if err != nil {
			b.t.Fatal(err)
		}
		all[row.ID] = row.Clone()
	}
	return all
}

// row returns a row that must exist.
func (b *bench) row(trace, id string) domain.Observation {
	b.t.Helper()
	row, ok := b.rows(trace)[id]
	if !ok {
		b.t.Fatalf("there is no row %s of trace %s", id, trace)
	}
	return row
}

// base returns an observation with the values that rows have in these tests by default.
func base(change func(*domain.Observation)) domain.Observation {
	noon := at(0)
	row := domain.Observation{
		TraceID: "T", ID: "o", Type: "SPAN", Environment: "default", Level: "DEFAULT", StartTime: at(1), CreatedAt: noon, UpdatedAt: noon,
		Source: "ingestion", IngestionKey: "pk", SDKName: "unknown", SDKVersion: "unknown",
	}
	change(&row)
	return row
}

// TestRows tests the row for one event of each type.
func TestRows(t *testing.T) {
	const common = `"id":"o","traceId":"T","name":"n","environment":"Prod","startTime":"2026-03-01T12:00:02.5Z","metadata":{"a":{"b":1},"c":"x"},` +
		`"input":{"q": 1},"output":"text","level":"WARNING","statusMessage":"m","parentObservationId":"p","version":"v"`
	commonly := func(o *domain.Observation) {
		o.Name, o.Environment, o.StartTime, o.Metadata = "n", "prod", at(2)+500_000, `{"a.b":1,"c":"x"}`
		o.Input, o.Output, o.Level, o.StatusMessage, o.ParentID, o.Version = `{"q":1}`, "text", "WARNING", "m", "p", "v"
	}
	const timed = common + `,"endTime":"2026-03-01T13:00:05+01:00"`
	const priced = timed +
		`,"completionStartTime":"2026-03-01T12:00:03Z","model":"no such model","modelParameters":{"temperature":1.5,"stop":["a"]},` +
		`"usageDetails":{"input":3,"output":4},"costDetails":{"input":0.25,"output":0.5},"promptName":"pn","promptVersion":2`
	isPriced := func(o *domain.Observation) {
		commonly(o)
		o.EndTime, o.CompletionStartTime, o.Model, o.ModelParameters = at(5), at(3), "no such model", `{"temperature":1.5,"stop":"[\"a\"]"}`
		o.ProvidedUsage, o.Usage = `{"input":3,"output":4}`, `{"input":3,"output":4,"total":7}`
		o.ProvidedCost, o.Cost = `{"input":0.25,"output":0.5}`, `{"input":0.25,"output":0.5,"total":0.75}`
		o.InputTokens, o.OutputTokens, o.TotalTokens = 3, 4, domain.IntOf(7)
		o.InputCost, o.OutputCost, o.TotalCost = 0.25, 0.5, domain.FloatOf(0.75)
		o.PromptName, o.PromptVersion = "pn", domain.IntOf(2)
	}
	cases := []struct {
		name string
		kind string
		body string
		want func(*domain.Observation)
	}{
		{"an event", "event-create", common, func(o *domain.Observation) { commonly(o); o.Type = "EVENT" }},
		{"an event has no end", "event-create", timed, func(o *domain.Observation) { commonly(o); o.Type = "EVENT" }},
		{"a span", "span-create", timed, func(o *domain.Observation) { commonly(o); o.EndTime = at(5) }},
		{"a span has no usage", "span-create", priced, func(o *domain.Observation) { commonly(o); o.EndTime = at(5) }},
		{"an update alone", "span-update", timed, func(o *domain.Observation) { commonly(o); o.EndTime = at(5) }},
		{
			"an update alone that does not tell the start", "span-update", `"id":"o","traceId":"T"`,
			func(o *domain.Observation) { o.Source = "ingestion-early" },
		},
		{"a span and nothing else", "span-create", `"id":"o","traceId":"T"`, func(*domain.Observation) {}},
		{
			"all null", "generation-create",
			`"id":"o","traceId":"T","name":null,"environment":null,"startTime":null,"metadata":null,"input":null,"output":null,"level":null,"statusMessage":null,"parentObservationId":null,"version":null,"endTime":null,"completionStartTime":null,"model":null,"modelParameters":null,"usage":null,"usageDetails":null,"costDetails":null,"promptName":null,"promptVersion":null`, func(o *domain.Observation) { o.Type = "GENERATION" },
		},
		{"no trace", "span-create", `"id":"o"`, func(o *domain.Observation) { o.TraceID = "o" }},
		{
			"an end before the start", "span-create",
			`"id":"o","traceId":"T","startTime":"2026-03-01T12:00:02Z","endTime":"2026-03-01T12:00:01Z"`,
			func(o *domain.Observation) { o.StartTime, o.EndTime = at(2), at(2) },
		},
		{
			"the beginning of 1970", "span-create", `"id":"o","traceId":"T","startTime":"1970-01-01T00:00:00Z"`,
			func(o *domain.Observation) { o.StartTime = 1 },
		},
		{
			"metadata that are a text", "span-create", `"id":"o","traceId":"T","metadata":"x"`,
			func(o *domain.Observation) { o.Metadata = `{"metadata":"x"}` },
		},
		{"tools", "generation-create", `"id":"o","traceId":"T","input":{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}`, func(o *domain.Observation) {
			o.Type, o.Input = "GENERATION", `{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}`
			o.ToolDefinitions, o.ToolNames = `{"f":"{\"description\":\"\",\"parameters\":\"\"}"}`, []string{"f"}
		}},
		{"a generation", "generation-create", priced, func(o *domain.Observation) { isPriced(o); o.Type = "GENERATION" }},
		{
			"an old observation", "observation-create", priced + `,"type":"EVENT"`,
			func(o *domain.Observation) { isPriced(o); o.Type = "EVENT" },
		},
		{
			"an update of an old observation", "observation-update", priced + `,"type":"GENERATION"`,
			func(o *domain.Observation) { isPriced(o); o.Type = "GENERATION" },
		},
	}
	for _, kind := range []string{"agent", "tool", "chain", "retriever", "evaluator", "embedding", "guardrail"} {
		cases = append(cases, struct {
			name, kind, body string
			want             func(*domain.Observation)
		}{kind, kind + "-create", priced, func(o *domain.Observation) { isPriced(o); o.Type = strings.ToUpper(kind) }})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.send(ev(1, c.kind, "{"+c.body+"}"))
			want := base(c.want)
			if diff := cmp.Diff(want, b.row(want.TraceID, "o")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTraceRow(t *testing.T) {
	b := newBench(t)
	b.send(ev(1, "trace-create",
		`{"id":"T","timestamp":"2026-03-01T11:00:00Z","name":"n","input":"i","output":[1],"sessionId":"s","userId":"u","environment":"prod","metadata":{"k":{"l":true}},"release":"r","version":"v","public":true,"tags":["b","a","b"],"externalId":"x"}`))
	want := base(func(o *domain.Observation) {
		o.ID, o.Source, o.StartTime, o.Environment = "t-T", "ingestion-trace", at(-3600), "prod"
		o.Name, o.TraceName, o.Input, o.Output, o.Metadata = "n", "n", "i", "[1]", `{"k.l":true}`
		o.UserID, o.SessionID, o.Release, o.Version, o.Public, o.Tags = "u", "s", "r", "v", true, []string{"a", "b"}
	})
	if diff := cmp.Diff(map[string]domain.Observation{"t-T": want}, b.rows("T")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestIDsAreMade sends events that may omit the id.
func TestIDsAreMade(t *testing.T) {
	b := newBench(t)
	b.send(ev(1, "trace-create", `{"name":"n"}`), ev(1, "observation-create", `{"type":"SPAN"}`),
		ev(1, "observation-create", `{"type":"SPAN","traceId":"T"}`))
	if rows := b.rows("T"); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestIssues tests the errors for invalid events.
func TestIssues(t *testing.T) {
	for _, c := range []struct {
		name, kind, body, want string
	}{
		{
			"no body", "span-create", ``,
			`[{"expected":"object","code":"invalid_type","path":["body"],"message":"Invalid input: expected object, received undefined"}]`,
		},
		{
			"a list", "span-create", `[]`,
			`[{"expected":"object","code":"invalid_type","path":["body"],"message":"Invalid input: expected object, received array"}]`,
		},
		{
			"no id", "span-create", `{}`,
			`[{"expected":"string","code":"invalid_type","path":["body","id"],"message":"Invalid input: expected string, received undefined"}]`,
		},
		{
			"an empty id", "generation-update", `{"id":""}`,
			`[{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["body","id"],"message":"Too small: expected string to have >=1 characters"}]`,
		},
		{
			"a long id", "event-create", `{"id":"` + strings.Repeat("x", 801) + `"}`,
			`[{"origin":"string","code":"too_big","maximum":800,"inclusive":true,"path":["body","id"],"message":"Too big: expected string to have <=800 characters"}]`,
		},
		{
			"a carriage return", "event-create", `{"id":"a\rb"}`,
			`[{"code":"custom","path":["body","id"],"message":"ID must not contain carriage returns"}]`,
		},
		{
			"a trace id", "event-create", `{"id":"a","traceId":""}`,
			`[{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["body","traceId"],"message":"Too small: expected string to have >=1 characters"}]`,
		},
		{
			"the id of the trace", "event-create", `{"id":"t-T","traceId":"T"}`,
			`[{"code":"custom","path":["body","id"],"message":"The id t-<trace id> is that of the trace itself"}]`,
		},
		{
			"a long name of a trace", "trace-create", `{"name":"` + strings.Repeat("x", 1001) + `"}`,
			`[{"origin":"string","code":"too_big","maximum":1000,"inclusive":true,"path":["body","name"],"message":"Too big: expected string to have <=1000 characters"}]`,
		},
		{
			"a long user", "trace-create", `{"userId":"` + strings.Repeat("x", 1001) + `"}`,
			`[{"origin":"string","code":"too_big","maximum":1000,"inclusive":true,"path":["body","userId"],"message":"Too big: expected string to have <=1000 characters"}]`,
		},
		{
			"types of a trace", "trace-create", `{"name":1,"sessionId":[],"public":"yes","tags":["a",1]}`,
			`[{"expected":"string","code":"invalid_type","path":["body","name"],"message":"Invalid input: expected string, received number"},{"expected":"string","code":"invalid_type","path":["body","sessionId"],"message":"Invalid input: expected string, received array"},{"expected":"boolean","code":"invalid_type","path":["body","public"],"message":"Invalid input: expected boolean, received string"},{"expected":"string","code":"invalid_type","path":["body","tags",1],"message":"Invalid input: expected string, received number"}]`,
		},
		{
			"long tags", "trace-create", `{"id":"T","tags":["` + strings.Repeat("x", 8193) + `"]}`,
			`[{"code":"custom","path":["body","tags"],"message":"The tags of a trace may be 1000 and have 8192 bytes together; these would be 1 with 8193 bytes"}]`,
		},
		{
			"many tags", "trace-create", `{"tags":["a"` + strings.Repeat(`,"a"`, 1000) + `]}`,
			`[{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["body","tags"],"message":"Too big: expected array to have <=1000 items"}]`,
		},
		{
			"a level", "span-create", `{"id":"a","level":"error"}`,
			`[{"code":"invalid_value","values":["DEBUG","DEFAULT","WARNING","ERROR"],"path":["body","level"],"message":"Invalid option: expected one of \"DEBUG\"|\"DEFAULT\"|\"WARNING\"|\"ERROR\""}]`,
		},
		{
			"a type", "observation-create", `{"type":"AGENT"}`,
			`[{"code":"invalid_value","values":["GENERATION","SPAN","EVENT"],"path":["body","type"],"message":"Invalid option: expected one of \"GENERATION\"|\"SPAN\"|\"EVENT\""}]`,
		},
		{
			"usage", "generation-create", `{"id":"a","usage":{"input":1.5,"unit":3,"inputCost":"1"}}`,
			`[{"expected":"int","format":"safeint","code":"invalid_type","path":["body","usage","input"],"message":"Invalid input: expected int, received number"},{"expected":"string","code":"invalid_type","path":["body","usage","unit"],"message":"Invalid input: expected string, received number"},{"expected":"number","code":"invalid_type","path":["body","usage","inputCost"],"message":"Invalid input: expected number, received string"}]`,
		},
		{
			"usage that is no object", "generation-create", `{"id":"a","usage":3}`,
			`[{"expected":"object","code":"invalid_type","path":["body","usage"],"message":"Invalid input: expected object, received number"}]`,
		},
		{
			"cost", "generation-create", `{"id":"a","costDetails":{"input":"1"}}`,
			`[{"expected":"number","code":"invalid_type","path":["body","costDetails","input"],"message":"Invalid input: expected number, received string"}]`,
		},
		{
			"costs that are no object", "generation-create", `{"id":"a","costDetails":[]}`,
			`[{"expected":"record","code":"invalid_type","path":["body","costDetails"],"message":"Invalid input: expected record, received array"}]`,
		},
		{
			"parameters", "generation-create", `{"id":"a","modelParameters":"x"}`,
			`[{"expected":"record","code":"invalid_type","path":["body","modelParameters"],"message":"Invalid input: expected record, received string"}]`,
		},
		{
			"a prompt without a version", "generation-create", `{"id":"a","promptName":"x"}`,
			`[{"code":"custom","path":["body"],"message":"Invalid input"}]`,
		},
		{
			"a version without a prompt", "generation-create", `{"id":"a","promptVersion":1}`,
			`[{"code":"custom","path":["body"],"message":"Invalid input"}]`,
		},
		{
			"a version that is too large", "generation-create", `{"id":"a","promptName":"x","promptVersion":65536}`,
			`[{"origin":"number","code":"too_big","maximum":65535,"inclusive":true,"path":["body","promptVersion"],"message":"Too big: expected number to be <=65535"}]`,
		},
		{
			"an unknown type", "nope", `{}`,
			`[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type","path":["type"],"message":"Invalid input"}]`,
		},
		{
			"an item of a run", "dataset-run-item-create", `{}`,
			`[{"code":"custom","path":[],"message":"Dataset run item creation is only allowed for internal usage"}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := newBench(t).try(ev(1, c.kind, c.body))[0]
			if got := issuesOfError(t, err); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
	t.Run("a time", func(t *testing.T) {
		err := newBench(t).try(ev(1, "span-create", `{"id":"a","startTime":"2026-03-01","endTime":7}`))[0]
		got := issuesOfError(t, err)
		for _, part := range []string{
			`"path":["body","startTime"],"message":"Invalid ISO datetime"`,
			`"path":["body","endTime"],"message":"Invalid input: expected string, received number"`,
		} {
			if !strings.Contains(got, part) {
				t.Errorf("%s lacks %s", got, part)
			}
		}
	})
}

func issuesOfError(t *testing.T, err error) string {
	t.Helper()
	invalid, ok := errors.AsType[*decode.Invalid](err)
	if !ok {
		t.Fatalf("no issues but %v", err)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(invalid.Issues); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TestOneBadEvent checks that an invalid event does not affect the others.
func TestOneBadEvent(t *testing.T) {
	b := newBench(t)
	errs := b.try(ev(1, "span-create", `{"id":"a","traceId":"T"}`), ev(1, "span-create", `{"id":7}`),
		ev(1, "span-create", `{"id":"b","traceId":"T"}`))
	if errs[0] != nil || errs[1] == nil || errs[2] != nil || len(b.rows("T")) != 2 {
		t.Errorf("%v, %d rows", errs, len(b.rows("T")))
	}
}

// TestUsage tests the formats of usage and cost.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		name, body      string
		usage, provided string
		cost            string
	}{
		{
			"counts", `"usage":{"input":1,"output":2,"total":5,"unit":"TOKENS"}`, `{"input":1,"output":2,"total":5}`,
			`{"input":1,"output":2,"total":5}`, ``,
		},
		{"no total", `"usage":{"input":1,"output":2}`, `{"input":1,"output":2,"total":3}`, `{"input":1,"output":2}`, ``},
		{
			"counts and costs", `"usage":{"input":1,"inputCost":0.5,"outputCost":0.25,"totalCost":2}`, `{"input":1,"total":1}`,
			`{"input":1}`, `{"input":0.5,"output":0.25,"total":2}`,
		},
		{
			"names of OpenAI", `"usage":{"promptTokens":1,"completionTokens":2,"totalTokens":3}`, `{"input":1,"output":2,"total":3}`,
			`{"input":1,"output":2,"total":3}`, ``,
		},
		{"both", `"usage":{"input":9,"promptTokens":1}`, `{"input":1,"total":1}`, `{"input":1}`, ``},
		{"null", `"usage":{"input":null,"output":2}`, `{"output":2,"total":2}`, `{"output":2}`, ``},
		{"less than nothing", `"usage":{"input":-1,"output":2}`, `{"output":2,"total":2}`, `{"output":2}`, ``},
		{"zero", `"usage":{"input":0}`, `{"input":0,"total":0}`, `{"input":0}`, ``},
		{
			"kinds", `"usageDetails":{"input":1,"cache_read":2,"gone":null}`, `{"input":1,"cache_read":2,"total":3}`,
			`{"input":1,"cache_read":2}`, ``,
		},
		{
			"kinds outweigh counts", `"usage":{"input":9,"output":2},"usageDetails":{"input":1}`, `{"input":1,"output":2,"total":3}`,
			`{"input":1,"output":2}`, ``,
		},
		{
			"an answer of OpenAI",
			`"usageDetails":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8,"prompt_tokens_details":{"cached":2},"completion_tokens_details":null}`, `{"input":3,"output":3,"total":8,"input_cached":2}`, `{"input":3,"output":3,"total":8,"input_cached":2}`, ``,
		},
		{
			"an answer of OpenAI's Responses",
			`"usageDetails":{"input_tokens":5,"output_tokens":3,"total_tokens":8,"output_tokens_details":{"reasoning":1}}`,
			`{"input":5,"output":2,"total":8,"output_reasoning":1}`, `{"input":5,"output":2,"total":8,"output_reasoning":1}`, ``,
		},
		{
			"nearly an answer of OpenAI", `"usageDetails":{"prompt_tokens":5,"completion_tokens":3}`,
			`{"prompt_tokens":5,"completion_tokens":3,"total":8}`, `{"prompt_tokens":5,"completion_tokens":3}`, ``,
		},
		{"costs", `"costDetails":{"input":1,"x":2,"y":null}`, ``, ``, `{"input":1,"x":2}`},
		{
			"costs outweigh those of counts", `"usage":{"inputCost":5,"outputCost":1},"costDetails":{"input":2}`, ``, ``,
			`{"input":2,"output":1,"total":3}`,
		},
		{"nothing", `"usage":{},"usageDetails":{},"costDetails":{}`, ``, ``, ``},
		{
			"a price", `"model":"gpt-4o","usage":{"input":1000,"output":100}`, `{"input":1000,"output":100,"total":1100}`,
			`{"input":1000,"output":100}`, `{"input":0.0025,"output":0.001,"total":0.0035}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.send(ev(1, "generation-create", `{"id":"o","traceId":"T",`+c.body+`}`))
			row := b.row("T", "o")
			if row.Usage != c.usage || row.ProvidedUsage != c.provided || row.Cost != c.cost {
				t.Errorf("usage %s, provided %s, cost %s", row.Usage, row.ProvidedUsage, row.Cost)
			}
		})
	}
	for _, body := range []string{
		`{"input":-1}`, `{"input":"1"}`, `{"input":1.5}`,
		`{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2,"prompt_tokens_details":[]}`, `[]`, `3`,
	} {
		t.Run("refused "+body, func(t *testing.T) {
			got := issuesOfError(t, newBench(t).try(ev(1, "generation-create", `{"id":"o","usageDetails":`+body+`}`))[0])
			if !strings.HasPrefix(got, `[{"code":"invalid_union","errors":[[{`) ||
				!strings.HasSuffix(got, `"path":["body","usageDetails"],"message":"Invalid input"}]`) {
				t.Errorf("%s", got)
			}
		})
	}
}

// TestMerge tests several events about one trace or observation, sent in one batch and in separate batches.
func TestMerge(t *testing.T) {
	g := func(second int, kind, rest string) Event {
		return ev(second, kind, strings.TrimSuffix(`{"id":"o","traceId":"T",`+rest, ",")+`}`)
	}
	trace := func(second int, rest string) Event { return ev(second, "trace-create", `{"id":"T",`+rest+`}`) }
	type want = func(o *domain.Observation) bool
	for _, c := range []struct {
		name   string
		events []Event
		id     string
		want   want
	}{
		{
			"a value replaces",
			[]Event{g(1, "span-create", `"name":"a"`), g(2, "span-update", `"name":"b"`)},
			"o",
			func(o *domain.Observation) bool { return o.Name == "b" },
		},
		{
			"absent keeps",
			[]Event{g(1, "span-create", `"name":"a","version":"1"`), g(2, "span-update", `"version":"2"`)},
			"o",
			func(o *domain.Observation) bool { return o.Name == "a" && o.Version == "2" },
		},
		{"null clears", []Event{
			g(1, "span-create", `"name":"a","level":"ERROR","statusMessage":"m","endTime":"2026-03-01T12:00:09Z"`),
			g(2, "span-update", `"name":null,"level":null,"statusMessage":null,"endTime":null`),
		}, "o", func(o *domain.Observation) bool {
			return o.Name == "" && o.Level == "DEFAULT" && o.StatusMessage == "" && o.EndTime == 0
		}},
		{"empty objects change nothing", []Event{
			g(1, "generation-create",
				`"metadata":{"a":1},"input":{"a":1},"modelParameters":{"t":1},"usage":{"input":1},"costDetails":{"input":1}`),
			g(2, "generation-update", `"metadata":{},"input":{},"modelParameters":{},"usage":{},"usageDetails":{},"costDetails":{}`),
		}, "o", func(o *domain.Observation) bool {
			return o.Metadata == `{"a":1}` && o.Input == `{"a":1}` && o.ModelParameters == `{"t":1}` && o.ProvidedUsage == `{"input":1}` &&
				o.ProvidedCost == `{"input":1}`
		}},
		{
			"the last input that is not empty", []Event{
				g(1, "span-create", `"input":"a","output":"x"`), g(2, "span-update", `"input":"b","output":null`),
				g(3, "span-update", `"input":"","output":""`),
			}, "o", func(o *domain.Observation) bool { return o.Input == "b" && o.Output == "x" },
		},
		{
			"metadata are merged deeply", []Event{
				g(1, "span-create", `"metadata":{"a":{"b":1,"c":2},"d":[1,2],"k":"x"}`),
				g(2, "span-update", `"metadata":{"a":{"c":3,"e":{"f":4}},"d":[3]}`),
			}, "o", func(o *domain.Observation) bool { return o.Metadata == `{"a.b":1,"k":"x","a.c":3,"a.e.f":4,"d":[3]}` },
		},
		{
			"a value in place of an object", []Event{
				g(1, "span-create", `"metadata":{"a":{"b":1},"ab":2}`), g(2, "span-update", `"metadata":{"a":5}`),
			}, "o", func(o *domain.Observation) bool { return o.Metadata == `{"ab":2,"a":5}` },
		},
		{
			"an object in place of a value", []Event{
				g(1, "span-create", `"metadata":{"a":5}`), g(2, "span-update", `"metadata":{"a":{"b":{"c":1}}}`),
			}, "o", func(o *domain.Observation) bool { return o.Metadata == `{"a.b.c":1}` },
		},
		{
			"no metadata",
			[]Event{g(1, "span-create", `"metadata":{"a":5}`), g(2, "span-update", `"metadata":null`)},
			"o",
			func(o *domain.Observation) bool { return o.Metadata == "" },
		},
		{"usage replaces usage, and cost follows", []Event{
			g(1, "generation-create", `"model":"gpt-4o","usage":{"input":1000,"output":100}`),
			g(2, "generation-update", `"usage":{"input":2000}`),
		}, "o", func(o *domain.Observation) bool {
			return o.ProvidedUsage == `{"input":2000}` && o.Cost == `{"input":0.005,"total":0.005}` &&
				o.TotalTokens == domain.IntOf(2000) && o.OutputTokens == 0
		}},
		{"no usage", []Event{
			g(1, "generation-create", `"usage":{"input":1000},"costDetails":{"total":1}`),
			g(2, "generation-update", `"usage":null,"costDetails":null`),
		}, "o", func(o *domain.Observation) bool {
			return o.Usage == "" && o.Cost == "" && !o.TotalTokens.Set && !o.TotalCost.Set
		}},
		{"a model that comes later", []Event{
			g(1, "generation-create", `"usage":{"input":1000}`), g(2, "generation-update", `"model":"gpt-4o"`),
		}, "o", func(o *domain.Observation) bool {
			return o.Cost == `{"input":0.0025,"total":0.0025}` && o.ModelID != ""
		}},
		{"another model that nobody knows", []Event{
			g(1, "generation-create", `"model":"gpt-4o","usage":{"input":1000}`), g(2, "generation-update", `"model":"x"`),
		}, "o", func(o *domain.Observation) bool {
			return o.Cost == "" && o.ModelID == "" && o.PricingTierID == "" && o.InputCost == 0 && o.InputTokens == 1000
		}},
		{
			"tools of an output that was replaced", []Event{
				g(1, "generation-create",
					`"output":{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}`),
				g(2, "generation-update", `"output":"done"`),
			}, "o", func(o *domain.Observation) bool { return o.ToolCalls == "" && o.ToolCallNames == nil },
		},
		{
			"the start stays", []Event{
				g(1, "span-create", `"startTime":"2026-03-01T12:00:01Z"`), g(2, "span-update", `"startTime":"2026-03-01T12:00:05Z"`),
			}, "o", func(o *domain.Observation) bool { return o.StartTime == at(1) },
		},
		{
			"the environment stays",
			[]Event{g(1, "span-create", `"environment":"a"`), g(2, "span-update", `"environment":"b"`)},
			"o",
			func(o *domain.Observation) bool { return o.Environment == "a" },
		},
		{
			"the trace stays",
			[]Event{g(1, "span-create", `"name":"a"`), ev(2, "span-update", `{"id":"o","traceId":"U","name":"b"}`)},
			"o",
			func(o *domain.Observation) bool { return o.Name == "b" },
		},
		{
			"an update without its trace",
			[]Event{g(1, "span-create", `"name":"a"`), ev(2, "span-update", `{"id":"o","name":"b"}`)},
			"o",
			func(o *domain.Observation) bool { return o.Name == "b" },
		},
		{
			"a late end is raised", []Event{
				g(1, "span-create", `"startTime":"2026-03-01T12:00:05Z"`), g(2, "span-update", `"endTime":"2026-03-01T12:00:03Z"`),
			}, "o", func(o *domain.Observation) bool { return o.EndTime == at(5) },
		},
		{"the start of what was updated before", []Event{
			g(1, "span-update", `"output":"x","endTime":"2026-03-01T12:00:03Z"`), g(2, "span-create", `"startTime":"2026-03-01T12:00:00Z"`),
		}, "o", func(o *domain.Observation) bool {
			return o.StartTime == at(0) && o.EndTime == at(3) && o.Output == "x" && o.Source == "ingestion"
		}},
		{
			"the type of the create",
			[]Event{g(1, "agent-create", `"name":"a"`), g(2, "span-update", `"name":"b"`)},
			"o",
			func(o *domain.Observation) bool { return o.Type == "AGENT" && o.Name == "b" },
		},
		{
			"a span that turns out to be a generation", []Event{
				g(1, "span-create", `"name":"a"`), g(2, "generation-update", `"model":"m"`),
			}, "o", func(o *domain.Observation) bool { return o.Type == "GENERATION" && o.Model == "m" },
		},
		{
			"a parent",
			[]Event{g(1, "span-create", `"parentObservationId":"p"`), g(2, "span-update", `"name":"x"`)},
			"o",
			func(o *domain.Observation) bool { return o.ParentID == "p" },
		},
		{
			"when it was made stays",
			[]Event{g(1, "span-create", `"name":"a"`), g(2, "span-update", `"name":"b"`)},
			"o",
			func(o *domain.Observation) bool { return o.CreatedAt == at(0) },
		},
		{
			"tags are united and sorted",
			[]Event{trace(1, `"tags":["c","a"]`), trace(2, `"tags":["b","a"]`), trace(3, `"tags":[]`)},
			"t-T",
			func(o *domain.Observation) bool { return cmp.Equal(o.Tags, []string{"a", "b", "c"}) },
		},
		{
			"no tags",
			[]Event{trace(1, `"tags":["a"]`), trace(2, `"tags":null`)},
			"t-T",
			func(o *domain.Observation) bool { return o.Tags == nil },
		},
		{
			"the timestamp of a trace stays", []Event{
				trace(1, `"timestamp":"2026-03-01T12:00:01Z"`), trace(2, `"timestamp":"2026-03-01T12:00:09Z"`),
			}, "t-T", func(o *domain.Observation) bool { return o.StartTime == at(1) },
		},
		{"a trace is updated", []Event{
			trace(1, `"name":"a","userId":"u","public":true,"input":"i","metadata":{"a":1}`),
			trace(2, `"name":"b","userId":null,"public":null,"output":"o","metadata":{"b":2}`),
		}, "t-T", func(o *domain.Observation) bool {
			return o.Name == "b" && o.TraceName == "b" && o.UserID == "" && !o.Public && o.Input == "i" && o.Output == "o" &&
				o.Metadata == `{"a":1,"b":2}`
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := func(b *bench) {
				t.Helper()
				if row := b.row("T", c.id); !c.want(&row) {
					t.Errorf("%+v", row)
				}
			}
			together := newBench(t)
			together.send(c.events...)
			check(together)
			apart := newBench(t)
			for _, e := range c.events {
				apart.send(e)
				apart.now = apart.now.Add(time.Minute)
			}
			check(apart)
		})
	}
}

// TestOrderInBatch sends events in an order other than that of their timestamps.
func TestOrderInBatch(t *testing.T) {
	b := newBench(t)
	b.send(
		ev(3, "span-update", `{"id":"o","traceId":"T","name":"third"}`),
		ev(2, "span-update", `{"id":"o","traceId":"T","name":"second","version":"2"}`),
		ev(1, "span-update", `{"id":"o","traceId":"T","version":"1","level":"ERROR"}`),
		ev(1, "span-create", `{"id":"o","traceId":"T","name":"first","level":"DEBUG"}`),
	)
	if row := b.row("T", "o"); row.Name != "third" || row.Version != "2" || row.Level != "ERROR" || row.StartTime != at(1) {
		t.Errorf("%+v", row)
	}
}

// TestInheritance tests what observations inherit from their traces, in any order of arrival.
func TestInheritance(t *testing.T) {
	trace := ev(1, "trace-create",
		`{"id":"T","name":"n","userId":"u","sessionId":"s","release":"r","version":"v","public":true,"tags":["a"],"input":"ti","metadata":{"k":1}}`)
	root := ev(2, "span-create", `{"id":"root","traceId":"T","name":"root"}`)
	child := ev(3, "generation-create", `{"id":"child","traceId":"T","name":"child","parentObservationId":"root","version":"own"}`)
	other := ev(3, "span-create", `{"id":"x","traceId":"U"}`)
	for name, batches := range map[string][][]Event{
		"in order":          {{trace}, {root}, {child}, {other}},
		"at once":           {{trace, root, child, other}},
		"the trace last":    {{other, root}, {child}, {trace}},
		"the trace between": {{root}, {trace, other}, {child}},
		"twice":             {{trace, root, child, other}, {child, trace, root, other}},
		"and then updated":  {{trace, root, child, other}, {ev(9, "span-update", `{"id":"child","output":"x"}`)}},
		"changed in between": {
			{ev(1, "trace-create", `{"id":"T","name":"old","userId":"old","public":false,"tags":["a"]}`), root}, {child}, {trace}, {other},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, batch := range batches {
				b.send(batch...)
			}
			rows := b.rows("T")
			for id, parent := range map[string]string{"root": "t-T", "child": "root", "t-T": ""} {
				row := rows[id]
				if row.TraceName != "n" || row.UserID != "u" || row.SessionID != "s" || row.Release != "r" || !row.Public ||
					!cmp.Equal(row.Tags, []string{"a"}) || row.ParentID != parent {
					t.Errorf("%s: %+v", id, row)
				}
			}
			if rows["root"].Version != "" || rows["child"].Version != "own" || rows["root"].Input != "" || rows["root"].Metadata != "" {
				t.Error("observations have what is of the trace alone")
			}
			if x := b.row("U", "x"); x.UserID != "" || x.ParentID != "" || len(rows) != 3 {
				t.Errorf("another trace: %+v", x)
			}
		})
	}
}

// TestSpansAreLeftAlone sends a trace that has spans from another source.
func TestSpansAreLeftAlone(t *testing.T) {
	b := newBench(t)
	span := domain.Observation{TraceID: "T", ID: "span", Source: domain.SourceOTel, StartTime: 5, Type: "SPAN", UserID: "own"}
	if err := b.table.Append(t.Context(), scope, []domain.Observation{span}); err != nil {
		t.Fatal(err)
	}
	b.send(ev(1, "trace-create", `{"id":"T","userId":"u"}`))
	if diff := cmp.Diff(span, b.row("T", "span")); diff != "" {
		t.Error(diff)
	}
	b.send(ev(2, "span-update", `{"id":"span","traceId":"T","output":"o"}`))
	span.Output, span.UpdatedAt, span.Level = "o", at(0), "DEFAULT"
	if diff := cmp.Diff(span, b.row("T", "span")); diff != "" {
		t.Error(diff)
	}
	b.send(ev(2, "span-create", `{"id":"span","traceId":"V"}`)) // the same id in another trace is another span
	if len(b.rows("T")) != 2 || len(b.rows("V")) != 1 {
		t.Errorf("%d and %d rows", len(b.rows("T")), len(b.rows("V")))
	}
}

func TestMasks(t *testing.T) {
	b := newBench(t)
	b.in.Masks = masks(t,
		`[{"projectId":"*","pattern":"secret","replacement":"***"},{"projectId":"other","pattern":"name","replacement":"-"}]`)
	b.send(
		ev(1, "trace-create", `{"id":"T","name":"secret name","input":"a secret","output":{"x":"secret"},"metadata":{"k":{"l":"secret"}}}`),
		ev(1, "generation-create",
			`{"id":"o","traceId":"T","statusMessage":"secret","output":{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\":\"secret\"}"}}]}}`),
	)
	b.send(ev(2, "generation-update", `{"id":"o","metadata":{"a":"secret"}}`))
	trace, row := b.row("T", "t-T"), b.row("T", "o")
	if trace.Input != "a ***" || trace.Output != `{"x":"***"}` || trace.Metadata != `{"k.l":"***"}` || trace.Name != "secret name" {
		t.Errorf("trace %+v", trace)
	}
	if strings.Contains(row.Output+row.ToolCalls+row.StatusMessage+row.Metadata, "secret") || row.ToolCalls == "" ||
		row.StatusMessage != "***" || row.Metadata != `{"a":"***"}` {
		t.Errorf("row %+v", row)
	}
}
