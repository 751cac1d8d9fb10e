package filter

// A derived column is made of what other columns hold, such as the month of a time or a whole list as one text. It
// belongs to no catalogue; rows can be grouped by it, it can be measured, and conditions can ask for it. Its function must
// look at nothing but what the columns hold that it is made from, and be safe for use by many goroutines.

// DerivedText returns a column of text.
func DerivedText[R any](id string, get func(*R) (value string, null bool), from ...*Column[R]) *Column[R] {
	return &Column[R]{id: id, index: -1, kind: Text, decimals: -1, nullable: true, from: from, text: get}
}

// DerivedNumber returns a column of numbers. What is no number counts as null.
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

// From returns the columns that a derived column is made from; of a column of a catalogue, nothing.
func (c *Column[R]) From() []*Column[R] { return c.from }

// Derived reports whether the column is made from others.
func (c *Column[R]) Derived() bool { return c.index < 0 }
