package semconv

import (
	"strings"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

// Sources of fields that have many, in order of precedence.
var (
	userKeys = []key{
		keyUserID, keyPlainUserID, keyMetadataUserID, keyTraceMetadataUserID, keyVercelUserID, keyTraceloopUser, keyTraceloopUserID,
		keyLLMUser,
	}
	sessionKeys = []key{
		keySessionID, keyPlainSessionID, keyGenAIConversationID, keyMetadataSessionID, keyTraceMetadataSessionID,
		keyVercelSessionID, keyTraceloopSession, keyTraceloopSessionID, keyVertexSession,
	}
	modelKeys = []key{
		keyModelName, keyGenAIResponseModel, keyVercelModel, keyGenAIRequestModel, keyLLMResponseModel, keyLLMModelName,
		keyEmbeddingModel, keyPlainModel,
	}
	tagKeys = []key{keyTraceTags, keyTags, keyMetadataTags, keyTraceMetadataTags, keyVercelTags, keyOpenInferenceTags}
)

// scalars fills in the fields with a single value, each from its sources in order of precedence.
func (m *Mapper) scalars(s *otlp.Span, row *domain.Observation) {
	a := &m.span
	row.Name = m.name(s)
	row.Level = m.level(s)
	row.StatusMessage = m.ownOrShared(a.at(keyStatusMessage), s.StatusMessage)
	row.Version = m.ownOrShared(a.at(keyVersion), m.shared.serviceVersion)
	row.Release = m.ownOrShared(a.at(keyRelease), m.shared.release)
	row.Environment = m.environment()
	row.TraceName = m.text(a.first(truthy, keyTraceName))
	row.UserID = m.identity(userKeys)
	row.SessionID = m.identity(sessionKeys)
	row.Tags = m.tags()
	row.Public = isTrue(a.first(notNull, keyTracePublic, keyPublic))
	row.IsAppRoot = isTrue(a.at(keyAppRoot))
	row.AsRoot = isTrue(a.at(keyAsRoot))
	row.TraceInput = m.text(a.at(keyTraceInput))
	row.TraceOutput = m.text(a.at(keyTraceOutput))
	row.CompletionStartTime = m.completionStart(row.StartTime)
	if !m.summary {
		row.Model = m.model()
	}
	if row.Type == typeGeneration {
		m.prompt(row)
	}
}

// ownOrShared returns the value of an attribute if set, else a fallback such as that of the resource.
func (m *Mapper) ownOrShared(own *otlp.Value, shared string) string {
	if truthy(own) {
		return m.text(own)
	}
	return shared
}

func (m *Mapper) name(s *otlp.Span) string {
	a := &m.span
	switch {
	case truthy(a.at(keyGenAIToolName)):
		return m.text(a.at(keyGenAIToolName))
	case notNull(a.at(keyGenkitName)):
		return m.text(a.at(keyGenkitName))
	case truthy(a.at(keyLogfireMessage)):
		return m.text(a.at(keyLogfireMessage))
	case notNull(a.at(keyVercelToolCallName)):
		return m.text(a.at(keyVercelToolCallName))
	case notNull(a.at(keyVercelOperation)):
		return m.vercelName(a)
	default:
		return s.Name
	}
}

// The levels of observations.
const (
	levelDebug   = "DEBUG"
	levelDefault = "DEFAULT"
	levelWarning = "WARNING"
	levelError   = "ERROR"
)

func (m *Mapper) level(s *otlp.Span) string {
	if level := levelOf(textOf(m.span.at(keyLevel))); level != "" {
		return level
	}
	switch {
	case s.StatusCode == statusError:
		return levelError
	case m.isLiveKitNoise(s):
		return levelDebug
	default:
		return levelDefault
	}
}

// statusError is the status code of a failed span.
const statusError = 2

const longestLevel = 64

// levelOf maps the severity names of other systems to a level.
func levelOf(word string) string {
	if word == "" || len(word) > longestLevel {
		return ""
	}
	switch strings.ToUpper(strings.TrimSpace(word)) {
	case "DEBUG", "TRACE", "VERBOSE":
		return levelDebug
	case "DEFAULT", "INFO", "LOG", "NOTICE", "OK", "SUCCESS":
		return levelDefault
	case "WARNING", "WARN":
		return levelWarning
	case "ERROR", "FATAL", "CRITICAL":
		return levelError
	default:
		return ""
	}
}

// identity returns the id of a user or session: the first non-empty value.
func (m *Mapper) identity(keys []key) string {
	for _, k := range keys {
		v := m.span.at(k)
		if !truthy(v) {
			continue
		}
		text := m.text(v)
		if isMetadataKey(k) {
			text = unquoted(text)
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// isMetadataKey reports whether k is metadata. Current SDKs write it as JSON, so strings are quoted.
func isMetadataKey(k key) bool {
	switch k {
	case keyMetadataUserID, keyMetadataSessionID, keyMetadataTags,
		keyTraceMetadataUserID, keyTraceMetadataSessionID, keyTraceMetadataTags:
		return true
	default:
		return false
	}
}

// unquoted returns the content of a JSON string, and anything else unchanged.
func unquoted(text string) string {
	if j, ok := parseJSON(text); ok && j.isString() {
		return j.str()
	}
	return text
}

// model returns the name of the model as the client gave it.
func (m *Mapper) model() string {
	a := &m.span
	v := a.first(truthy, modelKeys...)
	if v == nil && a.is(keyGenkitSubtype, "model") {
		v = a.first(truthy, keyGenkitName)
	}
	return m.text(v)
}

// completionStart returns the time of the first token, sent as a date or as a duration since the start.
func (m *Mapper) completionStart(start domain.Micros) domain.Micros {
	a := &m.span
	if text := textOf(a.at(keyCompletionStartTime)); text != "" {
		if t := parseDate(unquoted(text)); t != 0 {
			return t
		}
	}
	if ms, ok := numberOf(a.first(truthy, keyVercelFirstChunk, keyVercelStreamFirstChunk)); ok {
		return after(start, ms)
	}
	const millis = 1000
	if seconds, ok := numberOf(a.first(truthy, keyGenAIFirstChunk, keyGenAIResponseFirstChunk, keyGenAIServerFirstToken)); ok {
		return after(start, seconds*millis)
	}
	return 0
}

// latestPromptVersion is the maximum version of a prompt.
const latestPromptVersion = 65535

// prompt links a generation to its prompt.
func (m *Mapper) prompt(row *domain.Observation) {
	a := &m.span
	name := a.first(truthy, keyPromptName, keyPlainPromptName)
	version := a.first(notNull, keyPromptVersion, keyPlainPromptVersion)
	row.PromptName = m.text(name)
	if f, ok := numberOf(version); ok {
		row.PromptVersion = promptVersion(wholeCount(f, true))
	}
	if name != nil && version != nil {
		return
	}
	link, ok := objectOf(a.at(keyVercelPromptLink))
	if !ok {
		return
	}
	if j := link.get("name"); name == nil && !j.isNull() {
		row.PromptName = j.text()
	}
	if version == nil {
		j := link.get("version")
		f, ok := j.number()
		if j.isString() {
			f, ok = parseNumber(j.str())
		}
		row.PromptVersion = promptVersion(wholeCount(f, ok))
	}
}

func promptVersion(n int64, ok bool) domain.OptInt {
	if !ok || n > latestPromptVersion {
		return domain.OptInt{}
	}
	return domain.IntOf(n)
}
