package semconv

import "almanac/internal/ingest/otlp"

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

func flueIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	if m.scopeName != flueScope {
		return ioPair{}, false
	}
	in := a.first(notNull, keyFlueTurnInput, keyFlueToolArguments, keyFlueTaskPrompt, keyFlueWorkflowPayload)
	out := a.first(notNull,
		keyFlueTurnOutput, keyFlueToolResult, keyFlueTaskResult, keyFlueOperationResult, keyFlueWorkflowResult)
	return ioPair{m.parsed(in), m.parsed(out)}, in != nil || out != nil
}
