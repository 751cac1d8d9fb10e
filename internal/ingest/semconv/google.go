package semconv

import (
	"slices"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// Google's Agent Development Kit on Vertex AI.

const vertexScope = "gcp.vertex.agent"

// vertexIO: tool spans carry an empty model request and response besides their own.
func vertexIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	return m.either(truthy, ownOr(a, keyVertexRequest, keyVertexToolArgs), ownOr(a, keyVertexResponse, keyVertexToolResponse))
}

func ownOr(a *attrs, own, other key) *otlp.Value {
	if v := a.at(own); truthy(v) && textOf(v) != "{}" {
		return v
	}
	return a.at(other)
}

// vertexUsage adds cached tokens and thoughts, which only the response reports, to the generic counts.
func (m *Mapper) vertexUsage() {
	m.genericUsage()
	response, ok := jsonOf(m.span.at(keyVertexResponse))
	if !ok {
		return
	}
	counts := response.get("usage_metadata")
	if cached, _ := counts.get("cached_content_token_count").count(); cached > 0 && !m.usage.has("input_cached_tokens") {
		if i := m.usage.find("input"); i >= 0 {
			m.usage[i].Units = max(0, m.usage[i].Units-cached)
		}
		m.usage.set("input_cached_tokens", cached)
	}
	// Thoughts are not included in the candidates, which are the output here.
	thoughts, _ := counts.get("thoughts_token_count").count()
	candidates, _ := counts.get("candidates_token_count").count()
	if i := m.usage.find("output"); thoughts > 0 && i >= 0 && m.usage[i].Units == candidates && !m.usage.has("output_reasoning_tokens") {
		m.usage = slices.DeleteFunc(m.usage, func(x domain.UsageEntry) bool { return x.Kind == "experimental.reasoning_tokens" })
		m.usage.set("output_reasoning_tokens", thoughts)
	}
}
