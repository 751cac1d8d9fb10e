package sdk

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
)

// pythonClient is a generation of the Python client.
type pythonClient struct {
	program, version string
	// encodes: metadata is sent as JSON, so that a string stays a string whatever it looks like. Earlier clients sent
	// strings bare.
	encodes bool
	// saysRefused is what it logs about a refused score.
	saysRefused string
}

var pythonClients = map[string]pythonClient{
	"newest":         {program: python, version: "5.0.4", encodes: true, saysRefused: "accepted 8 and rejected 1 of 9 scores"},
	"previous major": {program: previousPython, version: "4.18.0", saysRefused: "Bad request"},
}

// TestPythonTracing sends traces with the Python client and checks every field.
func TestPythonTracing(t *testing.T) {
	t.Parallel()
	for name, client := range pythonClients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, environment := startForTraces(t)
			began := time.Now()
			sampledOut := run(t, append(environment, "LANGFUSE_SAMPLE_RATE=0"), client.program, "trace_send.py", "little")
			if ids := sentIDs(t, sampledOut); ids["little"].ID == "" {
				t.Errorf("the client made no span: %s", sampledOut)
			}
			refused := run(t, append(environment, "ALMANAC_SECRET_KEY=sk-lf-wrong"), client.program, "trace_send.py", "little")
			if !strings.Contains(refused, "Failed to export spans batch code: 401") {
				t.Errorf("the client does not say that its key is wrong: %s", refused)
			}
			output := run(t, environment, client.program, "trace_send.py", "everything")
			e := expectation{
				program: client.program, rows: client.rows(), ids: sentIDs(t, output), began: began,
				shared: `{` + pythonResource + `,"scope.name":"langfuse-sdk","scope.version":"` + client.version + `",` +
					`"scope.attributes.public_key":"` + tracingKey + `"}`,
				// The user's metadata has a key with the same name as the scope.
				own:       map[string]string{"metadata groups": `{` + pythonResource + `}`},
				durations: map[string]time.Duration{"event": 0, "end time given": 90 * time.Second},
			}
			rows := storedRows(t, s)
			for i := range rows {
				client.checkMadeUp(t, &rows[i], e.ids)
			}
			e.check(t, rows)
		})
	}
}

// pythonResource describes the process.
const pythonResource = `"resourceAttributes.telemetry.sdk.language":"python",` +
	`"resourceAttributes.telemetry.sdk.name":"opentelemetry","resourceAttributes.telemetry.sdk.version":"1.45.2",` +
	`"resourceAttributes.service.instance.id":"here","resourceAttributes.service.version":"9.9",` +
	`"resourceAttributes.langfuse.environment":"staging","resourceAttributes.langfuse.release":"release-7",` +
	`"resourceAttributes.service.name":"shop"`

// checkMadeUp checks the values that the client generates for an experiment, and removes them.
func (c pythonClient) checkMadeUp(t *testing.T, row *domain.Observation, ids map[string]sentID) {
	t.Helper()
	if row.ExperimentName == "" {
		return
	}
	if len(row.ExperimentID) != 16 || len(row.ExperimentItemID) != 16 {
		t.Errorf("%q is of item %q of experiment %q", row.Name, row.ExperimentItemID, row.ExperimentID)
	}
	if root := ids["experiment-item-task"].ID; row.ExperimentItemRootSpanID != root {
		t.Errorf("%q has the root %q, not %q", row.Name, row.ExperimentItemRootSpanID, root)
	}
	row.ExperimentID, row.ExperimentItemID, row.ExperimentItemRootSpanID = "", "", ""
}

// rows returns the rows that the client should have sent, by name.
func (c pythonClient) rows() map[string]domain.Observation {
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
		row.IsAppRoot = row.IsAppRoot || row.ParentID == ""
		row.Release = "release-7"
		row.Source, row.IngestionKey, row.SDKName, row.SDKVersion = "otel", tracingKey, "python", c.version
		row.ServiceName, row.ServiceVersion, row.ScopeName, row.ScopeVersion = "shop", "9.9", "langfuse-sdk", c.version
		row.TelemetryLanguage, row.TelemetryName, row.TelemetryVersion = "python", "opentelemetry", "1.45.2"
		rows[name] = row
	}
	c.addContextManagers(add)
	c.addLevels(add)
	c.addUsage(add)
	c.addContent(add)
	c.addContexts(add)
	c.addDecorators(add)
	c.addExperiment(add)
	if !c.encodes {
		add("trace content", domain.Observation{
			Input: "own in", Output: "own out", TraceInput: `{"from": "trace"}`, TraceOutput: "to trace ***",
		})
	}
	return rows
}

type addRow func(name string, row domain.Observation)

// either chooses a value by the generation of the client.
func (c pythonClient) either(encoded, bare string) string {
	if c.encodes {
		return encoded
	}
	return bare
}

func (c pythonClient) addContextManagers(add addRow) {
	// What was propagated, with the rest of the metadata that the inner call changes.
	propagated := func(row domain.Observation, metadata, rest string) domain.Observation {
		row.UserID, row.SessionID, row.TraceName = "user-1", "session-1", "support request"
		row.Tags = []string{"blue", "green", "with, comma"}
		if row.Version == "" {
			row.Version = "2.0"
		}
		seats := "7"
		if rest != "" {
			row.UserID, row.Tags, seats = "user-2", append(row.Tags, "inner"), "8"
		}
		common := `"tenant":"acme","seats":` + seats +
			c.either(`,"code":"42","ratio":0.5,"beta":true,`, `,"code":42,"ratio":0.5,"beta":"True",`)
		last := `,"where":"東京"` + rest + `}`
		row.Metadata = `{` + metadata + common + c.either(`"plan.tier":"gold"`, `"plan":"{'tier': 'gold'}"`) + last
		row.TraceMetadata = `{` + common + c.either(`"plan":{"tier":"gold"}`, `"plan":"{'tier': 'gold'}"`) + last
		return row
	}
	add("root", propagated(domain.Observation{
		Input:  `{"question": "O\u00f9 est la cl\u00e9? \u6771\u4eac \ud83d\ude00", "n": 1}`,
		Output: "plain text, not JSON", Public: true,
	}, `"text":"plain",`+
		c.either(`"number text":"42","true text":"true","object text":"{\"a\": 1}",`,
			`"number text":42,"true text":true,"object text.a":1,`)+
		`"empty":"","negative":-7,"large":`+c.either(`"9007199254740993"`, `9007199254740993`)+
		`,"float":1.5,"whole float":2,"tiny":1e-7,"bool":true,"nested.a.b":[1,2],"nested.c":null,"nested.d":"x",`+
		`"list":[1,"zwei",null,{"k":true}],"unicode":"Größe 東京 😀 \"quoted\" \\ \n\t","dotted.key":"dots",`+
		`"when":"2026-01-02T03:04:05Z","int":43,"added":"later",`, ""))
	add("before propagation", domain.Observation{ParentID: "root"})
	add("generation", propagated(politeGeneration(
		`[{"role": "user", "content": "Hello \"you\"\n\u6771\u4eac"}]`, `{"role": "assistant", "content": "Gr\u00fc\u00df Gott"}`,
	), "", `,"step":1`))
	add("inner", propagated(domain.Observation{ParentID: "generation"}, "", `,"step":1`))
	for _, kind := range []string{"span", "agent", "tool", "chain", "retriever", "evaluator", "guardrail", "embedding"} {
		add("type "+kind, propagated(domain.Observation{
			ParentID: "root", Type: strings.ToUpper(kind), Input: kind + " in", Output: kind + " out",
		}, "", ""))
	}
	add("event", propagated(domain.Observation{
		ParentID: "root", Type: "EVENT", Input: "what", Output: `["happened"]`,
		Level: "WARNING", StatusMessage: "look at this", Version: "event-1",
	}, `"k":"v",`, ""))
}

func (c pythonClient) addLevels(add addRow) {
	for _, level := range []string{"DEBUG", "DEFAULT", "WARNING", "ERROR"} {
		add("level "+level, domain.Observation{Level: level, StatusMessage: "message of " + level})
	}
	add("raises", domain.Observation{Level: "ERROR", StatusMessage: `ValueError: it broke: "why"`})
}

func (c pythonClient) addUsage(add addRow) {
	generation := func(name string, row domain.Observation) {
		row.Type = "GENERATION"
		add(name, row)
	}
	add("usage openai", openAIUsage(domain.Observation{}))
	generation("usage without total", domain.Observation{
		Model: "a-model-of-ours", ProvidedUsage: `{"prompt_tokens":10,"completion_tokens":20}`,
		Usage: `{"prompt_tokens":10,"completion_tokens":20,"total":30}`, TotalTokens: domain.IntOf(30),
	})
	generation("usage own keys", domain.Observation{
		Model: "a-model-of-ours", ProvidedUsage: `{"input":3,"images":2}`,
		Usage: `{"input":3,"images":2,"total":5}`, InputTokens: 3, TotalTokens: domain.IntOf(5),
	})
	add("cost given", givenCost())
	generation("cost without total", priced(gpt4o, domain.Observation{
		Model:         "gpt-4o",
		ProvidedUsage: `{"input":1,"output":1}`, Usage: `{"input":1,"output":1,"total":2}`,
		InputTokens: 1, OutputTokens: 1, TotalTokens: domain.IntOf(2),
		ProvidedCost: `{"input":0.25,"output":0.5}`, Cost: `{"input":0.25,"output":0.5,"total":0.75}`,
		InputCost: 0.25, OutputCost: 0.5, TotalCost: domain.FloatOf(0.75),
	}))
	generation("cost own keys", domain.Observation{
		ProvidedCost: `{"search":0.125,"input":0.5}`, Cost: `{"search":0.125,"input":0.5}`, InputCost: 0.5,
	})
	generation("model unknown", domain.Observation{Model: "a-model-of-ours", Input: "x", Output: "y"})
	add("embedding with usage", priced(textEmbedding3Small, domain.Observation{
		Type: "EMBEDDING", Input: "to embed", Model: "text-embedding-3-small",
		ProvidedUsage: `{"input":2000}`, Usage: `{"input":2000,"total":2000}`, InputTokens: 2000, TotalTokens: domain.IntOf(2000),
		Cost: `{"total":0.00004}`, TotalCost: domain.FloatOf(0.00004),
	}))
}

func (c pythonClient) addContent(add addRow) {
	add("content empty", domain.Observation{})
	add("content none", domain.Observation{})
	add("content number", domain.Observation{Input: "2", Output: "2.5"})
	add("content zero", domain.Observation{Input: "0", Output: "false"})
	add("content list", domain.Observation{Input: "[]", Output: "{}"})
	add("content text", domain.Observation{Input: "  two\n\"lines\" \\ 東京 😀 \x00 \u2028 end ", Output: `{"looks": "like JSON" }`})
	add("content long", domain.Observation{
		Input: strings.Repeat("x", 300_000), Output: `["` + strings.Repeat(`\u00e9`, 1000) + `"]`,
	})
	add("content special", domain.Observation{
		Input: `{"nan": "NaN", "inf": "Infinity", "bytes": "abc", "set": [1], "when": "2026-01-02T00:00:00Z"}`,
	})
	// The client masks neither status messages nor propagated values.
	add("content secret", domain.Observation{
		Input: "open ***", Output: `{"deep": ["***", 1]}`, Metadata: `{"word":"***"}`, StatusMessage: "sesame-4444",
	})
	add("metadata list", domain.Observation{Metadata: `{"0":1,"1":"two","2.three":3}`})
	add("metadata text", domain.Observation{}) // metadata that is not an object is dropped
	add("metadata groups", domain.Observation{Metadata: `{"scope":"mine","attributes.x":1,"resourceAttributes.extra":"y"}`})
}

func (c pythonClient) addContexts(add addRow) {
	// Without a parent, the client generates one.
	add("given trace", domain.Observation{ParentID: unknownParent, IsAppRoot: true, AsRoot: true})
	add("child of given trace", domain.Observation{ParentID: "given trace"})
	add("given parent", domain.Observation{ParentID: "0123456789abcdef", IsAppRoot: true, AsRoot: true})
	add("propagated prompt", domain.Observation{
		Type: "GENERATION", Model: "m", Environment: "from-context",
		PromptName: "propagated-prompt", PromptVersion: domain.IntOf(12),
	})
	add("prompt on a span", domain.Observation{Environment: "from-context"})
	add("explicit prompt", domain.Observation{
		Type: "GENERATION", Model: "m", Environment: "from-context",
		PromptName: "answer-politely", PromptVersion: domain.IntOf(3),
	})
	add("end time given", domain.Observation{})
}

func (c pythonClient) addDecorators(add addRow) {
	add("decorated", domain.Observation{
		Input: `{"args": ["why?"], "kwargs": {"lang": "de"}}`, Output: `{"answer": "why?why?", "lang": "de"}`,
	})
	add("decorated child", domain.Observation{
		ParentID: "decorated", Type: "TOOL", Metadata: `{"times":2}`,
		Input: `{"args": ["why?", 2], "kwargs": {}}`, Output: "why?why?",
	})
	add("decorated generation", miniUsage(domain.Observation{
		Type: "GENERATION", Input: `{"args": [[{"role": "user", "content": "hi"}]], "kwargs": {}}`, Output: "generated",
		ModelParameters: `{"temperature":0.7}`,
	}))
	add("decorated without content", domain.Observation{})
	add("decorated error", domain.Observation{Input: `{"args": [7], "kwargs": {}}`, Level: "ERROR", StatusMessage: "'missing 7'"})
	add("decorated generator", domain.Observation{Input: `{"args": [2], "kwargs": {}}`, Output: "part 0;part 1;"})
	add("within generator 0", domain.Observation{ParentID: "decorated generator"})
	add("within generator 1", domain.Observation{ParentID: "decorated generator"})
	add("decorated list generator", domain.Observation{Input: `{"args": [], "kwargs": {}}`, Output: `[{"n": 1}, 2]`})
	add("async parent", domain.Observation{Input: `{"args": [], "kwargs": {}}`, Output: "[0, 1, 2]", UserID: "async-user"})
	for n := range 3 {
		child, grandchild := fmt.Sprintf("async child %d", n), fmt.Sprintf("async grandchild %d", n)
		add(child, domain.Observation{
			ParentID: "async parent", UserID: "async-user",
			Input: fmt.Sprintf(`{"args": [%d], "kwargs": {}}`, n), Output: strconv.Itoa(n),
		})
		add(grandchild, domain.Observation{ParentID: child, Type: "RETRIEVER", UserID: "async-user"})
	}
	add("async generator", domain.Observation{Input: `{"args": [], "kwargs": {}}`, Output: "0+1+2"})
	add("method", domain.Observation{Input: `{"args": [["a", 1]], "kwargs": {}}`, Output: `["a", 1]`})
	add("decorated given trace", domain.Observation{
		ParentID: "00000000000000de", IsAppRoot: true, AsRoot: true, Input: `{"args": [], "kwargs": {}}`,
	})
}

func (c pythonClient) addExperiment(add addRow) {
	of := func(row domain.Observation) domain.Observation {
		row.Environment, row.ExperimentName = "sdk-experiment", "capitals run 1"
		row.ExperimentMetadata = `{"model":"gpt-4o","nested.a":"1"}`
		row.ExperimentItemMetadata = `{"continent":"Europe","rank":"1"}`
		return row
	}
	const (
		run  = `"experiment_name":"capitals","experiment_run_name":"capitals run 1"`
		user = `"continent":"Europe","rank":1,"model":"gpt-4o","nested.a":1`
	)
	item := of(domain.Observation{
		Input: `{"country": "France"}`, Output: "PARIS", Metadata: `{` + c.either(run+","+user, user+","+run) + `}`,
		ExperimentDescription: "Does it know capitals?", ExperimentItemExpectedOutput: "Paris",
	})
	add("experiment-item-run", item)
	item.ParentID = "experiment-item-run"
	add("experiment-item-task", item)
	add("experiment step", of(domain.Observation{ParentID: "experiment-item-task"}))
}
