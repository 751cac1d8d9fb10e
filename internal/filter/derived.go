package filter

// A derived column is computed from other columns, such as the month of a time or a whole list as one text. It belongs
// to no catalogue. Rows can be grouped by it, it can be measured, and conditions can be on it. Its function must use
// only the values of the columns it is derived from, and must be safe for concurrent use.

// DerivedText returns a column of text.
func DerivedText[R any](id string, get func(*R) (value string, null bool), from ...*Column[R]) *Column[R] {
	return &Column[R]{id: id, index: -1, kind: Text, decimals: -1, nullable: true, from: from, text: get}
}

// DerivedNumber returns a column of numbers. NaN counts as null.
func DerivedNumber[R any](id string, get func(*R) (value float64, null bool), from ...*Column[R]) *Column[R] {
	return &Column[R]{id: id, index: -1, kind: Number, decimals: -1, nullable: true, from: from, number: func(row *R) (float64, bool) {
		value, null := get(row)
		if null || value != value {
			return 0, true
		}
		return value, false
	}}
}

// DerivedBool returns a column of booleans.
func DerivedBool[R any](id string, get func(*R) bool, from ...*Column[R]) *Column[R] {
	return &Column[R]{id: id, index: -1, kind: Bool, decimals: -1, from: from, boolean: get}
}

// From returns the columns that a derived column is computed from, or nil for a column of a catalogue.
func (c *Column[R]) From() []*Column[R] { return c.from }

// Derived reports whether the column belongs to no catalogue.
func (c *Column[R]) Derived() bool { return c.index < 0 }
