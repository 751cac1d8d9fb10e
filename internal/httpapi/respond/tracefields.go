package respond

import "strings"

// TraceFields is a set of groups of fields that traces are written with. Fields of other groups are there, too, with a
// value that says nothing.
type TraceFields uint8

// The groups beside the core.
const (
	TraceIO TraceFields = 1 << iota // input, output and metadata
	TraceScores
	TraceObservations
	TraceMetrics // latency and cost

	AllTraceFields = TraceIO | TraceScores | TraceObservations | TraceMetrics
)

// ParseTraceFields reads a comma list of groups. Unknown names are ignored; if there are no others, all groups are meant.
func ParseTraceFields(text string) TraceFields {
	var fields TraceFields
	known := false
	for name := range strings.SplitSeq(text, ",") {
		switch strings.TrimSpace(name) {
		case "core":
		case "io":
			fields |= TraceIO
		case "scores":
			fields |= TraceScores
		case "observations":
			fields |= TraceObservations
		case "metrics":
			fields |= TraceMetrics
		default:
			continue
		}
		known = true
	}
	if !known {
		return AllTraceFields
	}
	return fields
}

// Has reports whether the set holds all of these groups.
func (f TraceFields) Has(groups TraceFields) bool { return f&groups == groups }
