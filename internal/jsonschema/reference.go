package jsonschema

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiler holds what is known about a schema while it is compiled.
type compiler struct {
	root    *value
	base    *url.URL
	bases   map[*value]*url.URL // the address that references in a schema are relative to
	where   map[*value]string   // where a schema is
	byID    map[string]*value   // schemas with an $id, by their address
	checked map[*value]bool     // schemas that were checked without a context

	checker   *checker
	acceptAll *jsonschema.Schema
	guards    map[*value]*guard

	patterns    map[string]*pattern
	patternSize int
}

func newCompiler(root *value) *compiler {
	yes := true
	return &compiler{
		checker: &checker{}, acceptAll: &jsonschema.Schema{DraftVersion: 7, Bool: &yes}, guards: map[*value]*guard{},
		root: root, base: &url.URL{},
		bases: map[*value]*url.URL{}, where: map[*value]string{}, byID: map[string]*value{},
		checked: map[*value]bool{}, patterns: map[string]*pattern{},
	}
}

// refusal is what is wrong with a schema or a pattern. It is a panic where it is found and an error where it is caught.
type refusal string

func (r refusal) Error() string { return string(r) }

// catchRefusal is deferred by those who return refusals as errors.
func catchRefusal(err *error) {
	switch why := recover().(type) {
	case nil:
	case refusal:
		*err = why
	default:
		panic(why)
	}
}

// refuse says where a schema breaks a rule, and which.
func (c *compiler) refuse(schema *value, format string, args ...any) {
	panic(refusal(c.where[schema] + ": " + fmt.Sprintf(format, args...)))
}

// The addresses by which draft-07 is known, without the "#" at their end.
var draft07 = map[string]bool{
	"": true, "http://json-schema.org/draft-07/schema": true, "https://json-schema.org/draft-07/schema": true,
	"http://json-schema.org/schema": true,
}

func (c *compiler) checkDraft() {
	draft := c.root.member("$schema")
	if draft != nil && (draft.kind != text || !draft07[strings.TrimSuffix(draft.text, "#")]) {
		panic(refusal("#: $schema is " + draft.text + ", only draft-07 is known"))
	}
}

// locate checks the shapes of all keywords and notes where schemas are and how they are called.
func (c *compiler) locate(schema *value, at string, base *url.URL) {
	c.where[schema] = at
	if schema.kind == boolean {
		return
	}
	if schema.kind != object {
		c.refuse(schema, "schema must be an object, true or false")
	}
	if id := schema.member("$id"); id != nil && id.kind == text {
		base = c.name(schema, base, id.text)
	}
	c.bases[schema] = base
	for i, name := range schema.names {
		found, complaint := keywords[name].shape.subschemas(schema.items[i])
		if complaint != "" {
			c.refuse(schema, "%s %s", name, complaint)
		}
		for _, sub := range found {
			c.locate(sub.schema, at+"/"+escapePointer(name)+sub.at, base)
		}
	}
}

func (c *compiler) name(schema *value, base *url.URL, id string) *url.URL {
	address, err := base.Parse(strings.TrimSuffix(id, "#"))
	if err != nil {
		c.refuse(schema, "$id %q is not an address", id)
	}
	if other := c.byID[address.String()]; other != nil && other != schema {
		c.refuse(schema, "$id %q is also that of %s", id, c.where[other])
	}
	c.byID[address.String()] = schema
	return address
}

// resolve finds the schema that a $ref names.
func (c *compiler) resolve(schema *value, ref string) *value {
	address, err := c.bases[schema].Parse(ref)
	if err != nil {
		c.refuse(schema, "$ref %q is not an address", ref)
	}
	fragment := address.EscapedFragment()
	address.Fragment, address.RawFragment = "", ""
	within := c.byID[address.String()]
	if within == nil && address.String() == c.document() {
		within = c.root
	}
	target := within
	switch {
	case within == nil:
	case strings.HasPrefix(fragment, "/") && fragment != "/":
		target = follow(within, fragment)
	case fragment != "" && fragment != "/":
		target = c.byID[address.String()+"#"+fragment]
	}
	if target == nil || target.kind != object && target.kind != boolean {
		c.refuse(schema, "$ref %q names no schema in this document", ref)
	}
	if _, known := c.where[target]; !known {
		// The place is none where schemas are expected, so nobody has looked at it.
		c.locate(target, "#"+fragment, c.bases[schema])
	}
	return target
}

// document is the address of the document without any part of it.
func (c *compiler) document() string {
	address := *c.bases[c.root]
	address.Fragment, address.RawFragment = "", ""
	return address.String()
}

// follow goes along a JSON pointer that is written as part of an address.
func follow(v *value, pointer string) *value {
	for part := range strings.SplitSeq(pointer[1:], "/") {
		name, err := url.PathUnescape(part)
		if err != nil {
			return nil
		}
		name = unescapePointer(name)
		switch v.kind {
		case object:
			v = v.member(name)
		case array:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || strconv.Itoa(i) != name || i >= len(v.items) {
				return nil
			}
			v = v.items[i]
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// holdsReference reports whether a $ref is anywhere in a value.
func holdsReference(v *value) bool {
	for i := range v.items {
		if v.kind == object && v.names[i] == "$ref" || holdsReference(v.items[i]) {
			return true
		}
	}
	return false
}
