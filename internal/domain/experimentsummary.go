package domain

// ExperimentSummary summarizes an experiment from its rows in a time range.
type ExperimentSummary struct {
	ID string
	// These are taken from the newest row that sets them.
	Name        string
	Description string
	DatasetID   string
	Metadata    string // JSON object of strings

	StartTime Micros // start of the first row
	EndTime   Micros // end of the row that ends last
	Items     int
}
