package otlp

import (
	"strings"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// builder is what both decoders need to fill an Export: its memory, its limits, and what is being read.
type builder struct {
	limits Limits
	items  int // counted against limits.Items
	// faulty says that the span, or the resource or scope, that is being read cannot be used. The rest of it is only
	// counted.
	faulty bool

	scopes     list[ScopeSpans]
	spans      list[Span]
	events     list[Event]
	attributes list[Attribute]
	values     list[Value]
	texts      slab[byte]
	scratch    []byte // a JSON text while it is being written
	buffer     []byte // of the JSON reader
}

// Reset empties the export and lets go of the body it was decoded from. What it keeps for the next request is bounded, so
// an export may be pooled however large a request was.
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

// item counts one thing that takes memory.
func (e *Export) item() error {
	e.build.items++
	if e.build.items > e.build.limits.Items {
		return &LimitError{What: "groups, attributes, events and list items", Limit: e.build.limits.Items}
	}
	return nil
}

// fault records why what is being read cannot be used.
func (e *Export) fault(problem string) {
	e.build.faulty = true
	e.problem(problem)
}

// textOf returns bytes as a text, which it views if it can. The last two say how a problem names it.
func (e *Export) textOf(b []byte, where, part string) string {
	return validUTF8(e.short(jsontext.View(b), where, part))
}

// short returns the text, or nothing and records a problem if it is too long.
func (e *Export) short(text, where, part string) string {
	if limit := e.build.limits.AttributeBytes; len(text) > limit {
		e.fault(where + part + ":" + tooLong + exceeds(len(text), limit))
		return ""
	}
	return text
}

// shallow reports whether a list may be read that is inside of depth-1 others.
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

// validUTF8 replaces what is not UTF-8 by U+FFFD.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
