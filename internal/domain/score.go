package domain

import "strings"

// Score is an evaluation or annotation of a trace, an observation, a session or an experiment. Its key is its id. An
// empty string means unset.
type Score struct {
	ID            string
	TraceID       string
	ObservationID string
	SessionID     string
	ExperimentID  string

	Name        string
	Source      string
	DataType    string
	Value       OptFloat // NUMERIC, BOOLEAN (1 or 0), or the number of a CATEGORICAL value's category, if a config has it
	StringValue string   // CATEGORICAL, BOOLEAN, TEXT and CORRECTION

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
	// EventAt is the client's time of the newest write that the score was merged from.
	EventAt Micros

	// BrowserKey is the id of the key if all writes of the score were made without its secret, as browsers do; otherwise
	// it is empty.
	BrowserKey string
}

// eachText calls visit for every string of the score.
func (s *Score) eachText(visit func(*string)) {
	for _, text := range [...]*string{
		&s.ID, &s.TraceID, &s.ObservationID, &s.SessionID, &s.ExperimentID, &s.Name, &s.Source, &s.DataType, &s.StringValue,
		&s.Environment, &s.Comment, &s.ConfigID, &s.QueueID, &s.AuthorUserID, &s.ExecutionTraceID, &s.Metadata,
		&s.BrowserKey,
	} {
		visit(text)
	}
}

// TextBytes returns the total length of the strings of the score.
func (s *Score) TextBytes() int {
	bytes := 0
	s.eachText(func(text *string) { bytes += len(*text) })
	return bytes
}

// Clone returns a deep copy of the score, for scores whose strings do not stay valid.
func (s *Score) Clone() Score {
	c := *s
	c.eachText(func(text *string) { *text = strings.Clone(*text) })
	return c
}
