package semconv

import (
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// jsonText is the text of one JSON value, known to be valid, without surrounding whitespace. Rules walk over the text
// instead of building trees: the tree of a list of zeros takes forty times the memory of its text.
type jsonText string

// parseJSON checks strictly whether a string is JSON; anything else is taken literally.
func parseJSON(text string) (jsonText, bool) {
	from := jsontext.SkipSpace(text, 0)
	to, ok := jsontext.End(text, from)
	if !ok || jsontext.SkipSpace(text, to) != len(text) {
		return "", false
	}
	return jsonText(text[from:to]), true
}

func (j jsonText) isObject() bool { return j != "" && j[0] == '{' }
func (j jsonText) isList() bool   { return j != "" && j[0] == '[' }
func (j jsonText) isString() bool { return j != "" && j[0] == '"' }
func (j jsonText) isNull() bool   { return j == "null" }
func (j jsonText) isNumber() bool { return j != "" && jsontext.StartsNumber(j[0]) }

// isName reports whether it is a non-empty string.
func (j jsonText) isName() bool { return j.isString() && len(j) > 2 }

// members iterates over the members of an object. Other values have none.
type members struct{ jsontext.Members }

func (j jsonText) members() members { return members{jsontext.MembersOf(string(j))} }

func (m *members) value() jsonText { return jsonText(m.Value) }

// elements iterates over the elements of a list. Other values have none.
type elements struct{ jsontext.Elements }

func (j jsonText) elements() elements { return elements{jsontext.ElementsOf(string(j))} }

func (e *elements) value() jsonText { return jsonText(e.Value) }

// get returns a member, or "". The last of several members with the same name wins, as usual for JSON.
func (j jsonText) get(name string) (value jsonText) {
	for c := j.members(); c.Next(); {
		if c.Key() == name {
			value = c.value()
		}
	}
	return value
}

// str returns a string unquoted, or "" for other values.
func (j jsonText) str() string {
	text, _ := jsontext.Unquote(string(j))
	return text
}

// text returns strings unquoted and anything else as JSON; "" for "".
func (j jsonText) text() string {
	switch {
	case j == "" || j.isString():
		return j.str()
	case j.isObject() || j.isList():
		return string(appendJSON(nil, j))
	case j.isNumber():
		// A number out of range is written as a string, whose quotes are not part of it.
		return strings.Trim(string(appendNumber(nil, string(j))), `"`)
	default:
		return string(j)
	}
}

// number returns the value of a number.
func (j jsonText) number() (float64, bool) {
	if !j.isNumber() {
		return 0, false
	}
	return parseNumber(string(j))
}

// count returns the value of a non-negative integer below 2^63.
func (j jsonText) count() (int64, bool) {
	if !j.isNumber() {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(j), 10, 64); err == nil {
		return n, n >= 0
	}
	f, ok := parseNumber(string(j))
	return wholeCount(f, ok)
}

// wholeCount converts a number to a count: a non-negative integer below 2^63.
func wholeCount(f float64, ok bool) (int64, bool) {
	if !ok || f < 0 || f >= 1<<63 || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

// parseNumber parses a number in JSON notation that fits into a float64.
func parseNumber(s string) (float64, bool) {
	if end, ok := jsontext.EndOfNumber(s, 0); !ok || end != len(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
