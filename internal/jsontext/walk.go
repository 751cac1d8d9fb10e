package jsontext

import "strings"

// SkipValue returns where the value ends that begins at i.
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

// SkipString returns where the string ends that begins with the quote at i.
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

// IsName reports whether a string that ends at i is the name of a member.
func IsName(s string, i int) bool {
	i = SkipSpace(s, i)
	return i < len(s) && s[i] == ':'
}

// Members goes over the members of an object.
type Members struct {
	Name  string // as it stands between its quotes
	Value string // never empty
	Start int    // where the value begins in the text
	End   int    // where it ends; 0 before the first member

	// Whole reports, once Next returned false, that the text was an object from its beginning to its end.
	Whole bool

	text    string
	checked bool
}

// MembersOf goes over a text that is JSON. Values other than objects have no members.
func MembersOf(text string) Members { return Members{text: text} }

// CheckedMembersOf goes over any text and checks it on the way. It ends at what is no member.
func CheckedMembersOf(text string) Members { return Members{text: text, checked: true} }

// Next goes to the next member and reports whether there is one.
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

// goesOn reports whether an object goes on, or ends, after a value that ends at i. If not, the value is broken.
func goesOn(s string, i int) bool {
	i = SkipSpace(s, i)
	return i < len(s) && (s[i] == ',' || s[i] == '}')
}

// Key returns the name that is meant.
func (m *Members) Key() string { return Unescape(m.Name) }

// Elements goes over the elements of a list.
type Elements struct {
	Value string // never empty
	Start int    // where it begins in the text
	End   int    // where it ends; 0 before the first one

	text string
}

// ElementsOf goes over a text that is JSON. Values other than lists have no elements.
func ElementsOf(text string) Elements { return Elements{text: text} }

// Next goes to the next element and reports whether there is one.
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

// next returns where the next member or element begins. If there is none because of the closing bracket, it returns where
// that one ends, and otherwise 0.
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
