package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
)

var (
	errMemory = respond.Busy("The server is holding as much data of requests as it can. Try again shortly.", endpoint.RetrySeconds)
	// errTooLarge is for a request that needs more memory than a single request may have.
	errTooLarge = respond.Busy("The server is holding as much data of requests as it can for one of them. Ask for fewer rows or fewer "+
		"fields; "+
		"the operator can allow more with --memory and --request-memory.", endpoint.RetrySeconds)
)

func measureMemory(r prometheus.Registerer, b *memory.Budget) {
	factory := promauto.With(r)
	factory.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_request_memory_bytes",
		Help: "Memory held by requests and background work: bodies, what is read for answers and exports, and answers that are not sent yet.",
	}, func() float64 { return float64(b.Held()) })
	factory.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_request_memory_limit_bytes", Help: "Memory that requests and background work may hold together.",
	}, func() float64 { return float64(b.Size()) })
	factory.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_request_memory_waiting", Help: "Requests and background jobs that wait for memory.",
	}, func() float64 { return float64(b.Waiting()) })
	factory.NewCounterFunc(prometheus.CounterOpts{
		Name: "almanac_request_memory_refused_total", Help: "How often a request waited for memory in vain.",
	}, func() float64 { return float64(b.Refused()) })
}

// sendUntil returns the deadline for sending the response to a request; the zero time for none.
func (a *API) sendUntil(r *http.Request) time.Time {
	if a.Limits.Sending == 0 {
		return time.Time{}
	}
	return endpoint.InfoOf(r).Started.Add(a.Limits.Sending)
}

// receiveUntil returns the time by which the body of a request must have arrived; the zero time for none.
func (a *API) receiveUntil(r *http.Request) time.Time {
	if a.Limits.Receiving == 0 {
		return time.Time{}
	}
	return endpoint.InfoOf(r).Started.Add(a.Limits.Receiving)
}

// withLease gives a request its memory lease. A request made within another, as MCP tools do, shares the outer lease,
// so that it never waits for itself.
func (a *API) withLease(ctx context.Context) (_ context.Context, release func()) {
	if memory.Of(ctx) != nil {
		return ctx, func() {}
	}
	lease := a.Memory.Unknown()
	return memory.With(ctx, lease), lease.Release
}
