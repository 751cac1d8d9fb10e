package jsontext

import (
	"encoding/json"
	"iter"
	"strings"
)

// The functions of this file look into JSON texts without building anything in memory. They take texts that are valid; of
// others they return something, but never more than there is.

// blanks are what JSON allows between its parts.
const blanks = " \t\r\n"

// Members yields the names and the values of the members of an object, the values as they are written. Other values have none.
func Members(object string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		rest := strings.TrimLeft(object, blanks)
		if !strings.HasPrefix(rest, "{") {
			return
		}
		for {
			rest = strings.TrimLeft(rest[1:], blanks) // without the brace or the comma before the name
			n := endOfString(rest)
			if n < 0 {
				return
			}
			name, ok := Unquote(rest[:n])
			rest = strings.TrimLeft(rest[n:], blanks)
			if !ok || !strings.HasPrefix(rest, ":") {
				return
			}
			rest = strings.TrimLeft(rest[1:], blanks)
			n = endOfValue(rest)
			if n < 0 || !yield(name, rest[:n]) {
				return
			}
			rest = strings.TrimLeft(rest[n:], blanks)
			if !strings.HasPrefix(rest, ",") {
				return
			}
		}
	}
}

// Elements yields the elements of a list as they are written. Other values have none.
func Elements(list string) iter.Seq[string] {
	return func(yield func(value string) bool) {
		rest := strings.TrimLeft(list, blanks)
		if !strings.HasPrefix(rest, "[") {
			return
		}
		for {
			rest = strings.TrimLeft(rest[1:], blanks)
			n := endOfValue(rest)
			if n < 0 || !yield(rest[:n]) {
				return
			}
			rest = strings.TrimLeft(rest[n:], blanks)
			if !strings.HasPrefix(rest, ",") {
				return
			}
		}
	}
}

// Unquote returns what a string stands for. It reports false for everything else.
func Unquote(value string) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	if strings.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], true
	}
	return unescape(value)
}

// unescape is apart, since its variable lives on the heap.
func unescape(value string) (string, bool) {
	var text string
	err := json.Unmarshal([]byte(value), &text)
	return text, err == nil
}

// endOfString returns the length of the string that a text begins with, quotes included, or -1.
func endOfString(text string) int {
	if !strings.HasPrefix(text, `"`) {
		return -1
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// endOfValue returns the length of the value that a text begins with, or -1.
func endOfValue(text string) int {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			n := endOfString(text[i:])
			if n < 0 {
				return -1
			}
			i += n
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			i++
		default:
			i += endOfWord(text[i:])
		}
		if depth < 0 {
			return -1
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}

// endOfWord returns the length of the number, true, false or null that a text begins with.
func endOfWord(text string) int {
	for i := range len(text) {
		switch text[i] {
		case ',', ':', ' ', '\t', '\r', '\n', '{', '}', '[', ']', '"':
			return i
		}
	}
	return len(text)
}
