package jsonschema

import (
	"slices"
	"strings"
)

// scope is what is known about the value to which a schema is applied, from the schemas around it.
type scope struct {
	types   []string        // types that the value can have; none if nothing is known
	defined map[string]bool // properties that schemas of the same value describe
}

// sameValue is the scope of a schema that is applied to the same value.
func (s *scope) sameValue() *scope { return &scope{types: s.types, defined: s.defined} }

// part is the scope of a schema that is applied to a part of the value. Ajv forgets the properties of the whole here.
func (s *scope) part(types ...string) *scope {
	s.defined = map[string]bool{}
	return &scope{types: types, defined: s.defined}
}

// checkStrict checks what Ajv calls strict mode: whatever has no effect, or probably not the intended one, is refused.
// It visits what Ajv visits, in the same order, as what is known in a scope depends on it.
func (c *compiler) checkStrict(schema *value, s *scope) error {
	if schema.kind == boolean {
		return nil
	}
	if err := c.checkKeywords(schema); err != nil {
		return err
	}
	if !hasRules(schema) {
		return nil
	}
	types, err := c.typesOf(schema)
	if err != nil {
		return err
	}
	if ref := schema.member("$ref"); ref == nil || hasRulesButRef(schema) {
		if err := c.checkTypes(schema, types, s); err != nil {
			return err
		}
	}
	for _, check := range []func(*value, *scope) error{
		c.checkRef, c.checkCombined, c.checkConditional, c.checkArray, c.checkObject,
	} {
		if err := check(schema, s); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) checkKeywords(schema *value) error {
	for _, name := range schema.names {
		if _, known := keywords[name]; !known {
			return c.refuse(schema, "unknown keyword %q", name)
		}
	}
	return nil
}

// acceptsAll tells whether a schema has no effect.
func (c *compiler) acceptsAll(schema *value) (bool, error) {
	if schema.kind == boolean {
		return schema.isTrue(), nil
	}
	return !hasRules(schema), c.checkKeywords(schema)
}

// checkSub checks a schema within a schema, unless it has no effect.
func (c *compiler) checkSub(schema *value, s func() *scope) error {
	if all, err := c.acceptsAll(schema); all || err != nil {
		return err
	}
	return c.checkStrict(schema, s())
}

// typesOf returns the types that a schema names.
func (c *compiler) typesOf(schema *value) ([]string, error) {
	var types []string
	if named := schema.member("type"); named != nil {
		if named.kind == text {
			types = []string{named.text}
		} else {
			for _, item := range named.items {
				types = append(types, item.text)
			}
		}
	}
	nullable := schema.member("nullable")
	switch {
	case nullable == nil:
	case len(types) == 0:
		return nil, c.refuse(schema, "nullable needs a type")
	case slices.Contains(types, "null"):
		if nullable.isFalse() {
			return nil, c.refuse(schema, "type null contradicts nullable false")
		}
	case nullable.isTrue():
		types = append(types, "null")
	}
	return types, nil
}

func (c *compiler) checkTypes(schema *value, types []string, s *scope) error {
	if err := c.narrow(schema, types, s); err != nil {
		return err
	}
	if len(types) > 2 || len(types) == 2 && !slices.Contains(types, "null") {
		return c.refuse(schema, "type has several types; only one, and null beside it, is allowed")
	}
	var known kinds
	for _, name := range s.types {
		known |= typeNames[name]
	}
	for _, name := range schema.names {
		if applies := keywords[name].applies; applies != 0 && applies&known == 0 {
			return c.refuse(schema, "%s needs type %s", name, strings.Join(namesOf(applies), " or "))
		}
	}
	return nil
}

// narrow takes the types of a schema into account, which must be among those known.
func (c *compiler) narrow(schema *value, types []string, s *scope) error {
	if len(types) == 0 {
		return nil
	}
	if len(s.types) == 0 {
		s.types = types
		return nil
	}
	for _, name := range types {
		if !includesType(s.types, name) {
			return c.refuse(schema, "type %s is impossible where %s is required", name, strings.Join(s.types, ","))
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
	return nil
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

func (c *compiler) checkRef(schema *value, s *scope) error {
	ref := schema.member("$ref")
	if ref == nil {
		return nil
	}
	target, err := c.resolve(schema, ref.text)
	if err == nil {
		err = c.checkEnds(schema, target)
	}
	switch {
	case err != nil:
		return err
	case target == c.root:
		return nil
	case !holdsReference(target):
		return c.checkStrict(target, &scope{defined: s.defined})
	case c.checked[target]:
		return nil
	}
	c.checked[target] = true
	return c.checkStrict(target, &scope{defined: map[string]bool{}})
}

// checkEnds refuses references that lead to each other and never to a rule.
func (c *compiler) checkEnds(schema, target *value) error {
	seen := map[*value]bool{schema: !hasRulesButRef(schema)}
	for target.kind == object && hasRules(target) && !hasRulesButRef(target) {
		if seen[target] {
			return c.refuse(schema, "$ref %q leads back to itself", schema.member("$ref").text)
		}
		seen[target] = true
		var err error
		if target, err = c.resolve(target, target.member("$ref").text); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) checkCombined(schema *value, s *scope) error {
	if not := schema.member("not"); not != nil {
		if err := c.checkSub(not, s.sameValue); err != nil {
			return err
		}
	}
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		combined := schema.member(name)
		if combined == nil {
			continue
		}
		if name == "anyOf" {
			if all, err := c.anyAcceptsAll(combined); all || err != nil {
				if err != nil {
					return err
				}
				continue
			}
		}
		for i := range combined.items {
			if err := c.checkSub(combined.items[i], s.sameValue); err != nil {
				return err
			}
		}
	}
	return nil
}

// anyAcceptsAll tells whether one of several schemas makes the others superfluous.
func (c *compiler) anyAcceptsAll(schemas *value) (bool, error) {
	for i := range schemas.items {
		if all, err := c.acceptsAll(schemas.items[i]); all || err != nil {
			return all, err
		}
	}
	return false, nil
}

func (c *compiler) checkConditional(schema *value, s *scope) error {
	condition, then, otherwise := schema.member("if"), schema.member("then"), schema.member("else")
	switch {
	case condition == nil && then != nil:
		return c.refuse(schema, "then without if has no effect")
	case condition == nil && otherwise != nil:
		return c.refuse(schema, "else without if has no effect")
	case condition == nil:
		return nil
	case then == nil && otherwise == nil:
		return c.refuse(schema, "if without then and else has no effect")
	}
	effect := false
	for _, branch := range []*value{then, otherwise} {
		if branch == nil {
			continue
		}
		all, err := c.acceptsAll(branch)
		if err != nil {
			return err
		}
		effect = effect || !all
	}
	if !effect {
		return nil
	}
	if err := c.checkStrict(condition, s.sameValue()); err != nil {
		return err
	}
	for _, branch := range []*value{then, otherwise} {
		if branch == nil {
			continue
		}
		if err := c.checkSub(branch, s.sameValue); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) checkArray(schema *value, s *scope) error {
	part := func() *scope { return s.part() }
	items := schema.member("items")
	if additional := schema.member("additionalItems"); additional != nil {
		if items == nil || items.kind != array {
			return c.refuse(schema, "additionalItems has no effect unless items is a list")
		}
		if err := c.checkSub(additional, part); err != nil {
			return err
		}
	}
	if items != nil && items.kind == array {
		if !isFullTuple(schema, len(items.items)) {
			return c.refuse(schema, "items is a list of %d, so minItems and maxItems must be %[1]d (or additionalItems false)",
				len(items.items))
		}
		for i := range items.items {
			if err := c.checkSub(items.items[i], part); err != nil {
				return err
			}
		}
	} else if items != nil {
		if err := c.checkSub(items, part); err != nil {
			return err
		}
	}
	if contains := schema.member("contains"); contains != nil {
		return c.checkSub(contains, part)
	}
	return nil
}

func isFullTuple(schema *value, length int) bool {
	is := func(name string) bool {
		count := schema.member(name)
		return count != nil && asCount(count.text) == length
	}
	additional := schema.member("additionalItems")
	return is("minItems") && (is("maxItems") || additional != nil && additional.isFalse())
}

func (c *compiler) checkObject(schema *value, s *scope) error {
	properties := schema.member("properties")
	if required := schema.member("required"); required != nil {
		for _, name := range required.items {
			if (properties == nil || properties.member(name.text) == nil) && !s.defined[name.text] {
				return c.refuse(schema, "required property %q is not in properties", name.text)
			}
		}
	}
	if names := schema.member("propertyNames"); names != nil {
		if err := c.checkSub(names, func() *scope { return s.part("string") }); err != nil {
			return err
		}
	}
	part := func() *scope { return s.part() }
	if additional := schema.member("additionalProperties"); additional != nil {
		if err := c.checkSub(additional, part); err != nil {
			return err
		}
	}
	if dependencies := schema.member("dependencies"); dependencies != nil {
		for i := range dependencies.items {
			if dependency := dependencies.items[i]; dependency.kind != array {
				if err := c.checkSub(dependency, s.sameValue); err != nil {
					return err
				}
			}
		}
	}
	if properties != nil {
		if err := c.checkProperties(properties, s); err != nil {
			return err
		}
	}
	return c.checkPatternProperties(schema, properties, part)
}

func (c *compiler) checkProperties(properties *value, s *scope) error {
	for _, name := range properties.names {
		s.defined[name] = true
	}
	for i, name := range properties.names {
		all, err := c.acceptsAll(properties.items[i])
		if err != nil {
			return err
		}
		if all {
			continue
		}
		if err := c.checkStrict(properties.items[i], s.part()); err != nil {
			return err
		}
		s.defined[name] = true
	}
	return nil
}

func (c *compiler) checkPatternProperties(schema, properties *value, part func() *scope) error {
	patterns := schema.member("patternProperties")
	if patterns == nil {
		return nil
	}
	effect := false
	for i := range patterns.items {
		all, err := c.acceptsAll(patterns.items[i])
		if err != nil {
			return err
		}
		effect = effect || !all
	}
	if !effect {
		return nil
	}
	for i, name := range patterns.names {
		if properties != nil {
			if err := c.checkNoMatch(schema, name, properties); err != nil {
				return err
			}
		}
		if err := c.checkSub(patterns.items[i], part); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) checkNoMatch(schema *value, name string, properties *value) error {
	p, err := c.pattern(schema, name)
	if err != nil {
		return err
	}
	for _, property := range properties.names {
		if p.expression.MatchString(property) {
			return c.refuse(schema, "property %q matches pattern %q of patternProperties", property, name)
		}
	}
	return nil
}
