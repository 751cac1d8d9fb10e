package datasets

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"almanac/internal/decode"
)

// readItemValue reads a value of an item as it is kept: nil if it is absent or null. A text that is JSON is taken for that JSON,
// and an empty one for null.
func readItemValue(v decode.Value) json.RawMessage {
	switch v.Kind() {
	case "undefined", "null":
		return nil
	case "string":
		text := v.Text()
		if text == "" {
			return json.RawMessage("null")
		}
		if decode.CheckJSON([]byte(text)) == nil {
			return cleanJSON([]byte(text))
		}
	}
	return cleanJSON(v.Raw())
}

// cleanJSON returns valid JSON without blanks between its parts and without control characters in its texts. Everything else
// stays as it was sent, the digits of numbers included.
func cleanJSON(raw []byte) json.RawMessage {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := i + 1 + endOfText(raw[i+1:])
			out = append(appendCleanText(append(out, '"'), raw[i+1:end]), '"')
			i = end + 1
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// endOfText returns where the quote is that ends a text.
func endOfText(raw []byte) int {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(raw)
}

// appendCleanText appends what is between the quotes of a text.
func appendCleanText(dst, raw []byte) []byte {
	for len(raw) > 0 {
		if raw[0] == '\\' {
			size, code := readEscape(raw)
			if !isControl(code) {
				dst = append(dst, raw[:size]...)
			}
			raw = raw[size:]
			continue
		}
		r, size := utf8.DecodeRune(raw)
		if !isControl(r) {
			dst = utf8.AppendRune(dst, r) // what is not UTF-8 becomes the replacement character
		}
		raw = raw[size:]
	}
	return dst
}

// readEscape returns how long the escape at the front is, and what it stands for if that is a control character.
func readEscape(raw []byte) (size int, code rune) {
	const short, long = len(`\n`), len(`\u0000`)
	switch {
	case len(raw) >= long && raw[1] == 'u':
		code, err := strconv.ParseUint(string(raw[2:long]), 16, 16)
		if err != nil {
			return long, utf8.RuneError
		}
		return long, rune(code)
	case len(raw) >= short && raw[1] == 'b':
		return short, '\b'
	}
	return min(short, len(raw)), utf8.RuneError
}

// isControl reports whether a character is left out of values: all that control something but tabs and ends of lines.
func isControl(r rune) bool {
	switch r {
	case '\t', '\n', '\f', '\r':
		return false
	}
	return r < 0x20 || r >= 0x7F && r <= 0x9F
}
