package otlp

import "github.com/VictoriaMetrics/easyproto"

// attribute reads a KeyValue. Attributes without a value are dropped.
func (d *protobufDecoder) attribute(data []byte, list *attributeList) {
	if !d.wanted(list) {
		return
	}
	var attribute Attribute
	hasValue := false
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		value, ok := field.Bytes()
		switch {
		case !ok:
		case field.FieldNum == 1:
			attribute.Key = d.textOf(value, list.where, ".key")
		case field.FieldNum == 2:
			hasValue = true
			attribute.Value = d.value(value, list.where, 0)
		}
	}
	if hasValue {
		d.build.attributes.push(attribute)
		d.check(d.item())
	}
}

// value reads an AnyValue nested in depth lists.
func (d *protobufDecoder) value(data []byte, where string, depth int) Value {
	value := Value{Kind: KindJSON, Text: "{}"}
	var field easyproto.FieldContext
	for len(data) > 0 {
		data = d.next(&field, data)
		content, isBytes := field.Bytes()
		switch field.FieldNum {
		case 1:
			if isBytes {
				value = Value{Kind: KindText, Text: d.textOf(content, where, "")}
			}
		case 2:
			if flag, ok := field.Uint64(); ok {
				value = Value{Kind: KindBool}
				if flag != 0 {
					value.Int = 1
				}
			}
		case 3:
			if number, ok := field.Int64(); ok {
				value = Value{Kind: KindInt, Int: number}
			}
		case 4:
			if number, ok := field.Double(); ok {
				value = floatValue(number)
			}
		case 5:
			if isBytes {
				value = d.array(content, where, depth+1)
			}
		case 6, 7:
			if isBytes {
				value = d.textValue(field.FieldNum, content, where, depth)
			}
		}
	}
	return value
}

// array reads an ArrayValue. An empty one is kept as JSON text.
func (d *protobufDecoder) array(data []byte, where string, depth int) Value {
	if !d.shallow(where, depth) {
		return Value{}
	}
	values, count := &d.build.values, 0
	start := values.start()
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
		values.push(d.value(item, where, depth))
		d.check(d.item())
	}
	d.checkList(where, count)
	if count == 0 {
		return Value{Kind: KindJSON, Text: `{"arrayValue":{}}`}
	}
	return Value{Kind: KindList, List: values.finish(start)}
}
