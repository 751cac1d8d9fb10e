package otlp

import (
	"errors"
	"fmt"

	"almanac/internal/jsontext"
)

// DecodeJSON decodes an ExportTraceServiceRequest from OTLP's JSON encoding. Strings may share memory with the body,
// which must not change while they are used. After an error the export is empty; a LimitError means that the request is
// too large.
//
// Only lowerCamelCase names are recognized. If a name occurs twice in an object, lists are concatenated, as for
// repeated fields in protobuf; otherwise the last value wins, as in JavaScript.
func (e *Export) DecodeJSON(body []byte, limits Limits) error {
	e.Reset()
	e.build.limits = limits
	d := jsonDecoder{Export: e, jsonReader: jsonReader{data: jsontext.View(body), texts: &e.build.texts, buffer: e.build.buffer}}
	d.export()
	e.build.buffer = d.buffer
	if d.err != nil {
		e.Reset()
		return fmt.Errorf("read a trace export in JSON: %w", d.err)
	}
	return nil
}

type jsonDecoder struct {
	*Export
	jsonReader
}

// check stops reading if err is not nil.
func (d *jsonDecoder) check(err error) {
	if err != nil {
		d.fail(err)
	}
}

func (d *jsonDecoder) export() {
	isObject := d.kind() == '{'
	if isObject {
		d.members()
	} else {
		d.skip()
	}
	if d.kind(); d.pos < len(d.data) {
		d.unexpected("the end of the text")
	}
	if !isObject {
		d.check(errors.New("it is not an object"))
	}
}

func (d *jsonDecoder) members() {
	for d.open(); d.more('}'); {
		// By contract, anything but a list holds no spans and is not an error.
		if d.name() != "resourceSpans" || d.kind() != '[' {
			d.skip()
			continue
		}
		for d.open(); d.more(']'); {
			d.resourceSpans()
		}
	}
}

// enters enters the list or object expected at the current position and reports whether it did. Null counts as absent;
// any other value is skipped and reported as wrong.
func (d *jsonDecoder) enters(bracket byte) (entered, wrong bool) {
	kind := d.kind()
	if kind == bracket {
		d.open()
		return true, false
	}
	d.skip()
	return false, kind != 'n'
}

// entersArray enters the list expected in a field of a resource or scope.
func (d *jsonDecoder) entersArray(field string) bool {
	entered, wrong := d.enters('[')
	if wrong {
		d.badField(field, notAnArray)
	}
	return entered
}

// entersObject does the same for an object.
func (d *jsonDecoder) entersObject(field string) bool {
	entered, wrong := d.enters('{')
	if wrong {
		d.badField(field, notAnObject)
	}
	return entered
}

func (d *jsonDecoder) resourceSpans() {
	d.check(d.item())
	firstScope := d.build.scopes.start()
	attributes := d.startAttributes("resource.attributes")
	if d.entersObject("resourceSpans") {
		for d.more('}') {
			switch d.name() {
			case "resource":
				d.resume(&attributes)
				d.resource(&attributes)
				d.pause(&attributes)
			case "scopeSpans":
				if d.entersArray("scopeSpans") {
					for d.more(']') {
						d.scopeSpans()
					}
				}
			default:
				d.skip()
			}
		}
	}
	d.finishResource(firstScope, &attributes)
}

func (d *jsonDecoder) resource(attributes *attributeList) {
	if !d.entersObject("resource") {
		return
	}
	for d.more('}') {
		if d.name() == "attributes" {
			if d.entersArray("resource.attributes") {
				d.attributes(attributes)
			}
		} else {
			d.skip()
		}
	}
}

func (d *jsonDecoder) scopeSpans() {
	var draft scopeDraft
	d.check(d.startScope(&draft))
	attributes := d.startAttributes("scope.attributes")
	if d.entersObject("scopeSpans") {
		for d.more('}') {
			switch d.name() {
			case "scope":
				d.resume(&attributes)
				d.scope(&draft.Scope, &attributes)
				d.pause(&attributes)
			case "spans":
				if d.entersArray("spans") {
					for d.more(']') {
						d.span()
					}
				}
			default:
				d.skip()
			}
		}
	}
	draft.Scope.Attributes = d.ownAttributes(&attributes)
	d.finishScope(&draft)
}

func (d *jsonDecoder) scope(scope *Scope, attributes *attributeList) {
	if !d.entersObject("scope") {
		return
	}
	extra := 0 // number of members unknown to the protocol
	for d.more('}') {
		switch name := d.name(); name {
		case "name":
			scope.Name = d.scalar("scope.name", "")
		case "version":
			scope.Version = d.scalar("scope.version", "")
		case "attributes":
			if d.entersArray("scope.attributes") {
				d.attributes(attributes)
			}
		case "droppedAttributesCount":
			d.skip()
		default:
			extra++
			if extra > d.build.limits.Attributes || d.build.faulty {
				d.skip()
				continue
			}
			d.check(d.item())
			name = d.short(name, "scope", ".key")
			scope.Extra = append(scope.Extra, Attribute{Key: name, Value: d.plain("scope")})
		}
	}
	if limit := d.build.limits.Attributes; extra > limit {
		d.fault("scope:too_many_members" + exceeds(extra, limit))
	}
	if d.build.faulty {
		scope.Extra = nil
	}
}

func (d *jsonDecoder) span() {
	var draft spanDraft
	d.check(d.startSpan(&draft))
	// Any value in place of a span counts as a span without ids.
	if d.kind() != '{' {
		d.skip()
		d.finishSpan(&draft)
		return
	}
	for d.open(); d.more('}'); {
		switch d.name() {
		case "traceId":
			draft.trace = d.id()
		case "spanId":
			draft.id = d.id()
		case "parentSpanId":
			draft.parent = d.parentID()
		case "name":
			draft.Name = d.scalar("name", "")
		case "startTimeUnixNano":
			draft.Start = d.time()
		case "endTimeUnixNano":
			draft.End = d.time()
		case "attributes":
			if d.entersSpanArray("attributes") {
				d.attributes(&draft.attributes)
			}
		case "events":
			if d.entersSpanArray("events") {
				for d.more(']') {
					d.event(&draft)
				}
			}
		case "status":
			d.status(&draft)
		default:
			d.skip()
		}
	}
	d.finishSpan(&draft)
}

// entersSpanArray enters the list expected in a field of a span; anything else makes the span unusable.
func (d *jsonDecoder) entersSpanArray(field string) bool {
	entered, wrong := d.enters('[')
	if wrong {
		d.fault(field + notAnArray)
	}
	return entered
}

func (d *jsonDecoder) event(span *spanDraft) {
	span.events++
	if span.events > d.build.limits.Events || d.build.faulty || d.kind() != '{' {
		d.skip()
		return
	}
	d.check(d.item())
	var event Event
	attributes := d.startAttributes("event.attributes")
	for d.open(); d.more('}'); {
		switch d.name() {
		case "name":
			event.Name = d.scalar("event.name", "")
		case "attributes":
			if d.entersSpanArray("event.attributes") {
				d.attributes(&attributes)
			}
		default:
			d.skip()
		}
	}
	d.checkAttributes(&attributes)
	event.Attributes = d.build.attributes.finish(attributes.start)
	d.build.events.push(event)
}

// status reads a status. Its code must be a number; enum names are not supported.
func (d *jsonDecoder) status(span *spanDraft) {
	if d.kind() != '{' {
		d.skip()
		return
	}
	for d.open(); d.more('}'); {
		switch d.name() {
		case "code":
			span.StatusCode = d.statusCode()
		case "message":
			span.StatusMessage = d.scalar("status.message", "")
		default:
			d.skip()
		}
	}
}
