package semconv

import "strings"

// skipValue returns where the value that begins at i ends. The text is known to be JSON from here on.
func skipValue(s string, i int) int {
	switch s[i] {
	case '"':
		return skipString(s, i)
	case '{', '[':
		for depth := 0; i < len(s); i++ {
			switch s[i] {
			case '"':
				i = skipString(s, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(s)
	default:
		for i < len(s) && s[i] != ',' && s[i] != '}' && s[i] != ']' && s[i] > ' ' {
			i++
		}
		return i
	}
}

// skipString returns where the string that begins with the quote at i ends.
func skipString(s string, i int) int {
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

// members walks over the members of an object.
type members struct {
	s     string
	at    int
	name  string
	value jsonText
}

// members begins a walk. There is nothing to see in anything but an object.
func (j jsonText) members() members {
	if !j.isObject() {
		return members{}
	}
	return members{s: string(j), at: 1}
}

func (c *members) next() bool {
	i, ok := nextItem(c.s, c.at)
	if !ok {
		return false
	}
	end := skipString(c.s, i)
	c.name = decoded(c.s[i+1 : end-1])
	i = skipSpace(c.s, skipSpace(c.s, end)+1)
	c.at = skipValue(c.s, i)
	c.value = jsonText(c.s[i:c.at])
	return true
}

// elements walks over the elements of a list.
type elements struct {
	s     string
	at    int
	value jsonText
}

// elements begins a walk. There is nothing to see in anything but a list.
func (j jsonText) elements() elements {
	if !j.isList() {
		return elements{}
	}
	return elements{s: string(j), at: 1}
}

func (c *elements) next() bool {
	i, ok := nextItem(c.s, c.at)
	if !ok {
		return false
	}
	c.at = skipValue(c.s, i)
	c.value = jsonText(c.s[i:c.at])
	return true
}

// nextItem returns where the next member or element begins.
func nextItem(s string, i int) (int, bool) {
	i = skipSpace(s, i)
	if i < len(s) && s[i] == ',' {
		i = skipSpace(s, i+1)
	}
	return i, i < len(s) && s[i] != '}' && s[i] != ']'
}
