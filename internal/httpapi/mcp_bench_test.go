package httpapi_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// BenchmarkToolCall calls a tool with a small result, and one with a result of 3 MB.
func BenchmarkToolCall(b *testing.B) {
	f := apitest.New(b, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(256 << 20) })
	f.Keep(b, "project-a", []domain.Observation{{TraceID: "t", ID: "o", StartTime: 1, Input: strings.Repeat("some text, ", 3<<20/11)}}, nil)
	for _, bench := range []struct{ name, method, params string }{
		{"ping", "ping", `{}`},
		{"list", "tools/list", `{}`},
		{"health", "tools/call", `{"name":"getHealth","arguments":{}}`},
		{"prompts", "tools/call", `{"name":"listPrompts","arguments":{"limit":1}}`},
		{"large answer", "tools/call", `{"name":"listObservations","arguments":{"fields":"io","limit":1}}`},
		{"large message", "tools/call", `{"name":"getPrompt","arguments":{"promptName":"` + strings.Repeat("x", 3<<20) + `"}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := apitest.Message("", `{"jsonrpc":"2.0","id":1,"method":"`+bench.method+`","params":`+bench.params+`}`, 200, "")
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				f.ServeHTTP(w, s.Request())
				if w.Code != 200 {
					b.Fatalf("%d %.200s", w.Code, w.Body)
				}
			}
		})
	}
}
