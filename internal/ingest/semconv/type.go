package semconv

import "almanac/internal/ingest/otlp"

// The types of observations.
const (
	typeSpan       = "SPAN"
	typeGeneration = "GENERATION"
	typeEvent      = "EVENT"
	typeEmbedding  = "EMBEDDING"
	typeAgent      = "AGENT"
	typeTool       = "TOOL"
	typeChain      = "CHAIN"
	typeRetriever  = "RETRIEVER"
	typeGuardrail  = "GUARDRAIL"
	typeEvaluator  = "EVALUATOR"
)

// typeRule returns the type of an observation, "" if it does not apply.
type typeRule func(*Mapper, *otlp.Span) string

// typeByWord returns the rule for a convention with one attribute whose value maps to a type.
func typeByWord(k key, words map[string]string) typeRule {
	return func(m *Mapper, _ *otlp.Span) string {
		if word := textOf(m.span.at(k)); word != "" {
			return words[word]
		}
		return ""
	}
}

// typeRules are tried in this order; the first that applies wins.
var typeRules = [...]typeRule{
	legacyPythonType,
	nativeType,
	openInferenceType,
	genAIType,
	genkitType,
	vercelType,
	genAIToolType,
	flueType,
	liveKitType,
	modelType,
}

func (m *Mapper) observationType(s *otlp.Span) string {
	for _, rule := range typeRules {
		if t := rule(m, s); t != "" {
			return t
		}
	}
	return typeSpan
}

// modelType: a span that names a model is a model call.
func modelType(m *Mapper, _ *otlp.Span) string {
	if m.span.any(meaningful, keyModelName, keyGenAIRequestModel, keyGenAIResponseModel, keyLLMModelName, keyPlainModel) {
		return typeGeneration
	}
	return ""
}
