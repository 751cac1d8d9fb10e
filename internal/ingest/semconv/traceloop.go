package semconv

import "almanac/internal/ingest/otlp"

// OpenLLMetry, also called Traceloop.

// traceloopIO: workflows, tasks and other entities.
var traceloopIO = ioOf(truthy, keyTraceloopInput, keyTraceloopOutput)

// promptPartsIO: prompts and completions flattened to one attribute per value. LangSmith sends them as well.
func promptPartsIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	x, ok := m.rebuilt(a,
		flattened{bare: keyGenAIPrompt, family: promptParts},
		flattened{bare: keyGenAICompletion, family: completionParts})
	// LiteLLM flattens only tool calls and sends everything else as messages.
	if in := a.at(keyGenAIInputMessages); ok && truthy(in) && !a.has(promptParts) && a.at(keyGenAIPrompt) == nil {
		x.in = m.genAIInput(a, in)
	}
	return x, ok
}
