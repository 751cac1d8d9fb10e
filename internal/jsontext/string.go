package jsontext

import (
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// Plain returns the position of the next byte, from i on, that must be escaped in a string: a quote, a backslash or a
// control character. seen is the union of all bytes before it, and possibly of some after it.
func Plain(s string, i int) (end int, seen Seen) {
	for ; i+8 <= len(s); i += 8 {
		word := eightBytes(s, i)
		seen |= Seen(word)
		if found := specialBytes(word); found != 0 {
			return i + bits.TrailingZeros64(found)/8, seen
		}
	}
	if left := len(s) - i; left > 0 && len(s) >= 8 {
		// The last eight bytes, shifted so that only new ones are left. The zeros shifted in end the scan.
		word := eightBytes(s, len(s)-8) >> (8 * (8 - left))
		return i + bits.TrailingZeros64(specialBytes(word))/8, seen | Seen(word)
	}
	for ; i < len(s) && escapes[s[i]] == 0; i++ {
		seen |= Seen(s[i])
	}
	return i, seen
}

// Seen is the bitwise OR of a sequence of bytes.
type Seen uint64

// ASCII reports whether all bytes are ASCII.
func (s Seen) ASCII() bool { return s&highBits == 0 }

// eightBytes returns the eight bytes from i on in little-endian order.
func eightBytes(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// specialBytes sets the high bit of every byte that must be escaped in a string. Only the lowest mark is reliable;
// those above may be wrong, since the subtraction borrows.
func specialBytes(word uint64) uint64 {
	quote, backslash := word^everyByte*'"', word^everyByte*'\\'
	control := (word - everyByte*' ') &^ word
	return (control | (quote-everyByte)&^quote | (backslash-everyByte)&^backslash) & highBits
}

// Escape decodes the escape sequence that begins with the backslash at i, and returns where it ends. A lone surrogate
// cannot be represented in UTF-8 and becomes the replacement character. An invalid escape is -1.
func Escape(s string, i int) (r rune, end int) {
	if i+1 >= len(s) {
		return -1, i
	}
	switch c := s[i+1]; c {
	case '"', '\\', '/':
		return rune(c), i + 2
	case 'b':
		return '\b', i + 2
	case 'f':
		return '\f', i + 2
	case 'n':
		return '\n', i + 2
	case 'r':
		return '\r', i + 2
	case 't':
		return '\t', i + 2
	case 'u':
	default:
		return -1, i
	}
	if r = hexDigits(s, i+2); r < 0 {
		return -1, i
	}
	i += len(`\u0000`)
	if utf16.IsSurrogate(r) {
		low := rune(-1)
		if strings.HasPrefix(s[i:], `\u`) {
			low = hexDigits(s, i+2)
		}
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			i += len(`\u0000`)
		}
	}
	return r, i
}

// hexDigits parses four hexadecimal digits; -1 if there are none.
func hexDigits(s string, i int) (r rune) {
	if i+4 > len(s) {
		return -1
	}
	for _, c := range []byte(s[i : i+4]) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// FirstRune decodes the first character of the contents of a string, and returns how many bytes it takes there.
func FirstRune(s string) (r rune, size int) {
	if s[0] == '\\' {
		return firstEscape(s)
	}
	return utf8.DecodeRuneInString(s)
}

// firstEscape decodes the escape sequence at the start of s. An invalid one becomes the replacement character.
func firstEscape(s string) (r rune, size int) {
	switch r, size = Escape(s, 0); {
	case r >= 0:
		return r, size
	case strings.HasPrefix(s, `\u`):
		return utf8.RuneError, min(len(s), len(`\u0000`))
	}
	return utf8.RuneError, min(len(s), len(`\n`))
}

// Unescape decodes the contents of a string, given without its quotes.
func Unescape(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return View(AppendUnescaped(make([]byte, 0, len(raw)), raw))
}

// AppendUnescaped appends the decoded contents of a string, given without its quotes.
func AppendUnescaped(dst []byte, raw string) []byte {
	for {
		n := strings.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		r, size := firstEscape(raw[n:])
		dst = utf8.AppendRune(dst, r)
		raw = raw[n+size:]
	}
}

// Unquote returns the value of a string. It returns false for any other JSON value.
func Unquote(value string) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	return Unescape(value[1 : len(value)-1]), true
}
