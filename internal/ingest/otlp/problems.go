package otlp

import (
	"fmt"
	"slices"
	"strings"
)

// Suffixes of problems: what is wrong with the field they name.
const (
	absent      = ":absent"
	notAnArray  = ":not_an_array"
	notAnObject = ":not_an_object"
	tooOld      = ":too_old"
	inTheFuture = ":in_the_future"
)

// problem records a reason, once.
func (e *Export) problem(reason string) {
	const most = 10
	if len(e.Problems) < most && !slices.Contains(e.Problems, reason) {
		e.Problems = append(e.Problems, reason)
	}
}

// badField records a field of a resource or scope that has the wrong type.
func (e *Export) badField(name, defect string) {
	e.BadFields++
	e.oddFields = e.oddFields || defect != notAnArray
	e.problem(name + defect)
}

// badScope records the name of a scope with problems.
func (e *Export) badScope(name string) {
	const most, bytes = 5, 100
	if name == "" || len(e.badScopes) == most {
		return
	}
	if len(name) > bytes {
		name = validUTF8(name[:bytes-len("…")]) + "…"
	}
	if !slices.Contains(e.badScopes, name) {
		e.badScopes = append(e.badScopes, name)
	}
}

// RefusalMessage returns the error message for an export without anything that can be stored.
func (e *Export) RefusalMessage() string {
	return "Invalid OTLP trace export: " + e.summary() +
		"The entire export was rejected and no spans were ingested. " + e.scopeNames() +
		" This endpoint accepts OpenTelemetry traces only — if you are exporting OpenTelemetry logs, " +
		"point your log exporter elsewhere."
}

// PartialMessage describes what was not stored of a partially stored export; it is empty if everything was stored.
func (e *Export) PartialMessage() string {
	if len(e.Problems) == 0 {
		return ""
	}
	return e.summary() + "Everything else was stored. " + e.scopeNames()
}

// summary counts what is unusable and says why.
func (e *Export) summary() string {
	var counts []string
	if e.Rejected > 0 {
		counts = append(counts, fmt.Sprintf("%d of %d span(s) cannot be processed", e.Rejected, e.Spans))
	}
	if e.BadFields > 0 {
		defect := "are present but not arrays"
		if e.oddFields {
			defect = "cannot be used"
		}
		counts = append(counts, fmt.Sprintf("%d resource- or scope-level field(s) %s", e.BadFields, defect))
	}
	text := strings.Join(counts, " and ") + " (" + strings.Join(e.Problems, ", ") + "). "
	ends := func(ends ...string) bool {
		return slices.ContainsFunc(e.Problems, func(p string) bool {
			return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(p, end) })
		})
	}
	if ends(absent, ":"+notAnID) {
		text += "traceId and spanId are required on every span, and each must be a string or a byte array. "
	}
	if ends(":"+allZero) || slices.ContainsFunc(e.Problems, func(p string) bool { return strings.Contains(p, ":"+wrongLength) }) {
		text += "OTLP's trace ids have 16 bytes and span ids 8, and not all of them may be zero. "
	}
	if ends(tooOld, inTheFuture) {
		text += "This server accepts spans that start at times from " + e.build.limits.Times.String() + ". "
	}
	if ends(notAnArray) {
		text += "scopeSpans, spans, attributes and events must all be arrays — " +
			"OTLP attributes are a list of {key, value} entries, not a JSON object. "
	}
	return text
}

func (e *Export) scopeNames() string {
	if len(e.badScopes) == 0 {
		return "Instrumentation scopes: unknown."
	}
	return "Instrumentation scopes: " + strings.Join(e.badScopes, ", ") + "."
}
