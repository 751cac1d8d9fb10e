package jsonschema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// kinds is a set of kinds; every value has exactly one.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	number
	text
	array
	object
)

// value is a part of a schema. Unlike the maps of encoding/json, it preserves the order of members, which strict mode
// depends on.
type value struct {
	kind  kinds
	text  string   // content of a string, JSON of other scalars
	names []string // member names of an object, parallel to items
	items []*value // elements of an array or member values of an object
}

// parse parses text known to be valid JSON. As in JavaScript, the last member with a name wins.
func parse(data []byte) *value {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return parseNext(d)
}

func parseNext(d *json.Decoder) *value {
	token, err := d.Token()
	if err != nil {
		panic("BUG: what was checked to be JSON is none: " + err.Error())
	}
	switch token := token.(type) {
	case json.Delim:
		v := &value{kind: array}
		if token == '{' {
			v.kind = object
		}
		for d.More() {
			if v.kind == array {
				v.items = append(v.items, parseNext(d))
			} else {
				v.put(parseNext(d).text, parseNext(d))
			}
		}
		_, _ = d.Token() // the closing bracket
		return v
	case string:
		return &value{kind: text, text: token}
	case json.Number:
		return &value{kind: number, text: shortNumber(token.String())}
	case bool:
		return &value{kind: boolean, text: strconv.FormatBool(token)}
	default:
		return &value{kind: null, text: "null"}
	}
}

func (v *value) put(name string, item *value) {
	if i := slices.Index(v.names, name); i >= 0 {
		v.items[i] = item
		return
	}
	v.names, v.items = append(v.names, name), append(v.items, item)
}

// member returns the member of an object with a name, nil if there is none.
func (v *value) member(name string) *value {
	if i := slices.Index(v.names, name); i >= 0 {
		return v.items[i]
	}
	return nil
}

func (v *value) isTrue() bool  { return v.kind == boolean && v.text == "true" }
func (v *value) isFalse() bool { return v.kind == boolean && v.text == "false" }

// texts returns the strings in a list.
func (v *value) texts() []string {
	texts := make([]string, len(v.items))
	for i, item := range v.items {
		texts[i] = item.text
	}
	return texts
}

// plain returns the value as encoding/json would decode it.
func (v *value) plain() any {
	switch v.kind {
	case null:
		return nil
	case boolean:
		return v.isTrue()
	case number:
		return json.Number(v.text)
	case text:
		return v.text
	case array:
		items := make([]any, len(v.items))
		for i, item := range v.items {
			items[i] = item.plain()
		}
		return items
	default:
		members := make(map[string]any, len(v.items))
		for i, item := range v.items {
			members[v.names[i]] = item.plain()
		}
		return members
	}
}

// size counts the values in a value, plus one for every 64 bytes of strings.
func (v *value) size() int {
	size := 1 + len(v.text)/bytesPerUnit
	for _, item := range v.items {
		size += item.size()
	}
	return size
}

// compactLength counts the UTF-16 code units of a value as JavaScript writes it, without whitespace.
func (v *value) compactLength() int {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.plain()); err != nil {
		panic("BUG: a schema does not marshal: " + err.Error())
	}
	length := -1 // the trailing newline
	for _, r := range b.String() {
		length += utf16.RuneLen(r)
	}
	return length
}
