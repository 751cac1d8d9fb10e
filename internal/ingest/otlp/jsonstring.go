package otlp

import (
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// readText reads the string at the current position.
func (r *jsonReader) readText() string {
	start := r.pos + 1
	end, seen := jsontext.Plain(r.data, start)
	raw := r.data[start:end]
	r.pos = end
	if !r.accept('"') {
		// The string contains escapes.
		r.buffer = append(r.buffer[:0], raw...)
		for !r.accept('"') {
			if !r.escape() {
				return ""
			}
			start = r.pos
			end, more := jsontext.Plain(r.data, start)
			seen |= more
			r.buffer = append(r.buffer, r.data[start:end]...)
			r.pos = end
		}
		kept := r.texts.take(len(r.buffer))
		copy(kept, r.buffer)
		raw = jsontext.View(kept)
	}
	if !seen.ASCII() && !utf8.ValidString(raw) {
		return validUTF8(raw)
	}
	return raw
}

// skipString skips the string at the current position.
func (r *jsonReader) skipString() {
	for r.pos++; ; {
		r.pos, _ = jsontext.Plain(r.data, r.pos)
		r.buffer = r.buffer[:0] // discard what escapes put there
		if r.accept('"') || !r.escape() {
			return
		}
	}
}

// escape reads the escape at the current position into the buffer.
func (r *jsonReader) escape() bool {
	if r.pos+1 >= len(r.data) || r.data[r.pos] != '\\' {
		r.unexpected("a character of a string")
		return false
	}
	char, end := jsontext.Escape(r.data, r.pos)
	if char < 0 {
		r.unexpected("an escape")
		return false
	}
	r.buffer = utf8.AppendRune(r.buffer, char)
	r.pos = end
	return true
}
