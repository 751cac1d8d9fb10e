package otlp

import "github.com/VictoriaMetrics/easyproto"

// attribute reads a KeyValue. One without a value is left out.
func (d protobufDecoder) attribute(data []byte, list *attributeList) (err error) {
	if !d.wanted(list) {
		return nil
	}
	var attribute Attribute
	hasValue := false
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
			attribute.Key = d.textOf(value, list.where, ".key")
		case 2:
			hasValue = true
			if attribute.Value, err = d.value(value, list.where, 0); err != nil {
				return err
			}
		}
	}
	if !hasValue {
		return nil
	}
	d.build.attributes.push(attribute)
	return d.item()
}

// value reads an AnyValue that is inside of depth lists.
func (d protobufDecoder) value(data []byte, where string, depth int) (value Value, err error) {
	value = Value{Kind: KindJSON, Text: "{}"}
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return value, err
		}
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
				if value, err = d.array(content, where, depth+1); err != nil {
					return value, err
				}
			}
		case 6, 7:
			if isBytes {
				if value, err = d.textValue(field.FieldNum, content, where, depth); err != nil {
					return value, err
				}
			}
		}
	}
	return value, nil
}

// array reads an ArrayValue. An empty one is kept as the JSON text of its AnyValue.
func (d protobufDecoder) array(data []byte, where string, depth int) (value Value, err error) {
	if !d.shallow(where, depth) {
		return Value{}, nil
	}
	values, count := &d.build.values, 0
	start := values.start()
	var field easyproto.FieldContext
	for len(data) > 0 {
		if data, err = nextField(&field, data); err != nil {
			return Value{}, err
		}
		message, ok := field.MessageData()
		if !ok || field.FieldNum != 1 {
			continue
		}
		count++
		if count > d.build.limits.ListItems || d.build.faulty {
			continue
		}
		item, err := d.value(message, where, depth)
		if err != nil {
			return Value{}, err
		}
		values.push(item)
		if err := d.item(); err != nil {
			return Value{}, err
		}
	}
	d.checkList(where, count)
	if count == 0 {
		return Value{Kind: KindJSON, Text: `{"arrayValue":{}}`}, nil
	}
	return Value{Kind: KindList, List: values.finish(start)}, nil
}
