package respond

// TraceFields is a set of groups of fields that traces are written with. Fields of other groups are there, too, with a
// value that says nothing.
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

// ParseTraceFields reads a comma list of groups. Unknown names are ignored; if there are no others, all groups are meant.
func ParseTraceFields(text string) TraceFields {
	if fields := TraceFields(findGroups(text, traceGroups)); fields != 0 {
		return fields | TraceCore
	}
	return AllTraceFields
}

// Has reports whether the set holds all of these groups.
func (f TraceFields) Has(groups TraceFields) bool { return f&groups == groups }
