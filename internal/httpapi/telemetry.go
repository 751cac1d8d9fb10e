package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"almanac/internal/auth"
	"almanac/internal/httpapi/respond"
	"almanac/internal/meter"
)

// telemetry is what Almanac measures of itself, for Prometheus.
type telemetry struct {
	registry *meter.Registry
	inFlight *meter.Level
	requests *meter.Counts
	errors   *meter.Counts
	duration *meter.Distributions
	received *meter.Distributions
	sent     *meter.Distributions
	scores   *meter.Counts
}

func newTelemetry(r *meter.Registry, build string) *telemetry {
	meter.AddRuntime(r)
	meter.AddProcess(r)
	meter.Gauges(r, "almanac_build_info", "1, with the versions of the program and of its API as labels.", "api", "version").With(Level, build).Add(1)
	seconds := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	sizes := []float64{256, 2 << 10, 16 << 10, 128 << 10, 1 << 20, 8 << 20, 64 << 20}
	return &telemetry{
		registry: r,
		inFlight: meter.Gauges(r, "almanac_http_requests_in_flight", "Requests that are being received, worked on or answered.").With(),
		requests: meter.Counters(r, "almanac_http_requests_total", "Requests answered.", "method", "route", "status"),
		errors:   meter.Counters(r, "almanac_http_errors_total", "Requests answered with a status of 500 or above.", "method", "route"),
		duration: meter.Histograms(r, "almanac_http_request_duration_seconds",
			"Time from a request's header to the end of its answer.", seconds, "method", "route"),
		received: meter.Histograms(r, "almanac_http_request_size_bytes", "Size of request bodies as announced by clients.", sizes, "method", "route"),
		sent:     meter.Histograms(r, "almanac_http_response_size_bytes", "Size of answers as sent, compressed if they were.", sizes, "method", "route"),
		scores:   meter.Counters(r, "almanac_scores_total", "Writes of scores, by what became of them: stored or refused.", "result"),
	}
}

// observe counts an answered request. Routes and methods are those of the table, so clients cannot invent labels.
func (t *telemetry) observe(route string, r *http.Request, answer *measured, took time.Duration) {
	method := r.Method
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
	default:
		method = "other"
	}
	t.requests.With(method, route, strconv.Itoa(answer.status)).Inc()
	if answer.status >= http.StatusInternalServerError {
		t.errors.With(method, route).Inc()
	}
	t.duration.With(method, route).Observe(took.Seconds())
	t.received.With(method, route).Observe(float64(max(0, r.ContentLength)))
	t.sent.With(method, route).Observe(float64(answer.bytes))
}

// countScores counts writes of scores.
func (t *telemetry) countScores(stored, refused int) {
	t.scores.With("stored").Add(stored)
	t.scores.With("refused").Add(refused)
}

// measured is a response writer that remembers what it wrote.
type measured struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (m *measured) WriteHeader(status int) {
	if m.status == 0 {
		m.status = status
	}
	m.ResponseWriter.WriteHeader(status)
}

func (m *measured) Write(b []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	n, err := m.ResponseWriter.Write(b)
	m.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (m *measured) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// MetricsHandler serves the measurements, for a listener of their own. It asks for the token, if there is one.
func (a *API) MetricsHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.mayReadMetrics(r) {
			respond.Text(w, r, http.StatusUnauthorized, metricsRefusal)
			return
		}
		respond.Write(w, r, http.StatusOK, meter.ContentType, a.telemetry.registry.Text())
	})
}

const metricsRefusal = "The metrics are protected: send Authorization: Bearer <metrics token>"

func (a *API) mayReadMetrics(r *http.Request) bool {
	return !a.MetricsToken.Set() || a.MetricsToken.Matches(r.Header.Get("Authorization"))
}

func (a *API) metrics(c *Call) (any, error) {
	if !a.Metrics {
		return nil, respond.NoRoute("GET /metrics")
	}
	if !a.mayReadMetrics(c.request) {
		return nil, &auth.Denied{Status: http.StatusUnauthorized, Message: metricsRefusal}
	}
	return respond.Content{Type: meter.ContentType, Body: a.telemetry.registry.Text()}, nil
}
