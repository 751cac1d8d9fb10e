package jsontext

import "strings"

// SkipValue returns the end of the value that begins at i.
func SkipValue(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	switch s[i] {
	case '"':
		return SkipString(s, i)
	case '{', '[':
		for depth := 0; i < len(s); i++ {
			switch s[i] {
			case '"':
				i = SkipString(s, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(s)
	}
	for i < len(s) && s[i] > ' ' && s[i] != ',' && s[i] != '}' && s[i] != ']' && s[i] != '"' {
		i++
	}
	return i
}

// SkipString returns the end of the string that begins with the quote at i.
func SkipString(s string, i int) int {
	for at := i + 1; ; {
		n := strings.IndexByte(s[at:], '"')
		if n < 0 {
			return len(s)
		}
		at += n + 1
		escapes := 0
		for s[at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}

// IsName reports whether a string that ends at i is a member name.
func IsName(s string, i int) bool {
	i = SkipSpace(s, i)
	return i < len(s) && s[i] == ':'
}

// Members iterates over the members of an object.
type Members struct {
	Name  string // between the quotes, still escaped
	Value string // never empty
	Start int    // start of the value in the text
	End   int    // end of the value; 0 before the first member

	// Whole reports, once Next has returned false, whether the whole text was an object.
	Whole bool

	text    string
	checked bool
}

// MembersOf returns an iterator over valid JSON. Values other than objects have no members.
func MembersOf(text string) Members { return Members{text: text} }

// CheckedMembersOf returns an iterator that takes any text and validates it on the way. It stops at an invalid member.
func CheckedMembersOf(text string) Members { return Members{text: text, checked: true} }

// Next advances to the next member and reports whether there is one.
func (m *Members) Next() bool {
	s := m.text
	at, more := next(s, m.End, '{', '}')
	if !more {
		m.Whole = at > 0 && SkipSpace(s, at) == len(s)
		return false
	}
	if at >= len(s) || s[at] != '"' {
		return false
	}
	var start, end int
	ok := true
	if m.checked {
		end, ok = EndOfString(s, at)
	} else {
		end = SkipString(s, at)
	}
	if start = SkipSpace(s, end); !ok || start == len(s) || s[start] != ':' {
		return false
	}
	name := s[at+1 : end-1]
	start = SkipSpace(s, start+1)
	if m.checked {
		end, ok = End(s, start)
	} else {
		end = SkipValue(s, start)
		ok = goesOn(s, end)
	}
	if !ok || end == start {
		return false
	}
	m.Name, m.Value, m.Start, m.End = name, s[start:end], start, end
	return true
}

// goesOn reports whether a value that ends at i is followed by a comma or a closing brace. If not, it is invalid.
func goesOn(s string, i int) bool {
	i = SkipSpace(s, i)
	return i < len(s) && (s[i] == ',' || s[i] == '}')
}

// Key returns the unescaped name.
func (m *Members) Key() string { return Unescape(m.Name) }

// Elements iterates over the elements of a list.
type Elements struct {
	Value string // never empty
	Start int    // start of the element in the text
	End   int    // end of the element; 0 before the first one

	text string
}

// ElementsOf returns an iterator over valid JSON. Values other than lists have no elements.
func ElementsOf(text string) Elements { return Elements{text: text} }

// Next advances to the next element and reports whether there is one.
func (e *Elements) Next() bool {
	start, more := next(e.text, e.End, '[', ']')
	if !more {
		return false
	}
	end := SkipValue(e.text, start)
	if end == start {
		return false
	}
	e.Value, e.Start, e.End = e.text[start:end], start, end
	return true
}

// next returns where the next member or element begins. If there is none because of the closing bracket, it returns the
// end of that, otherwise 0.
func next(s string, last int, opening, closing byte) (at int, more bool) {
	at = SkipSpace(s, last)
	if at == len(s) {
		return 0, false
	}
	switch c := s[at]; {
	case last > 0 && c == ',':
		return SkipSpace(s, at+1), true
	case last > 0 && c == closing:
		return at + 1, false
	case last > 0 || c != opening:
		return 0, false
	}
	if at = SkipSpace(s, at+1); at < len(s) && s[at] == closing {
		return at + 1, false
	}
	return at, true
}
