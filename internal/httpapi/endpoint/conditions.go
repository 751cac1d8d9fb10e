package endpoint

// EqualParam is a parameter that selects rows whose column equals a string.
type EqualParam struct{ Column, Text string }

// FixedList is a parameter that selects rows whose column equals one of several strings.
type FixedList struct {
	Column string
	Texts  []string
}
