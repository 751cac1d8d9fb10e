package otlp

import (
	"fmt"
	"math"

	"github.com/VictoriaMetrics/easyproto"
)

// DecodeProtobuf reads an ExportTraceServiceRequest in protobuf. Its texts are views of the body, which must not change
// as long as they are used. After an error the export is empty; a LimitError says that the request is too large.
//
// It reads what generated code reads, with these differences: text that is not UTF-8 is mended instead of refused, a
// repeated value of an attribute replaces the one before instead of being merged with it, groups (wire types 3 and 4) are
// refused, and what is never used, such as links, is not looked into.
func (e *Export) DecodeProtobuf(body []byte, limits Limits) error {
	e.Reset()
	e.build.limits = limits
	d := protobufDecoder{e}
	if err := d.export(body); err != nil {
		e.Reset()
		return fmt.Errorf("read a trace export in protobuf: %w", err)
	}
	return nil
}

type protobufDecoder struct{ *Export }

// nextField reads a field's tag and value and returns what follows.
func nextField(field *easyproto.FieldContext, data []byte) ([]byte, error) {
	const maxFieldNumber = 1<<29 - 1
	data, err := field.NextField(data)
	if err != nil {
		return nil, err
	}
	if field.FieldNum == 0 || field.FieldNum > maxFieldNumber {
		return nil, fmt.Errorf("field number %d is not between 1 and %d", field.FieldNum, maxFieldNumber)
	}
	return data, nil
}

// A known field that has another wire type than the protocol says is passed over like an unknown one. This is how the log
// records of an export that went to the wrong address become spans without ids.

func (d protobufDecoder) export(data []byte) (err error) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		if message, ok := field.MessageData(); ok && field.FieldNum == 1 {
			if err := d.resourceSpans(message); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d protobufDecoder) resourceSpans(data []byte) (err error) {
	if err := d.item(); err != nil {
		return err
	}
	firstScope := d.build.scopes.start()
	attributes := d.startAttributes("resource.attributes")
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		message, ok := field.MessageData()
		if !ok {
			continue
		}
		switch field.FieldNum {
		case 1: // resource
			d.resume(&attributes)
			err = d.resource(message, &attributes)
			d.pause(&attributes)
		case 2: // scope_spans
			err = d.scopeSpans(message)
		}
		if err != nil {
			return err
		}
	}
	d.finishResource(firstScope, &attributes)
	return nil
}

func (d protobufDecoder) resource(data []byte, attributes *attributeList) (err error) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		if message, ok := field.MessageData(); ok && field.FieldNum == 1 {
			if err := d.attribute(message, attributes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d protobufDecoder) scopeSpans(data []byte) (err error) {
	var draft scopeDraft
	if err := d.startScope(&draft); err != nil {
		return err
	}
	attributes := d.startAttributes("scope.attributes")
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		message, ok := field.MessageData()
		if !ok {
			continue
		}
		switch field.FieldNum {
		case 1: // scope
			d.resume(&attributes)
			err = d.scope(message, &draft.Scope, &attributes)
			d.pause(&attributes)
		case 2: // spans
			err = d.span(message)
		}
		if err != nil {
			return err
		}
	}
	draft.Scope.Attributes = d.ownAttributes(&attributes)
	d.finishScope(&draft)
	return nil
}

func (d protobufDecoder) scope(data []byte, scope *Scope, attributes *attributeList) (err error) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		value, ok := field.Bytes()
		if !ok {
			continue
		}
		switch field.FieldNum {
		case 1:
			scope.Name = d.textOf(value, "scope.name", "")
		case 2:
			scope.Version = d.textOf(value, "scope.version", "")
		case 3:
			if err := d.attribute(value, attributes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d protobufDecoder) span(data []byte) (err error) {
	var draft spanDraft
	if err := d.startSpan(&draft); err != nil {
		return err
	}
	var traceID, spanID, parentID []byte
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		value, isBytes := field.Bytes()
		switch {
		case field.FieldNum == 7:
			draft.Start = fixedTime(&field, draft.Start)
		case field.FieldNum == 8:
			draft.End = fixedTime(&field, draft.End)
		case !isBytes:
		case field.FieldNum == 9:
			err = d.attribute(value, &draft.attributes)
		case field.FieldNum == 1:
			traceID = value
		case field.FieldNum == 2:
			spanID = value
		case field.FieldNum == 4:
			parentID = value
		case field.FieldNum == 5:
			draft.Name = d.textOf(value, "name", "")
		case field.FieldNum == 11:
			err = d.event(value, &draft)
		case field.FieldNum == 15:
			err = d.status(value, &draft)
		}
		if err != nil {
			return err
		}
	}
	draft.trace, draft.id = d.idOfProtobuf(traceID, traceIDBytes), d.idOfProtobuf(spanID, spanIDBytes)
	draft.parent = d.idOfProtobuf(parentID, spanIDBytes)
	d.finishSpan(&draft)
	return nil
}

// fixedTime reads a time. The wire format cannot tell 1970 from nothing.
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

func (d protobufDecoder) event(data []byte, span *spanDraft) (err error) {
	span.events++
	if span.events > d.build.limits.Events || d.build.faulty {
		return nil
	}
	if err := d.item(); err != nil {
		return err
	}
	var event Event
	attributes := d.startAttributes("event.attributes")
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
		value, ok := field.Bytes()
		if !ok {
			continue
		}
		switch field.FieldNum {
		case 2:
			event.Name = d.textOf(value, "event.name", "")
		case 3:
			if err := d.attribute(value, &attributes); err != nil {
				return err
			}
		}
	}
	d.checkAttributes(&attributes)
	event.Attributes = d.build.attributes.finish(attributes.start)
	d.build.events.push(event)
	return nil
}

func (d protobufDecoder) status(data []byte, span *spanDraft) (err error) {
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return err
		}
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
	return nil
}
