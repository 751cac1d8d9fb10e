package traces

import (
	"cmp"
	"strings"

	"almanac/internal/domain"
)

// standIn is what the client said of a trace that it sent on its own. It outweighs what observations say.
type standIn struct {
	name, environment, version, release, userID, sessionID string
	input, output                                          string
}

func newStandIn(o *domain.Observation) *standIn {
	return &standIn{
		name: strings.Clone(o.TraceName), environment: strings.Clone(o.Environment), version: strings.Clone(o.Version),
		release: strings.Clone(o.Release), userID: strings.Clone(o.UserID), sessionID: strings.Clone(o.SessionID),
	}
}

// outweigh puts what was said of the trace itself in the place of what its observations say.
func (s *standIn) outweigh(t *domain.TraceSummary) {
	t.Name, t.Environment, t.Version = cmp.Or(s.name, t.Name), cmp.Or(s.environment, t.Environment), cmp.Or(s.version, t.Version)
	t.Release, t.UserID, t.SessionID = cmp.Or(s.release, t.Release), cmp.Or(s.userID, t.UserID), cmp.Or(s.sessionID, t.SessionID)
	t.Input, t.Output = cmp.Or(s.input, t.Input), cmp.Or(s.output, t.Output)
}
