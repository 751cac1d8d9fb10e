package domain

// TraceSummary is a trace aggregated from its observations and scores. An empty string means unset.
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

	Timestamp Micros // start of the earliest observation
	CreatedAt Micros
	UpdatedAt Micros

	Input    string
	Output   string
	Metadata string // JSON object; its keys may be dotted

	ObservationIDs []string
	ScoreIDs       []string

	LatencyMillis int64
	InputTokens   int64
	OutputTokens  int64
	TotalTokens   int64
	InputCost     float64
	OutputCost    float64
	TotalCost     float64

	// Number of observations by level.
	ErrorCount   int
	WarningCount int
	DefaultCount int
	DebugCount   int
}

// Level returns the worst level of the trace's observations.
func (t *TraceSummary) Level() string {
	switch {
	case t.ErrorCount > 0:
		return "ERROR"
	case t.WarningCount > 0:
		return "WARNING"
	case t.DefaultCount > 0:
		return "DEFAULT"
	case t.DebugCount > 0:
		return "DEBUG"
	}
	return ""
}
