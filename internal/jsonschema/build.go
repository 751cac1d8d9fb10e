package jsonschema

import "github.com/santhosh-tekuri/jsonschema/v6"

// build returns the guard of a schema, creating it and what it guards on first use. Schemas that accept everything have
// none.
func (c *compiler) build(schema *value) *jsonschema.Schema {
	if schema.isTrue() || schema.kind == object && !hasRules(schema) {
		return c.acceptAll
	}
	if known := c.guards[schema]; known != nil {
		return known.self
	}
	g := &guard{checker: c.checker, self: newNode(), never: schema.isFalse()}
	g.self.Extensions = []jsonschema.SchemaExt{g}
	c.guards[schema] = g // before its parts, which may refer to it recursively
	if g.never {
		return g.self
	}
	b := &builder{compiler: c, schema: schema, guard: g}
	b.ref()
	b.guard.types = newTypeSet(b.typesOf(b.schema))
	for i, name := range schema.names {
		b.rule(name, schema.items[i])
	}
	b.lists()
	b.objects()
	b.combined()
	return g.self
}

// newNode returns a schema of draft-07 without rules.
func newNode() *jsonschema.Schema { return &jsonschema.Schema{DraftVersion: 7} }

// builder turns one schema into a guard and its parts.
type builder struct {
	*compiler
	schema *value
	guard  *guard
}

// part returns the part of the guard that is applied in the given way.
func (b *builder) part(way way) *jsonschema.Schema {
	for _, p := range b.guard.parts {
		if p.way == way {
			return p.schema
		}
	}
	b.guard.parts = append(b.guard.parts, part{newNode(), way})
	return b.guard.parts[len(b.guard.parts)-1].schema
}

// sub builds the schema of a keyword; nil if it is absent.
func (b *builder) sub(keyword string) *jsonschema.Schema {
	if schema := b.schema.member(keyword); schema != nil {
		return b.build(schema)
	}
	return nil
}

// effective is like sub, but returns nil for schemas that accept everything.
func (b *builder) effective(keyword string) *jsonschema.Schema {
	if built := b.sub(keyword); built != b.acceptAll {
		return built
	}
	return nil
}

// all builds the schemas in a list or in the members of an object.
func (b *builder) all(schemas *value) []*jsonschema.Schema {
	built := make([]*jsonschema.Schema, len(schemas.items))
	for i, item := range schemas.items {
		built[i] = b.build(item)
	}
	return built
}

func (b *builder) ref() {
	ref := b.schema.member("$ref")
	if ref == nil {
		return
	}
	target := b.resolve(b.schema, ref.text)
	if built := b.build(target); built != b.acceptAll {
		b.guard.parts = append(b.guard.parts, part{built, reference})
		b.guards[target].named = true
	}
}

// rule adds the rule of a keyword that does not depend on others.
func (b *builder) rule(keyword string, arg *value) {
	count := func() *int { return new(asCount(arg.text)) }
	switch keyword {
	case "const":
		b.part(plain).Const = new(arg.plain())
		b.guard.cost += comparisonCost * arg.size()
	case "enum":
		b.guard.enum, _ = arg.plain().([]any)
		b.guard.cost += comparisonCost * arg.size()
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		b.guard.limits = append(b.guard.limits, newLimit(keyword, arg.text))
	case "maxLength":
		b.part(plain).MaxLength = count()
	case "minLength":
		b.part(plain).MinLength = count()
	case "pattern":
		b.part(plain).Pattern = b.pattern(b.schema, arg.text)
	case "maxItems":
		b.part(plain).MaxItems = count()
	case "minItems":
		b.part(plain).MinItems = count()
	case "uniqueItems":
		b.part(plain).UniqueItems, b.guard.unique = arg.isTrue(), arg.isTrue()
	case "maxProperties":
		b.part(plain).MaxProperties = count()
	case "minProperties":
		b.part(plain).MinProperties = count()
	case "required":
		b.part(plain).Required = arg.texts()
		b.guard.cost += len(arg.items) / lookupsPerUnit
	}
}

func (b *builder) lists() {
	items := b.schema.member("items")
	if items != nil && items.kind == array {
		b.part(plain).Items = b.all(items)
		b.part(plain).AdditionalItems = b.additional("additionalItems")
	} else if s := b.effective("items"); s != nil {
		b.part(plain).Items = s
	}
	if s := b.sub("contains"); s != nil {
		b.part(quiet).Contains = s
	}
}

// additional returns the rule for remaining items or members: false, a schema, or nil.
func (b *builder) additional(keyword string) any {
	if schema := b.schema.member(keyword); schema != nil && schema.isFalse() {
		return false
	}
	if s := b.effective(keyword); s != nil {
		return s
	}
	return nil
}

func (b *builder) objects() {
	if properties := b.schema.member("properties"); properties != nil {
		built := map[string]*jsonschema.Schema{}
		for i, s := range b.all(properties) {
			built[properties.names[i]] = s
		}
		b.part(plain).Properties = built
	}
	if additional := b.additional("additionalProperties"); additional != nil {
		b.part(plain).AdditionalProperties = additional
	}
	b.patterns()
	b.dependencies()
	if s := b.effective("propertyNames"); s != nil {
		b.part(names).PropertyNames = s
	}
}

func (b *builder) patterns() {
	arg := b.schema.member("patternProperties")
	if arg == nil {
		return
	}
	properties := map[jsonschema.Regexp]*jsonschema.Schema{}
	for i, s := range b.all(arg) {
		if s == b.acceptAll && b.part(plain).AdditionalProperties == nil {
			continue // no effect, and ignored by Ajv as well
		}
		properties[b.pattern(b.schema, arg.names[i])] = s
	}
	b.part(plain).PatternProperties = properties
}

func (b *builder) dependencies() {
	arg := b.schema.member("dependencies")
	if arg == nil {
		return
	}
	dependencies := map[string]any{}
	for i, needed := range arg.items {
		if needed.kind == array {
			dependencies[arg.names[i]] = needed.texts()
			b.guard.cost += len(needed.items) / lookupsPerUnit
		} else {
			dependencies[arg.names[i]] = b.build(needed)
		}
	}
	b.part(plain).Dependencies = dependencies
	b.guard.cost += len(arg.items) / lookupsPerUnit
}

func (b *builder) combined() {
	if arg := b.schema.member("allOf"); arg != nil {
		b.part(plain).AllOf = b.all(arg)
	}
	if arg := b.schema.member("anyOf"); arg != nil && !b.anyAcceptsAll(arg) {
		b.part(trial).AnyOf = b.all(arg)
	}
	if arg := b.schema.member("oneOf"); arg != nil {
		b.part(trial).OneOf = b.all(arg)
	}
	if s := b.sub("not"); s != nil {
		b.part(quiet).Not = s
	}
	condition, then, otherwise := b.sub("if"), b.sub("then"), b.sub("else")
	if condition != nil {
		b.guard.condition, b.guard.then, b.guard.otherwise = condition, then, otherwise
	}
}
