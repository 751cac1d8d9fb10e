package respond

import "almanac/internal/jsontext"

// Flush sends what has been written so far, if it is enough, and returns the buffer for what follows. A nil Flush sends
// nothing.
type Flush = jsontext.Flush

// appendLongText appends a string that may be long, flushing as it goes.
func appendLongText(dst []byte, name, text string, flush Flush) []byte {
	return jsontext.AppendLongString(append(dst, name...), text, flush)
}

func appendLongTextOrNull(dst []byte, name, text string, flush Flush) []byte {
	if text == "" {
		return appendNull(dst, name)
	}
	return appendLongText(dst, name, text, flush)
}

// appendParsed appends null if text is empty, text itself if it is JSON, and otherwise text as a JSON string.
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
