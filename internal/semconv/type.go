package semconv

import "almanac/internal/otlp"

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

// typeRule finds the type, if it knows it.
type typeRule func(*Mapper, *otlp.Span) string

// typeByWord is the rule of a convention that has one attribute for the type, with a word for each.
func typeByWord(k key, words map[string]string) typeRule {
	return func(m *Mapper, _ *otlp.Span) string {
		if word := textOf(m.span.at(k)); word != "" {
			return words[word]
		}
		return ""
	}
}

// typeRules are asked in this order; the first that knows the type wins.
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

// modelType: what names a model is a call of it.
func modelType(m *Mapper, _ *otlp.Span) string {
	if m.span.any(meaningful, keyModelName, keyGenAIRequestModel, keyGenAIResponseModel, keyLLMModelName, keyPlainModel) {
		return typeGeneration
	}
	return ""
}
