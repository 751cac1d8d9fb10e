package datasets

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"almanac/internal/decode"
)

// readItemValue reads a value of an item in the form in which it is stored; nil if it is absent or null. A string that
// contains JSON is stored as that JSON, and an empty one as null.
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

// cleanJSON removes white space between tokens and control characters in strings from valid JSON. Everything else,
// including the digits of numbers, stays as it was sent.
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

// endOfText returns the index of the quote that ends a string.
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

// appendCleanText appends the contents of a JSON string, without quotes.
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
			dst = utf8.AppendRune(dst, r) // invalid UTF-8 becomes the replacement character
		}
		raw = raw[size:]
	}
	return dst
}

// readEscape returns the length of the escape sequence at the start, and the control character that it denotes, if it
// does.
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

// isControl reports whether a character is removed from values: all control characters except tab, line feed, form feed
// and carriage return.
func isControl(r rune) bool {
	switch r {
	case '\t', '\n', '\f', '\r':
		return false
	}
	return r < 0x20 || r >= 0x7F && r <= 0x9F
}
