package jsontext

import "unicode/utf8"

// LongPart is the number of bytes of a long string written before a flush, so that a string of megabytes is never
// entirely in memory as JSON.
const LongPart = 32 << 10

// Flush takes the output so far, if there is enough of it to send, and returns a buffer for the rest. A nil Flush takes
// nothing.
type Flush func(dst []byte) []byte

// AppendLongString is AppendString for strings that may be long.
func AppendLongString(dst []byte, text string, flush Flush) []byte {
	return append(appendLong(append(dst, '"'), text, flush, AppendEscaped), '"')
}

// AppendLongUTF8 is AppendUTF8 for strings that may be long.
func AppendLongUTF8(dst []byte, text string, flush Flush) []byte {
	return appendLong(dst, text, flush, AppendUTF8)
}

func appendLong(dst []byte, text string, flush Flush, part func(dst []byte, text string) []byte) []byte {
	for len(text) > LongPart {
		end := partEnd(text)
		dst, text = part(dst, text[:end]), text[end:]
		if flush != nil {
			dst = flush(dst)
		}
	}
	return part(dst, text)
}

// partEnd returns the end of the first part of a long string, which is not within a character.
func partEnd(text string) int {
	for end := LongPart; end > LongPart-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return LongPart // no character is that long
}
