package semconv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

func TestPlain(t *testing.T) {
	var m Mapper
	m.Begin(Source{}, 1)
	for _, c := range []struct {
		name      string
		read      func(string) string
		json, out string
	}{
		{"text", m.PlainText, `"a\"b"`, `a"b`},
		{"empty text", m.PlainText, `""`, ""},
		{"null", m.PlainText, `null`, ""},
		{"nothing", m.PlainText, ``, ""},
		{"an object in one spelling", m.PlainText, `{ "b" : "\u00e9", "a":[1.0 ,null] }`, `{"b":"é","a":[1,null]}`},
		{"false", m.PlainText, `false`, "false"},
		{
			"metadata", m.PlainMetadata, `{"a":{"b":1,"c":{"d":"x"}},"l":[1, {"y":2}],"n":null}`,
			`{"a.b":1,"a.c.d":"x","l":[1,{"y":2}],"n":null}`,
		},
		{"the first of equal paths", m.PlainMetadata, `{"a":{"b":1},"a.b":2}`, `{"a.b":1}`},
		{"no metadata", m.PlainMetadata, `{}`, ""},
		{"metadata null", m.PlainMetadata, `null`, ""},
		{"metadata that are a text", m.PlainMetadata, `"x"`, `{"metadata":"x"}`},
		{"metadata that are a list", m.PlainMetadata, `[1,2]`, `{"metadata":[1,2]}`},
		{
			"parameters", m.PlainParameters, `{"temperature":0.5,"stop":["a", "b"],"stream":true,"model":"x"}`,
			`{"temperature":0.5,"stop":"[\"a\",\"b\"]","stream":"true","model":"x"}`,
		},
		{"no parameters", m.PlainParameters, `{}`, ""},
		{"parameters that are none", m.PlainParameters, `[1]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.read(c.json); got != c.out {
				t.Errorf("%s, want %s", got, c.out)
			}
		})
	}
}

func TestPlainUsage(t *testing.T) {
	var m Mapper
	for _, c := range []struct {
		name, json string
		want       []domain.UsageEntry
	}{
		{"kinds", `{"input":1,"cache":2}`, []domain.UsageEntry{{Kind: "input", Units: 1}, {Kind: "cache", Units: 2}}},
		{
			"OpenAI", `{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8,"prompt_tokens_details":{"cached":2}}`,
			[]domain.UsageEntry{
				{Kind: "input", Units: 3}, {Kind: "output", Units: 3}, {Kind: "total", Units: 8}, {Kind: "input_cached", Units: 2},
			},
		},
		{"nothing", `{}`, nil},
		{"no object", `3`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, append([]domain.UsageEntry(nil), m.PlainUsage(c.json)...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindTools(t *testing.T) {
	var m Mapper
	m.Begin(Source{}, 1)
	row := domain.Observation{
		Input:  `{"messages":[],"tools":[{"type":"function","function":{"name":"search"}}]}`,
		Output: `{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"search","arguments":"{}"}}]}`,
	}
	m.FindTools(&row)
	if !cmp.Equal(row.ToolNames, []string{"search"}) || !cmp.Equal(row.ToolCallNames, []string{"search"}) {
		t.Errorf("tools %v, called %v", row.ToolNames, row.ToolCallNames)
	}
	row.Input, row.Output = "", ""
	m.FindTools(&row)
	if row.ToolDefinitions != "" || row.ToolNames != nil || row.ToolCalls != "" || row.ToolCallNames != nil {
		t.Errorf("tools of nothing: %v", row)
	}
}
