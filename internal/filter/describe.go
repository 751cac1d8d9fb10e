package filter

import "slices"

// ConditionSpec is a type of condition that fits a column, under the name that clients use, with its operators.
type ConditionSpec struct {
	Type      string   `json:"type"`
	Operators []string `json:"operators"`
	Keyed     bool     `json:"needsKey,omitempty"`
}

// ConditionSpecs returns the types of conditions that fit the column, with the null type last.
func (c *Column[R]) ConditionSpecs() []ConditionSpec {
	var all, null []ConditionSpec
	for _, typ := range conditionTypes {
		if !slices.Contains(typ.columns, c.kind) {
			continue
		}
		fitting := ConditionSpec{typ.Name, typ.Operators, typ.Keyed}
		switch {
		case typ.Unused:
			null = []ConditionSpec{fitting}
			continue
		case c.kind == LongText:
			fitting.Operators = names(Equal, Matches)
		case typ.searches && c.kind == Metadata:
			fitting.Operators = append(slices.Clone(typ.Operators), string(Matches))
		}
		all = append(all, fitting)
	}
	return append(all, null...)
}
