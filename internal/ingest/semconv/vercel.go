package semconv

import (
	"strings"

	"almanac/internal/ingest/otlp"
)

// The Vercel AI SDK. Up to version 6 it has its own attributes, from version 7 on it uses those of OpenTelemetry.

const vercelScope = "ai"

func vercelType(m *Mapper, _ *otlp.Span) string {
	a := &m.span
	if a.any(meaningful, keyModelName, keyVercelModel, keyGenAIRequestModel, keyGenAIResponseModel) {
		for _, call := range [...]string{
			"ai.generateText.doGenerate", "ai.streamText.doStream", "ai.generateObject.doGenerate", "ai.streamObject.doStream",
		} {
			if isVercelOperation(a, call) {
				return typeGeneration
			}
		}
		if isVercelOperation(a, "ai.embedMany.doEmbed") || isVercelOperation(a, "ai.embed.doEmbed") {
			return typeEmbedding
		}
	}
	if isVercelOperation(a, "ai.toolCall") {
		return typeTool
	}
	return ""
}

func isVercelOperation(a *attrs, name string) bool {
	return strings.HasPrefix(textOf(a.at(keyOperationName)), name) || a.is(keyVercelOperation, name)
}

// vercelName returns the operation, prefixed by the function name that the application set.
func (m *Mapper) vercelName(a *attrs) string {
	operation := m.text(a.at(keyVercelOperation))
	if function := a.at(keyVercelFunction); truthy(function) {
		name := m.text(function)
		return m.arena.join(name, ":", operation)
	}
	return operation
}

func vercelIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	if m.scopeName != vercelScope {
		return ioPair{}, false
	}
	var x ioPair
	x.in = m.body(a.first(present, keyVercelPromptMessages, keyVercelPrompt, keyVercelToolCallArgs, keyVercelValue, keyVercelValues))
	x.out = m.vercelOutput(a)
	in, out := genAIContent(a)
	if !x.in.set {
		x.in = m.genAIInput(a, in)
	}
	if !x.out.set {
		x.out = m.body(out)
	}
	return x, true
}

func (m *Mapper) vercelOutput(a *attrs) body {
	text, calls := a.at(keyVercelResponseText), a.at(keyVercelResponseToolCalls)
	switch {
	case text != nil && calls != nil:
		b := append(m.arena.open(), `{"role":"assistant","content":`...)
		b = appendValue(b, text)
		b = append(b, `,"tool_calls":`...)
		b = appendValue(b, calls)
		return m.structured(append(b, '}'))
	case truthy(text):
		return m.body(text)
	default:
		return m.body(a.first(notNull, keyVercelResultText, keyVercelToolCallResult, keyVercelResponseObject,
			keyVercelResultObject, keyVercelResponseToolCalls, keyVercelResultToolCalls, keyVercelEmbedding, keyVercelEmbeddings))
	}
}

// vercelParameters always sets nine parameters; those not sent are null. Explicit parameters win.
func (m *Mapper) vercelParameters(explicit jsonText) {
	a := &m.span
	m.textParameter("maxSteps", a.at(keyVercelMaxSteps))
	m.textParameter("toolChoice", a.at(keyVercelToolChoice))
	m.textParameter("maxTokens", a.at(keyGenAIMaxTokens))
	m.textParameter("finishReason", a.first(notNull, keyGenAIFinishReasons, keyGenAIFinishReason))
	m.textParameter("system", a.first(notNull, keyGenAISystem, keyVercelProvider))
	m.textParameter("maxRetries", a.at(keyVercelMaxRetries))
	m.textParameter("mode", a.at(keyVercelMode))
	m.textParameter("temperature", a.at(keyGenAITemperature))
	provider, _ := objectOf(a.at(keyVercelProviderMetadata))
	if tier := provider.get("openai").get("serviceTier"); tier != "" && !tier.isNull() {
		m.parameters.set(parameter{"service_tier", tier.text(), formText})
	} else {
		m.textParameter("service_tier", a.at(keyGenAIServiceTier))
	}
	m.parameters.setMembers(explicit)
}

// textParameter sets a parameter to a value as a string; list elements are separated by commas.
func (m *Mapper) textParameter(name string, v *otlp.Value) {
	switch {
	case !notNull(v):
		m.parameters.set(parameter{name, "", formNull})
	case v.Kind == otlp.KindList:
		m.parameters.set(parameter{name, m.joined(v.List), formText})
	default:
		m.parameters.set(parameter{name, m.text(v), formText})
	}
}

func (m *Mapper) joined(list []otlp.Value) string {
	b := m.arena.open()
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		switch e := &list[i]; {
		case isText(e):
			b = append(b, e.Text...)
		case notNull(e):
			b = appendValue(b, e)
		}
	}
	return m.arena.close(b)
}

// vercelCounts maps the counts in provider metadata to usage kinds.
var vercelCounts = [...]struct {
	path [4]string
	kind string
}{
	{[4]string{"openai", "cachedPromptTokens"}, "input_cached_tokens"},
	{[4]string{"openai", "reasoningTokens"}, "output_reasoning_tokens"},
	{[4]string{"openai", "acceptedPredictionTokens"}, "accepted_prediction_tokens"},
	{[4]string{"openai", "rejectedPredictionTokens"}, "rejected_prediction_tokens"},
	{[4]string{"anthropic", "usage", "cache_creation_input_tokens"}, "input_cache_creation"},
	{[4]string{"anthropic", "usage", "cache_read_input_tokens"}, "input_cached_tokens"},
	{[4]string{"anthropic", "usage", "cache_creation", "ephemeral_5m_input_tokens"}, "input_cache_creation_5m"},
	{[4]string{"anthropic", "usage", "cache_creation", "ephemeral_1h_input_tokens"}, "input_cache_creation_1h"},
	{[4]string{"bedrock", "usage", "cacheReadInputTokens"}, "input_cache_read"},
	{[4]string{"bedrock", "usage", "cacheWriteInputTokens"}, "input_cache_write"},
	{[4]string{"bedrock", "usage", "cacheCreationInputTokens"}, "input_cache_creation"},
}

// isVercelSummary reports whether a span is that of a function, which repeats the usage of the model calls within it.
// That usage must be counted only once.
func isVercelSummary(a *attrs) bool {
	switch textOf(a.at(keyVercelOperation)) {
	case "ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject", "ai.embed", "ai.embedMany":
		return true
	}
	return false
}

// vercelUsage reads the counts of the AI SDK. It returns false if the provider metadata cannot be read.
func (m *Mapper) vercelUsage() bool {
	a, u := &m.span, &m.usage
	var provider jsonText
	if v := a.at(keyVercelProviderMetadata); truthy(v) {
		var ok bool
		if provider, ok = objectOf(v); !ok {
			return false
		}
	}
	m.setCount("input", a.first(notNull, keyGenAIPromptTokens, keyGenAIInputTokens))
	m.setCount("output", a.first(notNull, keyGenAICompletionTokens, keyGenAIOutputTokens))
	if isVercelSummary(a) {
		u.set("input", u.units("input"))
		u.set("output", u.units("output"))
		return true
	}
	m.setCount("total", a.at(keyVercelTokens))
	m.setCount("input_cached_tokens", a.at(keyVercelCachedTokens))
	m.setCount("output_reasoning_tokens", a.at(keyVercelReasoningTokens))
	if provider != "" {
		for _, row := range vercelCounts {
			value := provider
			for _, name := range row.path {
				if name != "" {
					value = value.get(name)
				}
			}
			if n, ok := value.count(); ok && !u.has(row.kind) {
				u.set(row.kind, n)
			}
		}
		// The sum includes the counts for both cache lifetimes.
		if i := u.find("input_cache_creation"); i >= 0 {
			(*u)[i].Units = remaining((*u)[i].Units, u.units("input_cache_creation_5m"), u.units("input_cache_creation_1h"))
		}
	}
	u.set("input", remaining(u.units("input"),
		u.units("input_cached_tokens"), u.units("input_cache_creation"), u.units("input_cache_creation_5m"),
		u.units("input_cache_creation_1h"), u.units("input_cache_read")))
	u.set("output", remaining(u.units("output"), u.units("output_reasoning_tokens")))
	return true
}
