package respond

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
)

// membersV1 lists the fields of the old format in the order in which they are written.
var membersV1 = []string{
	"id", "traceId", "startTime", "endTime", "projectId", "parentObservationId", "type", "environment", "name", "level",
	"statusMessage", "version", "createdAt", "updatedAt", "input", "output", "metadata", "model", "modelParameters",
	"completionStartTime", "promptId", "promptName", "promptVersion", "latency", "timeToFirstToken", "usageDetails",
	"costDetails", "usagePricingTierId", "usagePricingTierName", "modelId", "inputPrice", "outputPrice", "totalPrice",
	"calculatedInputCost", "calculatedOutputCost", "calculatedTotalCost", "unit", "promptTokens", "completionTokens",
	"totalTokens", "usage",
}

func TestAppendObservationV1Golden(t *testing.T) {
	const start = domain.Micros(1791280800_100_000) // 2026-10-06T10:00:00.100Z
	generation := &domain.Observation{
		ID: "a000000000000002", TraceID: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", ParentID: "a000000000000001", Type: "GENERATION",
		Environment: "production", Name: "answer", Level: "DEFAULT", Version: "1.2",
		StartTime: start, EndTime: start + 1_500_000, CompletionStartTime: start + 300_000, CreatedAt: start, UpdatedAt: start + 1000,
		Input: `[{"role":"user","content":"hi"}]`, Output: "hello",
		Metadata: `{"resourceAttributes.service.name":"svc","scope.name":"langfuse-sdk","scope.version":"4.0.0"}`,
		Model:    "gpt-4o", ModelID: "model-1", ModelParameters: `{"temperature":0.5,"stream":"true","stop":"[\"x\"]"}`,
		Usage: `{"input":100,"output":20,"total":120}`, Cost: `{"input":0.00025,"output":0.0002,"total":0.00045}`,
		PricingTierID: "tier-1", PricingTierName: "Standard",
	}
	want := `{"id":"a000000000000002","traceId":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1","startTime":"2026-10-06T10:00:00.100Z",` +
		`"endTime":"2026-10-06T10:00:01.600Z","projectId":"example-project","parentObservationId":"a000000000000001",` +
		`"type":"GENERATION","environment":"production","name":"answer","level":"DEFAULT","statusMessage":null,"version":"1.2",` +
		`"createdAt":"2026-10-06T10:00:00.100Z","updatedAt":"2026-10-06T10:00:00.101Z","input":[{"role":"user","content":"hi"}],` +
		`"output":"hello","metadata":{"resourceAttributes":{"service.name":"svc"},"scope":{"name":"langfuse-sdk","version":"4.0.0"}},` +
		`"model":"gpt-4o","modelParameters":{"temperature":0.5,"stream":"true","stop":"[\"x\"]"},` +
		`"completionStartTime":"2026-10-06T10:00:00.400Z","promptId":null,"promptName":null,"promptVersion":null,"latency":1.5,` +
		`"timeToFirstToken":0.3,"usageDetails":{"input":100,"output":20,"total":120},` +
		`"costDetails":{"input":0.00025,"output":0.0002,"total":0.00045},"usagePricingTierId":"tier-1",` +
		`"usagePricingTierName":"Standard","modelId":"model-1","inputPrice":0.0000025,"outputPrice":1.5e-7,"totalPrice":null,` +
		`"calculatedInputCost":0.00025,"calculatedOutputCost":0.0002,"calculatedTotalCost":0.00045,` +
		`"unit":"TOKENS","promptTokens":100,"completionTokens":20,"totalTokens":120,` +
		`"usage":{"unit":"TOKENS","input":100,"output":20,"total":120}}`
	if got := string(AppendObservationV1(nil, generation, "example-project", testPrices, nil)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	want = strings.Replace(want, `"totalPrice":null`, `"totalPrice":0`, 1)
	if got := string(AppendObservationOfTrace(nil, generation, "example-project", testPrices, nil)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}

	event := &domain.Observation{ID: "e", Type: "EVENT", StartTime: start, EndTime: start, CreatedAt: start, UpdatedAt: start}
	want = `{"id":"e","traceId":null,"startTime":"2026-10-06T10:00:00.100Z","endTime":null,"projectId":"p","parentObservationId":null,` +
		`"type":"EVENT","environment":"default","name":null,"level":"DEFAULT","statusMessage":null,"version":null,` +
		`"createdAt":"2026-10-06T10:00:00.100Z","updatedAt":"2026-10-06T10:00:00.100Z","input":null,"output":null,"metadata":{},` +
		`"model":null,"modelParameters":null,"completionStartTime":null,"promptId":null,"promptName":null,"promptVersion":null,` +
		`"latency":null,"timeToFirstToken":null,"usageDetails":{},"costDetails":{},"usagePricingTierId":null,` +
		`"usagePricingTierName":null,"modelId":null,"inputPrice":null,"outputPrice":null,"totalPrice":null,` +
		`"calculatedInputCost":null,"calculatedOutputCost":null,"calculatedTotalCost":0,` +
		`"unit":"TOKENS","promptTokens":0,"completionTokens":0,"totalTokens":0,"usage":{"unit":"TOKENS","input":0,"output":0,"total":0}}`
	if got := string(AppendObservationV1(nil, event, "p", nil, nil)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestAppendObservationV1Field(t *testing.T) {
	for _, c := range []struct {
		name, member, want string
		change             func(*domain.Observation)
	}{
		{"input that is JSON", "input", `[{"role": "user"}]`, func(*domain.Observation) {}},
		{"input that is a number", "input", `2`, func(o *domain.Observation) { o.Input = "2" }},
		{"input that is no JSON", "input", `"{\"a\""`, func(o *domain.Observation) { o.Input = `{"a"` }},
		{"no input", "input", `null`, func(o *domain.Observation) { o.Input = "" }},
		{"no parameters of a generation", "modelParameters", `{}`, func(o *domain.Observation) { o.ModelParameters = "" }},
		{"no parameters of a span", "modelParameters", `null`, func(o *domain.Observation) { o.ModelParameters, o.Type = "", "SPAN" }},
		{"parameters of a span", "modelParameters", `{"temperature":0.7}`, func(o *domain.Observation) { o.Type = "SPAN" }},
		{"a span without duration", "latency", `0`, func(o *domain.Observation) { o.EndTime = o.StartTime }},
		{"kinds that begin with input", "promptTokens", `100`, func(o *domain.Observation) {
			o.Usage = `{"input":60,"input_cached_tokens":40,"cache_read_input_tokens":7}`
		}},
		{"costs that begin with output", "calculatedOutputCost", `0.3`, func(o *domain.Observation) {
			o.Cost = `{"output":0.1,"output_audio":0.2,"audio_output":1}`
		}},
		{"no total cost", "calculatedTotalCost", `0`, func(o *domain.Observation) { o.Cost = `{"input":1}` }},
		{
			"damaged usage", "usage", `{"unit":"TOKENS","input":0,"output":0,"total":0}`,
			func(o *domain.Observation) { o.Usage = `{"input":1` },
		},
		{
			"nested metadata", "metadata", `{"context":{"nested":{"deep":1}}}`,
			func(o *domain.Observation) { o.Metadata = `{"context.nested.deep":1}` },
		},
		{"long metadata", "metadata", `{"a":"` + strings.Repeat("x", 300) + `"}`, func(o *domain.Observation) {
			o.Metadata = `{"a":"` + strings.Repeat("x", 300) + `"}`
		}},
		{"a prompt", "promptVersion", `3`, func(*domain.Observation) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := fullObservation()
			c.change(o)
			got := membersOfRow(t, string(AppendObservationV1(nil, o, "proj1", testPrices, nil)))
			if string(got.values[c.member]) != c.want {
				t.Errorf("%s = %s, want %s", c.member, got.values[c.member], c.want)
			}
			if !slices.Equal(got.names, membersV1) {
				t.Errorf("members are %q", got.names)
			}
		})
	}
}
