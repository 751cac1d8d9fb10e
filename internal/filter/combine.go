package filter

import "slices"

// AnyOfThese returns a condition that a row meets if it meets one of the given conditions.
func AnyOfThese[R any](conditions []Condition[R]) Condition[R] {
	c := combined("any", conditions, func(row *R) bool {
		return slices.ContainsFunc(conditions, func(one Condition[R]) bool { return one.Match(row) })
	})
	c.alternatives = conditions
	return c
}

// AllOfThese returns a condition that a row meets if it meets all of the given conditions.
func AllOfThese[R any](conditions []Condition[R]) Condition[R] {
	if len(conditions) == 1 {
		return conditions[0]
	}
	c := combined("all", conditions, func(row *R) bool { return MatchAll(conditions, row) })
	c.conjuncts = conditions
	return c
}

// NotAllOfThese returns a condition that a row meets unless it meets all of the given conditions.
func NotAllOfThese[R any](conditions []Condition[R]) Condition[R] {
	c := combined("not all", conditions, func(row *R) bool { return !MatchAll(conditions, row) })
	c.negated = conditions
	return c
}

// combined returns a condition on the columns of others.
func combined[R any](id string, conditions []Condition[R], meets func(*R) bool) Condition[R] {
	var from []*Column[R]
	for n := range conditions {
		sources := conditions[n].column.from
		if !conditions[n].column.Derived() {
			sources = []*Column[R]{conditions[n].column}
		}
		for _, column := range sources {
			if !slices.Contains(from, column) {
				from = append(from, column)
			}
		}
	}
	return Must(NewBool(DerivedBool(id, meets, from...), Equal, true))
}
