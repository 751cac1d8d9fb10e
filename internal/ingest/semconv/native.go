package semconv

import (
	"strconv"
	"strings"

	"almanac/internal/ingest/otlp"
)

// The service's own SDKs: attributes with a service prefix.

// sdkScope is the scope name prefix of the SDKs. Such scopes send only attributes with a meaning.
const sdkScope = "langfuse-sdk"

func isOwnScope(name string) bool { return strings.HasPrefix(name, sdkScope) }

// nativeType is the type set by the client.
var nativeType = typeByWord(keyType, map[string]string{
	"span": typeSpan, "generation": typeGeneration, "event": typeEvent, "embedding": typeEmbedding, "agent": typeAgent,
	"tool": typeTool, "chain": typeChain, "retriever": typeRetriever, "guardrail": typeGuardrail, "evaluator": typeEvaluator,
})

// legacyPythonType: the Python SDK up to 3.3 sent generations as spans.
func legacyPythonType(m *Mapper, _ *otlp.Span) string {
	if m.legacyPython && m.span.is(keyType, "span") && m.span.any(present, keyModelName, keyCostDetails, keyUsageDetails,
		keyCompletionStartTime, keyModelParameters, keyPromptName, keyPromptVersion) {
		return typeGeneration
	}
	return ""
}

// isLegacyPython reports whether spans come from one of these SDKs.
func isLegacyPython(scope *otlp.Scope, resource *attrs) bool {
	return scope.Name == sdkScope && resource.is(keyTelemetryLanguage, "python") &&
		(scope.Version == "" || atMostMinor(scope.Version, 3, 3))
}

// atMostMinor reports whether a version is at most major.minor, ignoring the patch version.
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
