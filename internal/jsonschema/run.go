package jsonschema

import (
	"strconv"
	"strings"
)

const (
	// What a value may cost: a fixed part, and more for larger values. One unit is about a hundred nanoseconds.
	baseBudget    = 1_000_000
	budgetPerByte = 4

	// Comparing and writing texts costs one unit for so many bytes.
	bytesPerUnit = 64

	// Bytes of paths after which no more violations are noted: names, and with them paths, can be long.
	maxNoted = 100_000

	// Schemas that are applied within each other. Only a schema that refers to itself without an end gets so deep.
	maxDepth = 2_000
)

// node is a compiled schema: checks, in the order in which Ajv makes them. A nil node accepts everything.
type node struct {
	checks []check
}

// check is the effect of one keyword.
type check struct {
	on   kinds // it is made on values of these kinds
	pass func(r *run, v *value) bool
}

// run is the check of one value.
type run struct {
	budget    int
	exhausted bool // the budget is spent, nothing is looked at any more
	depth     int
	quiet     int // within schemas of which only the result counts
	path      []step
	found     []Violation
	noted     int // bytes of the paths in found
}

// step is one part of the path to a value: an index if there is no name.
type step struct {
	name  *string
	index int
}

func newRun(size int) *run {
	return &run{budget: baseBudget + budgetPerByte*size}
}

func (r *run) violations(n *node, v *value) []Violation {
	valid := r.apply(n, v)
	switch {
	case r.exhausted:
		return []Violation{{Message: "schema is too complex for this value", Keyword: "schema"}}
	case valid:
		return nil
	default:
		return r.found
	}
}

// apply makes all checks of a schema, or, where only the result counts, those up to the first that fails.
func (r *run) apply(n *node, v *value) bool {
	if n == nil {
		return true
	}
	if r.depth >= maxDepth {
		r.exhausted = true
	}
	if !r.spend(1) {
		return false
	}
	r.depth++
	valid := true
	for i := range n.checks {
		c := &n.checks[i]
		if c.on&v.kind == 0 || c.pass(r, v) {
			continue
		}
		valid = false
		if r.quiet > 0 || r.exhausted {
			break
		}
	}
	r.depth--
	return valid
}

// quietly applies a schema of which only the result counts.
func (r *run) quietly(n *node, v *value) bool {
	r.quiet++
	valid := r.apply(n, v)
	r.quiet--
	return valid
}

// applyItem applies a schema to an item of an array.
func (r *run) applyItem(n *node, v *value, index int) bool {
	if n == nil {
		return true
	}
	r.path = append(r.path, step{index: index})
	valid := r.apply(n, &v.list.items[index])
	r.path = r.path[:len(r.path)-1]
	return valid
}

// applyMember applies a schema to a member of an object.
func (r *run) applyMember(n *node, v *value, index int) bool {
	if n == nil {
		return true
	}
	r.path = append(r.path, step{name: &v.list.names[index]})
	valid := r.apply(n, &v.list.items[index])
	r.path = r.path[:len(r.path)-1]
	return valid
}

// spend takes from the budget. Nothing must be done if it is spent.
func (r *run) spend(units int) bool {
	r.budget -= units
	if r.budget < 0 {
		r.exhausted = true
	}
	return !r.exhausted
}

// fail notes a violation of the value at hand. It returns false, so that a check can end with it.
func (r *run) fail(keyword, message string) bool {
	if r.quiet > 0 || len(r.found) >= maxViolations || r.noted > maxNoted {
		return false
	}
	path := r.pointer()
	if r.spend(len(path) / bytesPerUnit) {
		r.noted += len(path)
		r.found = append(r.found, Violation{Path: path, Message: message, Keyword: keyword})
	}
	return false
}

// mark and forget take back the violations of schemas that did not have to be met.
func (r *run) mark() int { return len(r.found) }

func (r *run) forget(mark int) {
	for _, v := range r.found[mark:] {
		r.noted -= len(v.Path)
	}
	r.found = r.found[:mark]
}

func (r *run) pointer() string {
	var b strings.Builder
	for _, s := range r.path {
		b.WriteByte('/')
		if s.name != nil {
			b.WriteString(escapePointer(*s.name))
		} else {
			b.WriteString(strconv.Itoa(s.index))
		}
	}
	return b.String()
}
