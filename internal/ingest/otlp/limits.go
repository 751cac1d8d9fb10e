package otlp

import (
	"strconv"
	"time"
)

// Limits bound the contents of one export. They are taken literally: zero allows none.
//
// A span that exceeds a limit is rejected on its own and the others are kept. Spans and Items are limits for the whole
// export, which is refused with a LimitError.
type Limits struct {
	Spans int // spans of the export
	// Items limits everything besides spans that takes memory: groups, attributes, events and list items of the whole
	// export. An item takes about a hundred bytes of memory and as few as two bytes in a body.
	Items          int
	Attributes     int // attributes of one span, event, resource or scope
	AttributeBytes int // bytes of one string: an attribute's key or value, a name, a message
	Events         int // events of one span
	ListItems      int // items of one list
	Depth          int // nesting of lists and key-value lists; for JSON see also maxJSONDepth
	Times          *TimeRange
}

// TimeRange limits the start of spans, in nanoseconds since 1970; nil allows any.
type TimeRange struct{ Earliest, Latest int64 }

// DefaultLimits returns limits far above what tracing libraries send: by default, those cap attributes at 128 and
// batches at 512 spans, and collectors send batches of 8,192 spans.
func DefaultLimits() Limits {
	return Limits{
		Spans:          50_000,
		Items:          1_000_000,
		Attributes:     4_096,
		AttributeBytes: 16 << 20,
		Events:         10_000,
		ListItems:      100_000,
		Depth:          64,
	}
}

// LimitError is returned if an export as a whole is too large.
type LimitError struct {
	What  string // what exceeds the limit
	Limit int
}

// Error names the limit.
func (e *LimitError) Error() string {
	return "the export has more than " + strconv.Itoa(e.Limit) + " " + e.What
}

// exceeds formats the actual value and the limit for a problem.
func exceeds(sent, allowed int) string {
	return " (" + strconv.Itoa(sent) + " > " + strconv.Itoa(allowed) + ")"
}

// checkStart rejects the span if it starts outside the limits. A span without a start starts at its end.
func (e *Export) checkStart(s *Span) {
	times, start := e.build.limits.Times, s.Start
	if !start.Set {
		start = s.End
	}
	switch {
	case times == nil || !start.Set:
	case start.Value < times.Earliest:
		e.fault("startTimeUnixNano" + tooOld)
		e.WrongTimes++
	case start.Value > times.Latest:
		e.fault("startTimeUnixNano" + inTheFuture)
		e.WrongTimes++
	}
}

// String names both ends to the second.
func (r *TimeRange) String() string {
	format := func(nanos int64) string { return time.Unix(0, nanos).UTC().Format(time.RFC3339) }
	return format(r.Earliest) + " to " + format(r.Latest)
}
