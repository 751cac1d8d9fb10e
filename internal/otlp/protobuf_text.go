package otlp

import (
	"encoding/base64"

	"github.com/VictoriaMetrics/easyproto"

	"almanac/internal/jsontext"
)

// textValue keeps an AnyValue of a kind that attributes do not have as its JSON text.
func (d protobufDecoder) textValue(number uint32, content []byte, where string, depth int) (Value, error) {
	b := &d.build
	var err error
	b.scratch, err = d.appendMember(b.scratch[:0], number, content, where, depth)
	if err != nil {
		return Value{}, err
	}
	text := b.texts.take(len(b.scratch))
	copy(text, b.scratch)
	return Value{Kind: KindJSON, Text: jsontext.View(text)}, nil
}

// appendMember writes an AnyValue with a member of variable length as JSON.
func (d protobufDecoder) appendMember(dst []byte, number uint32, content []byte, where string, depth int) ([]byte, error) {
	if limit := d.build.limits.AttributeBytes; len(dst)+len(content) > limit {
		d.fault(where + ":" + tooLong + exceeds(len(dst)+len(content), limit))
		return dst, nil
	}
	switch number {
	case 1:
		dst = append(dst, `{"stringValue":`...)
		dst = jsontext.AppendString(dst, validUTF8(jsontext.View(content)))
		return append(dst, '}'), nil
	case 5:
		return d.appendList(append(dst, `{"arrayValue":{`...), content, where, depth+1, false)
	case 6:
		return d.appendList(append(dst, `{"kvlistValue":{`...), content, where, depth+1, true)
	default:
		dst = append(dst, `{"bytesValue":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, content)
		return append(dst, `"}`...), nil
	}
}

// appendList writes the rest of an ArrayValue, or of a KeyValueList if pairs is set.
func (d protobufDecoder) appendList(dst, data []byte, where string, depth int, pairs bool) (_ []byte, err error) {
	if !d.shallow(where, depth) {
		return dst, nil
	}
	count := 0
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return dst, err
		}
		message, ok := field.MessageData()
		if !ok || field.FieldNum != 1 {
			continue
		}
		count++
		if count > d.build.limits.ListItems || d.build.faulty {
			continue
		}
		if err := d.item(); err != nil {
			return dst, err
		}
		if count == 1 {
			dst = append(dst, `"values":[`...)
		} else {
			dst = append(dst, ',')
		}
		if pairs {
			dst, err = d.appendPair(dst, message, where, depth)
		} else {
			dst, err = d.appendValue(dst, message, where, depth)
		}
		if err != nil {
			return dst, err
		}
	}
	d.checkList(where, count)
	if count > 0 {
		dst = append(dst, ']')
	}
	return append(dst, "}}"...), nil
}

// appendPair writes a KeyValue as JSON.
func (d protobufDecoder) appendPair(dst, data []byte, where string, depth int) (_ []byte, err error) {
	var key, value []byte
	hasValue := false
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return dst, err
		}
		content, ok := field.Bytes()
		if !ok {
			continue
		}
		switch field.FieldNum {
		case 1:
			key = content
		case 2:
			value, hasValue = content, true
		}
	}
	dst = append(dst, `{"key":`...)
	dst = jsontext.AppendString(dst, d.textOf(key, where, ".key"))
	if hasValue {
		dst = append(dst, `,"value":`...)
		if dst, err = d.appendValue(dst, value, where, depth); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendValue writes an AnyValue as JSON.
func (d protobufDecoder) appendValue(dst, data []byte, where string, depth int) (_ []byte, err error) {
	start := len(dst)
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return dst, err
		}
		// The last member counts, so each overwrites the one before.
		switch field.FieldNum {
		case 1, 5, 6, 7:
			if content, ok := field.Bytes(); ok {
				if dst, err = d.appendMember(dst[:start], field.FieldNum, content, where, depth); err != nil {
					return dst, err
				}
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
	return dst, nil
}
