package respond

// TraceFields is a set of field groups of traces. Fields of the other groups are present with placeholder values.
type TraceFields uint16

// The groups.
const (
	TraceCore TraceFields = 1 << iota
	TraceIO               // input, output and metadata
	TraceScores
	TraceObservations
	TraceMetrics // latency and cost

	AllTraceFields = TraceCore | TraceIO | TraceScores | TraceObservations | TraceMetrics
)

// traceGroups are the names of the groups, each at the position of its bit.
var traceGroups = []string{"core", "io", "scores", "observations", "metrics"}

// ParseTraceFields parses a comma-separated list of groups. Unknown names are ignored; without a known name, the set is
// all groups.
func ParseTraceFields(text string) TraceFields {
	if fields := TraceFields(findGroups(text, traceGroups)); fields != 0 {
		return fields | TraceCore
	}
	return AllTraceFields
}

// Has reports whether the set holds all of these groups.
func (f TraceFields) Has(groups TraceFields) bool { return f&groups == groups }
