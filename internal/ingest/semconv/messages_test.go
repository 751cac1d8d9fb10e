package semconv

import (
	"testing"

	"almanac/internal/ingest/otlp"
)

func TestInstructions(t *testing.T) {
	for _, c := range []struct {
		name                   string
		messages, instructions any
		want                   string
	}{
		{"text", `[{"role":"user"}]`, "Be nice", `[{"role":"system","content":"Be nice"},{"role":"user"}]`},
		{
			"parts", `[ ]`, `[{"type":"text","content":"a"},"b",{"x":1},{"content":{"y": 2}},5]`,
			`[{"role":"system","content":"a\nb\n{\"x\":1}\n{\"y\":2}\n5"}]`,
		},
		{"string", `[1]`, `"quoted \"x\""`, `[{"role":"system","content":"quoted \"x\""},1]`},
		{"object", `[1]`, `{"a": 1}`, `[{"role":"system","content":"{\"a\":1}"},1]`},
		{"number", `[1]`, 5, `[{"role":"system","content":"5"},1]`},
		{"list of values", `[1]`, []any{"a", "b"}, `[{"role":"system","content":"a\nb"},1]`},
		{"messages as values", []any{"x"}, "s", `[{"role":"system","content":"s"},"x"]`},
		{"spelling", `[ { "content" : "\u00e9" } ]`, "s", `[{"role":"system","content":"s"},{"content":"é"}]`},
		{"system message is there", `[{"role":"user"}, {"role":"system"}]`, "s", `[{"role":"user"}, {"role":"system"}]`},
		{"no list", `{"role":"user"}`, "s", `{"role":"user"}`},
		{"no JSON", `hello`, "s", `hello`},
		{"number of messages", 5, "s", `5`},
		{"no instructions", `[ 1 ]`, "", `[ 1 ]`},
		{"null instructions", `[ 1 ]`, nil, `[ 1 ]`},
		{"a list in a key-value list", `[1]`, otlp.Value{Kind: otlp.KindJSON, Text: "{}"}, `[{"role":"system","content":"{}"},1]`},
	} {
		row, _ := mappedAttributes("x", "gen_ai.input.messages", c.messages, "gen_ai.system_instructions", c.instructions)
		if row.Input != c.want {
			t.Errorf("%s: %s, want %s", c.name, row.Input, c.want)
		}
	}
	row, _ := mappedAttributes("x", "gen_ai.system_instructions", "s", "gen_ai.output.messages", "o", "gen_ai.tool.call.arguments", "[]")
	if row.Input != "" {
		t.Errorf("instructions without messages gave %q", row.Input)
	}
	row, _ = mappedAttributes("x", "gen_ai.system_instructions", "s", "gen_ai.tool.call.arguments", "[]")
	if row.Input != "[]" {
		t.Errorf("the arguments of a tool became %q", row.Input)
	}
}
