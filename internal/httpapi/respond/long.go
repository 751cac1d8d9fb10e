package respond

import "unicode/utf8"

// Flush takes what was written so far, if there is enough of it to be sent, and returns memory for what follows. A nil Flush takes
// nothing.
type Flush func(dst []byte) []byte

// longPart is how much of a long text is written until it may be sent: a text of megabytes is never in memory as JSON as a whole.
const longPart = 32 << 10

func (f Flush) take(dst []byte) []byte {
	if f == nil {
		return dst
	}
	return f(dst)
}

// appendLongText is appendText for what may be long.
func appendLongText(dst []byte, text string, flush Flush) []byte {
	if len(text) <= longPart {
		return appendText(dst, text)
	}
	dst = append(dst, '"')
	for len(text) > 0 {
		end := partOf(text)
		at := len(dst)
		dst = appendText(dst, text[:end])
		// Without the quotes of the part.
		dst = dst[:at+copy(dst[at:], dst[at+1:len(dst)-1])]
		dst, text = flush.take(dst), text[end:]
	}
	return append(dst, '"')
}

// partOf returns where the first part of a text ends: not within a character.
func partOf(text string) int {
	if len(text) <= longPart {
		return len(text)
	}
	for end := longPart; end > longPart-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return longPart // no character is as long
}

func appendLongTextOrNull(dst []byte, text string, flush Flush) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return appendLongText(dst, text, flush)
}

// appendLongJSON is appendJSON for what may be long.
func appendLongJSON(dst []byte, text string, flush Flush) []byte {
	for len(text) > longPart {
		end := partOf(text)
		dst = flush.take(appendJSON(dst, text[:end]))
		text = text[end:]
	}
	return appendJSON(dst, text)
}

// appendLongParsed is appendParsed for what may be long.
func appendLongParsed(dst []byte, text string, flush Flush) []byte {
	switch {
	case text == "":
		return append(dst, "null"...)
	case isJSON(text):
		return appendLongJSON(dst, text, flush)
	}
	return appendLongText(dst, text, flush)
}
