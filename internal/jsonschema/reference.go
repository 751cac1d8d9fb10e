package jsonschema

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compiler is the state of compiling a schema.
type compiler struct {
	root    *value
	base    *url.URL
	bases   map[*value]*url.URL // base URI for references in a schema
	where   map[*value]string   // location of a schema
	byID    map[string]*value   // schemas with an $id, by URI
	checked map[*value]bool     // schemas already checked without a context

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

// refusal describes what is wrong with a schema or a pattern. It is raised as a panic and recovered as an error.
type refusal string

func (r refusal) Error() string { return string(r) }

// catchRefusal is deferred by functions that return refusals as errors.
func catchRefusal(err *error) {
	switch why := recover().(type) {
	case nil:
	case refusal:
		*err = why
	default:
		panic(why)
	}
}

// refuse panics with the location of a schema and the rule that it breaks.
func (c *compiler) refuse(schema *value, format string, args ...any) {
	panic(refusal(c.where[schema] + ": " + fmt.Sprintf(format, args...)))
}

// The URIs of draft-07, without the "#" at the end.
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

// locate checks the shapes of all keywords and records the locations and ids of schemas.
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

// resolve returns the schema that a $ref refers to.
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
		// Schemas are not expected at this location, so it has not been visited yet.
		c.locate(target, "#"+fragment, c.bases[schema])
	}
	return target
}

// document returns the URI of the document without a fragment.
func (c *compiler) document() string {
	address := *c.bases[c.root]
	address.Fragment, address.RawFragment = "", ""
	return address.String()
}

// follow resolves a JSON pointer given as a URI fragment.
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

// holdsReference reports whether a value contains a $ref anywhere.
func holdsReference(v *value) bool {
	for i := range v.items {
		if v.kind == object && v.names[i] == "$ref" || holdsReference(v.items[i]) {
			return true
		}
	}
	return false
}
