package jsonschema

import (
	"slices"
	"strings"
)

// scope is what is known about the value that a schema is applied to, from the enclosing schemas.
type scope struct {
	types   []string        // possible types of the value; empty if unknown
	defined map[string]bool // properties described by schemas for the same value
}

// sameValue returns the scope for a schema applied to the same value.
func (s *scope) sameValue() *scope { return &scope{types: s.types, defined: s.defined} }

// part returns the scope for a schema applied to a part of the value. Like Ajv, it drops the properties of the whole.
func (s *scope) part() *scope {
	s.defined = map[string]bool{}
	return &scope{defined: s.defined}
}

// name returns the scope for a schema applied to member names.
func (s *scope) name() *scope {
	part := s.part()
	part.types = []string{"string"}
	return part
}

// checkStrict implements Ajv's strict mode: whatever has no effect, or probably not the intended one, is refused. It
// visits schemas in the same order as Ajv, since the contents of a scope depend on it.
func (c *compiler) checkStrict(schema *value, s *scope) {
	if schema.kind == boolean {
		return
	}
	c.checkKeywords(schema)
	if !hasRules(schema) {
		return
	}
	if types := c.typesOf(schema); schema.member("$ref") == nil || hasRulesButRef(schema) {
		c.checkTypes(schema, types, s)
	}
	c.checkRef(schema, s)
	c.checkCombined(schema, s)
	c.checkConditional(schema, s)
	c.checkArray(schema, s)
	c.checkObject(schema, s)
}

func (c *compiler) checkKeywords(schema *value) {
	for _, name := range schema.names {
		if _, known := keywords[name]; !known {
			c.refuse(schema, "unknown keyword %q", name)
		}
	}
}

// acceptsAll reports whether a schema has no effect.
func (c *compiler) acceptsAll(schema *value) bool {
	if schema.kind == boolean {
		return schema.isTrue()
	}
	c.checkKeywords(schema)
	return !hasRules(schema)
}

// anyAcceptsAll reports whether one of several schemas makes the others redundant.
func (c *compiler) anyAcceptsAll(schemas *value) bool {
	return slices.ContainsFunc(schemas.items, c.acceptsAll)
}

// allAcceptAll reports whether several schemas, some of which may be nil, all have no effect.
func (c *compiler) allAcceptAll(schemas ...*value) bool {
	all := true
	for _, schema := range schemas {
		if schema != nil && !c.acceptsAll(schema) {
			all = false
		}
	}
	return all
}

// checkSub checks subschemas, each in its own scope, unless they are nil or have no effect.
func (c *compiler) checkSub(s func() *scope, schemas ...*value) {
	for _, schema := range schemas {
		if schema != nil && !c.acceptsAll(schema) {
			c.checkStrict(schema, s())
		}
	}
}

// typesOf returns the types named by a schema.
func (c *compiler) typesOf(schema *value) []string {
	var types []string
	if named := schema.member("type"); named != nil && named.kind == text {
		types = []string{named.text}
	} else if named != nil {
		types = named.texts()
	}
	nullable := schema.member("nullable")
	switch {
	case nullable == nil:
	case len(types) == 0:
		c.refuse(schema, "nullable needs a type")
	case slices.Contains(types, "null"):
		if nullable.isFalse() {
			c.refuse(schema, "type null contradicts nullable false")
		}
	case nullable.isTrue():
		types = append(types, "null")
	}
	return types
}

func (c *compiler) checkTypes(schema *value, types []string, s *scope) {
	c.narrow(schema, types, s)
	if len(types) > 2 || len(types) == 2 && !slices.Contains(types, "null") {
		c.refuse(schema, "type has several types; only one, and null beside it, is allowed")
	}
	var known kinds
	for _, name := range s.types {
		known |= typeNames[name]
	}
	for _, name := range schema.names {
		if applies := keywords[name].applies; applies != 0 && applies&known == 0 {
			c.refuse(schema, "%s needs type %s", name, strings.Join(namesOf(applies), " or "))
		}
	}
}

// narrow restricts the known types to those of a schema, which must be among them.
func (c *compiler) narrow(schema *value, types []string, s *scope) {
	if len(types) == 0 {
		return
	}
	if len(s.types) == 0 {
		s.types = types
		return
	}
	for _, name := range types {
		if !includesType(s.types, name) {
			c.refuse(schema, "type %s is impossible where %s is required", name, strings.Join(s.types, ","))
		}
	}
	var narrowed []string
	for _, name := range s.types {
		switch {
		case includesType(types, name):
			narrowed = append(narrowed, name)
		case name == "number" && slices.Contains(types, "integer"):
			narrowed = append(narrowed, "integer")
		}
	}
	s.types = narrowed
}

func includesType(types []string, name string) bool {
	return slices.Contains(types, name) || name == "integer" && slices.Contains(types, "number")
}

func namesOf(set kinds) []string {
	var names []string
	for _, name := range []string{"number", "string", "array", "object"} {
		if set&typeNames[name] != 0 {
			names = append(names, name)
		}
	}
	return names
}

func (c *compiler) checkRef(schema *value, s *scope) {
	ref := schema.member("$ref")
	if ref == nil {
		return
	}
	target := c.resolve(schema, ref.text)
	c.checkEnds(schema, target)
	switch {
	case target == c.root:
	case !holdsReference(target):
		c.checkStrict(target, &scope{defined: s.defined})
	case !c.checked[target]:
		c.checked[target] = true
		c.checkStrict(target, &scope{defined: map[string]bool{}})
	}
}

// checkEnds refuses reference cycles that never reach a rule.
func (c *compiler) checkEnds(schema, target *value) {
	seen := map[*value]bool{schema: !hasRulesButRef(schema)}
	for target.kind == object && hasRules(target) && !hasRulesButRef(target) {
		if seen[target] {
			c.refuse(schema, "$ref %q leads back to itself", schema.member("$ref").text)
		}
		seen[target] = true
		target = c.resolve(target, target.member("$ref").text)
	}
}

func (c *compiler) checkCombined(schema *value, s *scope) {
	c.checkSub(s.sameValue, schema.member("not"))
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		if combined := schema.member(name); combined != nil && (name != "anyOf" || !c.anyAcceptsAll(combined)) {
			c.checkSub(s.sameValue, combined.items...)
		}
	}
}

func (c *compiler) checkConditional(schema *value, s *scope) {
	condition, then, otherwise := schema.member("if"), schema.member("then"), schema.member("else")
	switch {
	case condition == nil && then != nil:
		c.refuse(schema, "then without if has no effect")
	case condition == nil && otherwise != nil:
		c.refuse(schema, "else without if has no effect")
	case condition == nil:
		return
	case then == nil && otherwise == nil:
		c.refuse(schema, "if without then and else has no effect")
	}
	if !c.allAcceptAll(then, otherwise) {
		c.checkStrict(condition, s.sameValue())
		c.checkSub(s.sameValue, then, otherwise)
	}
}

func (c *compiler) checkArray(schema *value, s *scope) {
	items, additional := schema.member("items"), schema.member("additionalItems")
	isTuple := items != nil && items.kind == array
	if additional != nil && !isTuple {
		c.refuse(schema, "additionalItems has no effect unless items is a list")
	}
	c.checkSub(s.part, additional)
	if isTuple {
		if !isFullTuple(schema, len(items.items)) {
			c.refuse(schema, "items is a list of %d, so minItems and maxItems must be %[1]d (or additionalItems false)", len(items.items))
		}
		c.checkSub(s.part, items.items...)
	} else {
		c.checkSub(s.part, items)
	}
	c.checkSub(s.part, schema.member("contains"))
}

func isFullTuple(schema *value, length int) bool {
	is := func(name string) bool {
		count := schema.member(name)
		return count != nil && asCount(count.text) == length
	}
	additional := schema.member("additionalItems")
	return is("minItems") && (is("maxItems") || additional != nil && additional.isFalse())
}

func (c *compiler) checkObject(schema *value, s *scope) {
	properties := schema.member("properties")
	if required := schema.member("required"); required != nil {
		for _, name := range required.texts() {
			if (properties == nil || properties.member(name) == nil) && !s.defined[name] {
				c.refuse(schema, "required property %q is not in properties", name)
			}
		}
	}
	c.checkSub(s.name, schema.member("propertyNames"))
	c.checkSub(s.part, schema.member("additionalProperties"))
	if dependencies := schema.member("dependencies"); dependencies != nil {
		for _, dependency := range dependencies.items {
			if dependency.kind != array {
				c.checkSub(s.sameValue, dependency)
			}
		}
	}
	if properties != nil {
		c.checkProperties(properties, s)
	}
	c.checkPatternProperties(schema, properties, s)
}

func (c *compiler) checkProperties(properties *value, s *scope) {
	for _, name := range properties.names {
		s.defined[name] = true
	}
	for i, name := range properties.names {
		if !c.acceptsAll(properties.items[i]) {
			c.checkStrict(properties.items[i], s.part())
			s.defined[name] = true
		}
	}
}

func (c *compiler) checkPatternProperties(schema, properties *value, s *scope) {
	patterns := schema.member("patternProperties")
	if patterns == nil || c.allAcceptAll(patterns.items...) {
		return
	}
	for i, name := range patterns.names {
		if properties != nil {
			c.checkNoMatch(schema, name, properties)
		}
		c.checkSub(s.part, patterns.items[i])
	}
}

func (c *compiler) checkNoMatch(schema *value, name string, properties *value) {
	p := c.pattern(schema, name)
	for _, property := range properties.names {
		if p.expression.MatchString(property) {
			c.refuse(schema, "property %q matches pattern %q of patternProperties", property, name)
		}
	}
}
