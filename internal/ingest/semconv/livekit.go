package semconv

import "almanac/internal/ingest/otlp"

// LiveKit agents.

const liveKitScope = "livekit-agents"

func liveKitType(m *Mapper, s *otlp.Span) string {
	if m.scopeName != liveKitScope {
		return ""
	}
	switch s.Name {
	case "agent_turn", "start_agent_activity":
		return typeAgent
	case "function_tool":
		return typeTool
	default:
		return ""
	}
}

// isLiveKitNoise reports whether a span matters only for debugging.
func (m *Mapper) isLiveKitNoise(s *otlp.Span) bool {
	if m.scopeName != liveKitScope {
		return false
	}
	switch s.Name {
	case "user_speaking", "eou_detection", "llm_request_run", "tts_node", "tts_request", "tts_request_run",
		"tts_stream_adapter", "agent_speaking", "drain_agent_activity", "on_exit", "on_enter", "llm_fallback_adapter",
		"tts_fallback_adapter", "start_agent_activity":
		return true
	default:
		return false
	}
}

func liveKitIO(m *Mapper, a *attrs, _ []otlp.Event) (ioPair, bool) {
	return m.either(truthy,
		a.first(notNull, keyLiveKitInputText, keyLiveKitTranscript, keyLiveKitChatContext),
		a.first(notNull, keyLiveKitToolOutput, keyLiveKitResponseText))
}
