package filter

import "slices"

// Fitting is a type of conditions that fits a column, as clients write it, with its operators.
type Fitting struct {
	Type      string   `json:"type"`
	Operators []string `json:"operators"`
	Keyed     bool     `json:"needsKey,omitempty"`
}

// Fitting returns the types of conditions that fit the column.
func (c *Column[R]) Fitting() []Fitting {
	var all []Fitting
	for _, typ := range conditionTypes {
		if !slices.Contains(typ.columns, c.kind) {
			continue
		}
		operators := typ.operators
		switch {
		case c.kind == LongText:
			operators = names(Equal, Matches)
		case typ.searches && c.kind == Metadata:
			operators = append(slices.Clone(operators), string(Matches))
		}
		all = append(all, Fitting{typ.name, operators, typ.keyed})
	}
	return all
}
