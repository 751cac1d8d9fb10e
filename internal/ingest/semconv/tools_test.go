package semconv

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMoveTools(t *testing.T) {
	const (
		in    = "gen_ai.input.messages"
		defs  = "gen_ai.tool.definitions"
		add   = `{"name":"add"}`
		named = `[{"name":"add"}]`
	)
	for _, c := range []struct {
		name     string
		scope    string
		pairs    []any
		input    string
		names    []string
		metadata []string // besides the scope
	}{
		{
			"list", "x",
			[]any{in, `[ {"role":"user"} ]`, defs, named},
			`{"messages":[{"role":"user"}],"tools":[` + add + `]}`,
			[]string{"add"},
			nil,
		},
		{"object", "x", []any{"input", `{"a": 1}`, defs, named}, `{"a":1,"tools":[` + add + `]}`, []string{"add"}, nil},
		{"nothing", "x", []any{defs, named}, `{"tools":[` + add + `]}`, []string{"add"}, nil},
		{"null", "x", []any{"langfuse.observation.input", "null", defs, named}, `{"tools":[` + add + `]}`, []string{"add"}, nil},
		{"empty text", "x", []any{"langfuse.observation.input", "", defs, named}, `{"tools":[` + add + `]}`, []string{"add"}, nil},
		{
			"text", "x",
			[]any{"input", `hi "you"`, defs, named},
			`{"prompt":"hi \"you\"","tools":[` + add + `]}`,
			[]string{"add"},
			nil,
		},
		{"JSON of a number", "x", []any{"input", `5`, defs, named}, `{"prompt":"5","tools":[` + add + `]}`, []string{"add"}, nil},
		{"a number", "x", []any{"input", 5, defs, named}, `{"prompt":"5","tools":[` + add + `]}`, []string{"add"}, nil},
		{
			"object with tools", "x",
			[]any{"input", `{"tools":[{"name":"add","x":1},{"name":"b"}],"z":1}`, defs, `[{"name":"add"},{"name":"c"}]`},
			`{"z":1,"tools":[{"name":"add","x":1},{"name":"b"},{"name":"c"}]}`,
			[]string{"add", "b", "c"},
			nil,
		},
		{
			"object with no tools", "x",
			[]any{"input", `{"tools":[]}`, defs, named},
			`{"tools":[` + add + `]}`,
			[]string{"add"},
			nil,
		},
		{
			"object with unusable tools", "x",
			[]any{"input", `{"tools":"none"}`, defs, named},
			`{"tools":"none"}`, nil,
			[]string{`attributes.gen_ai.tool.definitions="[{\"name\":\"add\"}]"`},
		},
		{
			"object with tools without names", "x",
			[]any{"input", `{"tools":[{"name":"a"},5]}`, defs, named},
			`{"tools":[{"name":"a"},5]}`,
			[]string{"a"},
			[]string{`attributes.gen_ai.tool.definitions="[{\"name\":\"add\"}]"`},
		},

		{"metadata", "x", []any{"langfuse.observation.metadata.tools", named}, `{"tools":[` + add + `]}`, []string{"add"}, nil},
		{
			"metadata, text of a list", "x",
			[]any{"langfuse.observation.metadata.tools", `"[{\"name\":\"add\"}]"`},
			`{"tools":[` + add + `]}`,
			[]string{"add"},
			nil,
		},
		{"metadata, not decoded", "x", []any{"langfuse.metadata.tools", named}, `{"tools":[` + add + `]}`, []string{"add"}, []string{
			`attributes.langfuse.metadata.tools="[{\"name\":\"add\"}]"`,
		}},
		{
			"metadata, list of values", "x",
			[]any{"langfuse.trace.metadata.tools", []any{add}},
			`{"tools":[` + add + `]}`,
			[]string{"add"},
			nil,
		},
		{
			"metadata, whole", "langfuse-sdk",
			[]any{"langfuse.observation.metadata", `{"tools":[{"name":"add"}],"k":1}`},
			`{"tools":[` + add + `]}`,
			[]string{"add"},
			[]string{"k=1"},
		},
		{
			"metadata, not tools", "langfuse-sdk",
			[]any{"langfuse.observation.metadata.tools", `["hammer"]`},
			"", nil,
			[]string{`tools=["hammer"]`},
		},
		{"metadata, no tools", "langfuse-sdk", []any{"langfuse.observation.metadata.tools", `[]`}, "", nil, []string{`tools=[]`}},
		{
			"metadata, text", "langfuse-sdk",
			[]any{"langfuse.observation.metadata.tools", `hammer`},
			"", nil,
			[]string{`tools="hammer"`},
		},
		{"metadata, null", "langfuse-sdk", []any{"langfuse.observation.metadata.tools", nil}, "", nil, []string{`tools=null`}},

		{
			"Vercel", "x",
			[]any{"ai.prompt.tools", []any{`{"name":"add"}`, `{"type":"provider","id":"x"}`}},
			`{"tools":[` + add + `,{"type":"provider","id":"x"}]}`,
			[]string{"add"},
			nil,
		},
		{
			"Vercel, JSON", "x",
			[]any{"ai.prompt.tools", `["{\"name\":\"add\"}",{"type":"t"},{"type":"t"}]`},
			`{"tools":[` + add + `,{"type":"t"},{"type":"t"}]}`,
			[]string{"add"},
			nil,
		},
		{
			"Vercel, one is none", "x",
			[]any{"ai.prompt.tools", []any{`{"name":"add"}`, "x"}},
			"", nil,
			[]string{`attributes.ai.prompt.tools=["{\"name\":\"add\"}","x"]`},
		},
		{
			"GenAI, a type is no name", "x",
			[]any{defs, `[{"type":"t"}]`},
			"", nil,
			[]string{`attributes.gen_ai.tool.definitions="[{\"type\":\"t\"}]"`},
		},
		{"GenAI, number", "x", []any{defs, 5}, "", nil, []string{`attributes.gen_ai.tool.definitions=5`}},
		{
			"Pydantic", "x",
			[]any{"model_request_parameters", `{"a": 1, "function_tools":[{"name":"add"}],"b":{}}`},
			`{"tools":[` + add + `]}`,
			[]string{"add"},
			[]string{`attributes.model_request_parameters="{\"a\":1,\"b\":{}}"`},
		},
		{
			"Pydantic, none", "x",
			[]any{"model_request_parameters", `{"a": 1, "function_tools":[]}`},
			"", nil,
			[]string{`attributes.model_request_parameters="{\"a\": 1, \"function_tools\":[]}"`},
		},
		{
			"OpenInference", "x",
			[]any{
				"llm.tools.10.tool.json_schema", `{"name":"k"}`, "llm.tools.2.tool.json_schema", `{"function":{"name":"c"}}`,
				"llm.tools.0.tool.json_schema", `{"no":"name"}`, "llm.tools.x.tool.json_schema", `{"name":"x"}`, "llm.tools.1.other",
				`{"name":"o"}`,
			},
			`{"tools":[{"function":{"name":"c"}},{"name":"k"}]}`,
			[]string{"c", "k"},
			[]string{
				`attributes.llm.tools.0.tool.json_schema="{\"no\":\"name\"}"`, `attributes.llm.tools.x.tool.json_schema="{\"name\":\"x\"}"`,
				`attributes.llm.tools.1.other="{\"name\":\"o\"}"`,
			},
		},
		{
			"all places, the first of a name", "x",
			[]any{
				"llm.tools.0.tool.json_schema", `{"name":"a","n":5}`,
				"model_request_parameters", `{"function_tools":[{"name":"a","n":4},{"name":"d"}]}`,
				defs, `[{"name":"a","n":3},{"name":"c"}]`, "ai.prompt.tools", `[{"name":"a","n":2},{"name":"b"}]`,
				"langfuse.observation.metadata.tools", `[{"name":"a","n":1}]`,
			},
			`{"tools":[{"name":"a","n":1},{"name":"b"},{"name":"c"},{"name":"d"}]}`,
			[]string{"a", "b", "c", "d"},
			[]string{`attributes.model_request_parameters="{}"`},
		},
		{
			"scope of an SDK", "langfuse-sdk",
			[]any{defs, named, "ai.prompt.tools", named, "llm.tools.0.tool.json_schema", add},
			"", nil, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mappedAttributes(c.scope, c.pairs...)
			if row.Input != c.input {
				t.Errorf("input %s, want %s", row.Input, c.input)
			}
			if diff := cmp.Diff(c.names, row.ToolNames); diff != "" {
				t.Errorf("names: %s", diff)
			}
			var metadata []string
			for _, m := range memberList(t, row.Metadata) {
				if !strings.HasPrefix(m, "scope.") {
					metadata = append(metadata, m)
				}
			}
			if diff := cmp.Diff(c.metadata, metadata); diff != "" {
				t.Errorf("metadata: %s", diff)
			}
		})
	}
}

func TestToolDefinitions(t *testing.T) {
	for _, c := range []struct {
		name  string
		input string
		want  string
		names []string
	}{
		{"none", `{"a":1}`, "", nil},
		{"text", `tools and function`, "", nil},
		{"broken", `{"tools":[{"name":"a"}]`, "", nil},
		{
			"top", `{"tools":[{"type":"function","function":{"name":"a","description":"d","parameters":{"x": 1}}},` +
				`{"name":"b","desc":"e","parameters_json_schema":"{}"},{"name":"c","inputSchema":[1]},{"name":"a"},{"x":1},5]}`,
			`{"a":"{\"description\":\"d\",\"parameters\":\"{\\\"x\\\":1}\"}","b":"{\"description\":\"e\",\"parameters\":\"{}\"}",` +
				`"c":"{\"description\":\"\",\"parameters\":\"[1]\"}"}`,
			[]string{"a", "b", "c"},
		},
		{
			"messages", `{"messages":[{"tools":[{"name":"a"}]},{"role":"user","tools":[{"name":"b"}]}]}`,
			`{"a":` + bare + `,"b":` + bare + `}`,
			[]string{"a", "b"},
		},
		{"list of messages", `[{"tools":[{"name":"a"}]},5]`, `{"a":` + bare + `}`, []string{"a"}},
		{
			"message of a tool", `[{"role":"tool","content":{"type":"function","function":{"name":"a","description":"d"}}},` +
				`{"role":"tool","content":{"type":"x","function":{"name":"b"}}},` +
				`{"role":"user","content":{"type":"function","function":{"name":"c"}}},` +
				`{"role":"tool","content":"text"}]`,
			`{"a":"{\"description\":\"d\",\"parameters\":\"\"}"}`,
			[]string{"a"},
		},
		{
			"first of a name", `{"tools":[{"name":"a","description":"x"}],"messages":[{"tools":[{"name":"a"}]}]}`,
			`{"a":"{\"description\":\"x\",\"parameters\":\"\"}"}`,
			[]string{"a"},
		},
		{"hidden letters", `{"t\u006fols":[{"name":"a"}]}`, `{"a":` + bare + `}`, []string{"a"}},
		{"blanks", " \n" + `{ "tools" : [ { "name" : "a" } ] }`, `{"a":` + bare + `}`, []string{"a"}},
		{"names with quotes", `{"tools":[{"name":"a\"b"}]}`, `{"a\"b":` + bare + `}`, []string{`a"b`}},
		{
			"null members", `{"tools":[{"name":"a","description":null,"desc":"d","parameters":null}]}`,
			`{"a":"{\"description\":\"d\",\"parameters\":\"\"}"}`,
			[]string{"a"},
		},
		{"no tools", `{"tools":null,"messages":{"tools":[{"name":"a"}]}}`, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mappedAttributes("x", "langfuse.observation.input", c.input)
			if row.ToolDefinitions != c.want {
				t.Errorf("%s, want %s", row.ToolDefinitions, c.want)
			}
			if diff := cmp.Diff(c.names, row.ToolNames); diff != "" {
				t.Error(diff)
			}
			if row.Input != c.input {
				t.Errorf("the input became %s", row.Input)
			}
		})
	}
}

// bare is the definition of a tool that has only a name.
const bare = `"{\"description\":\"\",\"parameters\":\"\"}"`

func TestManyTools(t *testing.T) {
	var b, calls strings.Builder
	for i := range maxTools + 20 {
		fmt.Fprintf(&b, `,{"name":"t%d"}`, i)
		fmt.Fprintf(&calls, `,{"id":"c%d","name":"t","arguments":{}}`, i)
	}
	list := "[" + b.String()[1:] + "]"
	row, _ := mappedAttributes("x", "langfuse.observation.input", `{"tools":`+list+`}`,
		"langfuse.observation.output", "["+calls.String()[1:]+"]")
	if len(row.ToolNames) != maxTools || len(row.ToolCallNames) != maxTools {
		t.Errorf("%d tools, %d calls", len(row.ToolNames), len(row.ToolCallNames))
	}
	row, _ = mappedAttributes("x", "gen_ai.tool.definitions", list)
	if len(row.ToolNames) != 0 || !strings.Contains(row.Metadata, "t10019") {
		t.Error("a list that is too long was moved")
	}
	most := list[:len(list)-1-len(`,{"name":"t10000"}`)*20] + "]"
	row, _ = mappedAttributes("x", "gen_ai.tool.definitions", `[{"name":"a"}]`, "langfuse.observation.metadata.tools", most)
	if len(row.ToolNames) != maxTools {
		t.Errorf("%d tools of two places", len(row.ToolNames))
	}
}
