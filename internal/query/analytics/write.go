package analytics

import (
	"math"
	"strconv"

	"almanac/internal/jsontext"
)

// AppendJSON appends the rows as a JSON array of objects. After each row, and within long strings, it calls flush,
// which may send the bytes so far.
func (r *Result) AppendJSON(dst []byte, flush func([]byte) []byte) []byte {
	dst = append(dst, '[')
	for i, row := range r.rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		for n, v := range row {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.AppendString(dst, r.names[n]), ':')
			if v.kind == isTime {
				v = value{kind: isText, text: r.cut.format(int64(v.number))}
			}
			dst = v.appendJSON(dst, flush)
		}
		dst = flush(append(dst, '}'))
	}
	return append(dst, ']')
}

func (v value) appendJSON(dst []byte, flush func([]byte) []byte) []byte {
	switch v.kind {
	case isNumber:
		return appendNumber(dst, v.number)
	case isText:
		return jsontext.AppendLongString(dst, v.text, flush)
	case isRaw:
		return append(dst, v.text...)
	case isBins:
		dst = append(dst, '[')
		for n, bin := range *v.bins {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = appendNumber(append(dst, '['), bin.Lower)
			dst = appendNumber(append(dst, ','), bin.Upper)
			dst = append(appendNumber(append(dst, ','), bin.Height), ']')
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}

// appendNumber writes integers without searching for the shortest representation.
func appendNumber(dst []byte, number float64) []byte {
	if number == math.Trunc(number) && math.Abs(number) < 1e15 {
		return strconv.AppendInt(dst, int64(number), 10)
	}
	return jsontext.AppendNumber(dst, number)
}
