package semconv

import "almanac/internal/ingest/otlp"

// attrs are the attributes of a span, event or resource, resolved once so that rules can read them by key.
type attrs struct {
	// list has one entry per distinct name. If a name is repeated, the first occurrence decides the position and the last
	// the value.
	list     []attr
	slots    [256]*otlp.Value
	families uint32 // bit set of the families that occur
	names    nameIndex
	aliases  []aliasSlot
}

type attr struct {
	name   string
	rest   string // name without the prefix of its family
	value  *otlp.Value
	family family
	key    key
	use    use
	alias  bool
}

type aliasSlot struct {
	key   key
	value *otlp.Value
}

// resolve indexes a list of attributes, to which it keeps pointers.
func (a *attrs) resolve(list []otlp.Attribute) {
	clear(a.list)
	a.list = a.list[:0]
	a.slots = [256]*otlp.Value{}
	a.families = 0
	a.aliases = a.aliases[:0]
	a.names.reset()
	for i := range list {
		name, value := list[i].Key, &list[i].Value
		if earlier := a.names.findOrAdd(name); earlier >= 0 {
			a.list[earlier].value = value
			a.fill(a.list[earlier].key, value, a.list[earlier].alias)
			continue
		}
		m := meaningOf(name)
		x := attr{name: name, value: value, family: m.family, key: m.key, use: m.use, alias: m.alias}
		if m.family != noFamily {
			x.rest = name[m.rest:]
			a.families |= 1 << m.family
		}
		a.list = append(a.list, x)
		a.fill(m.key, value, m.alias)
	}
	for _, s := range a.aliases {
		if a.slots[s.key] == nil {
			a.slots[s.key] = s.value
		}
	}
}

// fill puts a value into its slot. Aliases wait until all names have been read, since the first service prefix wins.
func (a *attrs) fill(k key, value *otlp.Value, alias bool) {
	switch {
	case k == keyNone:
	case alias:
		for i := range a.aliases {
			if a.aliases[i].key == k {
				a.aliases[i].value = value
				return
			}
		}
		a.aliases = append(a.aliases, aliasSlot{k, value})
	default:
		a.slots[k] = value
	}
}

// at returns the value of a key, or nil.
func (a *attrs) at(k key) *otlp.Value { return a.slots[k] }

// first returns the first value among the keys that passes the test, or nil.
func (a *attrs) first(test func(*otlp.Value) bool, keys ...key) *otlp.Value {
	for _, k := range keys {
		if v := a.slots[k]; test(v) {
			return v
		}
	}
	return nil
}

// any reports whether the value of one of the keys passes the test.
func (a *attrs) any(test func(*otlp.Value) bool, keys ...key) bool {
	return a.first(test, keys...) != nil
}

// has reports whether an attribute of the family was sent.
func (a *attrs) has(f family) bool { return a.families&(1<<f) != 0 }

// is reports whether the value of a key is the given string.
func (a *attrs) is(k key, text string) bool { return textOf(a.slots[k]) == text }
