package evaluators

import (
	"strings"
	"unicode/utf8"
)

// validJSONPath reports whether a string is a JSON path: the root, then steps that are names after dots or anything in
// brackets. The contents of brackets are only scanned for the closing bracket, since dialects differ.
func validJSONPath(path string) bool {
	rest, rooted := strings.CutPrefix(path, "$")
	if !rooted || !utf8.ValidString(path) {
		return false
	}
	for rest != "" {
		switch rest[0] {
		case '[':
			end := bracketEnd(rest)
			if end < 0 || strings.TrimSpace(rest[1:end]) == "" {
				return false
			}
			rest = rest[end+1:]
		case '.':
			rest = strings.TrimPrefix(rest[1:], ".") // two dots: at any depth
			if strings.HasPrefix(rest, "[") {
				continue
			}
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if !isStepName(rest[:end]) {
				return false
			}
			rest = rest[end:]
		default:
			return false
		}
	}
	return true
}

// isStepName reports whether a name can follow a dot: it has no white space, quotes, brackets or other punctuation.
func isStepName(name string) bool {
	return name != "" && !strings.ContainsAny(name, " \t\r\n'\"`()[]{}<>,;:\\$")
}

// bracketEnd returns the index at which the opening bracket at the start is closed, or -1. Quoted brackets do not
// count.
func bracketEnd(text string) int {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\'', '"':
			end := quoteEnd(text[i:])
			if end < 0 {
				return -1
			}
			i += end
		case '[':
			open = append(open, ']')
		case '(':
			open = append(open, ')')
		case ']', ')':
			if open[len(open)-1] != c {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i
			}
		}
	}
	return -1
}

// quoteEnd returns the index of the quote that closes the one at the start, or -1.
func quoteEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i
		}
	}
	return -1
}
