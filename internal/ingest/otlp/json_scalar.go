package otlp

import (
	"math"

	"almanac/internal/jsontext"
)

// scalar reads a value that should be a string. Numbers and booleans are returned as written, anything else as "".
// Problems name it where+part.
func (d *jsonDecoder) scalar(where, part string) string {
	switch c := d.kind(); {
	case c == '"':
		return d.short(d.readText(), where, part)
	case jsontext.StartsNumber(c):
		return d.number()
	case c == 't':
		d.skip()
		return "true"
	case c == 'f':
		d.skip()
		return "false"
	default:
		d.skip()
		return ""
	}
}

// time reads a time in any of the JSON forms of a 64-bit integer.
func (d *jsonDecoder) time() Nanos {
	switch c := d.kind(); {
	case c == '"':
		return parseTime(d.readText())
	case jsontext.StartsNumber(c):
		return parseTime(d.number())
	case c == '{':
		if number, ok := d.halves(); ok && number <= math.MaxInt64 {
			return Nanos{Value: int64(number), Set: true}
		}
		return Nanos{}
	default:
		d.skip()
		return Nanos{}
	}
}

// halves reads a 64-bit integer written as an object of its high and low 32 bits.
func (d *jsonDecoder) halves() (number uint64, ok bool) {
	var high, low uint32
	var hasHigh, hasLow bool
	for d.open(); d.more('}'); {
		name := d.name()
		switch {
		case !jsontext.StartsNumber(d.kind()):
			d.skip()
		case name == "high":
			high, hasHigh = parseHalf(d.number())
		case name == "low":
			low, hasLow = parseHalf(d.number())
		default:
			d.skip()
		}
	}
	return uint64(high)<<32 | uint64(low), hasHigh && hasLow
}

// statusCode reads a numeric status code; enum names are not supported.
func (d *jsonDecoder) statusCode() int {
	if !jsontext.StartsNumber(d.kind()) {
		d.skip()
		return 0
	}
	code, _ := numberValue(d.number())
	if code.Kind != KindInt || code.Int < math.MinInt32 || code.Int > math.MaxInt32 {
		return 0
	}
	return int(code.Int)
}

// id reads a trace or span id: a string, which is kept as is, a list of bytes, or JSON made from a JavaScript Buffer.
func (d *jsonDecoder) id() identifier {
	switch d.kind() {
	case 'n':
		d.skip()
		return identifier{}
	case '"':
		return idOfText(d.readText())
	case '[':
		return d.idOfList()
	case '{':
		return d.idOfBuffer()
	default:
		d.skip()
		return identifier{defect: notAnID}
	}
}

// parentID reads the id of a parent. Like null, zero and false mean none.
func (d *jsonDecoder) parentID() identifier {
	switch c := d.kind(); {
	case c == 'f':
		d.skip()
		return identifier{}
	case jsontext.StartsNumber(c):
		if number, ok := parseFloat(d.number()); ok && number == 0 {
			return identifier{}
		}
		return identifier{defect: notAnID}
	default:
		return d.id()
	}
}

// idOfList reads an id written as a list of bytes.
func (d *jsonDecoder) idOfList() identifier {
	var bytes [maxIDBytes / 2]byte
	count, isID := 0, true
	for d.open(); d.more(']'); count++ {
		if !jsontext.StartsNumber(d.kind()) {
			isID = false
			d.skip()
			continue
		}
		number, _ := numberValue(d.number())
		if number.Kind != KindInt || number.Int < 0 || number.Int > math.MaxUint8 {
			isID = false
		} else if count < len(bytes) {
			bytes[count] = byte(number.Int)
		}
	}
	switch {
	case !isID:
		return identifier{defect: notAnID}
	case count > len(bytes):
		return identifier{defect: tooLong + exceeds(2*count, maxIDBytes)}
	default:
		return d.idOfBytes(bytes[:count])
	}
}

// idOfBuffer reads an id written as an object like {"type":"Buffer","data":[1,2]}.
func (d *jsonDecoder) idOfBuffer() identifier {
	id, isBuffer := identifier{defect: notAnID}, false
	for d.open(); d.more('}'); {
		name := d.name()
		switch c := d.kind(); {
		case name == "type":
			isBuffer = d.scalar("", "") == "Buffer"
		case name == "data" && c == '[':
			id = d.idOfList()
		default:
			d.skip()
		}
	}
	if !isBuffer {
		return identifier{defect: notAnID}
	}
	return id
}
