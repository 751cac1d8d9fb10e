package clickhouse

import (
	"math"
	"strconv"
	"strings"
)

// bound collects the parameters of a statement. Whatever a client chose gets into a statement this way and no other.
type bound struct {
	values []string // by number, in the form in which ClickHouse reads them
	bytes  int
}

// maxParameter is how long a parameter is at most: ClickHouse takes 128 KB by default.
const maxParameter = 64 << 10

func (b *bound) add(value, typ string) string {
	b.values = append(b.values, value)
	b.bytes += len(value)
	return "{p" + strconv.Itoa(len(b.values)-1) + ":" + typ + "}"
}

// text returns the expression of a text.
func (b *bound) text(text string) string {
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

// texts returns the expression of an array of texts.
func (b *bound) texts(texts []string) string {
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

// number returns the expression of a number, exactly: it is sent as the bits that it is made of.
func (b *bound) number(v float64) string {
	return "reinterpretAsFloat64(" + b.add(strconv.FormatUint(math.Float64bits(v), 10), "UInt64") + ")"
}

func (b *bound) int(v int64) string { return b.add(strconv.FormatInt(v, 10), "Int64") }

// ints returns the expression of an array of integers, which must not be longer than a parameter may be.
func (b *bound) ints(values []int64) string {
	var list []byte
	for i, v := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, v, 10)
	}
	return b.add("["+string(list)+"]", "Array(Int64)")
}

// escape writes a text the way ClickHouse reads it in a parameter, and in quotes within one.
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
