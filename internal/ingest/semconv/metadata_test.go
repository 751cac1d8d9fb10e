package semconv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/ingest/otlp"
)

// TestMetadataDecoding tests one metadata value, as an attribute of the observation and of the trace.
func TestMetadataDecoding(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		flat  []string // members of the flat object
		trace string   // the value in the metadata of the trace
	}{
		{"string", `"eu-west-1"`, []string{`k="eu-west-1"`}, `"eu-west-1"`},
		{"string that looks like a number", `"42"`, []string{`k="42"`}, `"42"`},
		{"string of many digits", `"123456789012345678901"`, []string{`k="123456789012345678901"`}, `"123456789012345678901"`},
		{"string with escapes", `"a\"\\\n\u0141"`, []string{`k="a\"\\\nŁ"`}, `"a\"\\\nŁ"`},
		{"string, half a surrogate pair", `"\ud800"`, []string{`k="�"`}, `"�"`},
		{"empty string", `""`, []string{`k=""`}, `""`},
		{"number", `42`, []string{`k=42`}, `42`},
		{"number with blanks", " 42\n", []string{`k=42`}, `42`},
		{"fraction", `1.50`, []string{`k=1.5`}, `1.5`},
		{"whole fraction", `1.0`, []string{`k=1`}, `1`},
		{"exponent", `1E3`, []string{`k=1000`}, `1000`},
		{
			"more than 64 bits", `123456789012345678901234567890`,
			[]string{`k=123456789012345678901234567890`},
			`123456789012345678901234567890`,
		},
		{"more than a double", `1e999`, []string{`k="1e999"`}, `"1e999"`},
		{"true", `true`, []string{`k=true`}, `true`},
		{"false", `false`, []string{`k=false`}, `false`},
		{"null", `null`, []string{`k=null`}, `null`},
		{
			"object", `{"b":1,"c":{"d":"x","e":{}},"f.g":null}`,
			[]string{`k.b=1`, `k.c.d="x"`, `k.f.g=null`},
			`{"b":1,"c":{"d":"x","e":{}},"f.g":null}`,
		},
		{"empty object", `{}`, nil, `{}`},
		{"list", `["a", 1, {"b": 2}]`, []string{`k=["a",1,{"b":2}]`}, `["a",1,{"b":2}]`},
		{"objects in lists are not entered", `{"l":[{"b":2}]}`, []string{`k.l=[{"b":2}]`}, `{"l":[{"b":2}]}`},
		{"text", `plain text`, []string{`k="plain text"`}, `"plain text"`},
		{"empty text", ``, []string{`k=""`}, `""`},
		{"text like a version", `2.0.0`, []string{`k="2.0.0"`}, `"2.0.0"`},
		{"NaN", `NaN`, []string{`k="NaN"`}, `"NaN"`},
		{"leading zero", `0613`, []string{`k="0613"`}, `"0613"`},
		{"broken JSON", `{"a":1`, []string{`k="{\"a\":1"`}, `"{\"a\":1"`},
		{
			"too deep", strings.Repeat("[", 201) + strings.Repeat("]", 201),
			[]string{`k="` + strings.Repeat("[", 201) + strings.Repeat("]", 201) + `"`},
			`"` + strings.Repeat("[", 201) + strings.Repeat("]", 201) + `"`,
		},
		{"native integer", 7, []string{`k=7`}, `7`},
		{"native double", 0.5, []string{`k=0.5`}, `0.5`},
		{"native boolean", true, []string{`k=true`}, `true`},
		{"native list", []any{"a", `{"x":1}`, []any{1}}, []string{`k=["a","{\"x\":1}",[1]]`}, `["a","{\"x\":1}",[1]]`},
		{"native null", nil, []string{`k=null`}, `null`},
		{
			"key-value list",
			otlp.Value{Kind: otlp.KindJSON, Text: `{"kvlistValue":{"values":[]}}`},
			[]string{`k.kvlistValue.values=[]`},
			`{"kvlistValue":{"values":[]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, domain := range []string{"langfuse.observation", "langfuse.trace", "almanac.observation", "almanac.trace"} {
				row, _ := mappedAttributes("langfuse-sdk", domain+".metadata.k", c.value)
				want := append([]string{`scope.name="langfuse-sdk"`}, c.flat...)
				if diff := cmp.Diff(want, memberList(t, row.Metadata)); diff != "" {
					t.Errorf("%s: %s", domain, diff)
				}
				trace := ""
				if strings.HasSuffix(domain, "trace") {
					trace = `{"k":` + c.trace + `}`
				}
				if row.TraceMetadata != trace {
					t.Errorf("%s: metadata of the trace %s, want %s", domain, row.TraceMetadata, trace)
				}
			}
		})
	}
}

func TestMetadataSources(t *testing.T) {
	for _, c := range []struct {
		name  string
		pairs []any
		want  []string // besides the scope
		trace string
	}{
		{"nothing", nil, nil, ""},
		{
			"whole",
			[]any{"langfuse.observation.metadata", `{"a":1,"b":{"c":"d"},"l":[1]}`},
			[]string{"a=1", `b.c="d"`, "l=[1]"},
			"",
		},
		{"whole of the trace", []any{"langfuse.trace.metadata", `{"b":{"c":"d"}}`}, []string{`b.c="d"`}, `{"b":{"c":"d"}}`},
		{"whole, list", []any{"langfuse.observation.metadata", `["x",{"a":1}]`}, []string{`0="x"`, "1.a=1"}, ""},
		{"whole, list of values", []any{"langfuse.observation.metadata", []any{"x", 1}}, []string{`0="x"`, "1=1"}, ""},
		{"whole, other JSON", []any{"langfuse.observation.metadata", `5`}, nil, ""},
		{"whole, text", []any{"langfuse.observation.metadata", `words`}, nil, ""},
		{"whole, number", []any{"langfuse.observation.metadata", 5}, nil, ""},
		{
			"whole, values are not decoded again",
			[]any{"langfuse.observation.metadata", `{"a":"{\"b\":1}","c":"5"}`},
			[]string{`a="{\"b\":1}"`, `c="5"`},
			"",
		},
		{
			"key over whole, in its place",
			[]any{"langfuse.observation.metadata.a", "9", "langfuse.observation.metadata", `{"z":0,"a":1,"b":2}`},
			[]string{"z=0", "a=9", "b=2"},
			"",
		},
		{
			"alias over whole",
			[]any{"almanac.observation.metadata.a", "9", "langfuse.observation.metadata", `{"a":1}`},
			[]string{"a=9"},
			"",
		},
		{"plain whole belongs to both", []any{"langfuse.metadata", `{"a":1}`}, []string{"a=1"}, `{"a":1}`},
		{
			"own whole before plain",
			[]any{"langfuse.metadata", `{"a":1}`, "langfuse.observation.metadata", `{"b":1}`},
			[]string{"b=1", "a=1"},
			`{"a":1}`,
		},
		{
			"empty own whole",
			[]any{"langfuse.metadata", `{"a":1}`, "langfuse.observation.metadata", ""},
			[]string{"a=1"},
			`{"a":1}`,
		},
		{
			"plain keys belong to both and are not decoded",
			[]any{"langfuse.metadata.a", "5", "langfuse.metadata.b", 5},
			[]string{`a="5"`, "b=5"},
			`{"a":"5","b":5}`,
		},
		{
			"Vercel's keys",
			[]any{
				"ai.telemetry.metadata.plan", "5", "ai.telemetry.metadata.userId", "u", "ai.telemetry.metadata.sessionId", "s",
				"ai.telemetry.metadata.tags", "t", "ai.telemetry.metadata.langfusePrompt", "{}",
			},
			[]string{`plan="5"`},
			`{"plan":"5"}`,
		},
		{
			"the later of equal keys",
			[]any{"langfuse.observation.metadata.a", "1", "langfuse.observation.metadata.b", "2", "langfuse.metadata.a", "x"},
			[]string{`a="x"`, "b=2"},
			`{"a":"x"}`,
		},
		{
			"trace over observation, in its place",
			[]any{"langfuse.trace.metadata.a", "2", "langfuse.observation.metadata.a", "1", "langfuse.observation.metadata.b", "1"},
			[]string{"a=2", "b=1"},
			`{"a":2}`,
		},
		{
			"trace replaces an object as a whole",
			[]any{"langfuse.observation.metadata.a", `{"x":1,"y":2}`, "langfuse.trace.metadata.a", `{"x":3}`},
			[]string{"a.x=3"},
			`{"a":{"x":3}}`,
		},
		{
			"alias of the trace over observation",
			[]any{"almanac.trace.metadata.a", "2", "langfuse.observation.metadata.a", "1"},
			[]string{"a=2"},
			`{"a":2}`,
		},
		{
			"first service wins, behind",
			[]any{"almanac.observation.metadata.a", "2", "langfuse.observation.metadata.a", "1"},
			[]string{"a=1"},
			"",
		},
		{
			"first service wins, before",
			[]any{"langfuse.observation.metadata.a", "1", "almanac.observation.metadata.a", "2"},
			[]string{"a=1"},
			"",
		},
		{
			"the last of a repeated name",
			[]any{"langfuse.observation.metadata.a", "1", "langfuse.observation.metadata.a", "2"},
			[]string{"a=2"},
			"",
		},
		{"no key", []any{"langfuse.observation.metadata.", "1"}, []string{"=1"}, ""},
		{
			"dots and quotes in keys",
			[]any{`langfuse.observation.metadata.a.b"c`, `{"d\u0022\n":1}`},
			[]string{"a.b\"c.d\"\n=1"},
			"",
		},
		{
			"path, literal first",
			[]any{"langfuse.observation.metadata.a.b", "1", "langfuse.observation.metadata.a", `{"b":2,"c":3}`},
			[]string{"a.b=1", "a.c=3"},
			"",
		},
		{
			"path, nested first",
			[]any{"langfuse.observation.metadata.a", `{"b":2,"c":3}`, "langfuse.observation.metadata.a.b", "1"},
			[]string{"a.b=2", "a.c=3"},
			"",
		},
		{
			"path, observation before trace",
			[]any{"langfuse.trace.metadata.a.b", "1", "langfuse.observation.metadata.a", `{"b":2}`},
			[]string{"a.b=2"},
			`{"a.b":1}`,
		},
		{
			"path, spelled in two ways",
			[]any{"langfuse.observation.metadata.a.b", "1", "langfuse.observation.metadata.a", `{"\u0062":2,"b":3}`},
			[]string{"a.b=1"},
			"",
		},
		{"path, twice in one object", []any{"langfuse.observation.metadata.a", `{"b":2,"b":3}`}, []string{"a.b=2"}, ""},
		{
			"what became a field stays",
			[]any{"langfuse.observation.metadata.langfuse_user_id", `"u"`, "langfuse.trace.metadata.langfuse_tags", `["t"]`},
			[]string{`langfuse_user_id="u"`, `langfuse_tags=["t"]`},
			`{"langfuse_tags":["t"]}`,
		},
		{"others are lost in the scope of an SDK", []any{"custom", "x", "langfuse.metadataX", "x"}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mappedAttributes("langfuse-sdk-x", c.pairs...)
			want := append([]string{`scope.name="langfuse-sdk-x"`}, c.want...)
			if diff := cmp.Diff(want, memberList(t, row.Metadata)); diff != "" {
				t.Error(diff)
			}
			if row.TraceMetadata != c.trace {
				t.Errorf("metadata of the trace %s, want %s", row.TraceMetadata, c.trace)
			}
		})
	}
}

// TestMetadataGroups tests attributes, resource and scope, and client keys that collide with theirs.
func TestMetadataGroups(t *testing.T) {
	const user = "langfuse.observation.metadata."
	base := []string{
		`attributes.x=1`, `resourceAttributes.r="R"`, `resourceAttributes.r2=[1]`,
		`scope.name="n"`, `scope.version="v"`, `scope.droppedAttributesCount=2`, `scope.attributes.lib="x"`,
	}
	for _, c := range []struct {
		name  string
		pairs []any
		want  []string
	}{
		{"apart", []any{user + "u", "1"}, append(base[:7:7], "u=1")},
		{"a key replaces the scope", []any{user + "u", "1", user + "scope", `"mine"`}, append(base[:3:3], `scope="mine"`, "u=1")},
		{
			"a key replaces the scope by an object",
			[]any{user + "scope", `{"name":"mine","z":1}`},
			append(base[:3:3], `scope.name="mine"`, "scope.z=1"),
		},
		{
			"a key of the trace replaces the resource",
			[]any{"langfuse.trace.metadata.resourceAttributes", `{"a":1}`},
			append(append(base[:1:1], "resourceAttributes.a=1"), base[3:]...),
		},
		{"a key replaces the attributes", []any{user + "attributes", `5`}, append([]string{"attributes=5"}, base[1:]...)},
		{
			"a dotted key does not replace",
			[]any{user + "scope.name", `"mine"`, user + "scope.new", "1", user + "attributes.x", "9"},
			append(base[:7:7], "scope.new=1"),
		},
		{
			"a dotted key and a replaced group",
			[]any{user + "scope.name", `"dotted"`, user + "scope", `{"z":1}`},
			append(base[:3:3], "scope.z=1", `scope.name="dotted"`),
		},
		{
			"a key that only begins like one",
			[]any{user + "scopes", "1", user + "attributesX.y", "2"},
			append(base[:7:7], "scopes=1", "attributesX.y=2"),
		},
		{
			"tools are left out",
			[]any{user + "scope.name", "1", user + "tools", `[{"name":"a"}]`, user + "k", "2"},
			append(base[:7:7], "k=2"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mapped(input{
				resource: attributes("r", "R", "r2", []any{1}),
				scope: otlp.Scope{
					Name: "n", Version: "v", Attributes: attributes("lib", "x"), Extra: attributes("droppedAttributesCount", 2),
				},
				span: otlp.Span{Attributes: append(attributes("x", 1), attributes(c.pairs...)...)},
			})
			if diff := cmp.Diff(c.want, memberList(t, row.Metadata)); diff != "" {
				t.Error(diff)
			}
		})
	}
	row, _ := mappedAttributes("langfuse-sdk", "x", 1, user+"attributes", `{"x":2}`)
	if want := `{"scope.name":"langfuse-sdk","attributes.x":2}`; row.Metadata != want {
		t.Errorf("%s, want %s", row.Metadata, want)
	}
	if row, _ := mappedAttributes(""); row.Metadata != "" {
		t.Errorf("metadata of nothing: %s", row.Metadata)
	}
	row, _ = mapped(input{
		resource: attributes("a", 1, "b", 2, "a", 3), scope: otlp.Scope{Attributes: attributes("a", 1, "a", 2)},
		span: otlp.Span{Attributes: attributes("a", 1, "b", 2, "a", 3)},
	})
	want := []string{"attributes.a=3", "attributes.b=2", "resourceAttributes.a=3", "resourceAttributes.b=2", "scope.attributes.a=2"}
	if diff := cmp.Diff(want, memberList(t, row.Metadata)); diff != "" {
		t.Errorf("repeated names: %s", diff)
	}
}

// TestAttributesOfMetadata tests which attributes are repeated in metadata.
func TestAttributesOfMetadata(t *testing.T) {
	removed := []string{
		"langfuse.trace.input", "langfuse.trace.output", "langfuse.observation.input", "langfuse.observation.output",
		"ai.prompt.messages", "ai.prompt", "ai.toolCall.args", "ai.toolCall.result", "ai.response.text", "ai.result.text",
		"ai.response.object", "ai.result.object", "ai.response.toolCalls", "ai.result.toolCalls",
		"gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response", "gcp.vertex.agent.tool_call_args",
		"gcp.vertex.agent.tool_response",
		"prompt", "all_messages_events", "events",
		"lk.input_text", "lk.user_transcript", "lk.chat_ctx", "lk.user_input", "lk.function_tool.output", "lk.response.text",
		"mlflow.spanInputs", "mlflow.spanOutputs", "traceloop.entity.input", "traceloop.entity.output", "input.value", "output.value",
		"final_result", "pydantic_ai.all_messages", "gen_ai.system_instructions", "input", "output",
		"gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result",
		"genkit:input", "genkit:output", "flue.turn.input", "flue.turn.output", "flue.tool.arguments", "flue.tool.result",
		"flue.task.prompt", "flue.task.result", "flue.operation.result", "flue.workflow.payload", "flue.workflow.result",
		"gen_ai.prompt", "gen_ai.prompt.0.role", "gen_ai.completion", "gen_ai.completion.0.role", "llm.input_messages",
		"llm.input_messages.0.x", "llm.output_messages", "llm.output_messages.0.x", "langfuse.trace.metadata",
		"langfuse.observation.metadata", "ai.telemetry.metadata", "ai.telemetry.metadata.userId", "almanac.observation.input",
	}
	stays := []string{
		"langfuse.observation.type", "user.id", "gen_ai.usage.input_tokens", "langfuse.metadata", "tool_arguments", "tool_response",
		"langfuse.experiment.id", "langfuse.experiment.metadata", "gen_ai.operation.name", "http.method", "gen_ai.prompt_name",
		"ai.prompt.toolChoice",
		"langfuse.internal.is_app_root", "logfire.msg", "genkit:name",
	}
	for _, name := range removed {
		if row, _ := mappedAttributes("", name, "v"); row.Metadata != "" {
			t.Errorf("%s stays: %s", name, row.Metadata)
		}
	}
	for _, name := range stays {
		if row, _ := mappedAttributes("", name, "v"); row.Metadata != `{"attributes.`+name+`":"v"}` {
			t.Errorf("%s: %s", name, row.Metadata)
		}
	}
	row, _ := mappedAttributes("", "n", nil, "f", 1e21, `q"`, "\n", "kv", otlp.Value{Kind: otlp.KindJSON, Text: "{}"})
	if want := `{"attributes.n":null,"attributes.f":1e+21,"attributes.q\"":"\n","attributes.kv":"{}"}`; row.Metadata != want {
		t.Errorf("%s, want %s", row.Metadata, want)
	}
}

// TestMetadataBounds checks that metadata that would become too large is kept as a string.
func TestMetadataBounds(t *testing.T) {
	leaves := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"k%d":%d`, i, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	long := `{"` + strings.Repeat("p", 5000) + `":` + leaves(500) + `}`
	half := `{"` + strings.Repeat("p", 5000) + `":` + leaves(50) + `}`
	for _, c := range []struct {
		name  string
		pairs []any
		count int
		first string
	}{
		{"many values", []any{"langfuse.observation.metadata.o", leaves(maxLeaves)}, maxLeaves, "o.k0=0"},
		{"too many values", []any{"langfuse.observation.metadata.o", leaves(maxLeaves + 1)}, 1, `o="{\"k0\":0,`},
		{"paths too long", []any{"langfuse.observation.metadata.o", long}, 1, `o="{\"ppp`},
		{
			"what was begun is undone",
			[]any{"langfuse.observation.metadata.o", long, "langfuse.observation.metadata.o." + strings.Repeat("p", 5000), `{"k0":1}`},
			2, `o="{\"ppp`,
		},
		{"long paths", []any{"langfuse.observation.metadata.o", long[:300] + long[5000:]}, 500, "o.ppp"},
		{
			"all objects of a row together",
			[]any{"langfuse.observation.metadata.o", half, "langfuse.observation.metadata.p", half, "langfuse.observation.metadata.q", "1"},
			52, "o.ppp",
		},
		{"many keys", []any{"langfuse.observation.metadata", leaves(maxMembers)}, maxMembers, "k0=0"},
		{"too many keys", []any{"langfuse.observation.metadata", leaves(maxMembers + 1)}, 1, `metadata="{\"k0\":0,`},
		{
			"too many elements",
			[]any{"langfuse.observation.metadata", "[" + strings.Repeat("1,", maxMembers+5) + "1]"},
			maxMembers, "0=1",
		},
	} {
		row, _ := mappedAttributes("", c.pairs...)
		got := memberList(t, row.Metadata)
		if len(got) != c.count || !strings.HasPrefix(got[0], c.first) {
			t.Errorf("%s: %d, %.50s", c.name, len(got), got[0])
		}
	}
}
