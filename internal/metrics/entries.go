package metrics

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// entry is one member of an object of numbers: a kind of usage or cost, and how much of it there was.
type entry struct {
	kind   string
	amount float64
}

// entriesOf returns the members of a JSON object of numbers. What is none has no entries.
func entriesOf(text string) []entry {
	if list, ok := plainEntries(text); ok {
		return list
	}
	var members map[string]json.Number
	if json.Unmarshal([]byte(text), &members) != nil {
		return nil
	}
	list := make([]entry, 0, len(members))
	for kind, number := range members {
		if amount, err := number.Float64(); err == nil {
			list = append(list, entry{kind, amount})
		}
	}
	return list
}

// plainEntries reads the form in which objects are stored: without blanks, and mostly without escapes.
func plainEntries(text string) (list []entry, ok bool) {
	rest, ok := strings.CutPrefix(text, "{")
	if !ok || text == "{}" {
		return nil, text == "{}" || text == ""
	}
	for {
		if rest, ok = strings.CutPrefix(rest, `"`); !ok {
			return nil, false
		}
		kind, after, ok := strings.Cut(rest, `":`)
		if !ok || strings.ContainsAny(kind, `"\`) || !utf8.ValidString(kind) {
			return nil, false
		}
		end := strings.IndexAny(after, ",}")
		if end < 0 {
			return nil, false
		}
		amount, err := strconv.ParseFloat(after[:end], 64)
		if err != nil {
			return nil, false
		}
		list = append(list, entry{kind, amount})
		if rest = after[end+1:]; after[end] == '}' {
			return list, rest == ""
		}
	}
}
