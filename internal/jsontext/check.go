package jsontext

import "strings"

// The functions in this file return where something ends. If it is invalid, they return the position of the error, and
// false.

// Valid reports whether text is one JSON value that is not nested deeper than MaxDepth.
func Valid(text string) bool {
	end, ok := End(text, SkipSpace(text, 0))
	return ok && SkipSpace(text, end) == len(text)
}

// End returns the end of the value that begins at i.
func End(s string, i int) (end int, ok bool) { return endOfValue(s, i, MaxDepth) }

func endOfValue(s string, i, depth int) (end int, ok bool) {
	if i >= len(s) {
		return i, false
	}
	switch s[i] {
	case '"':
		return EndOfString(s, i)
	case '{':
		return endOfObject(s, i, depth)
	case '[':
		return endOfList(s, i, depth)
	case 't':
		return endOfWord(s, i, "true")
	case 'f':
		return endOfWord(s, i, "false")
	case 'n':
		return endOfWord(s, i, "null")
	}
	return EndOfNumber(s, i)
}

func endOfObject(s string, i, depth int) (end int, ok bool) {
	if depth == 0 {
		return i, false
	}
	if i = SkipSpace(s, i+1); i < len(s) && s[i] == '}' {
		return i + 1, true
	}
	for {
		if i, ok = EndOfString(s, i); !ok {
			return i, false
		}
		if i = SkipSpace(s, i); i == len(s) || s[i] != ':' {
			return i, false
		}
		if i, ok = endOfValue(s, SkipSpace(s, i+1), depth-1); !ok {
			return i, false
		}
		if i = SkipSpace(s, i); i == len(s) || s[i] != ',' {
			return closing(s, i, '}')
		}
		i = SkipSpace(s, i+1)
	}
}

func endOfList(s string, i, depth int) (end int, ok bool) {
	if depth == 0 {
		return i, false
	}
	if i = SkipSpace(s, i+1); i < len(s) && s[i] == ']' {
		return i + 1, true
	}
	for {
		if i, ok = endOfValue(s, i, depth-1); !ok {
			return i, false
		}
		if i = SkipSpace(s, i); i == len(s) || s[i] != ',' {
			return closing(s, i, ']')
		}
		i = SkipSpace(s, i+1)
	}
}

func closing(s string, i int, bracket byte) (end int, ok bool) {
	if i < len(s) && s[i] == bracket {
		return i + 1, true
	}
	return i, false
}

func endOfWord(s string, i int, word string) (end int, ok bool) {
	if !strings.HasPrefix(s[i:], word) {
		return i, false
	}
	return i + len(word), true
}

// EndOfString returns the end of the string that begins with the quote at i.
func EndOfString(s string, i int) (end int, ok bool) {
	if i >= len(s) || s[i] != '"' {
		return i, false
	}
	for i++; ; {
		i, _ = Plain(s, i)
		if i+1 >= len(s) || s[i] != '\\' {
			return closing(s, i, '"')
		}
		switch s[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if hexDigits(s, i+2) < 0 {
				return i, false
			}
			i += len(`\u0000`)
		default:
			return i, false
		}
	}
}

// EndOfNumber returns the end of the number that begins at i.
func EndOfNumber(s string, i int) (end int, ok bool) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if i, ok = endOfDigits(s, i); !ok {
		return i, false
	}
	if i < len(s) && s[i] == '.' {
		if i, ok = endOfDigits(s, i+1); !ok {
			return i, false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return endOfDigits(s, i)
	}
	return i, true
}

// endOfDigits returns the end of one or more digits.
func endOfDigits(s string, i int) (end int, ok bool) {
	end = SkipDigits(s, i)
	return end, end > i
}
