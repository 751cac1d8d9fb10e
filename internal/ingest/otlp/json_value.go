package otlp

import "almanac/internal/jsontext"

// attributes reads the items of a list of attributes that has been entered.
func (d *jsonDecoder) attributes(list *attributeList) {
	for d.more(']') {
		if d.wanted(list) && d.kind() == '{' {
			d.attribute(list)
		} else {
			d.skip()
		}
	}
}

// attribute reads a key and a value. Attributes without a value are dropped.
func (d *jsonDecoder) attribute(list *attributeList) {
	var attribute Attribute
	hasValue := false
	for d.open(); d.more('}'); {
		switch d.name() {
		case "key":
			attribute.Key = d.scalar(list.where, ".key")
		case "value":
			hasValue = d.kind() != 'n'
			attribute.Value = d.value(list.where, 0)
		default:
			d.skip()
		}
	}
	if hasValue {
		d.check(d.item())
		d.build.attributes.push(attribute)
	}
}

// The members of an AnyValue in order of precedence.
const (
	rankString = iota
	rankDouble
	rankBool
	rankArray
	rankInt
	rankNone
)

// value reads an AnyValue nested in depth lists.
func (d *jsonDecoder) value(where string, depth int) Value {
	start := d.position()
	switch d.kind() {
	case '{':
	case 'n':
		d.skip()
		return Value{}
	default:
		return d.asText(where)
	}
	var value Value
	rank, understood := rankNone, false
	for d.open(); d.more('}'); {
		switch name := d.name(); {
		case name == "stringValue":
			value, rank, understood = d.plain(where), rankString, true
		case name == "doubleValue" && rank >= rankDouble:
			value, rank, understood = d.double(where), rankDouble, true
		case name == "boolValue" && rank >= rankBool:
			value, rank, understood = d.plain(where), rankBool, true
		case name == "arrayValue" && rank >= rankArray:
			if list, ok := d.array(where, depth+1); ok {
				value, rank, understood = list, rankArray, true
			}
		case name == "intValue" && rank >= rankInt:
			value, understood = d.integer()
			rank = rankInt
		default:
			d.skip()
		}
	}
	if !understood {
		return d.textFrom(start, where)
	}
	return value
}

// position returns the offset of the next value.
func (d *jsonDecoder) position() int {
	d.kind()
	return d.pos
}

// asText reads the next value and keeps it as JSON text.
func (d *jsonDecoder) asText(where string) Value {
	start := d.position()
	d.skip()
	return d.textFrom(start, where)
}

// textFrom returns the value read since start as JSON text.
func (d *jsonDecoder) textFrom(start int, where string) Value {
	if d.err != nil {
		return Value{}
	}
	b, raw := &d.build, d.data[start:d.pos]
	if d.short(raw, where, "") == "" {
		return Value{}
	}
	b.scratch = jsontext.AppendCompact(b.scratch[:0], validUTF8(raw), nil)
	text := b.texts.take(len(b.scratch))
	copy(text, b.scratch)
	return Value{Kind: KindJSON, Text: jsontext.View(text)}
}

// plain reads a value of any JSON type; lists and objects are kept as JSON text.
func (d *jsonDecoder) plain(where string) Value {
	switch c := d.kind(); {
	case c == '"':
		return Value{Kind: KindText, Text: d.short(d.readText(), where, "")}
	case c == 't':
		d.skip()
		return Value{Kind: KindBool, Int: 1}
	case c == 'f':
		d.skip()
		return Value{Kind: KindBool}
	case c == 'n':
		d.skip()
		return Value{}
	case jsontext.StartsNumber(c):
		value, _ := numberValue(d.number()) // null if too large
		return value
	default:
		return d.asText(where)
	}
}

// double reads a doubleValue. Numbers may be written as strings; strings that are not numbers, such as NaN, are kept as
// strings.
func (d *jsonDecoder) double(where string) Value {
	switch c := d.kind(); {
	case c == '"':
		text := d.short(d.readText(), where, "")
		if number, ok := parseFloat(text); ok {
			return Value{Kind: KindFloat, Float: number}
		}
		return Value{Kind: KindText, Text: text}
	case jsontext.StartsNumber(c):
		if number, ok := parseFloat(d.number()); ok {
			return Value{Kind: KindFloat, Float: number}
		}
		return Value{}
	default:
		return d.plain(where)
	}
}

// array reads an arrayValue, if it has values.
func (d *jsonDecoder) array(where string, depth int) (list Value, ok bool) {
	if d.kind() != '{' || !d.shallow(where, depth) {
		d.skip()
		return Value{}, false
	}
	for d.open(); d.more('}'); {
		if d.name() != "values" || d.kind() != '[' {
			d.skip()
			continue
		}
		list, ok = Value{Kind: KindList, List: d.items(where, depth)}, true
	}
	return list, ok
}

// items reads the list at the current position.
func (d *jsonDecoder) items(where string, depth int) []Value {
	values, count := &d.build.values, 0
	start := values.start()
	for d.open(); d.more(']'); {
		count++
		if count > d.build.limits.ListItems || d.build.faulty {
			d.skip()
			continue
		}
		d.check(d.item())
		values.push(d.value(where, depth))
	}
	d.checkList(where, count)
	return values.finish(start)
}

// integer reads an intValue and reports whether it was understood.
func (d *jsonDecoder) integer() (Value, bool) {
	switch c := d.kind(); {
	case c == '"':
		return numberValue(d.readText())
	case jsontext.StartsNumber(c):
		return numberValue(d.number())
	case c == '{':
		number, ok := d.halves()
		return Value{Kind: KindInt, Int: int64(number)}, ok //nolint:gosec // the bits of a signed integer
	default:
		d.skip()
		return Value{}, false
	}
}
