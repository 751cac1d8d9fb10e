package tracing

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/queued"
)

// ObservationsQueued reports whether the request asks for observations of traces or sessions that are in the queues, or for some of
// them by their ids. All conditions of a query must be met, so one of them that says so is enough.
func ObservationsQueued(c *endpoint.Call, _ domain.ProjectScope, queues *queued.Queues) (bool, error) {
	q, err := readObservationsQuery(c.Query())
	if err != nil {
		return false, err
	}
	for n := range q.query.Where {
		condition := &q.query.Where[n]
		var ids []string
		switch condition.Operator() {
		case filter.Equal:
			ids = []string{condition.Text()}
		case filter.AnyOf:
			ids = condition.Texts()
		default:
			continue
		}
		have := queues.HaveTraces
		switch condition.Column() {
		case filter.ObservationColumn("traceId"):
		case filter.ObservationColumn("sessionId"):
			have = queues.HaveSessions
		case filter.ObservationColumn("id"):
			have = queues.HaveObservations
		default:
			continue
		}
		if ok, err := have(c.Context(), ids...); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}
