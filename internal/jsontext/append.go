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

// AppendString appends a text as a string, escaped as JavaScript does it: only quotes, backslashes and control characters
// are. What is not UTF-8 becomes the replacement character, byte by byte.
func AppendString(dst []byte, text string) []byte {
	plain, seen := Plain(text, 0)
	dst = append(append(dst, '"'), text[:plain]...)
	if plain < len(text) || !seen.ASCII() {
		dst = appendRest(dst, text, plain, seen)
	}
	return append(dst, '"')
}

// AppendEscaped appends what stands between the quotes of a string.
func AppendEscaped(dst []byte, text string) []byte {
	plain, seen := Plain(text, 0)
	dst = append(dst, text[:plain]...)
	if plain < len(text) || !seen.ASCII() {
		dst = appendRest(dst, text, plain, seen)
	}
	return dst
}

const (
	// block is how much of a text is escaped at once. There is room for the worst case then.
	block         = 512
	longestEscape = len(`\u0000`)
)

// appendRest appends the inside of a string behind its plain beginning, which is there already and held such bytes.
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

// appendBroken appends the inside of a string that is not UTF-8 throughout. It does not call the functions above: in a
// circle of calls dst would escape to the heap, and callers have buffers on the stack.
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

// escape writes the inside of a string and returns how long it is, and the bits of all bytes of the text.
//
// Texts are the bulk of an answer, and most of them are JSON themselves, with a quote every few bytes. So eight bytes are
// looked at and written at once, and those behind an escape are written again.
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

// escapes are what follows the backslash in the escapes of bytes; 0 for those that need none.
var escapes = func() (table [256]byte) {
	for c := range byte(' ') {
		table[c] = 'u'
	}
	table['"'], table['\\'] = '"', '\\'
	table['\b'], table['\f'], table['\n'], table['\r'], table['\t'] = 'b', 'f', 'n', 'r', 't'
	return table
}()

// putEscape writes the escape of a byte at n and returns where it ends.
func putEscape(out []byte, n int, c byte) int {
	const hex = "0123456789abcdef"
	out[n], out[n+1] = '\\', escapes[c]
	if escapes[c] != 'u' {
		return n + 2
	}
	out[n+2], out[n+3], out[n+4], out[n+5] = '0', '0', hex[c>>4], hex[c&15]
	return n + longestEscape
}

// AppendUTF8 appends a text as it is, apart from bytes that are not UTF-8: each becomes the replacement character.
func AppendUTF8(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return append(dst, text...)
	}
	for _, r := range text {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// AppendNumber appends a number as JavaScript does: with the fewest digits that tell it from all others, and without an
// exponent from 1e-6 up to 1e21. What is not finite becomes null.
func AppendNumber(dst []byte, number float64) []byte {
	size := math.Abs(number)
	switch {
	case math.IsNaN(number) || math.IsInf(number, 0):
		return append(dst, "null"...)
	case size == 0:
		return append(dst, '0') // also for the negative zero
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

// AppendCompact appends a text that is JSON in one spelling: without blanks, its strings with the escapes that are needed
// and no others. A function appends numbers; without one they stay as they are. It goes over the text once, however deeply
// it is nested.
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
			dst = AppendRespelled(dst, text[i:end])
		case number != nil && StartsNumber(c):
			dst = number(dst, text[i:end])
		default:
			dst = append(dst, text[i:end]...)
		}
		i = end
	}
	return dst
}

// AppendRespelled appends a string, or a part of one, with the escapes that are needed and no others.
func AppendRespelled(dst []byte, raw string) []byte {
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

// Compact drops the blanks between the parts of a text that is JSON. Strings and numbers stay as they are written.
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
