package semconv

import (
	"almanac/internal/domain"
	"almanac/internal/otlp"
)

// Google's Agent Development Kit on Vertex AI.

const vertexScope = "gcp.vertex.agent"

// vertexIO: spans of tools carry an empty request and response of a model beside their own.
func vertexIO(m *Mapper, a *attrs, _ []otlp.Event) (exchange, bool) {
	return m.either(truthy, ownOr(a, keyVertexRequest, keyVertexToolArgs), ownOr(a, keyVertexResponse, keyVertexToolResponse))
}

func ownOr(a *attrs, own, other key) *otlp.Value {
	if v := a.at(own); truthy(v) && textOf(v) != "{}" {
		return v
	}
	return a.at(other)
}

// vertexUsage adds the count of cached tokens, which only the response tells, to the usual counts.
func (m *Mapper) vertexUsage() {
	m.genericUsage()
	if m.usage.has("input_cached_tokens") {
		return
	}
	response, ok := jsonOf(m.span.at(keyVertexResponse))
	if !ok {
		return
	}
	cached, ok := response.get("usage_metadata").get("cached_content_token_count").count()
	if !ok || cached == 0 {
		return
	}
	if i := m.usage.find("input"); i >= 0 {
		m.usage[i].Units = max(0, m.usage[i].Units-cached)
	}
	m.usage.set(domain.UsageEntry{Kind: "input_cached_tokens", Units: cached})
}
