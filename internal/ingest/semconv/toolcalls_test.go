package semconv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/jsontext"
)

func TestToolCalls(t *testing.T) {
	call := func(id, arguments, kind, index string) string {
		return string(jsontext.AppendString(nil, `{"id":"`+id+`","arguments":`+string(jsontext.AppendString(nil, arguments))+`,"type":"`+
			kind+`","index":`+index+`}`))
	}
	for _, c := range []struct {
		name   string
		output string
		names  []string
		want   string
	}{
		{"none", `{"role":"assistant","content":"hi"}`, nil, ""},
		{"text", `arguments, toolName and tool_use`, nil, ""},
		{"broken", `[{"id":"1","name":"a","arguments":"{}"}`, nil, ""},

		{
			"function", `[{"id":"1","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}}]`,
			[]string{"a"},
			"[" + call("1", `{"x":1}`, "function", "0") + "]",
		},
		{
			"function without a type", `{"function":{"name":"a","arguments":{"x": 1}},"index":3}`,
			[]string{"a"},
			"[" + call("", `{"x":1}`, "function", "3") + "]",
		},
		{
			"function, arguments beside it", `{"function":{"name":"a"},"arguments":"z"}`,
			[]string{"a"},
			"[" + call("", `z`, "function", "0") + "]",
		},
		{"function without arguments", `{"function":{"name":"a"},"id":"1","x":"arguments"}`, nil, ""},
		{
			"toolName with a type", `[{"type":"tool-call","toolName":"a","toolCallId":"t"}]`,
			[]string{"a"},
			"[" + call("t", `{}`, "tool-call", "0") + "]",
		},
		{"toolName with input", `[{"toolName":"a","input":{"b":1}}]`, []string{"a"}, "[" + call("", `{"b":1}`, "", "0") + "]"},
		{"toolName with args", `[{"toolName":"a","args":"x"}]`, []string{"a"}, "[" + call("", `x`, "", "0") + "]"},
		{"toolName alone", `[{"toolName":"a"}]`, nil, ""},
		{"call_id", `[{"call_id":"c","id":"i","name":"a","arguments":"{}"}]`, []string{"a"}, "[" + call("c", `{}`, "", "0") + "]"},
		{
			"tool_use", `[{"type":"tool_use","id":"i","name":"a","input":{}}]`,
			[]string{"a"},
			"[" + call("i", `{}`, "tool_use", "0") + "]",
		},
		{"tool_use without input", `[{"type":"tool_use","id":"i","name":"a"}]`, nil, ""},
		{"name, arguments and id", `[{"id":5,"name":"a","arguments":null}]`, []string{"a"}, "[" + call("5", `{}`, "", "0") + "]"},
		{
			"name, arguments and index", `[{"index":"x","name":"a","arguments":[1]}]`,
			[]string{"a"},
			"[" + call("", `[1]`, "", "0") + "]",
		},
		{
			"name, arguments and a type", `[{"type":"function_call","name":"a","arguments":5}]`,
			[]string{"a"},
			"[" + call("", `5`, "function_call", "0") + "]",
		},
		{"name, arguments and another type", `[{"type":"other","name":"a","arguments":{}}]`, nil, ""},
		{"name and arguments", `[{"name":"a","arguments":{}}]`, nil, ""},
		{"tool-result", `[{"type":"tool-result","toolName":"a","input":1}]`, nil, ""},
		{"a name that is none", `[{"id":"1","name":5,"arguments":{}}]`, nil, ""},

		{
			"messages in a list", `[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","arguments":""}}]},` +
				`{"toolCalls":"[{\"toolName\":\"b\",\"args\":{}}]"},{"content":[{"type":"tool_use","name":"c","input":1},` +
				`{"type":"tool-call","toolName":"d","input":2},{"type":"other","toolName":"e","input":2}]},5]`,
			[]string{"a", "b", "c", "d"},
			"[" + call("1", "", "function", "0") + "," + call("", "{}", "", "0") + "," + call("", "1", "tool_use", "0") + "," +
				call("", "2", "tool-call", "0") + "]",
		},
		{
			"message object", `{"role":"assistant","tool_calls":[{"id":"1","name":"a","arguments":""},{"no":"call"}],` +
				`"content":[{"type":"tool_use","name":"c","input":1}],` +
				`"additional_kwargs":{"tool_calls":[{"id":"2","name":"d","arguments":"x"}]}}`,
			[]string{"a", "c", "d"},
			"[" + call("1", "", "", "0") + "," + call("", "1", "tool_use", "0") + "," + call("2", "x", "", "0") + "]",
		},
		{
			"choices", `{"choices":[{"message":{"tool_calls":[{"id":"1","name":"a","arguments":"x"}]}},` +
				`{"message":{"toolCalls":[{"id":"2","name":"b","arguments":"y"}]}},{}]}`,
			[]string{"a", "b"},
			"[" + call("1", "x", "", "0") + "," + call("2", "y", "", "0") + "]",
		},
		{"a message that looks like a call", `{"role":"x","id":"1","name":"a","arguments":"x"}`, nil, ""},
		{
			"twice the id", `[{"id":"1","name":"a","arguments":"x"},{"id":"1","name":"b","arguments":"y"}]`,
			[]string{"a"},
			"[" + call("1", "x", "", "0") + "]",
		},
		{
			"twice the same without id", `[{"toolName":"a","args":1},{"toolName":"a","args":2},{"toolName":"a","args":1}]`,
			[]string{"a", "a"},
			"[" + call("", "1", "", "0") + "," + call("", "2", "", "0") + "]",
		},
		{"hidden letters", `[{"id":"1","name":"a","\u0061rguments":"x"}]`, []string{"a"}, "[" + call("1", "x", "", "0") + "]"},
		{
			"hidden capital letters", `[{"tool\u004eame":"a","args":"x"}]`,
			[]string{"a"},
			"[" + call("", "x", "", "0") + "]",
		},
		{
			"hidden letters in text", `{"tool_calls":"[{\"id\":\"1\",\"name\":\"a\",\"\\u0061rguments\":\"x\"}]"}`,
			[]string{"a"},
			"[" + call("1", "x", "", "0") + "]",
		},
		{
			"LangChain", `{"role":"assistant","content":"","tool_calls":[{"name":"a","args":{"x":1},"id":"1","type":"tool_call"}]}`,
			[]string{"a"},
			"[" + call("1", `{"x":1}`, "tool_call", "0") + "]",
		},
		{
			"a name only",
			`{"tool_calls":[{"name":"a"},{"function":{"name":"b"}},{"toolName":"c"},{"id":"1"},{"type":"tool-result","toolName":"d"}]}`,
			[]string{"a", "b", "c"},
			"[" + call("", `{}`, "", "0") + "," + call("", `{}`, "function", "0") + "," + call("", `{}`, "", "0") + "]",
		},
		{
			"LangChain's results",
			`{"generations":[[{"text":"","message":{"lc":1,"type":"constructor","kwargs":{"tool_calls":[{"name":"a","args":{},"id":"1"}]}}}]]}`,
			[]string{"a"},
			"[" + call("1", `{}`, "", "0") + "]",
		},
		{
			"LangGraph's messages", `[{"type":"ai","data":{"tool_calls":[{"name":"a","args":{},"id":"1"}]}},` +
				`{"type":"constructor","kwargs":{"tool_calls":[{"name":"b","args":{},"id":"2"}]}},{"type":"tool","data":{"tool_calls":[{"name":"c"}]}}]`,
			[]string{"a", "b"},
			"[" + call("1", `{}`, "", "0") + "," + call("2", `{}`, "", "0") + "]",
		},
		{
			"the state of a graph has the calls of others", `{"messages":[{"type":"ai","tool_calls":[{"name":"a","args":{},"id":"1"}]}]}`,
			nil, "",
		},
		{
			"parts",
			`[{"role":"assistant","parts":[{"type":"text","content":"x"},{"type":"tool_call","id":"1","name":"a","arguments":{"x":1}},` +
				`{"type":"tool_call_response","id":"1","name":"b"}]}]`,
			[]string{"a"},
			"[" + call("1", `{"x":1}`, "tool_call", "0") + "]",
		},
		{
			"Google", `{"content":{"role":"model","parts":[{"text":"x"},{"function_call":{"id":"1","name":"a","args":{"x":1}}}]}}`,
			[]string{"a"},
			"[" + call("1", `{"x":1}`, "", "0") + "]",
		},
		{
			"Google's candidates", `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{}}}]}}]}`,
			[]string{"a"},
			"[" + call("", `{}`, "", "0") + "]",
		},
		{
			"Bedrock", `{"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"a","input":{"x":1}}}]}`,
			[]string{"a"},
			"[" + call("1", `{"x":1}`, "", "0") + "]",
		},
		{
			"OpenAI's responses",
			`{"output":[{"type":"reasoning","id":"r"},{"type":"function_call","id":"f","call_id":"1","name":"a","arguments":"{}"}]}`,
			[]string{"a"},
			"[" + call("1", `{}`, "function_call", "0") + "]",
		},
		{
			"OpenAI's first functions", `[{"function_call":{"name":"a","arguments":"{}"}}]`,
			[]string{"a"},
			"[" + call("", `{}`, "", "0") + "]",
		},
		{
			"OpenInference",
			`[{"message":{"role":"assistant","tool_calls":[{"tool_call":{"id":"1","function":{"name":"a","arguments":"{}"}}}]}}]`,
			[]string{"a"},
			"[" + call("1", `{}`, "function", "0") + "]",
		},
		{"calls that are no list", `{"tool_calls":{"id":"1","name":"a","arguments":"x"},"content":"arguments"}`, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mappedAttributes("x", "langfuse.observation.output", c.output)
			if diff := cmp.Diff(c.names, row.ToolCallNames); diff != "" {
				t.Error(diff)
			}
			if row.ToolCalls != c.want {
				t.Errorf("%s, want %s", row.ToolCalls, c.want)
			}
		})
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{`{"tools":1}`, true},
		{`{\"tools\":1}`, true},
		{`{"x":"tools"}`, true},
		{`{"x":"my tools"}`, false},
		{`tools`, false},
		{`"`, false},
		{``, false},
		{`"tool`, false},
		{`""function`, true},
	} {
		if mentions(c.text, "tools", "function") != c.want {
			t.Errorf("%s: %t", c.text, !c.want)
		}
	}
}
