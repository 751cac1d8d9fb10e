package metrics

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rows returns how many rows there are.
func (r *Result) Rows() int { return len(r.rows) }

// AppendJSON appends the rows as a JSON array of objects. Behind each of them it calls flush, which may send what there is.
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
			dst = append(appendText(dst, r.names[n]), ':')
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
		return appendLongText(dst, v.text, flush)
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

// appendLongText is appendText for what may be long: it is written part by part.
func appendLongText(dst []byte, text string, flush func([]byte) []byte) []byte {
	const part = 32 << 10
	if len(text) <= part || !utf8.ValidString(text) {
		return appendText(dst, text)
	}
	dst = append(dst, '"')
	for len(text) > 0 {
		end := min(part, len(text))
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		at := len(dst)
		dst = appendText(dst, text[:end])
		dst = flush(dst[:at+copy(dst[at:], dst[at+1:len(dst)-1])]) // without the quotes of the part
		text = text[end:]
	}
	return append(dst, '"')
}

// appendText appends a JSON string. Characters that only HTML gives a meaning to stay as they are, as in other answers.
func appendText(dst []byte, text string) []byte {
	plain := utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) < 0
	if plain {
		return append(append(append(dst, '"'), text...), '"')
	}
	buffer := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("BUG: a text does not marshal: " + err.Error())
	}
	return bytes.TrimRight(buffer.Bytes(), "\n")
}

func appendNumber(dst []byte, number float64) []byte {
	if number == math.Trunc(number) && math.Abs(number) < 1e15 {
		return strconv.AppendInt(dst, int64(number), 10)
	}
	text, err := json.Marshal(number)
	if err != nil { // infinite numbers are null
		panic("BUG: a number does not marshal: " + err.Error())
	}
	return append(dst, text...)
}
