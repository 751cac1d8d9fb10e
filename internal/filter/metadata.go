package filter

import (
	"math"
	"strings"

	"almanac/internal/jsontext"
)

// EachLeaf calls the function with every entry of metadata, in order, until it returns false: the dotted key, and the
// text that conditions compare. That is a string as it is, null as nothing, and anything else as compact JSON. Entries
// within objects are entries of their own, objects are not; arrays are entries as a whole. It returns false if the
// function did.
func EachLeaf(json string, f func(key, text string) bool) bool {
	return eachLeaf(json, "", jsontext.MaxDepth, f)
}

func eachLeaf(json, prefix string, depth int, f func(key, text string) bool) bool {
	m := jsontext.MembersOf(json)
	for m.Next() {
		key := prefix + m.Key()
		goOn := true
		switch {
		case m.Value[0] != '{':
			goOn = f(key, leafText(m.Value))
		case depth > 0:
			goOn = eachLeaf(m.Value, key+".", depth-1, f)
		}
		if !goOn {
			return false
		}
	}
	return true
}

// lookup finds the entry of a dotted key and returns its JSON text. Of several the first counts.
func lookup(json, key string) (value string, ok bool) {
	m := jsontext.MembersOf(json)
	for m.Next() {
		if m.Value[0] != '{' {
			if m.Key() == key {
				return m.Value, true
			}
			continue
		}
		// An object is no entry, but may hold the one that is sought. Each step consumes a dot, so this ends.
		if rest, ok := strings.CutPrefix(key, m.Key()); ok && strings.HasPrefix(rest, ".") {
			if value, ok := lookup(m.Value, rest[1:]); ok {
				return value, true
			}
		}
	}
	return "", false
}

// leafText returns the text that conditions compare of a JSON value. It copies only what is written differently there.
func leafText(raw string) string {
	switch raw[0] {
	case '"':
		text, _ := jsontext.Unquote(raw)
		return text
	case '[':
		return jsontext.Compact(raw)
	}
	if raw == "null" {
		return ""
	}
	return raw
}

// HasEntries reports whether metadata is an object that is not empty. Conditions about null ask for it.
func HasEntries(json string) bool {
	m := jsontext.MembersOf(json)
	return m.Next()
}

// EntryNumber returns the number that conditions compare of the text of an entry; NaN if it is none.
func EntryNumber(text string) float64 {
	if number, ok := readNumber(text); ok {
		return number
	}
	return math.NaN()
}
