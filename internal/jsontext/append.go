package jsontext

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendString appends text as a JSON string, escaped as in JavaScript: only quotes, backslashes and control characters
// are escaped. Every invalid UTF-8 byte becomes the replacement character.
func AppendString(dst []byte, text string) []byte {
	plain, seen := Plain(text, 0)
	dst = append(append(dst, '"'), text[:plain]...)
	if plain < len(text) || !seen.ASCII() {
		dst = appendRest(dst, text, plain, seen)
	}
	return append(dst, '"')
}

// AppendEscaped appends the contents of a JSON string without the quotes.
func AppendEscaped(dst []byte, text string) []byte {
	plain, seen := Plain(text, 0)
	dst = append(dst, text[:plain]...)
	if plain < len(text) || !seen.ASCII() {
		dst = appendRest(dst, text, plain, seen)
	}
	return dst
}

const (
	// block is how many bytes are escaped in one step, with room for the worst case.
	block         = 512
	longestEscape = len(`\u0000`)
)

// appendRest appends the rest of the contents of a string after its plain prefix, which is already in dst and consists
// of the bytes in seen.
func appendRest(dst []byte, text string, plain int, seen Seen) []byte {
	start := len(dst) - plain
	for rest := text[plain:]; rest != ""; {
		part := rest[:min(len(rest), block)]
		rest = rest[len(part):]
		dst = slices.Grow(dst, longestEscape*len(part)+8)
		n, bytes := escape(dst[len(dst):cap(dst)], part)
		dst = dst[:len(dst)+n]
		seen |= bytes
	}
	if !seen.ASCII() && !utf8.ValidString(text) {
		return appendBroken(dst[:start], text)
	}
	return dst
}

// appendBroken appends the contents of a string with invalid UTF-8. It must not call the functions above: with
// recursion, dst would escape to the heap, and callers have buffers on the stack.
func appendBroken(dst []byte, text string) []byte {
	for i, r := range text {
		if escapes[text[i]] != 0 {
			dst = appendEscape(dst, text[i])
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	var room [longestEscape]byte
	return append(dst, room[:putEscape(room[:], 0, c)]...)
}

// escape writes the contents of a string and returns their length, and the union of all bytes of the text.
//
// Strings are the bulk of a response, and most of them contain JSON themselves, with a quote every few bytes. So eight
// bytes are examined and written at a time, and those after an escape are written again.
func escape(out []byte, text string) (n int, seen Seen) {
	i := 0
	for len(text)-i >= 8 {
		word := eightBytes(text, i)
		seen |= Seen(word)
		binary.LittleEndian.PutUint64(out[n:], word)
		found := specialBytes(word)
		if found == 0 {
			i += 8
			n += 8
			continue
		}
		plain := bits.TrailingZeros64(found) / 8
		n = putEscape(out, n+plain, text[i+plain])
		i += plain + 1
	}
	for ; i < len(text); i++ {
		c := text[i]
		seen |= Seen(c)
		if escapes[c] == 0 {
			out[n] = c
			n++
		} else {
			n = putEscape(out, n, c)
		}
	}
	return n, seen
}

// escapes are the characters that follow the backslash in an escaped byte; 0 for bytes that need no escape.
var escapes = func() (table [256]byte) {
	for c := range byte(' ') {
		table[c] = 'u'
	}
	table['"'], table['\\'] = '"', '\\'
	table['\b'], table['\f'], table['\n'], table['\r'], table['\t'] = 'b', 'f', 'n', 'r', 't'
	return table
}()

// putEscape writes the escaped form of a byte at n and returns where it ends.
func putEscape(out []byte, n int, c byte) int {
	const hex = "0123456789abcdef"
	out[n], out[n+1] = '\\', escapes[c]
	if escapes[c] != 'u' {
		return n + 2
	}
	out[n+2], out[n+3], out[n+4], out[n+5] = '0', '0', hex[c>>4], hex[c&15]
	return n + longestEscape
}

// AppendUTF8 appends text with every invalid UTF-8 byte replaced by the replacement character.
func AppendUTF8(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return append(dst, text...)
	}
	for _, r := range text {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// AppendNumber appends a number as JavaScript does: with the fewest digits that identify it, and without an exponent
// from 1e-6 up to 1e21. Non-finite numbers become null.
func AppendNumber(dst []byte, number float64) []byte {
	size := math.Abs(number)
	switch {
	case math.IsNaN(number) || math.IsInf(number, 0):
		return append(dst, "null"...)
	case size == 0:
		return append(dst, '0') // also for negative zero
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(dst, number, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, number, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-07 is written e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// AppendCompact appends valid JSON in normalized form: without whitespace, and with only the necessary escapes in
// strings. Numbers are appended by the given function, or unchanged if it is nil. It is a single pass, independent of
// the nesting depth.
func AppendCompact(dst []byte, text string, number func(dst []byte, number string) []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		switch c {
		case ' ', '\n', '\t', '\r':
			i++
			continue
		case '{', '}', '[', ']', ',', ':':
			dst = append(dst, c)
			i++
			continue
		}
		end := max(SkipValue(text, i), i+1)
		switch {
		case c == '"':
			dst = AppendNormalized(dst, text[i:end])
		case number != nil && StartsNumber(c):
			dst = number(dst, text[i:end])
		default:
			dst = append(dst, text[i:end]...)
		}
		i = end
	}
	return dst
}

// AppendNormalized appends a string, or a part of one, with only the necessary escapes.
func AppendNormalized(dst []byte, raw string) []byte {
	for {
		n := strings.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		r, size := firstEscape(raw[n:])
		if r < utf8.RuneSelf && escapes[r] != 0 {
			dst = appendEscape(dst, byte(r)) //nolint:gosec // it is ASCII
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		raw = raw[n+size:]
	}
}

// Compact removes the whitespace between the tokens of valid JSON. Strings and numbers stay unchanged.
func Compact(text string) string {
	if !strings.ContainsAny(text, " \n\t\r") {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; {
		case c == '"':
			end = SkipString(text, i)
			b = append(b, text[i:end]...)
		case !isSpace(c):
			b = append(b, c)
		}
		i = end
	}
	return View(b)
}
