package legacy

import (
	"cmp"

	"almanac/internal/domain"
)

// given is an optional member of an event. A member sent as null has the zero value, which clears the stored value.
type given[T any] struct {
	sent  bool
	value T
}

func sent[T any](value T) given[T] { return given[T]{true, value} }

// to sets the field if the member was sent.
func (g given[T]) to(field *T) {
	if g.sent {
		*field = g.value
	}
}

// change is the effect of one event on a trace or an observation. Its strings are already masked.
type change struct {
	event  int           // index in the batch
	at     domain.Micros // the event's timestamp
	update bool          // creates with the same timestamp come first

	traceID string // may be empty for an observation identified by its id alone
	id      string // id of the observation; empty for a trace
	kind    string // type of the observation
	// decides is set if kind overrides the type of an existing observation.
	decides bool

	environment string
	name        given[string]
	version     given[string]
	input       string // empty to keep the stored value
	output      string
	metadata    given[string] // dotted keys

	// Only for traces.
	userID, sessionID, release given[string]
	public                     given[bool]
	tags                       given[[]string]

	// Only for observations.
	parent, level, status       given[string]
	start, end, completionStart given[domain.Micros]
	model, parameters           given[string]
	usage                       given[[]domain.UsageEntry]
	cost                        given[[]domain.CostEntry]
	promptName                  given[string]
	promptVersion               given[domain.OptInt]
}

// isTrace reports whether the change is about a trace.
func (c *change) isTrace() bool { return c.id == "" }

// before orders changes by time; with equal timestamps, creates come before updates.
func before(a, b *change) int {
	if order := cmp.Compare(a.at, b.at); order != 0 || a.update == b.update {
		return order
	}
	if b.update {
		return -1
	}
	return 1
}
