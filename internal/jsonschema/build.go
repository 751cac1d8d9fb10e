package jsonschema

import (
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// build makes the guard of a schema, once, and what it guards. Schemas that accept everything have none.
func (c *compiler) build(schema *value) (*jsonschema.Schema, error) {
	if schema.isTrue() || schema.kind == object && !hasRules(schema) {
		return c.acceptAll, nil
	}
	if known := c.guards[schema]; known != nil {
		return known.self, nil
	}
	g := &guard{checker: c.checker, self: newNode(), never: schema.isFalse()}
	g.self.Extensions = []jsonschema.SchemaExt{g}
	c.guards[schema] = g // before its parts, which may refer to it
	if g.never {
		return g.self, nil
	}
	b := &builder{compiler: c, schema: schema, guard: g}
	for _, build := range []func() error{b.ref, b.scalars, b.lists, b.objects, b.combined, b.conditional} {
		if err := build(); err != nil {
			return nil, err
		}
	}
	return g.self, nil
}

// newNode returns a schema of draft-07 without rules.
func newNode() *jsonschema.Schema { return &jsonschema.Schema{DraftVersion: 7} }

// builder turns one schema into a guard and its parts.
type builder struct {
	*compiler
	schema *value
	guard  *guard
}

// part returns the part of the guard that is applied in this way.
func (b *builder) part(way way) *jsonschema.Schema {
	for _, p := range b.guard.parts {
		if p.way == way {
			return p.schema
		}
	}
	b.guard.parts = append(b.guard.parts, part{newNode(), way})
	return b.guard.parts[len(b.guard.parts)-1].schema
}

// sub builds the schema that a keyword has, if it is there.
func (b *builder) sub(keyword string, use func(*jsonschema.Schema)) error {
	schema := b.schema.member(keyword)
	if schema == nil {
		return nil
	}
	built, err := b.build(schema)
	if err == nil {
		use(built)
	}
	return err
}

// all builds the schemas of a list or of the members of an object.
func (b *builder) all(schemas *value) ([]*jsonschema.Schema, error) {
	built := make([]*jsonschema.Schema, len(schemas.items))
	for i, item := range schemas.items {
		var err error
		if built[i], err = b.build(item); err != nil {
			return nil, err
		}
	}
	return built, nil
}

func (b *builder) ref() error {
	ref := b.schema.member("$ref")
	if ref == nil {
		return nil
	}
	target, err := b.resolve(b.schema, ref.text)
	if err != nil {
		return err
	}
	built, err := b.build(target)
	if err != nil || built == b.acceptAll {
		return err
	}
	b.guard.parts = append(b.guard.parts, part{built, reference})
	b.guards[target].named = true
	return nil
}

func (b *builder) scalars() error {
	types, err := b.typesOf(b.schema)
	if err != nil {
		return err
	}
	b.guard.types = newTypeSet(types)
	for i, name := range b.schema.names {
		switch arg := b.schema.items[i]; name {
		case "const":
			constant := arg.plain()
			b.part(plain).Const = &constant
			b.guard.cost += comparisonCost * arg.size()
		case "enum":
			b.guard.enum, _ = arg.plain().([]any)
			b.guard.cost += comparisonCost * arg.size()
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			b.guard.limits = append(b.guard.limits, newLimit(name, arg.text))
		case "maxLength":
			b.part(plain).MaxLength = count(arg)
		case "minLength":
			b.part(plain).MinLength = count(arg)
		case "pattern":
			if b.part(plain).Pattern, err = b.pattern(b.schema, arg.text); err != nil {
				return err
			}
		}
	}
	return nil
}

func count(arg *value) *int {
	n := asCount(arg.text)
	return &n
}

func (b *builder) lists() error {
	for i, name := range b.schema.names {
		switch arg := b.schema.items[i]; name {
		case "maxItems":
			b.part(plain).MaxItems = count(arg)
		case "minItems":
			b.part(plain).MinItems = count(arg)
		case "uniqueItems":
			b.part(plain).UniqueItems, b.guard.unique = arg.isTrue(), arg.isTrue()
		}
	}
	items := b.schema.member("items")
	if items != nil && items.kind == array {
		built, err := b.all(items)
		if err != nil {
			return err
		}
		b.part(plain).Items = built
		if additional := b.schema.member("additionalItems"); additional != nil && additional.isFalse() {
			b.part(plain).AdditionalItems = false
		} else if err := b.sub("additionalItems", func(s *jsonschema.Schema) { b.part(plain).AdditionalItems = s }); err != nil {
			return err
		}
	} else if err := b.sub("items", func(s *jsonschema.Schema) {
		if s != b.acceptAll {
			b.part(plain).Items = s
		}
	}); err != nil {
		return err
	}
	return b.sub("contains", func(s *jsonschema.Schema) { b.part(quiet).Contains = s })
}

func (b *builder) objects() error {
	for i, name := range b.schema.names {
		switch arg := b.schema.items[i]; name {
		case "maxProperties":
			b.part(plain).MaxProperties = count(arg)
		case "minProperties":
			b.part(plain).MinProperties = count(arg)
		case "required":
			b.part(plain).Required = arg.texts()
			b.guard.cost += len(arg.items) / lookupsPerUnit
		case "properties":
			built, err := b.all(arg)
			if err != nil {
				return err
			}
			b.part(plain).Properties = map[string]*jsonschema.Schema{}
			for i, s := range built {
				b.part(plain).Properties[arg.names[i]] = s
			}
		}
	}
	additional := b.schema.member("additionalProperties")
	if additional != nil && additional.isFalse() {
		b.part(plain).AdditionalProperties = false
	} else if err := b.sub("additionalProperties", func(s *jsonschema.Schema) {
		if s != b.acceptAll {
			b.part(plain).AdditionalProperties = s
		}
	}); err != nil {
		return err
	}
	if err := b.patterns(); err != nil {
		return err
	}
	if err := b.dependencies(); err != nil {
		return err
	}
	return b.sub("propertyNames", func(s *jsonschema.Schema) {
		if s != b.acceptAll {
			b.part(names).PropertyNames = s
		}
	})
}

func (b *builder) patterns() error {
	arg := b.schema.member("patternProperties")
	if arg == nil {
		return nil
	}
	built, err := b.all(arg)
	if err != nil {
		return err
	}
	properties := map[jsonschema.Regexp]*jsonschema.Schema{}
	for i, s := range built {
		if s == b.acceptAll && b.part(plain).AdditionalProperties == nil {
			continue // without an effect, and not looked at by Ajv either
		}
		p, err := b.pattern(b.schema, arg.names[i])
		if err != nil {
			return err
		}
		properties[p] = s
	}
	b.part(plain).PatternProperties = properties
	return nil
}

func (b *builder) dependencies() error {
	arg := b.schema.member("dependencies")
	if arg == nil {
		return nil
	}
	dependencies := map[string]any{}
	for i, needed := range arg.items {
		if needed.kind == array {
			dependencies[arg.names[i]] = needed.texts()
			b.guard.cost += len(needed.items) / lookupsPerUnit
			continue
		}
		built, err := b.build(needed)
		if err != nil {
			return err
		}
		dependencies[arg.names[i]] = built
	}
	b.part(plain).Dependencies = dependencies
	b.guard.cost += len(arg.items) / lookupsPerUnit
	return nil
}

func (b *builder) combined() error {
	for i, name := range b.schema.names {
		arg := b.schema.items[i]
		switch name {
		case "allOf", "anyOf", "oneOf":
		default:
			continue
		}
		if name == "anyOf" {
			if all, err := b.anyAcceptsAll(arg); all || err != nil {
				if err != nil {
					return err
				}
				continue
			}
		}
		built, err := b.all(arg)
		if err != nil {
			return err
		}
		switch name {
		case "allOf":
			b.part(plain).AllOf = built
		case "anyOf":
			b.part(trial).AnyOf = built
		case "oneOf":
			b.part(trial).OneOf = built
		}
	}
	return b.sub("not", func(s *jsonschema.Schema) { b.part(quiet).Not = s })
}

func (b *builder) conditional() error {
	var condition, then, otherwise *jsonschema.Schema
	for keyword, branch := range map[string]**jsonschema.Schema{"if": &condition, "then": &then, "else": &otherwise} {
		if err := b.sub(keyword, func(s *jsonschema.Schema) { *branch = s }); err != nil {
			return err
		}
	}
	if condition != nil {
		b.guard.condition, b.guard.then, b.guard.otherwise = condition, then, otherwise
	}
	return nil
}
