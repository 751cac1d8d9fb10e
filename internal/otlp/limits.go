package otlp

import "strconv"

// Limits bound what one export may hold. They are taken literally: a zero allows none.
//
// A span beyond a limit of its own is rejected and its neighbours are kept. Spans and Items are limits of the whole
// export, which is refused with a LimitError.
type Limits struct {
	Spans int // spans of the export
	// Items counts what takes memory besides spans: groups, attributes, events and list items of the whole export. An
	// item takes about a hundred bytes of memory and may take as few as two bytes of a body.
	Items          int
	Attributes     int // attributes of one span, event, resource or scope
	AttributeBytes int // bytes of one text: an attribute's key or value, a name, a message
	Events         int // events of one span
	ListItems      int // items of one list
	Depth          int // lists and key-value lists inside one another; JSON has its own bound besides, see maxJSONDepth
}

// DefaultLimits are far above what tracing libraries send: they cap attributes at 128 and batches at 512 spans by default,
// collectors send batches of 8,192 spans.
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

// LimitError says that an export as a whole is too large.
type LimitError struct {
	What  string // what there is too much of
	Limit int
}

// Error names the limit.
func (e *LimitError) Error() string {
	return "the export has more than " + strconv.Itoa(e.Limit) + " " + e.What
}

// exceeds is how a problem names a limit: the value that was sent, and the one that is allowed.
func exceeds(sent, allowed int) string {
	return " (" + strconv.Itoa(sent) + " > " + strconv.Itoa(allowed) + ")"
}
