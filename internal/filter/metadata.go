package filter

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxNesting is how deeply EachLeaf follows objects. Bodies that are nested deeper are refused when they arrive.
const maxNesting = 256

// EachLeaf calls the function with every entry of metadata, in order, until it returns false: the dotted key, and the
// text that conditions compare. That is a string as it is, null as nothing, and anything else as compact JSON. Entries
// within objects are entries of their own, objects are not; arrays are entries as a whole. It returns false if the
// function did.
func EachLeaf(json string, f func(key, text string) bool) bool {
	return eachLeaf(json, "", maxNesting, f)
}

func eachLeaf(json, prefix string, depth int, f func(key, text string) bool) bool {
	m := newMembers(json)
	for m.next() {
		key := prefix + m.name()
		goOn := true
		switch {
		case m.value[0] != '{':
			goOn = f(key, leafText(m.value))
		case depth > 0:
			goOn = eachLeaf(m.value, key+".", depth-1, f)
		}
		if !goOn {
			return false
		}
	}
	return true
}

// lookup finds the entry of a dotted key and returns its JSON text. Of several the first counts.
func lookup(json, key string) (value string, ok bool) {
	m := newMembers(json)
	for m.next() {
		if m.value[0] != '{' {
			if m.named(key) {
				return m.value, true
			}
			continue
		}
		// An object is no entry, but may hold the one that is sought. Each step consumes a dot, so this ends.
		if rest, ok := strings.CutPrefix(key, m.name()); ok && strings.HasPrefix(rest, ".") {
			if value, ok := lookup(m.value, rest[1:]); ok {
				return value, true
			}
		}
	}
	return "", false
}

// hasMembers says whether the text is an object that is not empty.
func hasMembers(json string) bool {
	m := newMembers(json)
	return m.next()
}

// members goes through the members of a JSON object without building anything. It trusts that the text is JSON, since
// the program wrote it, and stops early where it is not.
type members struct {
	rest    string // from the next member on
	key     string // between its quotes
	escaped bool   // the key has escapes
	value   string // JSON text, never empty
}

func newMembers(json string) members {
	json = skipSpace(json)
	if json == "" || json[0] != '{' {
		return members{}
	}
	return members{rest: json[1:]}
}

func (m *members) next() bool {
	rest := skipSpace(m.rest)
	m.rest = ""
	if rest == "" || rest[0] != '"' {
		return false
	}
	end, escaped := stringEnd(rest)
	if end < 0 {
		return false
	}
	m.key, m.escaped = rest[1:end-1], escaped
	rest = skipSpace(rest[end:])
	if rest == "" || rest[0] != ':' {
		return false
	}
	rest = skipSpace(rest[1:])
	if end = valueEnd(rest); end <= 0 {
		return false
	}
	m.value = rest[:end]
	// Whatever is not a comma ends the object.
	if rest = skipSpace(rest[end:]); rest != "" && rest[0] == ',' {
		m.rest = rest[1:]
	}
	return true
}

// name returns the key as it is meant.
func (m *members) name() string {
	if m.escaped {
		return unescape(m.key)
	}
	return m.key
}

func (m *members) named(key string) bool {
	if m.escaped {
		return unescape(m.key) == key
	}
	return m.key == key
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func skipSpace(text string) string {
	for text != "" && isSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// stringEnd returns where the string ends that the text begins with, and whether it has escapes; -1 if it does not end.
func stringEnd(text string) (end int, escaped bool) {
	closing := strings.IndexByte(text[1:], '"')
	if closing < 0 {
		return -1, false
	}
	if strings.IndexByte(text[1:1+closing], '\\') < 0 {
		return closing + 2, false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1, true
		}
	}
	return -1, true
}

// valueEnd returns where the value ends that the text begins with; 0 if there is none and -1 if it does not end.
func valueEnd(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end, _ := stringEnd(text[i:])
			if end < 0 {
				return -1
			}
			if depth == 0 {
				if i > 0 {
					return -1
				}
				return end
			}
			i += end - 1
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || isSpace(c)):
			return i
		}
	}
	if depth > 0 {
		return -1
	}
	return len(text)
}

// leafText returns the text that conditions compare of a JSON value. It copies only what is written differently there.
func leafText(raw string) string {
	switch raw[0] {
	case '"':
		raw = raw[1 : len(raw)-1]
		if strings.IndexByte(raw, '\\') < 0 {
			return raw
		}
		return unescape(raw)
	case '[':
		return compact(raw)
	}
	if raw == "null" {
		return ""
	}
	return raw
}

// compact drops the space between the parts of a JSON value.
func compact(raw string) string {
	if !strings.ContainsAny(raw, " \n\t\r") {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			end, _ := stringEnd(raw[i:])
			if end < 0 {
				end = len(raw) - i
			}
			b.WriteString(raw[i : i+end])
			i += end - 1
		case !isSpace(c):
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescape returns what the inside of a JSON string stands for. Halves of pairs become the replacement character, as
// everywhere else in the program.
func unescape(raw string) string {
	var b strings.Builder
	b.Grow(len(raw))
	for {
		plain, rest, found := strings.Cut(raw, `\`)
		b.WriteString(plain)
		if !found || rest == "" {
			return b.String()
		}
		raw = rest[1:]
		switch rest[0] {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := hex4(raw)
			raw = raw[min(4, len(raw)):]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if strings.HasPrefix(raw, `\u`) {
					low = hex4(raw[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			b.WriteRune(r)
		default: // a quote, a backslash or a slash
			b.WriteByte(rest[0])
		}
	}
}

// hex4 reads four hexadecimal digits; what is not becomes the replacement character.
func hex4(text string) rune {
	if len(text) < 4 {
		return utf8.RuneError
	}
	v, err := strconv.ParseUint(text[:4], 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(v)
}

// HasEntries says whether metadata is an object that is not empty. Conditions about null ask for it.
func HasEntries(json string) bool { return hasMembers(json) }

// EntryNumber returns the number that conditions compare of the text of an entry; NaN if it is none.
func EntryNumber(text string) float64 {
	if number, ok := readNumber(text); ok {
		return number
	}
	return math.NaN()
}
