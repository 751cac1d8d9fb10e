package semconv

import (
	"strconv"
	"strings"

	"almanac/internal/otlp"
)

// The service's own SDKs: attributes with a service prefix.

// sdkScope is the scope of the SDKs. Scopes that begin with it send attributes that have a meaning, and no others.
const sdkScope = "langfuse-sdk"

func isOwnScope(name string) bool { return strings.HasPrefix(name, sdkScope) }

// nativeType is what the client says.
var nativeType = typeByWord(keyType, map[string]string{
	"span": typeSpan, "generation": typeGeneration, "event": typeEvent, "embedding": typeEmbedding, "agent": typeAgent,
	"tool": typeTool, "chain": typeChain, "retriever": typeRetriever, "guardrail": typeGuardrail, "evaluator": typeEvaluator,
})

// legacyPythonType: the Python SDK up to 3.3 called generations spans.
func legacyPythonType(m *Mapper, _ *otlp.Span) string {
	if m.legacyPython && m.span.is(keyType, "span") && m.span.any(present, keyModelName, keyCostDetails, keyUsageDetails,
		keyCompletionStartTime, keyModelParameters, keyPromptName, keyPromptVersion) {
		return typeGeneration
	}
	return ""
}

// isLegacyPython reports whether spans come from such an SDK.
func isLegacyPython(scope *otlp.Scope, resource *attrs) bool {
	return scope.Name == sdkScope && resource.is(keyTelemetryLanguage, "python") &&
		(scope.Version == "" || atMostMinor(scope.Version, 3, 3))
}

// atMostMinor compares the first two numbers of a version.
func atMostMinor(version string, major, minor int) bool {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(first)
	if err != nil {
		return false
	}
	b, err := strconv.Atoi(second)
	if err != nil {
		b = 0
	}
	return a < major || a == major && b <= minor
}

var nativeIO = ioOf(notNull, keyInput, keyOutput)
