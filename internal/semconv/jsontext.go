package semconv

import (
	"strconv"
	"strings"
)

// maxDepth is how deeply JSON of a client may be nested. What is deeper is kept as the text it is.
const maxDepth = 200

// jsonText is the text of one JSON value, checked to be valid, without blanks around it. Rules walk over the text
// instead of building trees: a tree of a list of zeros takes forty times the memory of its text.
type jsonText string

// parseJSON checks that a text is JSON: strictly so, since what is not JSON means itself.
func parseJSON(text string) (jsonText, bool) {
	from, to := skipSpace(text, 0), len(text)
	for to > from && isSpace(text[to-1]) {
		to--
	}
	s := text[from:to]
	if s == "" || checkValue(s, 0, maxDepth) != len(s) {
		return "", false
	}
	return jsonText(s), true
}

func (j jsonText) isObject() bool { return j != "" && j[0] == '{' }
func (j jsonText) isList() bool   { return j != "" && j[0] == '[' }
func (j jsonText) isString() bool { return j != "" && j[0] == '"' }
func (j jsonText) isNull() bool   { return j == "null" }
func (j jsonText) isNumber() bool { return j != "" && (j[0] == '-' || j[0] >= '0' && j[0] <= '9') }

// isName says whether it is a string with something in it.
func (j jsonText) isName() bool { return j.isString() && len(j) > 2 }

// get returns a member, or nothing. Of several with the name the last counts, as everywhere where JSON becomes objects.
func (j jsonText) get(name string) (value jsonText) {
	for c := j.members(); c.next(); {
		if c.name == name {
			value = c.value
		}
	}
	return value
}

// str returns a string without its quotes and escapes, or nothing.
func (j jsonText) str() string {
	if !j.isString() {
		return ""
	}
	return decoded(string(j[1 : len(j)-1]))
}

// text returns a string as it is and anything else as JSON; nothing for nothing.
func (j jsonText) text() string {
	switch {
	case j == "" || j.isString():
		return j.str()
	case j.isObject() || j.isList():
		return string(appendJSON(nil, j))
	case j.isNumber():
		// One that is too large for a number is written as a string, whose quotes are not part of it.
		return strings.Trim(string(appendNumber(nil, string(j))), `"`)
	default:
		return string(j)
	}
}

// number returns a number.
func (j jsonText) number() (float64, bool) {
	if !j.isNumber() {
		return 0, false
	}
	return parseNumber(string(j))
}

// count returns a number that is a whole one, not negative and below 2^63.
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

// wholeCount returns a number that counts something.
func wholeCount(f float64, ok bool) (int64, bool) {
	if !ok || f < 0 || f >= 1<<63 || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

// parseNumber reads a number in the notation of JSON that a double can hold.
func parseNumber(s string) (float64, bool) {
	if s == "" || checkNumber(s, 0) != len(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
