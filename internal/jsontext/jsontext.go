// Package jsontext checks, walks over and writes JSON texts without building anything in memory. A tree takes up to a
// hundred times the memory of its text, and who sends the text decides; most texts are only checked, looked into or copied.
//
// It accepts what encoding/json accepts, up to a depth, and writes as JavaScript does, which is what clients compare with.
// Functions of check.go take any text. Those of walk.go trust that a text is JSON: of others they return something, but
// they end and never leave the text.
package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"unsafe"
)

// MaxDepth is how deeply lists and objects may be nested in one another. Everybody agrees on it: what is taken in as JSON
// can be looked into and is passed on as JSON, and what is deeper is refused, or is the text that it is.
const MaxDepth = 200

// View returns bytes as text without copying. They must not change while the text is used.
func View(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // see the condition
}

// Marshal is json.Marshal without the escaping of <, > and & that only HTML needs.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// SkipSpace returns where the blanks end that begin at i.
func SkipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SkipDigits returns where the digits end that begin at i.
func SkipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// StartsTexts reports whether a text could be JSON that holds other texts: a string, a list or an object.
func StartsTexts(text string) bool {
	i := SkipSpace(text, 0)
	return i < len(text) && strings.IndexByte(`{["`, text[i]) >= 0
}

// StartsNumber reports whether a value that begins with the byte is a number.
func StartsNumber(c byte) bool { return c == '-' || isDigit(c) }
