package domain

// ExperimentSummary is an experiment as far as its rows in a time range tell.
type ExperimentSummary struct {
	ID string
	// Of these, the newest row that says something counts.
	Name        string
	Description string
	DatasetID   string
	Metadata    string // JSON object of texts

	StartTime Micros // of the first row
	EndTime   Micros // of the row that ends last
	Items     int
}
