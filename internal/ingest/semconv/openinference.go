package semconv

import (
	"strings"

	"almanac/internal/ingest/otlp"
)

// OpenInference: Arize, SmolAgents, Agno, BeeAI, LlamaIndex and others.

var openInferenceType = typeByWord(keyOpenInferenceKind, map[string]string{
	"CHAIN": typeChain, "RETRIEVER": typeRetriever, "LLM": typeGeneration, "EMBEDDING": typeEmbedding, "AGENT": typeAgent,
	"TOOL": typeTool, "GUARDRAIL": typeGuardrail, "EVALUATOR": typeEvaluator,
})

// openInferenceIO: the whole input and output.
var openInferenceIO = ioOf(truthy, keyInputValue, keyOutputValue)

// openInferenceMessagesIO: messages flattened to one attribute per value.
func openInferenceMessagesIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	return m.rebuilt(a,
		flattened{bare: keyLLMInputMessages, family: inputMessageParts},
		flattened{bare: keyLLMOutputMessages, family: outputMessageParts})
}

// flattenedCalls finds the tool calls in flattened messages. Some libraries set only the text of the response as the
// whole output.
func (m *Mapper) flattenedCalls() (calls string, names []string) {
	a := &m.span
	for i := range a.list {
		if x := &a.list[i]; x.family == outputMessageParts && strings.Contains(x.rest, ".tool_calls.") {
			return m.toolCalls(m.rebuild(a, flattened{bare: keyLLMOutputMessages, family: outputMessageParts}))
		}
	}
	return "", nil
}

// LlamaIndex sends a span for preparing a call that looks like the call itself. It uses nothing, so its usage is
// ignored.
const (
	llamaIndexScope = "openinference.instrumentation.llama_index"
	preparation     = "._prepare_chat_with_tools"
)
