package httpapi

import (
	"crypto/subtle"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"almanac/internal/auth"
	"almanac/internal/httpapi/respond"
)

// telemetry is what Almanac measures of itself, for Prometheus.
type telemetry struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	errors   *prometheus.CounterVec
	duration *prometheus.HistogramVec
	received *prometheus.HistogramVec
	sent     *prometheus.HistogramVec
	scores   *prometheus.CounterVec
}

func newTelemetry(registry *prometheus.Registry, build string) *telemetry {
	sizes := prometheus.ExponentialBuckets(256, 8, 7) // 256 B to 64 MB
	t := &telemetry{
		registry: registry,
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "almanac_http_requests_in_flight", Help: "Requests that are being received, worked on or answered.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_http_requests_total", Help: "Requests answered.",
		}, []string{"route", "method", "status"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_http_errors_total", Help: "Requests answered with a status of 500 or above.",
		}, []string{"route", "method"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "almanac_http_request_duration_seconds", Help: "Time from a request's header to the end of its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route", "method"}),
		received: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "almanac_http_request_size_bytes", Help: "Size of request bodies as announced by clients.", Buckets: sizes,
		}, []string{"route", "method"}),
		sent: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "almanac_http_response_size_bytes", Help: "Size of answers as sent, compressed if they were.", Buckets: sizes,
		}, []string{"route", "method"}),
	}
	t.scores = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_scores_total", Help: "Writes of scores, by what became of them: stored or refused.",
	}, []string{"result"})
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "almanac_build_info", Help: "1, with the versions of the program and of its API as labels.",
		ConstLabels: prometheus.Labels{"version": build, "api": Level},
	})
	info.Set(1)
	t.registry.MustRegister(t.inFlight, t.requests, t.errors, t.duration, t.received, t.sent, t.scores, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return t
}

// observe counts an answered request. Routes and methods are those of the table, so clients cannot invent labels.
func (t *telemetry) observe(route string, r *http.Request, answer *measured, took time.Duration) {
	method := r.Method
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
	default:
		method = "other"
	}
	t.requests.WithLabelValues(route, method, strconv.Itoa(answer.status)).Inc()
	if answer.status >= http.StatusInternalServerError {
		t.errors.WithLabelValues(route, method).Inc()
	}
	t.duration.WithLabelValues(route, method).Observe(took.Seconds())
	t.received.WithLabelValues(route, method).Observe(float64(max(0, r.ContentLength)))
	t.sent.WithLabelValues(route, method).Observe(float64(answer.bytes))
}

// countScores counts writes of scores.
func (t *telemetry) countScores(stored, refused int) {
	t.scores.WithLabelValues("stored").Add(float64(stored))
	t.scores.WithLabelValues("refused").Add(float64(refused))
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
	exposition := promhttp.HandlerFor(a.telemetry.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.mayReadMetrics(r) {
			respond.Text(w, r, http.StatusUnauthorized, metricsRefusal)
			return
		}
		exposition.ServeHTTP(w, r)
	})
}

const metricsRefusal = "The metrics are protected: send Authorization: Bearer <metrics token>"

func (a *API) mayReadMetrics(r *http.Request) bool {
	return a.MetricsToken == "" ||
		subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+a.MetricsToken)) == 1
}

func (a *API) metrics(c *Call) (any, error) {
	if !a.Metrics {
		return nil, respond.NoRoute("GET /metrics")
	}
	if !a.mayReadMetrics(c.request) {
		return nil, &auth.Denied{Status: http.StatusUnauthorized, Message: metricsRefusal}
	}
	return respond.Stream(a.MetricsHandler().ServeHTTP), nil
}
