package otlp

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// readText reads the string at the current position.
func (r *jsonReader) readText() string {
	text, borrowed := r.borrowText()
	if !borrowed {
		return text
	}
	kept := r.texts.take(len(text))
	copy(kept, text)
	return view(kept)
}

// borrowText reads the string at the current position. If the text is borrowed, it is valid until the next one is read.
func (r *jsonReader) borrowText() (text string, borrowed bool) {
	start := r.pos + 1
	end, seen := plainText(r.data, start)
	raw := r.data[start:end]
	r.pos = end
	if !r.accept('"') {
		// Not everything of it means itself.
		r.buffer = append(r.buffer[:0], raw...)
		for borrowed = true; !r.accept('"'); {
			if !r.escape() {
				return "", false
			}
			start = r.pos
			end, more := plainText(r.data, start)
			seen |= more
			r.buffer = append(r.buffer, r.data[start:end]...)
			r.pos = end
		}
		raw = r.buffer
	}
	text = view(raw)
	if seen&nonASCII != 0 && !utf8.ValidString(text) {
		return validUTF8(text), false
	}
	return text, borrowed
}

// skipString passes over the string at the current position.
func (r *jsonReader) skipString() {
	for r.pos++; ; {
		r.pos, _ = plainText(r.data, r.pos)
		r.buffer = r.buffer[:0] // nobody wants what escapes put there
		if r.accept('"') || !r.escape() {
			return
		}
	}
}

// nonASCII are the bits of eight bytes that ASCII does not use.
const nonASCII = 0x8080808080808080

// plainText returns the position of the first byte from start on that does not stand for itself in a string: a quote, a
// backslash, or a control character, which must not be there. In seen are the bits of all bytes before it, and perhaps of
// some behind it.
func plainText(data []byte, start int) (end int, seen uint64) {
	const (
		each  = 0x0101010101010101
		quote = each * '"'
		slash = each * '\\'
		blank = each * ' '
	)
	i := start
	// Eight bytes at once. Subtracting one from a byte that is zero takes its top bit from the byte above, and so does
	// subtracting a blank from a control character. A wrong hit is possible only above a right one; the lowest counts.
	for ; i+8 <= len(data); i += 8 {
		word := binary.LittleEndian.Uint64(data[i:])
		seen |= word
		hits := (((word ^ quote) - each) | ((word ^ slash) - each) | (word - blank)) &^ word & nonASCII
		if hits != 0 {
			return i + bits.TrailingZeros64(hits)/8, seen
		}
	}
	for ; i < len(data) && data[i] >= ' ' && data[i] != '"' && data[i] != '\\'; i++ {
		seen |= uint64(data[i])
	}
	return i, seen
}

// escape reads the escape at the current position into the buffer.
func (r *jsonReader) escape() bool {
	rest := r.data[r.pos:]
	if len(rest) < 2 || rest[0] != '\\' {
		r.unexpected("a character of a string")
		return false
	}
	c := rest[1]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return r.escapedRune(rest)
	default:
		r.unexpected("an escape")
		return false
	}
	r.buffer = append(r.buffer, c)
	r.pos += 2
	return true
}

// escapedRune reads an escape like \u00e9. Two surrogates make a character; one alone is none.
func (r *jsonReader) escapedRune(rest []byte) bool {
	char := hexRune(rest)
	if char < 0 {
		r.unexpected("an escape")
		return false
	}
	r.pos += 6
	if utf16.IsSurrogate(char) {
		if char = utf16.DecodeRune(char, hexRune(rest[6:])); char != utf8.RuneError {
			r.pos += 6
		}
	}
	r.buffer = utf8.AppendRune(r.buffer, char)
	return true
}

// hexRune reads an escape of four hexadecimal digits; it returns -1 if there is none.
func hexRune(text []byte) (char rune) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	for _, c := range text[2:6] {
		switch {
		case c >= '0' && c <= '9':
			char = char<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			char = char<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return char
}
