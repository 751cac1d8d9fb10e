package traces

import (
	"context"
	"strings"

	"almanac/internal/access/annotators"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
)

// named is a set of traces, observations or sessions that a query names by id.
type named struct {
	objectType string
	ids        []string
	id         func(*domain.Observation) string // the id of the object that a row belongs to
}

// named returns the objects that a query names. All conditions of a query must hold, so each of them restricts the
// result.
func (q *ObservationsQuery) named() (list []named) {
	for n := range q.query.Where {
		condition := &q.query.Where[n]
		var some named
		switch condition.Operator() {
		case filter.Equal:
			some.ids = []string{condition.Text()}
		case filter.AnyOf:
			some.ids = condition.Texts()
		default:
			continue
		}
		switch condition.Column() {
		case filter.ObservationColumn("traceId"):
			some.objectType, some.id = domain.ObjectTrace, func(o *domain.Observation) string { return o.TraceID }
		case filter.ObservationColumn("sessionId"):
			some.objectType, some.id = domain.ObjectSession, func(o *domain.Observation) string { return o.SessionID }
		case filter.ObservationColumn("id"):
			some.objectType, some.id = domain.ObjectObservation, func(o *domain.Observation) string { return o.ID }
		default:
			continue
		}
		list = append(list, some)
	}
	return list
}

// ObservationsQueued reports whether a request is restricted to traces, observations or sessions in the queues.
func ObservationsQueued(ctx context.Context, queues *annotators.Queues, q *ObservationsQuery) (bool, error) {
	for _, some := range q.named() {
		if ok, err := queues.Have(ctx, some.objectType, some.ids...); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// viewer returns a function to be called for each row that is shown. It records each object that the query named as
// opened, once.
func (h *Handlers) viewer(c *endpoint.Call, scope domain.ProjectScope, q *ObservationsQuery) func(*domain.Observation) {
	if h.Viewed == nil || c.Person() == nil {
		return func(*domain.Observation) {}
	}
	type thing struct{ objectType, id string }
	opened := make(map[thing]bool)
	list := q.named()
	return func(row *domain.Observation) {
		for _, some := range list {
			if of := (thing{some.objectType, some.id(row)}); !opened[of] {
				of.id = strings.Clone(of.id) // the row's strings are only borrowed
				opened[of] = true
				h.Viewed(c, scope, of.objectType, of.id)
			}
		}
	}
}
