package filter

import "slices"

// Fitting is a type of condition that fits a column, under the name that clients use, with its operators.
type Fitting struct {
	Type      string   `json:"type"`
	Operators []string `json:"operators"`
	Keyed     bool     `json:"needsKey,omitempty"`
}

// Fitting returns the types of conditions that fit the column, with the null type last.
func (c *Column[R]) Fitting() []Fitting {
	var all, null []Fitting
	for _, typ := range conditionTypes {
		if !slices.Contains(typ.columns, c.kind) {
			continue
		}
		fitting := Fitting{typ.Name, typ.Operators, typ.Keyed}
		switch {
		case typ.Unused:
			null = []Fitting{fitting}
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
