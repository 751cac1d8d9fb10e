package scores

import "almanac/internal/domain"

// Draft is one write of a score by a client.
type Draft struct {
	ID string
	// At is when the client made the write.
	At domain.Micros
	// Received means that the client did not send a time, and At is the time of arrival. Such a write is newer than
	// anything stored, even after the clock was set back.
	Received bool

	// BrowserKey is the id of the key if the write came without the secret. Such a write never changes what others
	// wrote.
	BrowserKey string
	// AuthorUserID is the user who made the write; empty if it was a program.
	AuthorUserID string

	Name     string
	Source   string
	DataType string // empty means that the value or the config determines it
	Number   float64
	Text     string
	// IsText reports whether the value is Text rather than Number.
	IsText bool

	Environment string
	TraceID     string
	QueueID     string
	Metadata    string // JSON object; "" for none

	ObservationID    Change
	SessionID        Change
	ExperimentID     Change
	Comment          Change
	ConfigID         Change
	ExecutionTraceID Change

	path     []any // of the draft in the request, for issues
	category domain.OptFloat
	fresh    bool // the id was generated here, so nothing can be stored under it
}

// Change is a string that a write sets, clears (Sent with an empty Text) or leaves unchanged.
type Change struct {
	Text string
	Sent bool
}

// apply applies a change to a stored string.
func (c Change) apply(stored *string) {
	if c.Sent {
		*stored = c.Text
	}
}

// in returns the path of a field of the draft.
func (d *Draft) in(member string) []any {
	return append(append(make([]any, 0, len(d.path)+1), d.path...), member)
}
