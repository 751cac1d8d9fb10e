package otlp

import (
	"encoding/base64"

	"github.com/VictoriaMetrics/easyproto"

	"almanac/internal/jsontext"
)

// textValue converts an AnyValue of a kind that Value does not have to JSON text.
func (d *protobufDecoder) textValue(number uint32, content []byte, where string, depth int) Value {
	b := &d.build
	b.scratch = d.appendMember(b.scratch[:0], number, content, where, depth)
	text := b.texts.take(len(b.scratch))
	copy(text, b.scratch)
	return Value{Kind: KindJSON, Text: jsontext.View(text)}
}

// appendMember writes an AnyValue of variable length as JSON.
func (d *protobufDecoder) appendMember(dst []byte, number uint32, content []byte, where string, depth int) []byte {
	if limit := d.build.limits.AttributeBytes; len(dst)+len(content) > limit {
		d.fault(where + ":" + tooLong + exceeds(len(dst)+len(content), limit))
		return dst
	}
	switch number {
	case 1:
		dst = append(dst, `{"stringValue":`...)
		dst = jsontext.AppendString(dst, validUTF8(jsontext.View(content)))
		return append(dst, '}')
	case 5:
		return d.appendList(append(dst, `{"arrayValue":{`...), content, where, depth+1, d.appendValue)
	case 6:
		return d.appendList(append(dst, `{"kvlistValue":{`...), content, where, depth+1, d.appendPair)
	default:
		dst = append(dst, `{"bytesValue":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, content)
		return append(dst, `"}`...)
	}
}

// appendList writes the rest of an ArrayValue or KeyValueList, using appendItem for its items.
func (d *protobufDecoder) appendList(
	dst, data []byte, where string, depth int, appendItem func(dst, data []byte, where string, depth int) []byte,
) []byte {
	if !d.shallow(where, depth) {
		return dst
	}
	count := 0
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		item, ok := field.MessageData()
		if !ok || field.FieldNum != 1 {
			continue
		}
		if count++; count > d.build.limits.ListItems || d.build.faulty {
			continue
		}
		d.check(d.item())
		if count == 1 {
			dst = append(dst, `"values":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendItem(dst, item, where, depth)
	}
	d.checkList(where, count)
	if count > 0 {
		dst = append(dst, ']')
	}
	return append(dst, "}}"...)
}

// appendPair writes a KeyValue as JSON.
func (d *protobufDecoder) appendPair(dst, data []byte, where string, depth int) []byte {
	var key, value []byte
	hasValue := false
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		content, ok := field.Bytes()
		switch {
		case !ok:
		case field.FieldNum == 1:
			key = content
		case field.FieldNum == 2:
			value, hasValue = content, true
		}
	}
	dst = append(dst, `{"key":`...)
	dst = jsontext.AppendString(dst, d.textOf(key, where, ".key"))
	if hasValue {
		dst = append(dst, `,"value":`...)
		dst = d.appendValue(dst, value, where, depth)
	}
	return append(dst, '}')
}

// appendValue writes an AnyValue as JSON.
func (d *protobufDecoder) appendValue(dst, data []byte, where string, depth int) []byte {
	start := len(dst)
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		// The last member wins, so each overwrites the one before.
		switch field.FieldNum {
		case 1, 5, 6, 7:
			if content, ok := field.Bytes(); ok {
				dst = d.appendMember(dst[:start], field.FieldNum, content, where, depth)
			}
		case 2:
			if flag, ok := field.Uint64(); ok && flag != 0 {
				dst = append(dst[:start], `{"boolValue":true}`...)
			} else if ok {
				dst = append(dst[:start], `{"boolValue":false}`...)
			}
		case 3:
			if number, ok := field.Int64(); ok {
				dst = appendInt(append(dst[:start], `{"intValue":`...), number)
				dst = append(dst, '}')
			}
		case 4:
			if number, ok := field.Double(); ok {
				dst = appendFloat(append(dst[:start], `{"doubleValue":`...), number)
				dst = append(dst, '}')
			}
		}
	}
	if len(dst) == start {
		dst = append(dst, "{}"...)
	}
	return dst
}
