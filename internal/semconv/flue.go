package semconv

import "almanac/internal/otlp"

// Flue.

const flueScope = "@flue/opentelemetry"

func flueType(m *Mapper, _ *otlp.Span) string {
	switch {
	case m.span.any(meaningful, keyFlueToolName, keyFlueToolCallID):
		return typeTool
	case m.span.any(meaningful, keyFlueTaskID, keyFlueTaskAgent):
		return typeAgent
	default:
		return ""
	}
}

func flueIO(m *Mapper, a *attrs, _ []otlp.Event) (exchange, bool) {
	if m.scopeName != flueScope {
		return exchange{}, false
	}
	in := a.first(notNull, keyFlueTurnInput, keyFlueToolArguments, keyFlueTaskPrompt, keyFlueWorkflowPayload)
	out := a.first(notNull,
		keyFlueTurnOutput, keyFlueToolResult, keyFlueTaskResult, keyFlueOperationResult, keyFlueWorkflowResult)
	return exchange{m.parsed(in), m.parsed(out)}, in != nil || out != nil
}
