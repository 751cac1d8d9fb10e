package jsontext

import "unicode/utf8"

// LongPart is how much of a long text is written until it may be sent: a text of megabytes is never in memory as JSON as a
// whole.
const LongPart = 32 << 10

// Flush takes what was written so far, if there is enough of it to be sent, and returns memory for what follows. A nil
// Flush takes nothing.
type Flush func(dst []byte) []byte

// AppendLongString is AppendString for what may be long.
func AppendLongString(dst []byte, text string, flush Flush) []byte {
	return append(appendLong(append(dst, '"'), text, flush, AppendEscaped), '"')
}

// AppendLongUTF8 is AppendUTF8 for what may be long.
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

// partEnd returns where the first part of a long text ends: not within a character.
func partEnd(text string) int {
	for end := LongPart; end > LongPart-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return LongPart // no character is as long
}
