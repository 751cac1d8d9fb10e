package domain

import "strings"

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

	// BrowserKey is the id of the key that wrote the score without its secret, as browsers do; empty if the secret was
	// presented with any of the writes.
	BrowserKey string
}

// eachText calls visit with every text of the score.
func (s *Score) eachText(visit func(*string)) {
	for _, text := range [...]*string{
		&s.ID, &s.TraceID, &s.ObservationID, &s.SessionID, &s.ExperimentID, &s.Name, &s.Source, &s.DataType, &s.StringValue,
		&s.Environment, &s.Comment, &s.ConfigID, &s.QueueID, &s.AuthorUserID, &s.ExecutionTraceID, &s.Metadata,
		&s.BrowserKey,
	} {
		visit(text)
	}
}

// TextBytes returns how long the texts of the score are together.
func (s *Score) TextBytes() int {
	bytes := 0
	s.eachText(func(text *string) { bytes += len(*text) })
	return bytes
}

// Clone returns a copy of the score that shares no memory with it, for scores whose texts are valid for a moment only.
func (s *Score) Clone() Score {
	c := *s
	c.eachText(func(text *string) { *text = strings.Clone(*text) })
	return c
}
