package jsonschema

import (
	"fmt"
	"strings"
)

func (b *builder) additionalItems(arg *value) error {
	first := len(b.schema.member("items").list.items)
	if arg.isFalse() {
		message := fmt.Sprintf("must NOT have more than %d items", first)
		b.add(array, func(r *run, v *value) bool {
			return len(v.list.items) <= first || r.fail("additionalItems", message)
		})
		return nil
	}
	return b.eachItem(arg, first)
}

// eachItem applies a schema to the items of an array from some index on.
func (b *builder) eachItem(schema *value, first int) error {
	n, err := b.build(schema)
	if err != nil || n == nil {
		return err
	}
	b.add(array, func(r *run, v *value) bool {
		valid := true
		for i := first; i < len(v.list.items) && !r.exhausted; i++ {
			valid = r.applyItem(n, v, i) && valid
			if !valid && r.quiet > 0 {
				break
			}
		}
		return valid
	})
	return nil
}

func (b *builder) items(arg *value) error {
	if arg.kind != array {
		return b.eachItem(arg, 0)
	}
	nodes, err := b.buildAll(arg)
	if err != nil {
		return err
	}
	b.add(array, func(r *run, v *value) bool {
		valid := true
		for i := range min(len(nodes), len(v.list.items)) {
			valid = r.applyItem(nodes[i], v, i) && valid
		}
		return valid
	})
	return nil
}

func (b *builder) contains(arg *value) error {
	n, err := b.build(arg)
	if err != nil {
		return err
	}
	b.add(array, func(r *run, v *value) bool {
		mark := r.mark()
		for i := range v.list.items {
			if r.applyItem(n, v, i) {
				r.forget(mark)
				return true
			}
		}
		return r.fail("contains", "must contain at least 1 valid item(s)")
	})
	return nil
}

// Making keys of items to find duplicates costs one unit for so many bytes.
const keyBytesPerUnit = 8

func (b *builder) uniqueItems(arg *value) error {
	if arg.isFalse() {
		return nil
	}
	var types []string
	if items := b.schema.member("items"); items != nil && items.kind == object {
		var err error
		if types, err = b.typesOf(items); err != nil {
			return err
		}
	}
	twins := lastTwins
	if set := newTypeSet(types); len(types) > 0 && set.kinds&(array|object) == 0 {
		twins = func(items []value) (i, j int) { return lastScalarTwins(items, set) }
	}
	b.add(array, func(r *run, v *value) bool {
		if !r.spend(v.size / keyBytesPerUnit) {
			return false
		}
		i, j := twins(v.list.items)
		if i == j {
			return true
		}
		return r.fail("uniqueItems", fmt.Sprintf("must NOT have duplicate items (items ## %d and %d are identical)", j, i))
	})
	return nil
}

// lastTwins finds the last item that equals an earlier one, and the nearest of those; the same twice if there is none.
func lastTwins(items []value) (i, j int) {
	seen := make(map[string]int, len(items))
	var key []byte
	for at := range items {
		key = appendKey(key[:0], &items[at])
		if earlier, found := seen[string(key)]; found {
			i, j = at, earlier
		}
		seen[string(key)] = at
	}
	return i, j
}

// lastScalarTwins finds the last item that equals a later one, and the nearest of those. Items of other types do not count:
// they are violations of their own. Ajv searches like this where it knows that items are scalars.
func lastScalarTwins(items []value, types typeSet) (i, j int) {
	seen := make(map[string]int, len(items))
	var key []byte
	for at := len(items) - 1; at >= 0; at-- {
		if !types.has(&items[at]) {
			continue
		}
		key = appendKey(key[:0], &items[at])
		if later, found := seen[string(key)]; found {
			return at, later
		}
		seen[string(key)] = at
	}
	return 0, 0
}

// Looking up members costs one unit for so many.
const lookupsPerUnit = 4

func (b *builder) required(arg *value) error {
	names := make([]string, len(arg.list.items))
	for i, item := range arg.list.items {
		names[i] = item.text
	}
	b.add(object, func(r *run, v *value) bool {
		if !r.spend(len(names) / lookupsPerUnit) {
			return false
		}
		valid := true
		for _, name := range names {
			if v.list.find(name) < 0 {
				valid = r.fail("required", "must have required property '"+name+"'")
			}
		}
		return valid
	})
	return nil
}

func (b *builder) propertyNames(arg *value) error {
	n, err := b.build(arg)
	if err != nil || n == nil {
		return err
	}
	b.add(object, func(r *run, v *value) bool {
		valid := true
		for _, name := range v.list.names {
			if r.exhausted {
				return false
			}
			if !r.apply(n, &value{kind: text, text: name}) {
				valid = r.fail("propertyNames", "property name must be valid")
			}
		}
		return valid
	})
	return nil
}

func (b *builder) additionalProperties(arg *value) error {
	n, err := b.build(arg)
	if err != nil || n == nil {
		return err
	}
	properties := b.schema.member("properties")
	patterns, err := b.patterns()
	if err != nil {
		return err
	}
	b.add(object, func(r *run, v *value) bool {
		valid := true
		for i, name := range v.list.names {
			if !r.spend(1) {
				return false
			}
			if properties != nil && properties.member(name) != nil || matchesAny(r, patterns, name) {
				continue
			}
			if arg.isFalse() {
				valid = r.fail("additionalProperties", "must NOT have additional properties")
			} else {
				valid = r.applyMember(n, v, i) && valid
			}
		}
		return valid
	})
	return nil
}

// patterns returns the expressions of patternProperties.
func (b *builder) patterns() ([]*pattern, error) {
	arg := b.schema.member("patternProperties")
	if arg == nil {
		return nil, nil
	}
	patterns := make([]*pattern, len(arg.list.names))
	for i, name := range arg.list.names {
		var err error
		if patterns[i], err = b.pattern(b.schema, name); err != nil {
			return nil, err
		}
	}
	return patterns, nil
}

func matchesAny(r *run, patterns []*pattern, name string) bool {
	for _, p := range patterns {
		if p.matches(r, name) {
			return true
		}
	}
	return false
}

func (b *builder) dependencies(arg *value) error {
	for i, name := range arg.list.names {
		if names := &arg.list.items[i]; names.kind == array {
			b.dependentNames(name, names)
		}
	}
	for i, name := range arg.list.names {
		schema := &arg.list.items[i]
		if schema.kind == array {
			continue
		}
		n, err := b.build(schema)
		if err != nil {
			return err
		}
		b.add(object, func(r *run, v *value) bool { return v.list.find(name) < 0 || r.apply(n, v) })
	}
	return nil
}

func (b *builder) dependentNames(name string, arg *value) {
	if len(arg.list.items) == 0 {
		return
	}
	names := make([]string, len(arg.list.items))
	for i, item := range arg.list.items {
		names[i] = item.text
	}
	what := "properties"
	if len(names) == 1 {
		what = "property"
	}
	message := "must have " + what + " " + strings.Join(names, ", ") + " when property " + name + " is present"
	b.add(object, func(r *run, v *value) bool {
		if v.list.find(name) < 0 {
			return true
		}
		if !r.spend(1 + len(names)/lookupsPerUnit) {
			return false
		}
		valid := true
		for _, needed := range names {
			if v.list.find(needed) < 0 {
				valid = r.fail("dependencies", message)
			}
		}
		return valid
	})
}

func (b *builder) properties(arg *value) error {
	nodes, err := b.buildAll(arg)
	if err != nil {
		return err
	}
	names := arg.list.names
	b.add(object, func(r *run, v *value) bool {
		if !r.spend(len(names) / lookupsPerUnit) {
			return false
		}
		valid := true
		for i, name := range names {
			if nodes[i] == nil {
				continue
			}
			if at := v.list.find(name); at >= 0 {
				valid = r.applyMember(nodes[i], v, at) && valid
			}
		}
		return valid
	})
	return nil
}

func (b *builder) patternProperties(arg *value) error {
	nodes, err := b.buildAll(arg)
	if err != nil {
		return err
	}
	for i, name := range arg.list.names {
		if nodes[i] == nil {
			continue
		}
		p, err := b.pattern(b.schema, name)
		if err != nil {
			return err
		}
		b.add(object, func(r *run, v *value) bool {
			valid := true
			for at, member := range v.list.names {
				if r.exhausted {
					return false
				}
				if p.matches(r, member) {
					valid = r.applyMember(nodes[i], v, at) && valid
				}
			}
			return valid
		})
	}
	return nil
}
