package domain

// Score is an evaluation or annotation of a trace, an observation, a session or an experiment. Its key is its id.
// Empty text and unset are the same.
type Score struct {
	ID            string
	TraceID       string
	ObservationID string
	SessionID     string
	ExperimentID  string

	Name        string
	Source      string
	DataType    string
	Value       OptFloat // of NUMERIC, of BOOLEAN (1 or 0), and of CATEGORICAL the number of its category, if a config has it
	StringValue string   // of CATEGORICAL, BOOLEAN, TEXT and CORRECTION

	Environment      string
	Comment          string
	ConfigID         string
	QueueID          string
	AuthorUserID     string
	ExecutionTraceID string
	Metadata         string // JSON object

	Timestamp Micros // always set
	CreatedAt Micros
	UpdatedAt Micros
	// EventAt is when the client made the newest of the writes that the score was put together from.
	EventAt Micros
}
