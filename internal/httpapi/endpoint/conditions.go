package endpoint

// FixedText is a parameter that asks for rows whose column is a text.
type FixedText struct{ Column, Text string }

// FixedList is a parameter that asks for rows whose column is one of some texts.
type FixedList struct {
	Column string
	Texts  []string
}
