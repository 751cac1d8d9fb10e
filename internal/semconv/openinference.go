package semconv

import "almanac/internal/otlp"

// OpenInference: Arize, SmolAgents, Agno, BeeAI, LlamaIndex and others.

func openInferenceType(m *Mapper, _ *otlp.Span) string {
	switch textOf(m.span.at(keyOpenInferenceKind)) {
	case "CHAIN":
		return typeChain
	case "RETRIEVER":
		return typeRetriever
	case "LLM":
		return typeGeneration
	case "EMBEDDING":
		return typeEmbedding
	case "AGENT":
		return typeAgent
	case "TOOL":
		return typeTool
	case "GUARDRAIL":
		return typeGuardrail
	case "EVALUATOR":
		return typeEvaluator
	default:
		return ""
	}
}

// openInferenceIO: the whole input and output.
func openInferenceIO(m *Mapper, a *attrs, _ []otlp.Event) (exchange, bool) {
	return m.either(truthy, a.at(keyInputValue), a.at(keyOutputValue))
}

// openInferenceMessagesIO: messages taken apart into one attribute for each value.
func openInferenceMessagesIO(m *Mapper, a *attrs, _ []otlp.Event) (exchange, bool) {
	return m.rebuilt(a,
		flattened{bare: keyLLMInputMessages, family: inputMessageParts},
		flattened{bare: keyLLMOutputMessages, family: outputMessageParts})
}
