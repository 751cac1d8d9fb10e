package respond

import "almanac/internal/jsontext"

// Flush takes what was written so far, if there is enough of it to be sent, and returns memory for what follows. A nil Flush takes
// nothing.
type Flush = jsontext.Flush

// appendLongText appends a text that may be long, which is flushed on the way.
func appendLongText(dst []byte, name, text string, flush Flush) []byte {
	return jsontext.AppendLongString(append(dst, name...), text, flush)
}

func appendLongTextOrNull(dst []byte, name, text string, flush Flush) []byte {
	if text == "" {
		return appendNull(dst, name)
	}
	return appendLongText(dst, name, text, flush)
}

// appendParsed appends the value that a text stands for: null if it is unset, what it says if it is JSON, and otherwise
// the text itself.
func appendParsed(dst []byte, name, text string, flush Flush) []byte {
	dst = append(dst, name...)
	switch {
	case text == "":
		return append(dst, "null"...)
	case jsontext.Valid(text):
		return jsontext.AppendLongUTF8(dst, text, flush)
	}
	return jsontext.AppendLongString(dst, text, flush)
}
