package clickhouse

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// params collects the parameters of a statement. Values chosen by clients must only enter a statement this way.
type params struct {
	values []string // by number, in ClickHouse's format
	bytes  int
}

// maxParameter is the maximum size of a parameter: ClickHouse accepts 128 KB by default.
const maxParameter = 64 << 10

func (b *params) add(value, typ string) string {
	b.values = append(b.values, value)
	b.bytes += len(value)
	return "{p" + strconv.Itoa(len(b.values)-1) + ":" + typ + "}"
}

// text returns an expression for a string.
func (b *params) text(text string) string {
	if len(text) <= maxParameter/2 {
		return b.add(escape(text, false), "String")
	}
	var pieces []string
	for text != "" {
		n := min(len(text), maxParameter/2)
		pieces = append(pieces, b.add(escape(text[:n], false), "String"))
		text = text[n:]
	}
	if len(pieces) == 1 {
		return pieces[0]
	}
	return "concat(" + strings.Join(pieces, ", ") + ")"
}

// texts returns an expression for an array of strings.
func (b *params) texts(texts []string) string {
	var pieces []string
	var list strings.Builder
	flush := func() {
		pieces = append(pieces, b.add("["+list.String()+"]", "Array(String)"))
		list.Reset()
	}
	for _, text := range texts {
		if len(text) > maxParameter/4 {
			pieces = append(pieces, "["+b.text(text)+"]")
			continue
		}
		if list.Len() > 0 {
			list.WriteByte(',')
		}
		list.WriteString("'" + escape(text, true) + "'")
		if list.Len() > maxParameter/2 {
			flush()
		}
	}
	if list.Len() > 0 || len(pieces) == 0 {
		flush()
	}
	if len(pieces) == 1 {
		return pieces[0]
	}
	return "arrayConcat(" + strings.Join(pieces, ", ") + ")"
}

// number returns an expression for exactly this number, which is sent as its bits.
func (b *params) number(v float64) string {
	return "reinterpretAsFloat64(" + b.add(strconv.FormatUint(math.Float64bits(v), 10), "UInt64") + ")"
}

// numbers returns an expression for an array of numbers, split to fit into parameters.
func (b *params) numbers(values []float64) string {
	const most = maxParameter / 21 // digits of the largest number and a comma
	var pieces []string
	for piece := range slices.Chunk(values, most) {
		var list []byte
		for i, v := range piece {
			if i > 0 {
				list = append(list, ',')
			}
			list = strconv.AppendUint(list, math.Float64bits(v), 10)
		}
		pieces = append(pieces, b.add("["+string(list)+"]", "Array(UInt64)"))
	}
	return "arrayMap(v -> reinterpretAsFloat64(v), arrayConcat(" + strings.Join(pieces, ", ") + "))"
}

func (b *params) int(v int64) string { return b.add(strconv.FormatInt(v, 10), "Int64") }

// ints returns an expression for an array of integers, which must fit into a parameter.
func (b *params) ints(values []int64) string {
	var list []byte
	for i, v := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, v, 10)
	}
	return b.add("["+string(list)+"]", "Array(Int64)")
}

// escape escapes a string as ClickHouse expects it in a parameter, or in quotes within one.
func escape(text string, quoted bool) string {
	if !strings.ContainsAny(text, "\\'\t\n\r\x00\b\f") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 8)
	for i := range len(text) {
		switch c := text[i]; c {
		case '\\':
			b.WriteString(`\\`)
		case '\t':
			b.WriteString(`\t`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		case 0:
			b.WriteString(`\0`)
		case '\'':
			if quoted {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
