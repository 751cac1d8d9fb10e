package semconv

import "strings"

// meaning is what a name means.
type meaning struct {
	key    key
	family family
	use    use
	alias  bool  // it has a service prefix that gives way to the first one
	rest   uint8 // where the client's part of a family's name begins
}

// meanings holds every name that a rule reads.
var meanings = allMeanings()

func allMeanings() map[string]meaning {
	all := make(map[string]meaning, len(services)*len(serviceNames)+len(otherNames))
	add := func(name string, row nameRow) {
		m := familyOf(name)
		m.key, m.use = row.key, row.use
		all[name] = m
	}
	for _, row := range serviceNames {
		for _, service := range services {
			add(service+row.name, row)
		}
	}
	for _, row := range otherNames {
		add(row.name, row)
	}
	return all
}

// meaningOf looks a name up: one lookup, and a few comparisons for names that are not in the table.
func meaningOf(name string) meaning {
	if m, ok := meanings[name]; ok {
		return m
	}
	return familyOf(name)
}

func familyOf(name string) meaning {
	if name == "" || name[0] != 'l' && name[0] != 'a' && name[0] != 'g' {
		return meaning{}
	}
	for i, service := range services {
		if rest, ok := strings.CutPrefix(name, service); ok {
			m := familyIn(rest, serviceFamilies[:])
			m.rest += uint8(len(service)) //nolint:gosec // Prefixes are short.
			m.alias = i > 0
			return m
		}
	}
	return familyIn(name, otherFamilies[:])
}

func familyIn(name string, rows []familyRow) meaning {
	for i := range rows {
		if strings.HasPrefix(name, rows[i].prefix) {
			return meaning{family: rows[i].family, use: rows[i].use, rest: uint8(len(rows[i].prefix))} //nolint:gosec // Short.
		}
	}
	return meaning{}
}
