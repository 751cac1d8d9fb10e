package scores

import "almanac/internal/domain"

// Draft is one write of a score, as a client made it.
type Draft struct {
	ID string
	// At is when the client made the write.
	At domain.Micros
	// Received says that the client did not tell when, and At is when the write arrived. Such a write is newer than all that is
	// stored, also after the clock was set back.
	Received bool

	// BrowserKey is the id of the key that the write came with, if it came without the secret. Such a write never touches
	// what others wrote.
	BrowserKey string
	// AuthorUserID is the person who made the write; empty if it was a program.
	AuthorUserID string

	Name     string
	Source   string
	DataType string // "" lets the value, or the config, decide
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
	fresh    bool // the id was made here, so nothing can be stored under it
}

// Change is a text that a write sets, clears (Sent without a text) or leaves as it is.
type Change struct {
	Text string
	Sent bool
}

// change applies a change to what is stored.
func (c Change) apply(stored *string) {
	if c.Sent {
		*stored = c.Text
	}
}

// in returns the path of a member of the draft.
func (d *Draft) in(member string) []any {
	return append(append(make([]any, 0, len(d.path)+1), d.path...), member)
}
