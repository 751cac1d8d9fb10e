package filter

import (
	"math"
	"strings"

	"almanac/internal/jsontext"
)

// EachLeaf calls f with every entry of the metadata, in order, until f returns false: the dotted key, and the text that
// conditions compare. That is the content of a string, an empty string for null, and compact JSON for anything else.
// Entries within objects are entries of their own, but objects are not; arrays are entries as a whole. EachLeaf returns
// false if f did.
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

// lookup finds the entry with a dotted key and returns its JSON text. If there are several, the first one counts.
func lookup(json, key string) (value string, ok bool) {
	m := jsontext.MembersOf(json)
	for m.Next() {
		if m.Value[0] != '{' {
			if m.Key() == key {
				return m.Value, true
			}
			continue
		}
		// An object is not an entry, but may contain the one we look for. Each step consumes a dot, so this terminates.
		if rest, ok := strings.CutPrefix(key, m.Key()); ok && strings.HasPrefix(rest, ".") {
			if value, ok := lookup(m.Value, rest[1:]); ok {
				return value, true
			}
		}
	}
	return "", false
}

// leafText returns the text of a JSON value that conditions compare. It copies only if the text differs from the JSON.
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

// HasEntries reports whether metadata is a non-empty object, as conditions on null do.
func HasEntries(json string) bool {
	m := jsontext.MembersOf(json)
	return m.Next()
}

// EntryNumber returns the number that conditions compare for the text of an entry, or NaN if it is not a number.
func EntryNumber(text string) float64 {
	if number, ok := readNumber(text); ok {
		return number
	}
	return math.NaN()
}
