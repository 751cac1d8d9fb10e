package semconv

import "strings"

// checkValue returns where the value that begins at i ends, or -1.
func checkValue(s string, i, depth int) int {
	if i >= len(s) {
		return -1
	}
	switch c := s[i]; c {
	case '{':
		return checkObject(s, i+1, depth)
	case '[':
		return checkList(s, i+1, depth)
	case '"':
		return checkString(s, i+1)
	case 't':
		return checkWord(s, i, "true")
	case 'f':
		return checkWord(s, i, "false")
	case 'n':
		return checkWord(s, i, "null")
	default:
		return checkNumber(s, i)
	}
}

func checkObject(s string, i, depth int) int {
	if depth == 0 {
		return -1
	}
	i = skipSpace(s, i)
	if i < len(s) && s[i] == '}' {
		return i + 1
	}
	for {
		i = skipSpace(s, i)
		if i >= len(s) || s[i] != '"' {
			return -1
		}
		if i = checkString(s, i+1); i < 0 {
			return -1
		}
		i = skipSpace(s, i)
		if i >= len(s) || s[i] != ':' {
			return -1
		}
		if i = checkValue(s, skipSpace(s, i+1), depth-1); i < 0 {
			return -1
		}
		i = skipSpace(s, i)
		if i >= len(s) || s[i] != ',' {
			return closing(s, i, '}')
		}
		i++
	}
}

func checkList(s string, i, depth int) int {
	if depth == 0 {
		return -1
	}
	i = skipSpace(s, i)
	if i < len(s) && s[i] == ']' {
		return i + 1
	}
	for {
		if i = checkValue(s, skipSpace(s, i), depth-1); i < 0 {
			return -1
		}
		i = skipSpace(s, i)
		if i >= len(s) || s[i] != ',' {
			return closing(s, i, ']')
		}
		i++
	}
}

func closing(s string, i int, bracket byte) int {
	if i < len(s) && s[i] == bracket {
		return i + 1
	}
	return -1
}

func checkWord(s string, i int, word string) int {
	if strings.HasPrefix(s[i:], word) {
		return i + len(word)
	}
	return -1
}

// checkString checks a string from behind its opening quote.
func checkString(s string, i int) int {
	for {
		i = skipPlain(s, i)
		if i < len(s) && s[i] == '"' {
			return i + 1
		}
		if i+1 >= len(s) || s[i] != '\\' {
			return -1
		}
		switch s[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if _, ok := hexRune(s, i+2); !ok {
				return -1
			}
			i += 6
		default:
			return -1
		}
	}
}

func checkNumber(s string, i int) int {
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i < len(s) && s[i] == '0':
		i++
	case i < len(s) && isDigit(s[i]):
		i = skipDigits(s, i)
	default:
		return -1
	}
	if i < len(s) && s[i] == '.' {
		end := skipDigits(s, i+1)
		if end == i+1 {
			return -1
		}
		i = end
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		end := skipDigits(s, i)
		if end == i {
			return -1
		}
		i = end
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func skipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// hexRune reads four hexadecimal digits.
func hexRune(s string, i int) (r rune, ok bool) {
	if i+4 > len(s) {
		return 0, false
	}
	for _, c := range []byte(s[i : i+4]) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
