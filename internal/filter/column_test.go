package filter

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

// TestCatalogues checks what clients and stores rely on: the names, kinds and attributes of all columns.
func TestCatalogues(t *testing.T) {
	want := map[string]string{
		"id": "text", "type": "text", "level": "text", "environment|traceEnvironment": "text",
		"name": "text", "traceId": "text", "statusMessage": "text", "version": "text", "userId": "text",
		"sessionId": "text", "promptName": "text", "model|providedModelName": "text", "modelId": "text",
		"traceName": "text nullable", "release": "text empty", "parentObservationId": "text empty", "experimentId": "text empty",
		"tags|traceTags": "list", "startTime": "time", "endTime": "time nullable",
		"latency": "number nullable 3", "timeToFirstToken": "number nullable 3", "tokensPerSecond": "number nullable 12",
		"inputTokens": "number 3", "outputTokens": "number 3", "totalTokens|tokens": "number nullable 3",
		"inputCost": "number 12", "outputCost": "number 12", "totalCost": "number nullable 12", "promptVersion": "number nullable",
		"isRootObservation": "boolean", "hasParentObservation": "boolean", "hasInput": "boolean", "hasOutput": "boolean",
		"isExperimentItemRootSpan": "boolean", "experimentDatasetId": "text", "experimentName": "text", "experimentItemId": "text",
		"hasExperimentDescription": "boolean", "hasExperimentMetadata": "boolean",
		"ingestionApiKey": "text", "ingestionSdkName": "text", "ingestionSdkVersion": "text", "ingestionSource": "text",
		"toolDefinitions": "number", "toolCalls": "number", "toolNames": "list", "calledToolNames": "list",
		"input": "long text", "output": "long text", "metadata": "metadata",
	}
	if diff := cmp.Diff(want, describe(t, Observations())); diff != "" {
		t.Errorf("columns of observations (-want +got):\n%s", diff)
	}
	want = map[string]string{
		"id": "text", "traceId": "text", "observationId": "text", "sessionId": "text", "experimentId|datasetRunId": "text",
		"name": "text", "source": "text", "dataType": "text", "environment": "text", "configId": "text", "queueId": "text",
		"authorUserId": "text", "stringValue": "text", "comment": "text", "value": "number nullable", "timestamp": "time",
		"metadata": "metadata",
	}
	if diff := cmp.Diff(want, describe(t, Scores())); diff != "" {
		t.Errorf("columns of scores (-want +got):\n%s", diff)
	}
}

// describe returns the attributes of each column by name, and checks that the catalogue is consistent.
func describe[R any](t *testing.T, catalogue *Catalogue[R]) map[string]string {
	t.Helper()
	marks := map[string]string{}
	for i, c := range catalogue.Columns() {
		names := append([]string{c.ID()}, c.Aliases()...)
		for _, name := range names {
			if found, ok := catalogue.Column(name); !ok || found != c {
				t.Errorf("the catalogue does not find %s", name)
			}
		}
		if c.Index() != i {
			t.Errorf("%s is at %d and says %d", c.ID(), i, c.Index())
		}
		mark := c.Kind().String()
		if c.Nullable() {
			mark += " nullable"
		}
		if c.EmptyIsNull() {
			mark += " empty"
		}
		switch c.Decimals() {
		case 3:
			mark += " 3"
		case 12:
			mark += " 12"
		}
		marks[strings.Join(names, "|")] = mark
	}
	if _, ok := catalogue.Column("Name"); ok {
		t.Error("names of columns are case-sensitive")
	}
	return marks
}

func TestTextGetters(t *testing.T) {
	o := domain.Observation{
		ID: "id", TraceID: "trace", ParentID: "parent", Type: "SPAN", Name: "name", Environment: "env", Version: "v", Release: "r",
		Level: "DEFAULT", StatusMessage: "status", TraceName: "tn", UserID: "user", SessionID: "session", Model: "model",
		ModelID: "mid", PromptName: "prompt", ExperimentID: "e", ExperimentName: "en", ExperimentDatasetID: "ed", ExperimentItemID: "ei",
		Source:       "source",
		IngestionKey: "key", SDKName: "sdk", SDKVersion: "sv", Input: "in", Output: "out", Metadata: "{}",
	}
	want := map[string]string{
		"id": "id", "traceId": "trace", "parentObservationId": "parent", "type": "SPAN", "name": "name", "environment": "env",
		"version": "v", "release": "r", "level": "DEFAULT", "statusMessage": "status", "traceName": "tn", "userId": "user",
		"sessionId": "session", "model": "model", "modelId": "mid", "promptName": "prompt", "experimentId": "e",
		"experimentName": "en", "experimentDatasetId": "ed", "experimentItemId": "ei", "ingestionSource": "source",
		"ingestionApiKey":  "key",
		"ingestionSdkName": "sdk", "ingestionSdkVersion": "sv", "input": "in", "output": "out", "metadata": "{}",
	}
	if diff := cmp.Diff(want, texts(Observations(), &o)); diff != "" {
		t.Errorf("texts of an observation (-want +got):\n%s", diff)
	}
	s := domain.Score{
		ID: "id", TraceID: "trace", ObservationID: "o", SessionID: "session", ExperimentID: "e", Name: "name", Source: "API",
		DataType: "TEXT", StringValue: "sv", Environment: "env", Comment: "comment", ConfigID: "config", QueueID: "queue",
		AuthorUserID: "author", Metadata: "{}",
	}
	want = map[string]string{
		"id": "id", "traceId": "trace", "observationId": "o", "sessionId": "session", "experimentId": "e", "name": "name",
		"source": "API", "dataType": "TEXT", "stringValue": "sv", "environment": "env", "comment": "comment",
		"configId": "config", "queueId": "queue", "authorUserId": "author", "metadata": "{}",
	}
	if diff := cmp.Diff(want, texts(Scores(), &s)); diff != "" {
		t.Errorf("texts of a score (-want +got):\n%s", diff)
	}
}

func texts[R any](catalogue *Catalogue[R], row *R) map[string]string {
	all := map[string]string{}
	for _, c := range catalogue.Columns() {
		if slices.Contains([]Kind{Text, LongText, Metadata}, c.Kind()) {
			all[c.ID()], _ = c.Text(row)
		}
	}
	return all
}

func TestTraceName(t *testing.T) {
	cases := []struct {
		name string
		row  domain.Observation
		want string
		null bool
	}{
		{"stored", domain.Observation{TraceName: "t", Name: "n", ParentID: "p"}, "t", false},
		{"root without one", domain.Observation{Name: "n"}, "n", false},
		{"stored on a root", domain.Observation{TraceName: "t", Name: "n"}, "t", false},
		{"marked root without one", domain.Observation{Name: "n", ParentID: "p", IsAppRoot: true}, "n", false},
		{"child without one", domain.Observation{Name: "n", ParentID: "p"}, "", true},
		{"stand-in for the root", domain.Observation{Name: "n", ParentID: "p", AsRoot: true}, "", true},
		{"nameless root", domain.Observation{}, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, null := observationColumn(t, "traceName").Text(&c.row)
			if got != c.want || null != c.null {
				t.Errorf("trace name %q (null: %v), want %q (null: %v)", got, null, c.want, c.null)
			}
		})
	}
}

func TestNumberGetters(t *testing.T) {
	const start = domain.Micros(1_700_000_000_000_900)
	timed := func(end, first domain.Micros, tokens int64) domain.Observation {
		return domain.Observation{StartTime: start, EndTime: end, CompletionStartTime: first, OutputTokens: tokens}
	}
	null := math.NaN()
	cases := []struct {
		name   string
		column string
		row    domain.Observation
		want   float64 // NaN for null
	}{
		{"latency", "latency", timed(start+1_234_000, 0, 0), 1.234},
		{"latency counts whole milliseconds of both ends", "latency", timed(start+200, 0, 0), 0.001},
		{"latency of nothing", "latency", timed(start, 0, 0), 0},
		{"latency without end", "latency", timed(0, 0, 0), null},
		{"first token", "timeToFirstToken", timed(0, start+250_000, 0), 0.25},
		{"first token unknown", "timeToFirstToken", timed(start+1000, 0, 0), null},
		{"tokens per second", "tokensPerSecond", timed(start+2_000_000, 0, 5), 2.5},
		{"tokens in no time", "tokensPerSecond", timed(start, 0, 5), math.Inf(1)},
		{"no tokens in no time", "tokensPerSecond", timed(start, 0, 0), null},
		{"no tokens in some time", "tokensPerSecond", timed(start+1000, 0, 0), 0},
		{"tokens without end", "tokensPerSecond", timed(0, 0, 5), null},
		{"input tokens", "inputTokens", domain.Observation{InputTokens: 3}, 3},
		{"output tokens", "outputTokens", domain.Observation{OutputTokens: 4}, 4},
		{"total tokens", "tokens", domain.Observation{TotalTokens: domain.IntOf(7)}, 7},
		{"no total tokens", "totalTokens", domain.Observation{}, null},
		{"input cost", "inputCost", domain.Observation{InputCost: 0.5}, 0.5},
		{"output cost", "outputCost", domain.Observation{OutputCost: 0.25}, 0.25},
		{"total cost", "totalCost", domain.Observation{TotalCost: domain.FloatOf(0)}, 0},
		{"no total cost", "totalCost", domain.Observation{}, null},
		{"prompt version", "promptVersion", domain.Observation{PromptVersion: domain.IntOf(2)}, 2},
		{"no prompt version", "promptVersion", domain.Observation{}, null},
		{"tool definitions", "toolDefinitions", domain.Observation{ToolNames: []string{"a", "b"}}, 2},
		{"tool calls", "toolCalls", domain.Observation{ToolCallNames: []string{"a"}}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, isNull := observationColumn(t, c.column).Number(&c.row)
			if isNull != math.IsNaN(c.want) || !isNull && got != c.want {
				t.Errorf("%s is %v (null: %v), want %v", c.column, got, isNull, c.want)
			}
		})
	}
	value, _ := Scores().Column("value")
	if got, null := value.Number(&domain.Score{Value: domain.FloatOf(0.5)}); got != 0.5 || null {
		t.Errorf("the value of a score is %v (null: %v)", got, null)
	}
	if _, null := value.Number(&domain.Score{}); !null {
		t.Error("a score without a number has a value")
	}
}

func TestOtherGetters(t *testing.T) {
	o := domain.Observation{
		ID: "x", ParentID: "p", Input: "in", ExperimentItemRootSpanID: "x", ExperimentMetadata: "{}", StartTime: 1, EndTime: 2,
		Tags: []string{"t"}, ToolNames: []string{"a"}, ToolCallNames: []string{"b"},
	}
	bools := map[string]bool{
		"isRootObservation": false, "hasParentObservation": true, "hasInput": true, "hasOutput": false, "isExperimentItemRootSpan": true,
		"hasExperimentDescription": false, "hasExperimentMetadata": true,
	}
	for id, want := range bools {
		if got := observationColumn(t, id).Bool(&o); got != want {
			t.Errorf("%s is %v", id, got)
		}
	}
	if observationColumn(t, "isExperimentItemRootSpan").Bool(&domain.Observation{}) {
		t.Error("a row without ids is the root span of an experiment item")
	}
	for id, want := range map[string]string{"tags": "t", "toolNames": "a", "calledToolNames": "b"} {
		if got := observationColumn(t, id).List(&o); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %v", id, got)
		}
	}
	for id, want := range map[string]domain.Micros{"startTime": 1, "endTime": 2} {
		if got := observationColumn(t, id).TimeOf(&o); got != want {
			t.Errorf("%s is %v", id, got)
		}
	}
}

// TestMisuse checks that reading a column as another kind panics.
func TestMisuse(t *testing.T) {
	var o domain.Observation
	name, latency := observationColumn(t, "name"), observationColumn(t, "latency")
	isNull := must(NewNull(name, true))
	numberNull := must(NewNull(latency, true))
	cases := map[string]func(){
		"text":             func() { latency.Text(&o) },
		"list":             func() { name.List(&o) },
		"number":           func() { name.Number(&o) },
		"bool":             func() { name.Bool(&o) },
		"time":             func() { name.TimeOf(&o) },
		"match text":       func() { numberNull.MatchText("", false) },
		"match list":       func() { isNull.MatchList(nil) },
		"match number":     func() { isNull.MatchNumber(0, false) },
		"match bool":       func() { isNull.MatchBool(false) },
		"match time":       func() { isNull.MatchTime(0) },
		"match metadata":   func() { isNull.MatchMetadata("") },
		"unmade condition": func() { new(Condition[domain.Observation]).Match(&o) },
		"two columns, one name": func() {
			c := new(Catalogue[domain.Observation])
			c.addList("a", nil)
			c.addList("b", nil, "a")
		},
	}
	for name, call := range cases {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "BUG: ") {
					t.Errorf("it ended with %q", text)
				}
			}()
			call()
		})
	}
}

func observationColumn(t testing.TB, name string) *Column[domain.Observation] {
	t.Helper()
	c, ok := Observations().Column(name)
	if !ok {
		t.Fatalf("there is no column %s", name)
	}
	return c
}

func must[R any](c Condition[R], err error) Condition[R] {
	if err != nil {
		panic(err)
	}
	return c
}
