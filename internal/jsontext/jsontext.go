// Package jsontext validates, iterates over and writes JSON as text, without building trees. A tree takes up to a
// hundred times the memory of its text, and the sender controls the text; most texts are only validated, searched or
// copied.
//
// It accepts what encoding/json accepts, up to a maximum depth, and writes like JavaScript, which clients compare with.
// The functions in check.go take any text. Those in walk.go expect valid JSON: for anything else their results are
// unspecified, but they terminate and never read out of bounds.
package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"unsafe"
)

// MaxDepth is the maximum nesting depth of lists and objects. It is the same everywhere: what is accepted as JSON can
// be searched and is passed on as JSON, and deeper values are refused or treated as plain strings.
const MaxDepth = 200

// View returns bytes as a string without copying. They must not change while the string is in use.
func View(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // see the condition
}

// Marshal is like json.Marshal, but does not escape <, > and &, which only HTML needs.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// SkipSpace returns the end of the whitespace that begins at i.
func SkipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SkipDigits returns the end of the digits that begin at i.
func SkipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// MayContainStrings reports whether text could be JSON that contains strings: a string, a list or an object.
func MayContainStrings(text string) bool {
	i := SkipSpace(text, 0)
	return i < len(text) && strings.IndexByte(`{["`, text[i]) >= 0
}

// StartsNumber reports whether a value that begins with the byte is a number.
func StartsNumber(c byte) bool { return c == '-' || isDigit(c) }
