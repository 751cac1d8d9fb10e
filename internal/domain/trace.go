package domain

// TraceSummary is a trace put together from its observations and scores. Empty text and unset are the same.
type TraceSummary struct {
	ID          string
	Name        string
	Environment string
	Version     string
	Release     string
	UserID      string
	SessionID   string
	Tags        []string // sorted and distinct
	Public      bool
	Bookmarked  bool

	Timestamp Micros // of the earliest observation
	CreatedAt Micros
	UpdatedAt Micros

	Input    string
	Output   string
	Metadata string // JSON object; its keys may be dotted

	ObservationIDs []string
	ScoreIDs       []string

	LatencyMillis int64
	TotalCost     float64
}
