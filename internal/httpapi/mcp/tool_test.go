package mcp

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func find(t *testing.T, name string) *Tool {
	t.Helper()
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

func TestRequests(t *testing.T) {
	for _, test := range []struct {
		tool, arguments      string
		method, target, body string
		refused              string
	}{
		{
			tool: "listTraces", arguments: `{"tags":["a","b&c"],"limit":5,"userId":"ü ?","version":null,"fields":""}`, method: "GET",
			target: "/api/public/traces?fields=&limit=5&tags=a&tags=b%26c&userId=%C3%BC+%3F",
		},
		{
			tool: "listTraces", arguments: `{"filter":[{"type":"null"}]}`, method: "GET",
			target: "/api/public/traces?filter=%5B%7B%22type%22%3A%22null%22%7D%5D",
		},
		{tool: "listTraces", arguments: `{"filter":"[]","tags":[]}`, method: "GET", target: "/api/public/traces?filter=%5B%5D"},
		{
			tool: "getPromptUnresolved", arguments: `{"promptName":"a/b?c"}`, method: "GET",
			target: "/api/public/v2/prompts/a%2Fb%3Fc?resolve=false",
		},
		{
			tool: "createTextPrompt", arguments: `{"name":"n","config":{"a":1.50}}`, method: "POST", target: "/api/public/v2/prompts",
			body: `{"config":{"a":1.50},"name":"n","type":"text"}`,
		},
		{
			tool: "updatePromptLabels", arguments: `{"promptName":"n","version":12,"newLabels":["l"]}`, method: "PATCH",
			target: "/api/public/v2/prompts/n/versions/12", body: `{"newLabels":["l"]}`,
		},
		{
			tool: "createComment", arguments: `{"content":"c"}`, method: "POST", target: "/api/public/comments",
			body: `{"content":"c","projectId":"p\"1"}`,
		},
		{
			tool: "deleteAnnotationQueueAssignment", arguments: `{"queueId":"q","userId":"u"}`, method: "DELETE",
			target: "/api/public/annotation-queues/q/assignments", body: `{"userId":"u"}`,
		},
		{tool: "deleteDatasetItem", arguments: `{"id":"i"}`, method: "DELETE", target: "/api/public/dataset-items/i"},
		{
			tool: "deleteScoreConfig", arguments: `{"configId":"c"}`, method: "PATCH", target: "/api/public/score-configs/c",
			body: `{"isArchived":true}`,
		},
		{
			tool: "queryMetrics", arguments: `{"view":"v"}`, method: "GET",
			target: "/api/public/v2/metrics?query=" + url.QueryEscape(`{"view":"v"}`),
		},
		{
			tool: "getObservationFilterValues", arguments: `{}`, method: "GET",
			target: "/api/public/v2/metrics?query=" +
				url.QueryEscape(`{"dimensions":[{"field":null}],"metrics":[{"measure":"count","aggregation":"count"}],"orderBy":[{"field":"count_count","direction":"desc"}],"view":"observations"}`),
		},
		{tool: "getTrace", arguments: `{"traceId":""}`, refused: "getTrace needs the argument traceId, a text that is not empty"},
		{tool: "getTrace", arguments: `{"traceId":["a"]}`, refused: "getTrace needs the argument traceId, a text that is not empty"},
		{tool: "getTrace", arguments: `{"traceId":"."}`, refused: "getTrace needs the argument traceId, a text that is not empty"},
	} {
		var arguments map[string]json.RawMessage
		if err := json.Unmarshal([]byte(test.arguments), &arguments); err != nil {
			t.Fatal(err)
		}
		got, err := find(t, test.tool).Request(arguments, `p"1`)
		if test.refused != "" {
			if err == nil || err.Error() != test.refused {
				t.Errorf("%s %s: %v", test.tool, test.arguments, err)
			}
			continue
		}
		if err != nil || got.Method != test.method || got.Target != test.target || string(got.Body) != test.body {
			t.Errorf("%s %s:\n got %s %s %s %v\nwant %s %s %s", test.tool, test.arguments, got.Method, got.Target, got.Body, err,
				test.method, test.target, test.body)
		}
	}
}

func TestPretty(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("1,", 1000) + "1" + strings.Repeat("]", 100)
	for _, test := range []struct {
		value string
		most  int
		want  string
	}{
		{`{"a":[1,"x,\"}["],"b":{}}`, 1000, "{\n  \"a\": [\n    1,\n    \"x,\\\"}[\"\n  ],\n  \"b\": {}\n}"},
		{`{"a":[1,2]}`, 12, `{"a":[1,2]}`},
		{`no JSON`, 1000, `no JSON`},
		{`]]],,,`, 1000, `]]],,,`},
		{deep, 50_000, deep},
		{``, 10, ``},
	} {
		if got := Pretty([]byte(test.value), test.most); got != test.want {
			t.Errorf("Pretty(%.50q) = %.200q", test.value, got)
		}
	}
}

func TestLongNamesAreCut(t *testing.T) {
	err := find(t, "getTrace").checkArguments(map[string]json.RawMessage{strings.Repeat("ü", 1000): nil}, []string{"traceId"})
	if want := `getTrace takes no argument "` + strings.Repeat("ü", 100) + `…". Its arguments: traceId`; err == nil || err.Error() != want {
		t.Error(err)
	}
}

func FuzzPretty(f *testing.F) {
	f.Add(`{"a":[1,"x,\"}["],"b":{}}`)
	f.Add(`[[[[1,2]]]]`)
	f.Add(`]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]<[[[`)
	f.Fuzz(func(t *testing.T, text string) {
		const most = 10_000
		got := Pretty([]byte(text), most)
		if got != text && (len(got) > most || !json.Valid([]byte(text))) {
			t.Errorf("Pretty(%q) has %d bytes", text, len(got))
		}
	})
}
