package semconv

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// TestScalars removes one source after the other: each case lists the sources of a field in order, and the result of
// each.
func TestScalars(t *testing.T) {
	type source struct {
		name  string
		value any
		want  string
	}
	for _, c := range []struct {
		field   string
		read    func(*domain.Observation) string
		last    string // without any source
		sources []source
	}{
		{
			"name", func(o *domain.Observation) string { return o.Name }, "span name",
			[]source{
				{"gen_ai.tool.name", "tool", "tool"},
				{"genkit:name", "genkit", "genkit"},
				{"logfire.msg", 12, "12"},
				{"ai.toolCall.name", "call", "call"},
				{"ai.operationId", "op", "op"},
			},
		},
		{
			"status message", func(o *domain.Observation) string { return o.StatusMessage }, "of the status",
			[]source{{"langfuse.observation.status_message", "own", "own"}},
		},
		{
			"version", func(o *domain.Observation) string { return o.Version }, "service",
			[]source{{"langfuse.version", "own", "own"}},
		},
		{
			"release", func(o *domain.Observation) string { return o.Release }, "of the resource",
			[]source{{"langfuse.release", "own", "own"}},
		},
		{
			"trace name", func(o *domain.Observation) string { return o.TraceName }, "",
			[]source{{"langfuse.trace.name", "own", "own"}},
		},
		{
			"user", func(o *domain.Observation) string { return o.UserID }, "",
			[]source{
				{"langfuse.user.id", 12, "12"},
				{"user.id", "plain", "plain"},
				{"langfuse.observation.metadata.langfuse_user_id", `"quoted"`, "quoted"},
				{"langfuse.trace.metadata.langfuse_user_id", "bare", "bare"},
				{"ai.telemetry.metadata.userId", `"kept"`, `"kept"`},
			},
		},
		{
			"session", func(o *domain.Observation) string { return o.SessionID }, "",
			[]source{
				{"langfuse.session.id", "own", "own"},
				{"session.id", true, "true"},
				{"gen_ai.conversation.id", "conversation", "conversation"},
				{"langfuse.observation.metadata.langfuse_session_id", "12", "12"},
				{"langfuse.trace.metadata.langfuse_session_id", `"quoted"`, "quoted"},
				{"ai.telemetry.metadata.sessionId", "vercel", "vercel"},
			},
		},
		{
			"tags", func(o *domain.Observation) string { return strings.Join(o.Tags, "|") }, "",
			[]source{
				{"langfuse.trace.tags", []any{"a", 1, true, nil, "a"}, "a|1|true|null|a"},
				{"langfuse.tags", "a, b,,c ", "a|b||c"},
				{"langfuse.observation.metadata.langfuse_tags", `["x","y"]`, "x|y"},
				{"langfuse.trace.metadata.langfuse_tags", `"x, y"`, "x|y"},
				{"ai.telemetry.metadata.tags", `["x",{"a": 1}]`, `x|{"a":1}`},
				{"tag.tags", "one tag", "one tag"},
			},
		},
		{
			"model", func(o *domain.Observation) string { return o.Model }, "",
			[]source{
				{"langfuse.observation.model.name", "own", "own"},
				{"gen_ai.response.model", "response", "response"},
				{"ai.model.id", "vercel", "vercel"},
				{"gen_ai.request.model", "request", "request"},
				{"llm.response.model", "llm response", "llm response"},
				{"llm.model_name", []any{"list"}, `["list"]`},
				{"model", 5, "5"},
			},
		},
		{
			"environment", func(o *domain.Observation) string { return o.Environment }, "of-the-resource",
			[]source{
				{"langfuse.environment", "Own", "own"},
				{"deployment.environment.name", "New Name", "default"},
				{"deployment.environment", "old", "old"},
			},
		},
	} {
		t.Run(c.field, func(t *testing.T) {
			for i := 0; i <= len(c.sources); i++ {
				in := input{
					resource: attributes("service.version", "service", "langfuse.release", "of the resource"),
					span:     otlp.Span{Name: "span name", StatusMessage: "of the status"},
				}
				if c.field == "environment" && i == len(c.sources) {
					in.resource = attributes("deployment.environment", "Of-The-Resource")
				}
				want := c.last
				if i < len(c.sources) {
					want = c.sources[i].want
				}
				// Sources are sent in reverse order, so that their order in the span does not matter.
				for j := len(c.sources) - 1; j >= i; j-- {
					in.span.Attributes = append(in.span.Attributes, attributes(c.sources[j].name, c.sources[j].value)...)
				}
				// Empty sources count as absent.
				for j := range i {
					if c.sources[j].name != "genkit:name" && c.sources[j].name != "ai.toolCall.name" &&
						c.sources[j].name != "ai.operationId" {
						in.span.Attributes = append(in.span.Attributes, attributes(c.sources[j].name, "")...)
					}
				}
				row, _ := mapped(in)
				if got := c.read(&row); got != want {
					t.Errorf("source %d: %q, want %q", i, got, want)
				}
			}
		})
	}
}

func TestName(t *testing.T) {
	for _, c := range []struct {
		pairs []any
		want  string
	}{
		{[]any{"ai.operationId", "op", "ai.telemetry.functionId", "fn"}, "fn:op"},
		{[]any{"ai.operationId", "op", "ai.telemetry.functionId", ""}, "op"},
		{[]any{"ai.telemetry.functionId", "fn"}, "span name"},
		{[]any{"genkit:name", ""}, ""},
		{[]any{"genkit:name", nil}, "span name"},
		{[]any{"ai.toolCall.name", ""}, ""},
		{[]any{"gen_ai.tool.name", []any{"a"}}, `["a"]`},
	} {
		if row, _ := mappedAttributes("x", c.pairs...); row.Name != c.want {
			t.Errorf("%v: %q, want %q", c.pairs, row.Name, c.want)
		}
	}
}

func TestLevel(t *testing.T) {
	words := map[string][]string{
		"DEBUG":   {"DEBUG", "trace", "Verbose"},
		"DEFAULT": {"default", "INFO", "log", "NOTICE", "ok", " success\n"},
		"WARNING": {"WARNING", "warn"},
		"ERROR":   {"error", "FATAL", " Critical "},
	}
	for want, list := range words {
		for _, word := range list {
			row, _ := mapped(input{span: otlp.Span{StatusCode: 2, Attributes: attributes("langfuse.observation.level", word)}})
			if row.Level != want {
				t.Errorf("%q: %s", word, row.Level)
			}
		}
	}
	for _, c := range []struct {
		name string
		in   input
		want string
	}{
		{"status", input{span: otlp.Span{StatusCode: 2}}, "ERROR"},
		{
			"unknown word and status",
			input{span: otlp.Span{StatusCode: 2, Attributes: attributes("langfuse.observation.level", "loud")}},
			"ERROR",
		},
		{"number", input{span: otlp.Span{Attributes: attributes("langfuse.observation.level", 3)}}, "DEFAULT"},
		{
			"long",
			input{span: otlp.Span{Attributes: attributes("langfuse.observation.level", strings.Repeat(" ", 1000)+"ERROR")}},
			"DEFAULT",
		},
		{"status ok", input{span: otlp.Span{StatusCode: 1}}, "DEFAULT"},
		{
			"noise that failed",
			input{scope: otlp.Scope{Name: "livekit-agents"}, span: otlp.Span{Name: "tts_node", StatusCode: 2}},
			"ERROR",
		},
		{"noise of another scope", input{scope: otlp.Scope{Name: "x"}, span: otlp.Span{Name: "tts_node"}}, "DEFAULT"},
		{"no noise", input{scope: otlp.Scope{Name: "livekit-agents"}, span: otlp.Span{Name: "agent_turn"}}, "DEFAULT"},
	} {
		if row, _ := mapped(c.in); row.Level != c.want {
			t.Errorf("%s: %s, want %s", c.name, row.Level, c.want)
		}
	}
	for _, name := range []string{
		"user_speaking", "eou_detection", "llm_request_run", "tts_node", "tts_request", "tts_request_run", "tts_stream_adapter",
		"agent_speaking", "drain_agent_activity", "on_exit", "on_enter", "llm_fallback_adapter", "tts_fallback_adapter",
		"start_agent_activity",
	} {
		if row, _ := mapped(input{scope: otlp.Scope{Name: "livekit-agents"}, span: otlp.Span{Name: name}}); row.Level != "DEBUG" {
			t.Errorf("%s: %s", name, row.Level)
		}
	}
}

func TestEnvironment(t *testing.T) {
	for _, c := range []struct {
		name     string
		resource []any
		span     []any
		want     string
	}{
		{"none", nil, nil, "default"},
		{"lower case", nil, []any{"langfuse.environment", "Production"}, "production"},
		{"reserved", nil, []any{"langfuse.environment", "langfuse-test"}, "test"},
		{"reserved alone", nil, []any{"langfuse.environment", "langfuse"}, "default"},
		{"reserved again and again", nil, []any{"langfuse.environment", "LangfuseLangfuse_langfuse--x"}, "-x"},
		{"blank", nil, []any{"langfuse.environment", "My Env"}, "default"},
		{"no ASCII", nil, []any{"langfuse.environment", "prüfung"}, "default"},
		{"all characters", nil, []any{"langfuse.environment", "a-z_09"}, "a-z_09"},
		{"long", nil, []any{"langfuse.environment", strings.Repeat("a", 41)}, strings.Repeat("a", 40)},
		{"bad behind the cut", nil, []any{"langfuse.environment", strings.Repeat("a", 40) + "!"}, strings.Repeat("a", 40)},
		{"number", nil, []any{"langfuse.environment", 5, "deployment.environment", "x"}, "default"},
		{"empty is nothing", nil, []any{"langfuse.environment", "", "deployment.environment", "x"}, "x"},
		{"span before resource", []any{"langfuse.environment", "r"}, []any{"langfuse.environment", "s"}, "s"},
		{"first name before span", []any{"langfuse.environment", "r"}, []any{"deployment.environment.name", "s"}, "r"},
		{"alias on the resource", []any{"almanac.environment", "r"}, nil, "r"},
		{"second name", []any{"deployment.environment.name", "r"}, []any{"deployment.environment", "s"}, "r"},
	} {
		row, _ := mapped(input{resource: attributes(c.resource...), span: otlp.Span{Attributes: attributes(c.span...)}})
		if row.Environment != c.want {
			t.Errorf("%s: %q, want %q", c.name, row.Environment, c.want)
		}
	}
}

func TestTags(t *testing.T) {
	many := strings.Repeat("a,", maxTags+10)
	for _, c := range []struct {
		value any
		want  []string
	}{
		{[]any{}, nil},
		{"[]", nil},
		{"[not json, really", []string{"[not json", "really"}},
		{`["a", 1, null, 1e999, 1.50]`, []string{"a", "1", "null", "1e999", "1.5"}},
		{`{"a":1}`, []string{`{"a":1}`}},
		{5, nil},
		{true, nil},
		{" padded ", []string{" padded "}},
		{many, strings.Split(many, ",")[:maxTags]},
		{"[" + strings.Repeat(`"a",`, maxTags+10) + `"a"]`, strings.Split(many, ",")[:maxTags]},
	} {
		row, _ := mappedAttributes("x", "langfuse.trace.tags", c.value)
		if diff := cmp.Diff(c.want, row.Tags); diff != "" {
			t.Errorf("%.40v: %s", c.value, diff)
		}
	}
	row, _ := mappedAttributes("x", "langfuse.trace.tags", 5, "langfuse.tags", "a")
	if row.Tags != nil {
		t.Errorf("the second source was read although the first is there: %v", row.Tags)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		pairs                 []any
		public, appRoot, root bool
	}{
		{nil, false, false, false},
		{
			[]any{"langfuse.trace.public", true, "langfuse.internal.is_app_root", true, "langfuse.internal.as_root", true},
			true,
			true, true,
		},
		{
			[]any{"langfuse.public", "true", "langfuse.internal.is_app_root", "true", "almanac.internal.as_root", "true"},
			true,
			true, true,
		},
		{[]any{"langfuse.trace.public", false, "langfuse.public", true}, false, false, false},
		{[]any{"langfuse.trace.public", nil, "langfuse.public", true}, true, false, false},
		{[]any{"langfuse.public", 1, "langfuse.internal.is_app_root", "yes", "langfuse.internal.as_root", 1}, false, false, false},
	} {
		row, _ := mappedAttributes("x", c.pairs...)
		if row.Public != c.public || row.IsAppRoot != c.appRoot || row.AsRoot != c.root {
			t.Errorf("%v: %t %t %t", c.pairs, row.Public, row.IsAppRoot, row.AsRoot)
		}
	}
}

func TestModel(t *testing.T) {
	for _, c := range []struct {
		pairs []any
		want  string
	}{
		{[]any{"genkit:metadata:subtype", "model", "genkit:name", "g"}, "g"},
		{[]any{"genkit:metadata:subtype", "tool", "genkit:name", "g"}, ""},
		{[]any{"genkit:metadata:subtype", "model", "genkit:name", "g", "model", "m"}, "m"},
		{[]any{"gen_ai.operation.name", "invoke_agent", "gen_ai.request.model", "m"}, ""},
		{[]any{"gen_ai.operation.name", "agent_step", "langfuse.observation.model.name", "m"}, ""},
		{[]any{"gen_ai.operation.name", "create_agent", "gen_ai.request.model", "m"}, "m"},
	} {
		if row, _ := mappedAttributes("x", c.pairs...); row.Model != c.want {
			t.Errorf("%v: %q, want %q", c.pairs, row.Model, c.want)
		}
	}
}

func TestPrompt(t *testing.T) {
	const generation = "langfuse.observation.type"
	for _, c := range []struct {
		pairs   []any
		name    string
		version domain.OptInt
	}{
		{[]any{"langfuse.observation.prompt.name", "a", "langfuse.observation.prompt.version", 3}, "a", domain.IntOf(3)},
		{[]any{"langfuse.prompt.name", "a", "langfuse.prompt.version", "4"}, "a", domain.IntOf(4)},
		{
			[]any{"langfuse.observation.prompt.name", "a", "langfuse.prompt.name", "b", "langfuse.prompt.version", 5.0},
			"a",
			domain.IntOf(5),
		},
		{[]any{"ai.telemetry.metadata.langfusePrompt", `{"name":"wx","version":4}`}, "wx", domain.IntOf(4)},
		{[]any{"ai.telemetry.metadata.langfusePrompt", `{"name":"wx","version":"4"}`}, "wx", domain.IntOf(4)},
		{[]any{"ai.telemetry.metadata.langfusePrompt", `{"name":null}`}, "", domain.OptInt{}},
		{[]any{"ai.telemetry.metadata.langfusePrompt", `not json`}, "", domain.OptInt{}},
		{
			[]any{"langfuse.prompt.name", "a", "ai.telemetry.metadata.langfusePrompt", `{"name":"wx","version":4}`},
			"a",
			domain.IntOf(4),
		},
		{[]any{"langfuse.observation.prompt.version", 0}, "", domain.IntOf(0)},
		{[]any{"langfuse.observation.prompt.version", 65535}, "", domain.IntOf(65535)},
		{[]any{"langfuse.observation.prompt.version", 65536}, "", domain.OptInt{}},
		{[]any{"langfuse.observation.prompt.version", -1}, "", domain.OptInt{}},
		{[]any{"langfuse.observation.prompt.version", 1.5}, "", domain.OptInt{}},
		{[]any{"langfuse.observation.prompt.version", "latest"}, "", domain.OptInt{}},
		{[]any{"langfuse.observation.prompt.version", true}, "", domain.OptInt{}},
	} {
		row, _ := mappedAttributes("x", append(c.pairs, generation, "generation")...)
		if row.PromptName != c.name || row.PromptVersion != c.version {
			t.Errorf("%v: %q %v", c.pairs, row.PromptName, row.PromptVersion)
		}
		row, _ = mappedAttributes("x", append(c.pairs, generation, "tool")...)
		if row.PromptName != "" || row.PromptVersion.Set {
			t.Errorf("%v: linked to a tool", c.pairs)
		}
	}
}

func TestCompletionStart(t *testing.T) {
	for _, c := range []struct {
		pairs []any
		want  any
	}{
		{[]any{"langfuse.observation.completion_start_time", "2026-01-01T00:00:01.250500Z"}, "2026-01-01T00:00:01.250Z"},
		{[]any{"langfuse.observation.completion_start_time", `"2026-01-01T00:00:01.250500Z"`}, "2026-01-01T00:00:01.250Z"},
		{
			[]any{"langfuse.observation.completion_start_time", "soon", "ai.response.msToFirstChunk", 10},
			"2026-01-01T00:00:00.010Z",
		},
		{[]any{"ai.response.msToFirstChunk", 250.2, "ai.stream.msToFirstChunk", 5}, "2026-01-01T00:00:00.251Z"},
		{[]any{"ai.response.msToFirstChunk", 0, "ai.stream.msToFirstChunk", "5.5"}, "2026-01-01T00:00:00.006Z"},
		{[]any{"ai.response.msToFirstChunk", "x"}, nil},
		{[]any{"ai.response.msToFirstChunk", 1e300}, nil},
		{[]any{"langfuse.observation.completion_start_time", 12}, nil},
		{nil, nil},
	} {
		row, _ := mapped(input{span: otlp.Span{
			Start: otlp.Nanos{Value: 1767225600000000000, Set: true}, Attributes: attributes(c.pairs...),
		}})
		if got := iso(row.CompletionStartTime); got != c.want {
			t.Errorf("%v: %v, want %v", c.pairs, got, c.want)
		}
	}
}

// TestSource tests the fields from the request, the resource, the scope and the trace.
func TestSource(t *testing.T) {
	var m Mapper
	var row domain.Observation
	m.Begin(Source{IngestionKey: "pk", SDKName: "python", SDKVersion: "5.0"}, at)
	m.Resource(&otlp.Resource{Attributes: attributes("service.name", "svc", "service.version", 2, "telemetry.sdk.language", "python",
		"telemetry.sdk.name", "opentelemetry", "telemetry.sdk.version", "1.39")})
	m.Scope(&otlp.Scope{Name: "s", Version: "v"})
	m.Span(&otlp.Span{TraceID: "t", SpanID: "i", ParentID: "p", Name: "n", Attributes: attributes(
		"langfuse.trace.input", `{"a": 1}`, "langfuse.trace.output", []any{1})}, &row)
	want := domain.Observation{
		TraceID: "t", ID: "i", ParentID: "p", Type: "SPAN", Name: "n", Environment: "default", Level: "DEFAULT", Version: "2",
		StartTime: 1_767_225_700_000_000, EndTime: 1_767_225_700_000_000, CreatedAt: at, UpdatedAt: at,
		TraceInput: `{"a": 1}`, TraceOutput: `[1]`,
		Source: "otel", IngestionKey: "pk", SDKName: "python", SDKVersion: "5.0", ServiceName: "svc", ServiceVersion: "2",
		ScopeName: "s", ScopeVersion: "v", TelemetryLanguage: "python", TelemetryName: "opentelemetry", TelemetryVersion: "1.39",
		Metadata: `{"resourceAttributes.service.name":"svc","resourceAttributes.service.version":2,` +
			`"resourceAttributes.telemetry.sdk.language":"python","resourceAttributes.telemetry.sdk.name":"opentelemetry",` +
			`"resourceAttributes.telemetry.sdk.version":"1.39","scope.name":"s","scope.version":"v"}`,
	}
	if diff := cmp.Diff(want, row); diff != "" {
		t.Error(diff)
	}
	if other, _ := mappedAttributes("x"); other.SDKName != "unknown" || other.SDKVersion != "unknown" {
		t.Errorf("an SDK that did not tell is %q %q", other.SDKName, other.SDKVersion)
	}
}
