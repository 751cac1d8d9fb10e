package cli

import (
	"maps"
	"slices"
	"strings"
)

// report prints what was sent and how to look at it.
func (s *demoSending) report(project, address string, seed uint64) {
	s.printf("Sent %d traces with %d observations and %d scores to the project %q at %s.\n\n", s.traces, s.observations, s.scores,
		project, address)
	for _, counts := range []map[string]int{s.byName, s.byKind} {
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			s.printf("    %-18s %6d\n", name, counts[name])
		}
		s.printf("\n")
	}
	s.printf("    %d users, %d sessions, %d observations with an error; seed %d\n\n", len(s.users), len(s.sessions), s.failed, seed)
	if s.newest == nil { // too little was sent for the examples
		return
	}
	s.printf("To look at them, with the keys in LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY:\n\n")
	for _, look := range s.exampleQueries() {
		s.printf("    # %s\n    curl -s -u \"$LANGFUSE_PUBLIC_KEY:$LANGFUSE_SECRET_KEY\" -G %s/api/public/v2/observations", look.what,
			strings.TrimRight(address, "/"))
		for _, parameter := range look.query {
			s.printf(" --data-urlencode '%s'", parameter) // none contains an apostrophe
		}
		s.printf("\n")
	}
}

// look is an example query about the data that was sent.
type look struct {
	what  string
	query []string
}

func (s *demoSending) exampleQueries() []look {
	const few, calls = "limit=5", "fields=core,basic,model,usage"
	return []look{
		{"the newest observations", []string{few}},
		{"one trace, with its inputs and outputs", []string{"traceId=" + s.newest.ID, "fields=core,basic,io,metadata"}},
		{"the conversation it belongs to", []string{"sessionId=" + s.newest.Session, "isRootObservation=true", "fields=core,io"}},
		{"observations with an error", []string{"level=ERROR", few}},
		{"expensive calls", []string{`filter=[{"type":"number","column":"totalCost","operator":">","value":0.0015}]`, calls, few}},
		{
			"inputs with the word refund", []string{
				`filter=[{"type":"string","column":"input","operator":"matches","value":"refund"}]`, calls, few,
			},
		},
	}
}
