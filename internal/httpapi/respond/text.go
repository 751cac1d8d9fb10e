package respond

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// appendText appends a text as a JSON string, escaped as JavaScript does it: only quotes, backslashes and control
// characters are. What is not UTF-8 becomes the replacement character, byte by byte.
func appendText(dst []byte, text string) []byte {
	start := len(dst)
	dst = append(dst, '"')
	var seen uint64
	for rest := text; rest != ""; {
		block := rest[:min(len(rest), textBlock)]
		rest = rest[len(block):]
		dst = slices.Grow(dst, longestEscape*len(block)+8)
		n, bytes := escape(dst[len(dst):cap(dst)], block)
		dst = dst[:len(dst)+n]
		seen |= bytes
	}
	if seen&highBits != 0 && !utf8.ValidString(text) {
		return appendBrokenText(dst[:start], text)
	}
	return append(dst, '"')
}

const (
	// textBlock is how much of a text is escaped at once. There is room for the worst case then.
	textBlock     = 512
	longestEscape = len(`\u0000`)
)

// escape writes the inside of a JSON string and returns how long it is, and all bytes of the text, one over the other:
// their high bits tell whether it is ASCII.
//
// Texts are the bulk of an answer, and most of them are JSON themselves, with a quote every few bytes. So eight bytes are
// looked at and written at once, and those behind an escape are written again.
func escape(out []byte, text string) (n int, seen uint64) {
	i := 0
	for len(text)-i >= 8 {
		word := eightBytes(text, i)
		seen |= word
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
		seen |= uint64(c)
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

// eightBytes returns the bytes from i on as one number, the first one lowest.
func eightBytes(text string, i int) uint64 {
	b := text[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// specialBytes marks the bytes that a JSON string cannot hold as they are, with their high bits. The lowest mark is
// right; marks above it may be wrong, since subtraction borrows.
func specialBytes(word uint64) uint64 {
	quote, backslash := word^everyByte*'"', word^everyByte*'\\'
	control := (word - everyByte*' ') &^ word
	return (control | (quote-everyByte)&^quote | (backslash-everyByte)&^backslash) & highBits
}

// appendBrokenText is appendText for what is not UTF-8 throughout.
func appendBrokenText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	var room [longestEscape]byte
	for i, r := range text {
		if escapes[text[i]] != 0 {
			dst = append(dst, room[:putEscape(room[:], 0, text[i])]...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// appendTextOrNull appends null for an unset text.
func appendTextOrNull(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, "null"...)
	}
	return appendText(dst, text)
}

// appendTextOr appends another text for an unset one.
func appendTextOr(dst []byte, text, otherwise string) []byte {
	if text == "" {
		text = otherwise
	}
	return appendText(dst, text)
}

// appendTexts appends a list of texts.
func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, text)
	}
	return append(dst, ']')
}
