package semconv

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// TestReuse maps all spans of the API contract with one mapper, in two consecutive requests: each row must be the same
// as with a fresh mapper, and must stay intact while others are mapped.
func TestReuse(t *testing.T) {
	text, err := os.ReadFile("testdata/otel-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	inputs := make([]input, 0, len(file.Vectors)+4)
	for _, v := range file.Vectors {
		inputs = append(inputs, v.input(t))
	}
	inputs = append(inputs, nativeSpan(), genAISpan(), traceloopSpan(), toolSpan())
	var m Mapper
	for range 3 {
		rows := make([]domain.Observation, len(inputs))
		provided := make([]Provided, len(inputs))
		m.Begin(Source{}, at)
		for i := range inputs {
			m.Resource(&otlp.Resource{Attributes: inputs[i].resource})
			m.Scope(&inputs[i].scope)
			for range 2 {
				p := m.Span(&inputs[i].span, &rows[i])
				provided[i] = Provided{Usage: append(p.Usage[:0:0], p.Usage...), Cost: append(p.Cost[:0:0], p.Cost...)}
			}
		}
		for i := range inputs {
			row, p := mapped(inputs[i])
			if diff := cmp.Diff(row, rows[i]); diff != "" {
				t.Errorf("span %d (-fresh +reused):\n%s", i, diff)
			}
			if len(p.Usage) != len(provided[i].Usage) || len(p.Cost) != len(provided[i].Cost) {
				t.Errorf("span %d: %v, want %v", i, provided[i], p)
			}
		}
		m.End()
	}
}

// TestSharedState checks that a scope, a resource and a request leave nothing behind for the next.
func TestSharedState(t *testing.T) {
	var m Mapper
	var row domain.Observation
	m.Begin(Source{SDKName: "js"}, at)
	m.Resource(&otlp.Resource{Attributes: attributes("service.name", "a", "langfuse.environment", "x", "langfuse.release", "r")})
	m.Scope(&otlp.Scope{Name: "langfuse-sdk", Version: "1", Attributes: attributes("k", 1)})
	m.Span(&otlp.Span{Attributes: attributes("langfuse.observation.metadata.a", "1", "langfuse.trace.metadata.b", "2")}, &row)
	m.Scope(&otlp.Scope{Name: "other"})
	m.Span(&otlp.Span{Attributes: attributes("x", 1)}, &row)
	want := `{"attributes.x":1,"resourceAttributes.service.name":"a","resourceAttributes.langfuse.environment":"x",` +
		`"resourceAttributes.langfuse.release":"r","scope.name":"other"}`
	if row.Metadata != want || row.TraceMetadata != "" || row.ScopeVersion != "" || row.Environment != "x" || row.Release != "r" {
		t.Errorf("after another scope: %+v", row)
	}
	m.Resource(&otlp.Resource{})
	m.Scope(&otlp.Scope{Name: "other"})
	m.Span(&otlp.Span{}, &row)
	if row.Metadata != `{"scope.name":"other"}` || row.Environment != "default" || row.Release != "" || row.ServiceName != "" {
		t.Errorf("after another resource: %+v", row)
	}
	m.Begin(Source{}, at)
	m.Span(&otlp.Span{}, &row)
	if row.Metadata != "" || row.ScopeName != "" || row.SDKName != "unknown" {
		t.Errorf("after another request: %+v", row)
	}
}

// TestEnd checks that an idle mapper holds neither memory of the last request nor large buffers.
func TestEnd(t *testing.T) {
	var m Mapper
	var row domain.Observation
	large := strings.Repeat("x", 2*keptScratch)
	tags := make([]any, 2*keptLists/3)
	for i := range tags {
		tags[i] = "t"
	}
	m.Begin(Source{}, at)
	m.Resource(&otlp.Resource{Attributes: attributes("r", large)})
	m.Scope(&otlp.Scope{Name: "s"})
	for range 8 {
		m.Span(&otlp.Span{Attributes: attributes(
			"langfuse.trace.tags", tags, "langfuse.observation.metadata."+large, "1", "langfuse.trace.metadata.x", "2",
			"langfuse.observation.input", `{"tools":[{"name":"a","description":"`+large+`"}]}`,
			"langfuse.observation.usage_details", `{"`+large[:10]+`":1}`, "langfuse.observation.cost_details", `{"x":1}`,
		)}, &row)
	}
	if len(row.ToolNames) != 1 || len(row.Metadata) < 4*keptScratch {
		t.Fatal("the span was not mapped")
	}
	m.End()
	for name, n := range map[string]int{
		"scratch": cap(m.scratch), "shared": cap(m.shared.metadata), "path": cap(m.flat.path),
	} {
		if n > keptScratch {
			t.Errorf("%s holds %d bytes", name, n)
		}
	}
	if cap(m.lists) > keptLists || cap(m.arena.chunk) > lastChunk {
		t.Errorf("%d lists, %d bytes", cap(m.lists), cap(m.arena.chunk))
	}
	for _, u := range m.usage[:cap(m.usage)] {
		if u.Kind != "" {
			t.Errorf("usage holds %q", u.Kind)
		}
	}
	for _, a := range []*attrs{&m.span, &m.event, &m.resource, &m.scopeAttrs} {
		for _, x := range a.list[:cap(a.list)] {
			if x.name != "" || x.value != nil {
				t.Errorf("attributes hold %.20q", x.name)
			}
		}
	}
	if len(m.flat.dst) > keptScratch {
		t.Errorf("the writer holds %d bytes", len(m.flat.dst))
	}
}
