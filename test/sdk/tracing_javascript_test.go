package sdk

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
)

// javaScriptVersion is the version of the client, telemetryVersion that of the OpenTelemetry SDK it uses.
const (
	javaScriptVersion = "5.11.1"
	telemetryVersion  = "2.12.1"
)

// TestJavaScriptTracing sends traces with the JavaScript client and checks every field.
func TestJavaScriptTracing(t *testing.T) {
	t.Parallel()
	s, environment := startForTraces(t)
	began := time.Now()
	run(t, append(environment, "ALMANAC_SECRET_KEY=sk-lf-wrong"), "node", "trace_send.mjs", "refused")
	// Spans dropped by the sampler would appear twice if they were sent.
	sampledOut := run(t, append(environment, "OTEL_TRACES_SAMPLER=always_off"), "node", "trace_send.mjs", "everything")
	if ids := sentIDs(t, sampledOut); ids["root"].ID == "" {
		t.Errorf("the client made no span: %s", sampledOut)
	}
	output := run(t, environment, "node", "trace_send.mjs", "everything")
	const resource = `"resourceAttributes.service.name":"shop","resourceAttributes.service.version":"9.9",` +
		`"resourceAttributes.telemetry.sdk.language":"nodejs","resourceAttributes.telemetry.sdk.name":"opentelemetry",` +
		`"resourceAttributes.telemetry.sdk.version":"` + telemetryVersion + `"`
	e := expectation{
		program: "node", rows: javaScriptRows(), ids: sentIDs(t, output), began: began,
		shared: `{` + resource + `,"scope.name":"langfuse-sdk","scope.version":"` + javaScriptVersion + `"}`,
		own: map[string]string{
			"chat gpt-4o-mini": `{` + resource + `,"scope.name":"some-http-library","scope.version":"1.2.3"}`,
		},
		durations: map[string]time.Duration{"event": 0, "times given": 90 * time.Second},
	}
	e.check(t, storedRows(t, s))
}

// javaScriptRows returns the rows that the client should have sent, by name.
func javaScriptRows() map[string]domain.Observation {
	rows := make(map[string]domain.Observation)
	// add completes a row: only what differs from the defaults has to be given.
	add := func(name string, row domain.Observation) {
		orElse := func(field *string, value string) {
			if *field == "" {
				*field = value
			}
		}
		orElse(&row.Type, "SPAN")
		orElse(&row.Level, "DEFAULT")
		orElse(&row.Environment, "staging")
		orElse(&row.Version, "9.9")
		orElse(&row.ScopeName, "langfuse-sdk")
		orElse(&row.ScopeVersion, javaScriptVersion)
		row.IsAppRoot = row.IsAppRoot || row.ParentID == ""
		row.Release = "release-7"
		row.Source, row.IngestionKey, row.SDKName, row.SDKVersion = "otel", tracingKey, "javascript", javaScriptVersion
		row.ServiceName, row.ServiceVersion = "shop", "9.9"
		row.TelemetryLanguage, row.TelemetryName, row.TelemetryVersion = "nodejs", "opentelemetry", telemetryVersion
		rows[name] = row
	}
	addActiveObservations(add)
	addOutcomes(add)
	addJavaScriptContent(add)
	addSpanContexts(add)
	addFunctions(add)
	return rows
}

func addActiveObservations(add addRow) {
	// What was propagated, with the rest of the metadata that the inner call changes. Strings are sent bare: those that
	// are valid JSON are parsed as such.
	propagated := func(row domain.Observation, metadata, rest string) domain.Observation {
		row.UserID, row.SessionID, row.TraceName = "user-1", "session-1", "support request"
		row.Tags = []string{"blue", "green", "with, comma"}
		if row.Version == "" {
			row.Version = "2.0"
		}
		code := "42"
		if rest != "" {
			row.UserID, row.Tags, code = "user-2", append(row.Tags, "inner"), "43"
		}
		common := `"tenant":"acme","code":` + code + `,"where":"東京",`
		row.Metadata = `{` + metadata + common + `"plan.tier":"gold"` + rest + `}`
		row.TraceMetadata = `{` + common + `"plan":{"tier":"gold"}` + rest + `}`
		return row
	}
	add("root", propagated(domain.Observation{
		Input: `{"question":"Où est la clé? 東京 😀","n":1}`, Output: "plain text, not JSON", Public: true,
		TraceInput: `{"from":"trace"}`, TraceOutput: "to trace ***",
	}, `"text":"plain","number text":42,"true text":true,"object text.a":1,"int":43,"negative":-7,"large":9007199254740991,`+
		`"float":1.5,"tiny":1e-7,"zero":0,"bool":true,"no":false,"nested.a.b":[1,2],"nested.c":null,"nested.d":"x",`+
		`"list":[1,"zwei",null,{"k":true}],"unicode":"Größe 東京 😀 \"quoted\" \\ \n\t","dotted.key":"dots",`+
		`"when":"2026-01-02T03:04:05.000Z","added":"later",`, ""))
	add("before propagation", domain.Observation{ParentID: "root"})
	add("generation", propagated(politeGeneration(
		`[{"role":"user","content":"Hello \"you\"\n東京"}]`, `{"role":"assistant","content":"Grüß Gott"}`,
	), "", `,"step":1`))
	add("inner", propagated(domain.Observation{ParentID: "generation"}, "", `,"step":1`))
	for _, kind := range []string{
		"span", "agent", "tool", "chain", "retriever", "evaluator", "guardrail", "embedding", "generation",
	} {
		add("type "+kind, propagated(domain.Observation{
			ParentID: "root", Type: strings.ToUpper(kind), Input: kind + " in", Output: kind + " out",
		}, "", ""))
	}
	add("event", propagated(domain.Observation{
		ParentID: "root", Type: "EVENT", Input: "what", Output: `["happened"]`,
		Level: "WARNING", StatusMessage: "look at this", Version: "event-1",
	}, `"k":"v",`, ""))
	add("event now", propagated(domain.Observation{ParentID: "root", Type: "EVENT"}, "", ""))
}

// addOutcomes adds levels, errors, usage and cost.
func addOutcomes(add addRow) {
	for _, level := range []string{"DEBUG", "DEFAULT", "WARNING", "ERROR"} {
		add("level "+level, domain.Observation{Level: level, StatusMessage: "message of " + level})
	}
	add("rejects", domain.Observation{Level: "ERROR", StatusMessage: `it broke: "why"`})
	add("throws", domain.Observation{Level: "ERROR", StatusMessage: "Unknown error"})
	add("usage openai", openAIUsage(domain.Observation{}))
	add("usage camel case", domain.Observation{
		Type: "GENERATION", Model: "a-model-of-ours", ProvidedUsage: `{"promptTokens":10,"completionTokens":20}`,
		Usage: `{"promptTokens":10,"completionTokens":20,"total":30}`, TotalTokens: domain.IntOf(30),
	})
	add("cost given", givenCost())
	add("tool with usage", miniUsage(domain.Observation{Type: "TOOL", ModelParameters: `{"temperature":0.7}`}))
}

func addJavaScriptContent(add addRow) {
	add("content empty", domain.Observation{})
	add("content nothing", domain.Observation{})
	add("content number", domain.Observation{Input: "2", Output: "0"})
	add("content list", domain.Observation{Input: "[]", Output: "{}"})
	add("content text", domain.Observation{Input: "  two\n\"lines\" \\ 東京 😀 \x00 \u2028 end ", Output: `{"looks": "like JSON" }`})
	add("content long", domain.Observation{Input: strings.Repeat("x", 300_000), Output: `["` + strings.Repeat("é", 1000) + `"]`})
	add("content special", domain.Observation{Input: `{"nan":null,"when":"1970-01-01T00:00:00.000Z","map":{},"big":"1"}`})
	add("content circular", domain.Observation{Input: "<failed to serialize>"})
	// The client masks neither metadata nor status messages.
	add("content secret", domain.Observation{
		Input: "open ***", Output: `{"deep":["***",1]}`, Metadata: `{"word":"sesame-333"}`, StatusMessage: "sesame-4444",
	})
	add("metadata list", domain.Observation{Metadata: `{"0":1,"1":"two","2.three":3}`})
	add("metadata text", domain.Observation{}) // metadata that is not an object is dropped
}

func addSpanContexts(add addRow) {
	add("given parent", domain.Observation{ParentID: "0123456789abcdef", IsAppRoot: true})
	add("child of given parent", domain.Observation{ParentID: "given parent"})
	add("propagated prompt", domain.Observation{
		Type: "GENERATION", Model: "m", Environment: "from-context",
		PromptName: "propagated-prompt", PromptVersion: domain.IntOf(12),
	})
	add("prompt on a span", domain.Observation{Environment: "from-context"})
	add("times given", domain.Observation{})
	// The client leaves out the parent, which is unrelated to models, and notices too late that this span is related:
	// it is not marked as a root.
	add("chat gpt-4o-mini", priced(gpt4oMiniJuly, domain.Observation{
		ParentID: unknownParent, Type: "GENERATION", ScopeName: "some-http-library", ScopeVersion: "1.2.3",
		Input:  `[{"role":"user","parts":[{"type":"text","content":"hi"}]}]`,
		Output: `[{"role":"assistant","parts":[{"type":"text","content":"ho"}]}]`,
		Metadata: attributes(`
			langfuse.environment "staging"
			langfuse.release "release-7"
			gen_ai.operation.name "chat"
			gen_ai.request.model "gpt-4o-mini"
			gen_ai.response.model "gpt-4o-mini-2024-07-18"
			gen_ai.request.temperature 0.5
			gen_ai.request.max_tokens 100
			gen_ai.usage.input_tokens 10
			gen_ai.usage.output_tokens 5
			server.port 443
			http.retries [1,2]
			cache.hit false`),
		Model: "gpt-4o-mini-2024-07-18", ModelParameters: `{"temperature":0.5,"max_tokens":100}`,
		ProvidedUsage: `{"input":10,"output":5}`, Usage: `{"input":10,"output":5,"total":15}`,
		InputTokens: 10, OutputTokens: 5, TotalTokens: domain.IntOf(15),
		Cost:      `{"input":0.0000015,"output":0.000003,"total":0.0000045}`,
		InputCost: 0.0000015, OutputCost: 0.000003, TotalCost: domain.FloatOf(0.0000045),
	}))
}

func addFunctions(add addRow) {
	add("observedParent", domain.Observation{Input: "why?", Output: `{"answer":"why?why?"}`})
	add("observed child", domain.Observation{
		ParentID: "observedParent", Type: "TOOL", Input: `["why?",2]`, Output: "why?why?", Metadata: `{"times":2}`,
	})
	add("observed generation", miniUsage(domain.Observation{Type: "GENERATION", Output: "generated"}))
	add("observed without content", domain.Observation{})
	add("observed error", domain.Observation{
		Level: "ERROR", StatusMessage: "missing 7", Output: `{"error":"RangeError: missing 7"}`,
	})
	add("async parent", domain.Observation{})
	for n := range 3 {
		child := fmt.Sprintf("async child %d", n)
		add(child, domain.Observation{ParentID: "async parent"})
		add(fmt.Sprintf("async grandchild %d", n), domain.Observation{ParentID: child, Type: "RETRIEVER"})
	}
}
