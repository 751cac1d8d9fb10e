package semconv

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// Some libraries flatten messages to one attribute per value, such as "gen_ai.prompt.0.role". They are rebuilt here.

// flattened names the attributes of an input or output: those of a family, or a single one with the bare name.
type flattened struct {
	bare   key
	family family
}

// rebuilt rebuilds input and output if there is an attribute of either. The one without any becomes an empty object.
func (m *Mapper) rebuilt(a *attrs, in, out flattened) (ioPair, bool) {
	if !a.has(in.family) && !a.has(out.family) && a.at(in.bare) == nil && a.at(out.bare) == nil {
		return ioPair{}, false
	}
	return ioPair{m.rebuild(a, in), m.rebuild(a, out)}, true
}

func (m *Mapper) rebuild(a *attrs, f flattened) body {
	if v := a.at(f.bare); truthy(v) {
		return m.body(v)
	}
	t := &m.tree
	t.reset(nodeObject)
	for i := range a.list {
		if x := &a.list[i]; x.family == f.family && beginsWithIndex(x.rest) {
			t.reset(nodeList)
			break
		}
	}
	for i := range a.list {
		if x := &a.list[i]; x.family == f.family {
			t.put(x.rest, x.value)
		}
	}
	return m.structured(t.append(m.arena.open(), 0))
}

// beginsWithIndex reports whether path starts with digits and a dot.
func beginsWithIndex(path string) bool {
	n := jsontext.SkipDigits(path, 0)
	return n > 0 && n < len(path) && path[n] == '.'
}

type nodeKind uint8

const (
	nodeLeaf nodeKind = iota
	nodeObject
	nodeList
)

// tree is a value under construction. Node 0 is its root.
type tree struct {
	nodes    []node
	segments []string
	slots    int // elements of all lists, holes included
	index    map[childName]int
}

type node struct {
	kind     nodeKind
	name     string // in an object
	position int    // in a list
	value    *otlp.Value
	length   int // of a list
	children int
	first    int // child
	last     int // child
	next     int // sibling
}

// childName identifies a child in the index, which is used for nodes with many children.
type childName struct {
	parent   int
	name     string
	position int
}

const (
	walkedChildren = 16
	keptNodes      = 4096 // a larger tree is released
)

func (t *tree) reset(root nodeKind) {
	if cap(t.nodes) > keptNodes {
		t.nodes, t.index = nil, nil
	}
	clear(t.nodes)
	t.nodes = append(t.nodes[:0], node{kind: root})
	t.slots = 0
	clear(t.index)
}

// put adds a value at a dotted path. A path that conflicts with an earlier one or needs too much room is dropped.
func (t *tree) put(path string, value *otlp.Value) {
	t.segments = t.segments[:0]
	for segment := range strings.SplitSeq(path, ".") {
		switch segment {
		case "__proto__", "constructor", "prototype":
			continue
		}
		if len(t.segments) == jsontext.MaxDepth {
			return
		}
		t.segments = append(t.segments, segment)
	}
	if !t.hasRoom() {
		return
	}
	at := 0
	for i, segment := range t.segments {
		position, _ := indexOf(segment)
		child := t.find(at, segment, position)
		if child == 0 {
			child = t.add(at, node{kind: t.kindAfter(i), name: segment, position: position})
		}
		at = child
	}
	t.nodes[at].value = value
}

// kindAfter returns the kind of node for segment i, which depends on the next segment.
func (t *tree) kindAfter(i int) nodeKind {
	if i+1 == len(t.segments) {
		return nodeLeaf
	}
	if _, isIndex := indexOf(t.segments[i+1]); isIndex {
		return nodeList
	}
	return nodeObject
}

// hasRoom reports whether the current path can be added.
func (t *tree) hasRoom() bool {
	slots, at, kind := t.slots, 0, t.nodes[0].kind
	for i, segment := range t.segments {
		position, isIndex := indexOf(segment)
		length := 0
		if at >= 0 {
			length = t.nodes[at].length
			if at = t.find(at, segment, position); at == 0 {
				at = -1 // everything below is new
			}
		}
		switch {
		case kind == nodeLeaf, kind == nodeList && (!isIndex || position >= maxSlots):
			return false
		case kind == nodeList:
			slots += max(0, position+1-length)
		}
		kind = t.kindAfter(i)
		if at > 0 {
			kind = t.nodes[at].kind
		}
	}
	return at < 0 && slots <= maxSlots && len(t.nodes)+len(t.segments) <= maxNodes
}

// indexOf parses a list index; one that is out of bounds becomes a very large number.
func indexOf(segment string) (int, bool) {
	if segment == "" || jsontext.SkipDigits(segment, 0) != len(segment) {
		return 0, false
	}
	n := 0
	for _, c := range []byte(segment) {
		if n = 10*n + int(c-'0'); n > maxSlots {
			return math.MaxInt32, true
		}
	}
	return n, true
}

// find returns the child of a node, or 0.
func (t *tree) find(parent int, name string, position int) int {
	p := &t.nodes[parent]
	list := p.kind == nodeList
	if p.children > walkedChildren {
		return t.index[t.childName(parent, name, position)]
	}
	for i := p.first; i != 0; i = t.nodes[i].next {
		if n := &t.nodes[i]; list && n.position == position || !list && n.name == name {
			return i
		}
	}
	return 0
}

func (t *tree) childName(parent int, name string, position int) childName {
	if t.nodes[parent].kind == nodeList {
		return childName{parent: parent, position: position}
	}
	return childName{parent: parent, name: name}
}

// add appends a child to a node.
func (t *tree) add(parent int, n node) int {
	i := len(t.nodes)
	t.nodes = append(t.nodes, n)
	p := &t.nodes[parent]
	if p.last == 0 {
		p.first = i
	} else {
		t.nodes[p.last].next = i
	}
	p.last = i
	p.children++
	if p.kind == nodeList {
		grown := max(p.length, n.position+1)
		t.slots += grown - p.length
		p.length = grown
	}
	switch {
	case p.children == walkedChildren+1:
		if t.index == nil {
			t.index = make(map[childName]int)
		}
		for c := p.first; c != 0; c = t.nodes[c].next {
			t.index[t.childName(parent, t.nodes[c].name, t.nodes[c].position)] = c
		}
	case p.children > walkedChildren:
		t.index[t.childName(parent, n.name, n.position)] = i
	}
	return i
}

// append writes a node as JSON.
func (t *tree) append(dst []byte, at int) []byte {
	n := &t.nodes[at]
	switch n.kind {
	case nodeObject:
		dst = append(dst, '{')
		for i := n.first; i != 0; i = t.nodes[i].next {
			dst = appendName(dst, t.nodes[i].name)
			dst = t.append(dst, i)
		}
		return append(dst, '}')
	case nodeList:
		dst = append(dst, '[')
		t.sortChildren(n)
		next := 0
		for i := n.first; i != 0; i = t.nodes[i].next {
			for ; next < t.nodes[i].position; next++ {
				dst = append(appendComma(dst), "null"...)
			}
			dst = t.append(appendComma(dst), i)
			next++
		}
		return append(dst, ']')
	default:
		return appendValue(dst, n.value)
	}
}

// sortChildren sorts the elements of a list by position, which they usually are already.
func (t *tree) sortChildren(n *node) {
	sorted := true
	for i := n.first; i != n.last; i = t.nodes[i].next {
		sorted = sorted && t.nodes[i].position < t.nodes[t.nodes[i].next].position
	}
	if sorted {
		return
	}
	list := make([]int, 0, n.children)
	for i := n.first; i != 0; i = t.nodes[i].next {
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b int) int { return t.nodes[a].position - t.nodes[b].position })
	n.first = list[0]
	for k, i := range list {
		t.nodes[i].next = 0
		if k > 0 {
			t.nodes[list[k-1]].next = i
		}
	}
	n.last = list[len(list)-1]
}
