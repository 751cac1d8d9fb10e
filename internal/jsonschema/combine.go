package jsonschema

// buildAll builds a list of schemas.
func (b *builder) buildAll(schemas *value) ([]*node, error) {
	nodes := make([]*node, len(schemas.list.items))
	for i := range nodes {
		var err error
		if nodes[i], err = b.build(&schemas.list.items[i]); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func (b *builder) not(arg *value) error {
	n, err := b.build(arg)
	if err != nil {
		return err
	}
	b.add(anyKind, func(r *run, v *value) bool {
		return !r.quietly(n, v) && !r.exhausted || r.fail("not", "must NOT be valid")
	})
	return nil
}

func (b *builder) anyOf(arg *value) error {
	if all, err := b.anyAcceptsAll(arg); all || err != nil {
		return err
	}
	nodes, err := b.buildAll(arg)
	if err != nil {
		return err
	}
	b.add(anyKind, func(r *run, v *value) bool {
		mark := r.mark()
		for _, n := range nodes {
			if r.apply(n, v) {
				r.forget(mark)
				return true
			}
		}
		return r.fail("anyOf", "must match a schema in anyOf")
	})
	return nil
}

func (b *builder) oneOf(arg *value) error {
	nodes, err := b.buildAll(arg)
	if err != nil {
		return err
	}
	b.add(anyKind, func(r *run, v *value) bool {
		mark, matches := r.mark(), 0
		for _, n := range nodes {
			if r.apply(n, v) {
				matches++
			}
			if matches > 1 {
				break
			}
		}
		if matches == 1 {
			r.forget(mark)
			return true
		}
		return r.fail("oneOf", "must match exactly one schema in oneOf")
	})
	return nil
}

func (b *builder) allOf(arg *value) error {
	nodes, err := b.buildAll(arg)
	if err != nil {
		return err
	}
	b.add(anyKind, func(r *run, v *value) bool {
		valid := true
		for _, n := range nodes {
			valid = r.apply(n, v) && valid
		}
		return valid
	})
	return nil
}

func (b *builder) conditional(arg *value) error {
	var branches [2]*node
	for i, name := range []string{"then", "else"} {
		schema := b.schema.member(name)
		if schema == nil {
			continue
		}
		var err error
		if branches[i], err = b.build(schema); err != nil {
			return err
		}
	}
	then, otherwise := branches[0], branches[1]
	if then == nil && otherwise == nil {
		return nil
	}
	condition, err := b.build(arg)
	if err != nil {
		return err
	}
	b.add(anyKind, func(r *run, v *value) bool {
		if r.quietly(condition, v) {
			return r.apply(then, v) || r.fail("if", `must match "then" schema`)
		}
		return r.apply(otherwise, v) || r.fail("if", `must match "else" schema`)
	})
	return nil
}
