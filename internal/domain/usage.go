package domain

// UsageEntry is a count of one kind of unit, such as input tokens.
type UsageEntry struct {
	Kind  string
	Units int64
}

// CostEntry is the cost of one kind of unit, in US dollars.
type CostEntry struct {
	Kind   string
	Amount float64
}
