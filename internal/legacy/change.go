package legacy

import (
	"cmp"

	"almanac/internal/domain"
)

// given is a member of an event. One that was sent as null has the zero value, which clears what was there.
type given[T any] struct {
	sent  bool
	value T
}

func sent[T any](value T) given[T] { return given[T]{true, value} }

// to sets what was sent.
func (g given[T]) to(field *T) {
	if g.sent {
		*field = g.value
	}
}

// change is what one event says about a trace or an observation. Its texts are masked already.
type change struct {
	event  int           // its place in the batch
	at     domain.Micros // the event's timestamp
	update bool          // creates of the same moment come first

	traceID string // may be empty for an observation that is known by its id
	id      string // of an observation; empty for a trace
	kind    string // the type of the observation
	// decides: the kind counts although there is an observation of another type already.
	decides bool

	environment string
	name        given[string]
	version     given[string]
	input       string // empty if nothing is to change
	output      string
	metadata    given[string] // dotted keys

	// Of traces only.
	userID, sessionID, release given[string]
	public                     given[bool]
	tags                       given[[]string]

	// Of observations only.
	parent, level, status       given[string]
	start, end, completionStart given[domain.Micros]
	model, parameters           given[string]
	usage                       given[[]domain.UsageEntry]
	cost                        given[[]domain.CostEntry]
	promptName                  given[string]
	promptVersion               given[domain.OptInt]
}

// isTrace reports whether the change is one of a trace.
func (c *change) isTrace() bool { return c.id == "" }

// before orders changes by time; what is made in the same moment as it is changed is made first.
func before(a, b *change) int {
	if order := cmp.Compare(a.at, b.at); order != 0 || a.update == b.update {
		return order
	}
	if b.update {
		return -1
	}
	return 1
}
