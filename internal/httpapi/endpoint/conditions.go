package endpoint

// FixedText is a parameter that selects rows whose column equals a string.
type FixedText struct{ Column, Text string }

// FixedList is a parameter that selects rows whose column equals one of several strings.
type FixedList struct {
	Column string
	Texts  []string
}
