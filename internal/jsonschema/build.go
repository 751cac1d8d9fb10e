package jsonschema

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// builder turns one schema into a node.
type builder struct {
	*compiler
	schema *value
	node   *node
}

// buildStep is a keyword and what makes its check.
type buildStep struct {
	keyword string
	build   func(b *builder, arg *value) error
}

// keywordsOfAll are the keywords that apply to all values, in the order in which Ajv checks them.
func keywordsOfAll() []buildStep {
	return []buildStep{
		{"$ref", (*builder).ref},
		{"const", (*builder).constant},
		{"enum", (*builder).enum},
		{"not", (*builder).not},
		{"anyOf", (*builder).anyOf},
		{"oneOf", (*builder).oneOf},
		{"allOf", (*builder).allOf},
		{"if", (*builder).conditional},
	}
}

// keywordsOfKinds are the keywords that apply to values of some kind, in the order in which Ajv checks them.
func keywordsOfKinds() []buildStep {
	return []buildStep{
		limit("maximum", "<=", func(c int) bool { return c <= 0 }),
		limit("minimum", ">=", func(c int) bool { return c >= 0 }),
		limit("exclusiveMaximum", "<", func(c int) bool { return c < 0 }),
		limit("exclusiveMinimum", ">", func(c int) bool { return c > 0 }),
		{"multipleOf", (*builder).multipleOf},
		maxCount("maxLength", text, "characters", lengthOf),
		minCount("minLength", text, "characters", lengthOf),
		{"pattern", (*builder).textPattern},
		maxCount("maxItems", array, "items", itemsOf),
		minCount("minItems", array, "items", itemsOf),
		{"additionalItems", (*builder).additionalItems},
		{"items", (*builder).items},
		{"contains", (*builder).contains},
		{"uniqueItems", (*builder).uniqueItems},
		maxCount("maxProperties", object, "properties", itemsOf),
		minCount("minProperties", object, "properties", itemsOf),
		{"required", (*builder).required},
		{"propertyNames", (*builder).propertyNames},
		{"additionalProperties", (*builder).additionalProperties},
		{"dependencies", (*builder).dependencies},
		{"properties", (*builder).properties},
		{"patternProperties", (*builder).patternProperties},
	}
}

// build turns a schema into a node, once. Schemas that accept everything are nil.
func (c *compiler) build(schema *value) (*node, error) {
	if schema.isFalse() {
		return &node{checks: []check{{anyKind, func(r *run, _ *value) bool {
			return r.fail("false schema", "boolean schema is false")
		}}}}, nil
	}
	if schema.isTrue() || !hasRules(schema) {
		return nil, nil
	}
	if known := c.nodes[schema]; known != nil {
		return known, nil
	}
	b := builder{compiler: c, schema: schema, node: &node{}}
	c.nodes[schema] = b.node // before its parts, which may refer to it
	types, err := c.typesOf(schema)
	if err != nil {
		return nil, err
	}
	late := len(types) == 1 && b.checksKind(types[0])
	if !late {
		b.types(types)
	}
	if err := b.run(keywordsOfAll()); err != nil {
		return nil, err
	}
	if late {
		b.types(types)
	}
	return b.node, b.run(keywordsOfKinds())
}

func (b *builder) run(steps []buildStep) error {
	for _, s := range steps {
		if arg := b.schema.member(s.keyword); arg != nil {
			if err := s.build(b, arg); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) add(on kinds, pass func(r *run, v *value) bool) {
	b.node.checks = append(b.node.checks, check{on, pass})
}

// checksKind tells whether keywords are there that only apply to a type, which then is checked with them.
func (b *builder) checksKind(name string) bool {
	if name == "integer" {
		return false
	}
	return slices.ContainsFunc(b.schema.list.names, func(keyword string) bool {
		return keywords[keyword].applies&typeNames[name] != 0
	})
}

// typeSet is a set of types. An integer is a number with a condition.
type typeSet struct {
	kinds   kinds
	integer bool
}

func newTypeSet(names []string) typeSet {
	set := typeSet{}
	for _, name := range names {
		if name == "integer" {
			set.integer = true
		} else {
			set.kinds |= typeNames[name]
		}
	}
	return set
}

func (s typeSet) has(v *value) bool {
	return s.kinds&v.kind != 0 || s.integer && v.kind == number && isInteger(v.text)
}

func (b *builder) types(names []string) {
	if len(names) == 0 {
		return
	}
	set := newTypeSet(names)
	message := "must be " + strings.Join(names, ",")
	if named := b.schema.member("type"); named.kind == text {
		message = "must be " + named.text // without the null that nullable adds
	}
	b.add(anyKind, func(r *run, v *value) bool {
		return set.has(v) || r.fail("type", message)
	})
}

func (b *builder) ref(arg *value) error {
	target, err := b.resolve(b.schema, arg.text)
	if err != nil {
		return err
	}
	n, err := b.build(target)
	if err != nil || n == nil {
		return err
	}
	b.add(anyKind, func(r *run, v *value) bool { return r.apply(n, v) })
	return nil
}

func (b *builder) constant(arg *value) error {
	b.add(anyKind, func(r *run, v *value) bool {
		return r.spend(arg.size/bytesPerUnit) && equal(v, arg) || r.fail("const", "must be equal to constant")
	})
	return nil
}

func (b *builder) enum(arg *value) error {
	b.add(anyKind, func(r *run, v *value) bool {
		if !r.spend(arg.size / bytesPerUnit) {
			return false
		}
		for i := range arg.list.items {
			if equal(v, &arg.list.items[i]) {
				return true
			}
		}
		return r.fail("enum", "must be equal to one of the allowed values")
	})
	return nil
}

func limit(keyword, sign string, ok func(comparison int) bool) buildStep {
	return buildStep{keyword, func(b *builder, arg *value) error {
		message := "must be " + sign + " " + numberText(arg.text)
		b.add(number, func(r *run, v *value) bool {
			return ok(compareNumbers(v.text, arg.text)) || r.fail(keyword, message)
		})
		return nil
	}}
}

func (b *builder) multipleOf(arg *value) error {
	message := "must be multiple of " + numberText(arg.text)
	b.add(number, func(r *run, v *value) bool {
		return isMultiple(v.text, arg.text) || r.fail("multipleOf", message)
	})
	return nil
}

func maxCount(keyword string, on kinds, what string, count func(*value) int) buildStep {
	return countLimit(keyword, on, "must NOT have more than ", what, func(v *value, limit int) bool { return count(v) <= limit })
}

func minCount(keyword string, on kinds, what string, count func(*value) int) buildStep {
	return countLimit(keyword, on, "must NOT have fewer than ", what, func(v *value, limit int) bool { return count(v) >= limit })
}

func countLimit(keyword string, on kinds, must, what string, ok func(v *value, limit int) bool) buildStep {
	return buildStep{keyword, func(b *builder, arg *value) error {
		count := asCount(arg.text)
		message := must + numberText(arg.text) + " " + what
		b.add(on, func(r *run, v *value) bool {
			return r.spend(len(v.text)/bytesPerUnit) && ok(v, count) || r.fail(keyword, message)
		})
		return nil
	}}
}

func lengthOf(v *value) int { return utf8.RuneCountInString(v.text) }
func itemsOf(v *value) int  { return len(v.list.items) }

func (b *builder) textPattern(arg *value) error {
	p, err := b.pattern(b.schema, arg.text)
	if err != nil {
		return err
	}
	message := `must match pattern "` + arg.text + `"`
	b.add(text, func(r *run, v *value) bool {
		return p.matches(r, v.text) || r.fail("pattern", message)
	})
	return nil
}
