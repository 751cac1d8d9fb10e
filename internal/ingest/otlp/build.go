package otlp

import (
	"strings"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// builder is the state shared by both decoders: memory, limits, and what is being read.
type builder struct {
	limits Limits
	items  int // counted against limits.Items
	// faulty is set if the span, resource or scope being read is unusable. The rest of it is only counted.
	faulty bool

	scopes     list[ScopeSpans]
	spans      list[Span]
	events     list[Event]
	attributes list[Attribute]
	values     list[Value]
	texts      slab[byte]
	scratch    []byte // for JSON being written
	buffer     []byte // for the JSON reader
}

// Reset empties the export and drops references to the body it was decoded from. The memory kept for the next request
// is bounded, so an export can be pooled however large a request was.
func (e *Export) Reset() {
	clear(e.ResourceSpans)
	clear(e.Problems)
	clear(e.badScopes)
	*e = Export{
		ResourceSpans: e.ResourceSpans[:0],
		Problems:      e.Problems[:0],
		badScopes:     e.badScopes[:0],
		build:         e.build,
	}
	if cap(e.ResourceSpans)*sizeOf[ResourceSpans]() > keepBytes[ResourceSpans]() {
		e.ResourceSpans = nil
	}
	b := &e.build
	b.items, b.faulty = 0, false
	b.scopes.reset()
	b.spans.reset()
	b.events.reset()
	b.attributes.reset()
	b.values.reset()
	b.texts.reset()
	if cap(b.scratch) > keepBytes[byte]() {
		b.scratch = nil
	}
	if cap(b.buffer) > keepBytes[byte]() {
		b.buffer = nil
	}
}

// item counts one item that takes memory.
func (e *Export) item() error {
	e.build.items++
	if e.build.items > e.build.limits.Items {
		return &LimitError{What: "groups, attributes, events and list items", Limit: e.build.limits.Items}
	}
	return nil
}

// fault marks what is being read as unusable and records the reason.
func (e *Export) fault(problem string) {
	e.build.faulty = true
	e.problem(problem)
}

// textOf returns b as a valid UTF-8 string, without copying if possible. Problems name it where+part.
func (e *Export) textOf(b []byte, where, part string) string {
	return validUTF8(e.short(jsontext.View(b), where, part))
}

// short returns text, or records a problem and returns "" if it is too long.
func (e *Export) short(text, where, part string) string {
	if limit := e.build.limits.AttributeBytes; len(text) > limit {
		e.fault(where + part + ":" + tooLong + exceeds(len(text), limit))
		return ""
	}
	return text
}

// shallow reports whether a list at the given depth may be read; it records a problem if not.
func (e *Export) shallow(where string, depth int) bool {
	limit := e.build.limits.Depth
	if depth > limit {
		e.fault(where + ":nested_too_deeply" + exceeds(depth, limit))
	}
	return depth <= limit
}

// checkList records a problem if a list is too long.
func (e *Export) checkList(where string, count int) {
	if limit := e.build.limits.ListItems; count > limit {
		e.fault(where + ":list_too_long" + exceeds(count, limit))
	}
}

// validUTF8 replaces invalid UTF-8 with U+FFFD.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
