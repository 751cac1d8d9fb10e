package otlp

import (
	"fmt"
	"math"

	"github.com/VictoriaMetrics/easyproto"
)

// DecodeProtobuf decodes an ExportTraceServiceRequest from protobuf. Strings share memory with the body, which must not
// change while they are used. After an error the export is empty; a LimitError means that the request is too large.
//
// It accepts what generated code accepts, with these differences: invalid UTF-8 is replaced instead of refused, a
// repeated value of an attribute replaces the previous one instead of being merged with it, groups (wire types 3 and 4)
// are refused, and unused fields, such as links, are not parsed.
func (e *Export) DecodeProtobuf(body []byte, limits Limits) error {
	e.Reset()
	e.build.limits = limits
	d := protobufDecoder{Export: e}
	d.export(body)
	if d.err != nil {
		e.Reset()
		return fmt.Errorf("read a trace export in protobuf: %w", d.err)
	}
	return nil
}

// protobufDecoder decodes messages. The first error is final: from then on there are no more fields.
type protobufDecoder struct {
	*Export
	err error
}

// check records the first error, which ends decoding.
func (d *protobufDecoder) check(err error) {
	if err != nil && d.err == nil {
		d.err = err
	}
}

// next reads the next field of a message and returns the rest of it. After an error the field number is 0 and the rest
// is empty.
func (d *protobufDecoder) next(field *easyproto.FieldContext, data []byte) []byte {
	const maxFieldNumber = 1<<29 - 1
	if d.err == nil {
		rest, err := field.NextField(data)
		if err == nil && field.FieldNum > 0 && field.FieldNum <= maxFieldNumber {
			return rest
		}
		if d.err = err; err == nil {
			d.err = fmt.Errorf("field number %d is not between 1 and %d", field.FieldNum, maxFieldNumber)
		}
	}
	field.FieldNum = 0
	return nil
}

// A known field with the wrong wire type is skipped like an unknown one. This is how log records sent to this endpoint
// by mistake become spans without ids.

func (d *protobufDecoder) export(data []byte) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		if value, ok := field.MessageData(); ok && field.FieldNum == 1 {
			d.resourceSpans(value)
		}
	}
}

func (d *protobufDecoder) resourceSpans(data []byte) {
	d.check(d.item())
	firstScope := d.build.scopes.start()
	attributes := d.startAttributes("resource.attributes")
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		value, ok := field.MessageData()
		switch {
		case !ok:
		case field.FieldNum == 1: // resource
			d.resume(&attributes)
			d.resource(value, &attributes)
			d.pause(&attributes)
		case field.FieldNum == 2: // scope_spans
			d.scopeSpans(value)
		}
	}
	d.finishResource(firstScope, &attributes)
}

func (d *protobufDecoder) resource(data []byte, attributes *attributeList) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		if value, ok := field.MessageData(); ok && field.FieldNum == 1 {
			d.attribute(value, attributes)
		}
	}
}

func (d *protobufDecoder) scopeSpans(data []byte) {
	var draft scopeDraft
	d.check(d.startScope(&draft))
	attributes := d.startAttributes("scope.attributes")
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		value, ok := field.MessageData()
		switch {
		case !ok:
		case field.FieldNum == 1: // scope
			d.resume(&attributes)
			d.scope(value, &draft.Scope, &attributes)
			d.pause(&attributes)
		case field.FieldNum == 2: // spans
			d.span(value)
		}
	}
	draft.Scope.Attributes = d.ownAttributes(&attributes)
	d.finishScope(&draft)
}

func (d *protobufDecoder) scope(data []byte, scope *Scope, attributes *attributeList) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		value, ok := field.Bytes()
		switch {
		case !ok:
		case field.FieldNum == 1:
			scope.Name = d.textOf(value, "scope.name", "")
		case field.FieldNum == 2:
			scope.Version = d.textOf(value, "scope.version", "")
		case field.FieldNum == 3:
			d.attribute(value, attributes)
		}
	}
}

func (d *protobufDecoder) span(data []byte) {
	var draft spanDraft
	d.check(d.startSpan(&draft))
	var traceID, spanID, parentID []byte
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		value, isBytes := field.Bytes()
		switch {
		case field.FieldNum == 7:
			draft.Start = fixedTime(&field, draft.Start)
		case field.FieldNum == 8:
			draft.End = fixedTime(&field, draft.End)
		case !isBytes:
		case field.FieldNum == 9:
			d.attribute(value, &draft.attributes)
		case field.FieldNum == 1:
			traceID = value
		case field.FieldNum == 2:
			spanID = value
		case field.FieldNum == 4:
			parentID = value
		case field.FieldNum == 5:
			draft.Name = d.textOf(value, "name", "")
		case field.FieldNum == 11:
			d.event(value, &draft)
		case field.FieldNum == 15:
			d.status(value, &draft)
		}
	}
	draft.trace, draft.id = d.idOfProtobuf(traceID, traceIDBytes), d.idOfProtobuf(spanID, spanIDBytes)
	draft.parent = d.idOfProtobuf(parentID, spanIDBytes)
	d.finishSpan(&draft)
}

// fixedTime reads a time. The wire format cannot distinguish 1970 from unset.
func fixedTime(field *easyproto.FieldContext, before Nanos) Nanos {
	nanos, ok := field.Fixed64()
	if !ok {
		return before
	}
	if nanos == 0 || nanos > math.MaxInt64 {
		return Nanos{}
	}
	return Nanos{Value: int64(nanos), Set: true}
}

func (d *protobufDecoder) event(data []byte, span *spanDraft) {
	span.events++
	if span.events > d.build.limits.Events || d.build.faulty {
		return
	}
	d.check(d.item())
	var event Event
	attributes := d.startAttributes("event.attributes")
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		value, ok := field.Bytes()
		switch {
		case !ok:
		case field.FieldNum == 2:
			event.Name = d.textOf(value, "event.name", "")
		case field.FieldNum == 3:
			d.attribute(value, &attributes)
		}
	}
	d.checkAttributes(&attributes)
	event.Attributes = d.build.attributes.finish(attributes.start)
	d.build.events.push(event)
}

func (d *protobufDecoder) status(data []byte, span *spanDraft) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		switch field.FieldNum {
		case 2:
			if value, ok := field.Bytes(); ok {
				span.StatusMessage = d.textOf(value, "status.message", "")
			}
		case 3:
			if code, ok := field.Uint64(); ok {
				span.StatusCode = int(int32(code)) //nolint:gosec // an enum is the low half of what is sent
			}
		}
	}
}
