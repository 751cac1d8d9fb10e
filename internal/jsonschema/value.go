package jsonschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// kinds is a set of kinds of values; a value has exactly one.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	number
	text
	array
	object
	absent // the value that is not there

	anyKind = null | boolean | number | text | array | object | absent
)

// value is a JSON value. Texts are views of what was parsed where possible.
type value struct {
	kind kinds
	text string // of a text its content, of the other scalars their JSON
	size int    // bytes of JSON, a measure of what it costs to look at the whole value
	list *list  // of arrays and objects
}

type list struct {
	names []string // of objects, as many as items
	items []value
	index map[string]int // of large objects: where a name is
}

// Objects with fewer members are searched faster from end to end.
const indexedFrom = 9

var errNotJSON = errors.New("it is not valid JSON")

// parse reads JSON. As in JavaScript, the last member of a name counts, and names that are list indexes come first in order.
func parse(data []byte) (value, error) {
	if !json.Valid(data) {
		return value{}, errNotJSON
	}
	p := parser{in: string(data)}
	return p.value(0)
}

// parser trusts that its input is valid JSON.
type parser struct {
	in string
	at int
}

func (p *parser) value(depth int) (value, error) {
	if depth > maxNesting {
		return value{}, fmt.Errorf("it is nested deeper than %d levels", maxNesting)
	}
	p.skipBlanks()
	start := p.at
	v := value{}
	var err error
	switch p.in[p.at] {
	case '{':
		v.kind = object
		v.list, err = p.members(depth)
	case '[':
		v.kind = array
		v.list, err = p.items(depth)
	case '"':
		v.kind = text
		v.text, err = p.string()
	case 'n':
		v.kind, v.text = null, p.word()
	case 't', 'f':
		v.kind, v.text = boolean, p.word()
	default:
		v.kind, v.text = number, p.word()
	}
	v.size = p.at - start
	return v, err
}

func (p *parser) skipBlanks() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// next steps over a comma, or over the bracket that ends a list.
func (p *parser) next(closing byte) (more bool) {
	p.skipBlanks()
	more = p.in[p.at] != closing
	p.at++
	return more
}

func (p *parser) word() string {
	start := p.at
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ',', ']', '}', ' ', '\t', '\n', '\r':
			return p.in[start:p.at]
		}
		p.at++
	}
	return p.in[start:p.at]
}

func (p *parser) string() (string, error) {
	start := p.at
	escaped := false
	for p.at++; p.in[p.at] != '"'; p.at++ {
		if p.in[p.at] == '\\' {
			escaped = true
			p.at++
		}
	}
	p.at++
	if !escaped {
		return p.in[start+1 : p.at-1], nil
	}
	var s string
	if err := json.Unmarshal([]byte(p.in[start:p.at]), &s); err != nil {
		return "", errNotJSON
	}
	return s, nil
}

// empty steps into a list and, if it has nothing, over it.
func (p *parser) empty(closing byte) bool {
	p.at++
	p.skipBlanks()
	if p.in[p.at] != closing {
		return false
	}
	p.at++
	return true
}

func (p *parser) items(depth int) (*list, error) {
	l := &list{}
	if p.empty(']') {
		return l, nil
	}
	for {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		l.items = append(l.items, v)
		if !p.next(']') {
			return l, nil
		}
	}
}

func (p *parser) members(depth int) (*list, error) {
	l := &list{}
	if p.empty('}') {
		return l, nil
	}
	indexes := false
	for {
		p.skipBlanks()
		name, err := p.string()
		if err != nil {
			return nil, err
		}
		p.skipBlanks()
		p.at++ // the colon
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		l.put(name, v)
		indexes = indexes || isIndex(name)
		if !p.next('}') {
			break
		}
	}
	if indexes {
		l.sortIndexes()
	}
	return l, nil
}

func (l *list) put(name string, v value) {
	if i := l.find(name); i >= 0 {
		l.items[i] = v
		return
	}
	l.names = append(l.names, name)
	l.items = append(l.items, v)
	switch {
	case l.index != nil:
		l.index[name] = len(l.names) - 1
	case len(l.names) == indexedFrom:
		l.makeIndex()
	}
}

func (l *list) makeIndex() {
	l.index = make(map[string]int, len(l.names))
	for i, name := range l.names {
		l.index[name] = i
	}
}

func (l *list) find(name string) int {
	if l.index == nil {
		return slices.Index(l.names, name)
	}
	if i, ok := l.index[name]; ok {
		return i
	}
	return -1
}

func isIndex(name string) bool {
	if name == "" || name[0] < '0' || name[0] > '9' || len(name) > 1 && name[0] == '0' {
		return false
	}
	n, err := strconv.ParseUint(name, 10, 32)
	return err == nil && n < 1<<32-1
}

func (l *list) sortIndexes() {
	order := make([]int, len(l.names))
	rank := make([]uint64, len(l.names))
	for i, name := range l.names {
		order[i], rank[i] = i, 1<<32
		if isIndex(name) {
			rank[i], _ = strconv.ParseUint(name, 10, 32)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	names, items := make([]string, len(order)), make([]value, len(order))
	for to, from := range order {
		names[to], items[to] = l.names[from], l.items[from]
	}
	l.names, l.items = names, items
	if l.index != nil {
		l.makeIndex()
	}
}

// member is the value of a name in an object, nil if there is none.
func (v *value) member(name string) *value {
	if v.kind != object {
		return nil
	}
	if i := v.list.find(name); i >= 0 {
		return &v.list.items[i]
	}
	return nil
}

func (v *value) isTrue() bool  { return v.kind == boolean && v.text == "true" }
func (v *value) isFalse() bool { return v.kind == boolean && v.text == "false" }

// equal compares deeply. The order of members does not matter, and numbers are compared by what they are worth.
func equal(a, b *value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case number:
		return compareNumbers(a.text, b.text) == 0
	case array:
		return slices.EqualFunc(a.list.items, b.list.items, func(x, y value) bool { return equal(&x, &y) })
	case object:
		if len(a.list.items) != len(b.list.items) {
			return false
		}
		for i, name := range a.list.names {
			other := b.member(name)
			if other == nil || !equal(&a.list.items[i], other) {
				return false
			}
		}
		return true
	default:
		return a.text == b.text
	}
}

// appendKey appends a text that is the same for equal values only.
func appendKey(key []byte, v *value) []byte {
	key = append(key, byte(v.kind))
	switch v.kind {
	case number:
		return append(key, parseDecimal(v.text).String()...)
	case array:
		for i := range v.list.items {
			key = appendKey(append(key, ','), &v.list.items[i])
		}
		return append(key, ']')
	case object:
		order := make([]int, len(v.list.names))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v.list.names[a], v.list.names[b]) })
		for _, i := range order {
			key = appendTextKey(append(key, ','), v.list.names[i])
			key = appendKey(key, &v.list.items[i])
		}
		return append(key, '}')
	case text:
		return appendTextKey(key, v.text)
	default:
		return append(key, v.text...)
	}
}

// appendTextKey appends a text so that nothing in it can be taken for what follows.
func appendTextKey(key []byte, s string) []byte {
	key = strconv.AppendInt(key, int64(len(s)), 10)
	return append(append(key, ':'), s...)
}
