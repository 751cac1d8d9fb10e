package traces

import (
	"cmp"
	"strings"

	"almanac/internal/domain"
)

// traceRecord holds what the client sent for the trace itself, which takes precedence over its observations.
type traceRecord struct {
	name, environment, version, release, userID, sessionID string
	input, output                                          string
}

func newTraceRecord(o *domain.Observation) *traceRecord {
	return &traceRecord{
		name: strings.Clone(o.TraceName), environment: strings.Clone(o.Environment), version: strings.Clone(o.Version),
		release: strings.Clone(o.Release), userID: strings.Clone(o.UserID), sessionID: strings.Clone(o.SessionID),
	}
}

// override replaces what the observations say with what was sent for the trace itself.
func (s *traceRecord) override(t *domain.TraceSummary) {
	t.Name, t.Environment, t.Version = cmp.Or(s.name, t.Name), cmp.Or(s.environment, t.Environment), cmp.Or(s.version, t.Version)
	t.Release, t.UserID, t.SessionID = cmp.Or(s.release, t.Release), cmp.Or(s.userID, t.UserID), cmp.Or(s.sessionID, t.SessionID)
	t.Input, t.Output = cmp.Or(s.input, t.Input), cmp.Or(s.output, t.Output)
}
