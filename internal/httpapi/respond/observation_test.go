package respond

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

const allFields = CoreFields | BasicFields | TimeFields | IOFields | MetadataFields | ModelFields | UsageFields |
	PromptFields | MetricsFields | TraceContextFields

// membersOfGroup lists the fields of each group in the order in which they are written. Fields of no group come last.
var membersOfGroup = map[Fields][]string{
	CoreFields: {"id", "traceId", "startTime", "endTime", "projectId", "parentObservationId", "type"},
	BasicFields: {
		"name", "level", "statusMessage", "version", "environment", "bookmarked", "public", "userId", "sessionId", "isRootObservation",
	},
	TimeFields:     {"completionStartTime", "createdAt", "updatedAt"},
	IOFields:       {"input", "output"},
	MetadataFields: {"metadata"},
	ModelFields:    {"model", "providedModelName", "internalModelId", "modelParameters"},
	UsageFields: {
		"usageDetails", "inputUsage", "outputUsage", "totalUsage", "costDetails", "inputCost", "outputCost", "totalCost",
		"usagePricingTierId", "usagePricingTierName",
	},
	PromptFields:       {"promptId", "promptName", "promptVersion"},
	MetricsFields:      {"latency", "timeToFirstToken"},
	TraceContextFields: {"tags", "release", "traceName"},
	0:                  {"modelId", "inputPrice", "outputPrice", "totalPrice"},
}

// fullObservation has every field set that appears in rows.
func fullObservation() *domain.Observation {
	const start = domain.Micros(1783000000_100_456) // 2026-07-02T13:46:40.100Z
	return &domain.Observation{
		TraceID: "0af7651916cd43dd8448eb211c80319c", ID: "00000000000000a2", ParentID: "00000000000000a1",
		Type: "GENERATION", Name: "llm-call", Environment: "production", Version: "v1.2", Release: "rel-1",
		Level: "WARNING", StatusMessage: "slow",
		StartTime: start, EndTime: start + 2_864_000, CompletionStartTime: start + 300_500,
		CreatedAt: start + 5_000_000, UpdatedAt: start + 6_000_000,
		TraceName: "chat-trace", UserID: "user-1", SessionID: "sess-1", Tags: []string{"alpha", "beta"},
		Public: true, Bookmarked: true,
		Input: `[{"role": "user"}]`, Output: "hi", Metadata: `{"tenant":"acme","n":5}`,
		Model: "gpt-4o", ModelID: "model-1", ModelParameters: `{"temperature":0.7}`,
		Usage: `{"input":100,"output":50,"total":150}`, Cost: `{"input":0.00025,"output":0.0005,"total":0.00075}`,
		PricingTierID: "tier-1", PricingTierName: "Standard",
		PromptID: "prompt-1", PromptName: "my-prompt", PromptVersion: domain.IntOf(3),
	}
}

var modelPrices = UnitPrices{input: "0.0000025", output: "1.5e-7"}

func testPrices(modelID string) *UnitPrices {
	if modelID != "model-1" {
		return nil
	}
	return &modelPrices
}

func rowOf(o *domain.Observation, fields Fields) string {
	return string(AppendObservation(nil, o, "proj1", fields, nil, testPrices, nil))
}

func TestAppendObservationGolden(t *testing.T) {
	const (
		core   = `{"id":"00000000000000a2","traceId":"0af7651916cd43dd8448eb211c80319c","startTime":"2026-07-02T13:46:40.100Z",`
		always = `"modelId":null,"inputPrice":null,"outputPrice":null,"totalPrice":null}`
		full   = core +
			`"endTime":"2026-07-02T13:46:42.964Z","projectId":"proj1","parentObservationId":"00000000000000a1","type":"GENERATION",`
		empty = core + `"endTime":null,"projectId":"proj1","parentObservationId":null,"type":"SPAN",`
	)
	unset := &domain.Observation{
		ID: "00000000000000a2", TraceID: "0af7651916cd43dd8448eb211c80319c", Type: "SPAN", StartTime: 1783000000_100_456,
	}
	for _, c := range []struct {
		name   string
		o      *domain.Observation
		fields Fields
		want   string
	}{
		{"core", fullObservation(), CoreFields, full + always},
		{"core of nothing", unset, CoreFields, empty + always},
		{
			"basic", fullObservation(), CoreFields | BasicFields,
			full +
				`"name":"llm-call","level":"WARNING","statusMessage":"slow","version":"v1.2","environment":"production","bookmarked":true,` +
				`"public":true,"userId":"user-1","sessionId":"sess-1","isRootObservation":false,` + always,
		},
		{
			"basic of nothing", unset, CoreFields | BasicFields,
			empty + `"name":"","level":"DEFAULT","statusMessage":"","version":"","environment":"default","bookmarked":false,` +
				`"public":false,"userId":"","sessionId":"","isRootObservation":true,` + always,
		},
		{
			"time", fullObservation(), CoreFields | TimeFields,
			full + `"completionStartTime":"2026-07-02T13:46:40.400Z","createdAt":"2026-07-02T13:46:45.100Z",` +
				`"updatedAt":"2026-07-02T13:46:46.100Z",` + always,
		},
		{
			"time of nothing", unset, CoreFields | TimeFields,
			empty + `"completionStartTime":null,"createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z",` + always,
		},
		{"io", fullObservation(), CoreFields | IOFields, full + `"input":"[{\"role\": \"user\"}]","output":"hi",` + always},
		{"io of nothing", unset, CoreFields | IOFields, empty + `"input":null,"output":null,` + always},
		{"metadata", fullObservation(), CoreFields | MetadataFields, full + `"metadata":{"tenant":"acme","n":5},` + always},
		{"metadata of nothing", unset, CoreFields | MetadataFields, empty + `"metadata":{},` + always},
		{
			"model", fullObservation(), CoreFields | ModelFields,
			full + `"model":"gpt-4o","providedModelName":"gpt-4o","internalModelId":"model-1","modelParameters":{"temperature":0.7},` +
				`"modelId":"model-1","inputPrice":"0.0000025","outputPrice":"1.5e-7","totalPrice":null}`,
		},
		{
			"model of nothing", unset, CoreFields | ModelFields,
			empty + `"model":"","providedModelName":"","internalModelId":"","modelParameters":null,` + always,
		},
		{
			"usage", fullObservation(), CoreFields | UsageFields,
			full + `"usageDetails":{"input":100,"output":50,"total":150},"inputUsage":100,"outputUsage":50,"totalUsage":150,` +
				`"costDetails":{"input":0.00025,"output":0.0005,"total":0.00075},"inputCost":0.00025,"outputCost":0.0005,"totalCost":0.00075,` +
				`"usagePricingTierId":"tier-1","usagePricingTierName":"Standard",` + always,
		},
		{
			"usage of nothing", unset, CoreFields | UsageFields,
			empty + `"usageDetails":{},"inputUsage":0,"outputUsage":0,"totalUsage":0,"costDetails":{},"inputCost":null,"outputCost":null,` +
				`"totalCost":0,"usagePricingTierId":null,"usagePricingTierName":null,` + always,
		},
		{
			"prompt", fullObservation(), CoreFields | PromptFields,
			full + `"promptId":"prompt-1","promptName":"my-prompt","promptVersion":3,` + always,
		},
		{"prompt of nothing", unset, CoreFields | PromptFields, empty + `"promptId":"","promptName":"","promptVersion":null,` + always},
		{"metrics", fullObservation(), CoreFields | MetricsFields, full + `"latency":2.864,"timeToFirstToken":0.3,` + always},
		{"metrics of nothing", unset, CoreFields | MetricsFields, empty + `"latency":null,"timeToFirstToken":null,` + always},
		{
			"trace_context", fullObservation(), CoreFields | TraceContextFields,
			full + `"tags":["alpha","beta"],"release":"rel-1","traceName":"chat-trace",` + always,
		},
		{"trace_context of nothing", unset, CoreFields | TraceContextFields, empty + `"tags":[],"release":"","traceName":"",` + always},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rowOf(c.o, c.fields); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAppendObservationField changes one field at a time.
func TestAppendObservationField(t *testing.T) {
	const start = domain.Micros(1783000000_100_000)
	for _, c := range []struct {
		name, member, want string
		change             func(*domain.Observation)
	}{
		{"text is escaped", "name", `"a\"b\n<é>"`, func(o *domain.Observation) { o.Name = "a\"b\n<é>" }},
		{"text is made UTF-8", "userId", "\"a\uFFFDb\"", func(o *domain.Observation) { o.UserID = "a\xffb" }},
		{"an end before the beginning", "latency", `-0.1`, func(o *domain.Observation) {
			o.EndTime = start
			o.StartTime = start + 100_000
		}},
		{"no duration", "latency", `0`, func(o *domain.Observation) { o.StartTime = start; o.EndTime = start }},
		{"no duration to first token", "timeToFirstToken", `0`, func(o *domain.Observation) {
			o.StartTime = start
			o.CompletionStartTime = start
		}},
		{"a root", "isRootObservation", `true`, func(o *domain.Observation) { o.ParentID = "" }},
		{"an application root", "isRootObservation", `true`, func(o *domain.Observation) { o.IsAppRoot = true }},
		{
			"an application root keeps its parent", "parentObservationId", `"00000000000000a1"`,
			func(o *domain.Observation) { o.IsAppRoot = true },
		},
		{"a stand-in for the root", "isRootObservation", `false`, func(o *domain.Observation) { o.AsRoot = true }},
		{"the name of a trace", "traceName", `"chat-trace"`, func(o *domain.Observation) { o.ParentID = "" }},
		{"the name of a root", "traceName", `"llm-call"`, func(o *domain.Observation) { o.ParentID = ""; o.TraceName = "" }},
		{"the empty name of a root", "traceName", `""`, func(o *domain.Observation) { o.ParentID = ""; o.TraceName = ""; o.Name = "" }},
		{
			"the name of an application root", "traceName", `"llm-call"`,
			func(o *domain.Observation) { o.IsAppRoot = true; o.TraceName = "" },
		},
		{"no name of a trace", "traceName", `null`, func(o *domain.Observation) { o.TraceName = "" }},
		{"no tags", "tags", `[]`, func(o *domain.Observation) { o.Tags = []string{} }},
		{"input that is no JSON", "input", `"plain \"text\""`, func(o *domain.Observation) { o.Input = `plain "text"` }},
		{"input that is a number", "input", `"2"`, func(o *domain.Observation) { o.Input = "2" }},
		{
			"long input is not cut", "input", `"` + strings.Repeat("x", 5000) + `"`,
			func(o *domain.Observation) { o.Input = strings.Repeat("x", 5000) },
		},
		{
			"parameters that are no JSON", "modelParameters", `"{temperature"`,
			func(o *domain.Observation) { o.ModelParameters = "{temperature" },
		},
		{"empty parameters", "modelParameters", `{}`, func(o *domain.Observation) { o.ModelParameters = "{}" }},
		{"parameters that are a list", "modelParameters", `[1]`, func(o *domain.Observation) { o.ModelParameters = "[1]" }},
		{"damaged usage", "usageDetails", `{}`, func(o *domain.Observation) { o.Usage = `{"input":1` }},
		{"the sum of damaged usage", "inputUsage", `0`, func(o *domain.Observation) { o.Usage = `{"input":1` }},
		{"damaged cost", "costDetails", `{}`, func(o *domain.Observation) { o.Cost = `{"input":"1"}` }},
		{"the sum of damaged cost", "inputCost", `null`, func(o *domain.Observation) { o.Cost = `{"input":"1"}` }},
		{"the total of damaged cost", "totalCost", `0`, func(o *domain.Observation) { o.Cost = `x` }},
		{"usage of several kinds", "inputUsage", `17`, func(o *domain.Observation) {
			o.Usage = `{"input":10,"cache_read_input_tokens":7}`
		}},
		{"usage without a total", "totalUsage", `0`, func(o *domain.Observation) { o.Usage = `{"input":10}` }},
		{"cost of several kinds", "outputCost", `0.3`, func(o *domain.Observation) { o.Cost = `{"output":0.1,"output_audio":0.2}` }},
		{"no cost of input", "inputCost", `null`, func(o *domain.Observation) { o.Cost = `{"total":2}` }},
		{"cost of nothing", "inputCost", `0`, func(o *domain.Observation) { o.Cost = `{"input":0}` }},
		{"version 0", "promptVersion", `0`, func(o *domain.Observation) { o.PromptVersion = domain.IntOf(0) }},
		{"a model without prices", "modelId", `"model-2"`, func(o *domain.Observation) { o.ModelID = "model-2" }},
		{"prices of a model without any", "inputPrice", `null`, func(o *domain.Observation) { o.ModelID = "model-2" }},
		{"damaged metadata", "metadata", `{}`, func(o *domain.Observation) { o.Metadata = `{"a":` }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := fullObservation()
			c.change(o)
			if got := membersOfRow(t, rowOf(o, allFields)); string(got.values[c.member]) != c.want {
				t.Errorf("%s = %s, want %s", c.member, got.values[c.member], c.want)
			}
		})
	}
}

func TestAppendObservationExpand(t *testing.T) {
	o := fullObservation()
	o.Metadata = `{"a":"` + strings.Repeat("x", 300) + `","b":"` + strings.Repeat("y", 300) + `"}`
	expand, refused := ParseExpand("a")
	if refused != nil {
		t.Fatal(refused)
	}
	row := string(AppendObservation(nil, o, "p", CoreFields|MetadataFields, expand, nil, nil))
	want := `{"a":"` + strings.Repeat("x", 300) + `","b":"` + strings.Repeat("y", 200) + `"}`
	if got := string(membersOfRow(t, row).values["metadata"]); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if row := string(AppendObservation(nil, o, "p", CoreFields, expand, nil, nil)); strings.Contains(row, "metadata") {
		t.Errorf("a listed key brings metadata that were not asked for: %s", row)
	}
}

// parsedRow is a row as a client reads it, with the names of its members in order.
type parsedRow struct {
	names  []string
	values map[string]json.RawMessage
}

func membersOfRow(t *testing.T, row string) parsedRow {
	t.Helper()
	if !utf8.ValidString(row) {
		t.Fatalf("the row is not UTF-8: %q", row)
	}
	parsed := parsedRow{values: make(map[string]json.RawMessage)}
	if err := json.Unmarshal([]byte(row), &parsed.values); err != nil {
		t.Fatalf("%v: %s", err, row)
	}
	dec := json.NewDecoder(strings.NewReader(row))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		parsed.names = append(parsed.names, name.(string))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return parsed
}

func wantedMembers(fields Fields) []string {
	names := slices.Clone(membersOfGroup[CoreFields])
	for group := BasicFields; group < 1<<bits.Len16(uint16(allFields)); group <<= 1 {
		if fields.Has(group) {
			names = append(names, membersOfGroup[group]...)
		}
	}
	return append(names, membersOfGroup[0]...)
}

func TestAppendObservationMembers(t *testing.T) {
	rows := []*domain.Observation{fullObservation(), {}}
	for fields := range allFields + 1 {
		for _, o := range rows {
			got := membersOfRow(t, rowOf(o, fields))
			if diff := cmp.Diff(wantedMembers(fields), got.names); diff != "" {
				t.Fatalf("groups %b: %s", fields, diff)
			}
			if !fields.Has(ModelFields) {
				for _, name := range membersOfGroup[0] {
					if string(got.values[name]) != "null" {
						t.Fatalf("groups %b: %s = %s", fields, name, got.values[name])
					}
				}
			}
		}
	}
}

func TestAppendObservationAllocates(t *testing.T) {
	o := fullObservation()
	o.Metadata = `{"a":"` + strings.Repeat("é", 300) + `","quo\"te":"` + strings.Repeat("x", 300) + `"}`
	expand, _ := ParseExpand("quo,b")
	dst := make([]byte, 0, 1<<16)
	for name, f := range map[string]func(){
		"a row":      func() { AppendObservation(dst, o, "proj1", allFields, expand, testPrices, nil) },
		"an old row": func() { AppendObservationV1(dst, o, "proj1", testPrices, nil) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestAppendObservationGoesOn(t *testing.T) {
	row := rowOf(fullObservation(), allFields)
	page := []byte(`{"data":[`)
	for range 3 {
		page = AppendObservation(page, fullObservation(), "proj1", allFields, nil, testPrices, nil)
		page = append(page, ',')
	}
	page = append(bytes.TrimSuffix(page, []byte(",")), `]}`...)
	if want := `{"data":[` + row + `,` + row + `,` + row + `]}`; string(page) != want {
		t.Errorf("\n got %s\nwant %s", page, want)
	}
}

func FuzzAppendObservation(f *testing.F) {
	f.Add("name", `{"input":1}`, `{"a":"b"}`, `[{"role":"user"}]`, int64(1783000000100456), int64(2_864_000), uint16(allFields))
	f.Add("\xff\"\\", `{"input":`, `{"a":"`+strings.Repeat(`\ud83d\ude00`, 250)+`","b":["`+strings.Repeat("é", 250)+`"]}`, "", int64(-1),
		int64(0), uint16(1))
	f.Add("a,b.c", `{"x":1e400,"y":-0}`, `{"a.b":1,"a":2,"a.b.c":3,"":{}}`, "{", int64(-1<<63), int64(1<<62), uint16(1<<4))
	f.Fuzz(func(t *testing.T, text, numbers, metadata, io string, start, length int64, groups uint16) {
		o := fullObservation()
		o.ID, o.TraceID, o.ParentID, o.Name, o.Type, o.Level, o.Environment = text, text, text, text, text, text, text
		o.UserID, o.SessionID, o.TraceName, o.Release, o.Version, o.StatusMessage = text, text, text, text, text, text
		o.Model, o.ModelID, o.PromptID, o.PromptName, o.PricingTierID = text, text, text, text, text
		o.Tags = []string{text, io}
		o.Usage, o.Cost, o.ModelParameters, o.Metadata, o.Input, o.Output = numbers, numbers, metadata, metadata, io, text
		o.StartTime, o.EndTime = domain.Micros(start), domain.Micros(start)+domain.Micros(length)
		expand, _ := ParseExpand(text)
		fields := Fields(groups) & allFields

		row := membersOfRow(t, string(AppendObservation(nil, o, text, fields, expand, testPrices, nil)))
		if diff := cmp.Diff(wantedMembers(fields), row.names); diff != "" {
			t.Fatal(diff)
		}
		sameText(t, row, "id", text)
		sameText(t, row, "projectId", text)
		if fields.Has(BasicFields) {
			sameText(t, row, "name", text)
			sameText(t, row, "statusMessage", text)
		}
		if fields.Has(IOFields) && io != "" {
			sameText(t, row, "input", io)
		}
		if fields.Has(MetadataFields) {
			sameKeys(t, row.values["metadata"], metadata)
		}
		if old := membersOfRow(t, string(AppendObservationV1(nil, o, text, testPrices, nil))); !slices.Equal(old.names, membersV1) {
			t.Fatalf("the old form has members %q", old.names)
		}
	})
}

func sameText(t *testing.T, row parsedRow, member, want string) {
	t.Helper()
	var got string
	if err := json.Unmarshal(row.values[member], &got); err != nil || got != string([]rune(want)) {
		t.Fatalf("%s = %s (%v), want %q", member, row.values[member], err, want)
	}
}

// sameKeys checks that metadata was written as an object, with all keys of the stored one if that is an object.
func sameKeys(t *testing.T, written json.RawMessage, stored string) {
	t.Helper()
	var got, want map[string]json.RawMessage
	if err := json.Unmarshal(written, &got); err != nil {
		t.Fatal(err)
	}
	if json.Unmarshal([]byte(stored), &want) != nil || strings.Count(stored, "[")+strings.Count(stored, "{") >= jsontext.MaxDepth {
		return
	}
	for key := range want {
		if _, ok := got[key]; !ok {
			t.Fatalf("key %q of %q is missing in %s", key, stored, written)
		}
	}
}
