package httpapi

import (
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"almanac/internal/access/auth"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/prom"
)

// telemetry holds the HTTP server's own Prometheus metrics.
type telemetry struct {
	page     http.Handler
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	errors   *prometheus.CounterVec
	duration *prometheus.HistogramVec
	received *prometheus.HistogramVec
	sent     *prometheus.HistogramVec
	// stored and refused count score writes.
	stored, refused prometheus.Counter

	mu      sync.RWMutex
	answers map[answerKind]*answerSeries // the series seen so far
}

// answerKind identifies the series of a response by its labels.
type answerKind struct {
	method, route string
	status        int
}

// answerSeries holds the series of one kind of response. They are cached because looking them up by labels takes longer
// than counting.
type answerSeries struct {
	requests                 prometheus.Counter
	errors                   prometheus.Counter // nil below 500
	duration, received, sent prometheus.Observer
}

func newTelemetry(o Options) *telemetry {
	factory := promauto.With(o.Registry)
	factory.NewGaugeVec(prometheus.GaugeOpts{
		Name: "almanac_build_info", Help: "1, with the versions of the program and of its API as labels.",
	}, []string{"api", "version"}).WithLabelValues(Level, o.Build).Set(1)
	scores := factory.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_scores_total", Help: "Writes of scores, by what became of them: stored or refused.",
	}, []string{"result"})
	labels := []string{"method", "route"}
	seconds := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	sizes := []float64{256, 2 << 10, 16 << 10, 128 << 10, 1 << 20, 8 << 20, 64 << 20}
	return &telemetry{
		page: promhttp.HandlerFor(o.Registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelError)}),
		inFlight: factory.NewGauge(prometheus.GaugeOpts{
			Name: "almanac_http_requests_in_flight", Help: "Requests that are being received, worked on or answered.",
		}),
		requests: factory.NewCounterVec(prometheus.CounterOpts{Name: "almanac_http_requests_total", Help: "Requests answered."},
			append(labels, "status")),
		errors: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_http_errors_total", Help: "Requests answered with a status of 500 or above.",
		}, labels),
		duration: factory.NewHistogramVec(prom.HistogramOpts("almanac_http_request_duration_seconds",
			"Time from a request's header to the end of its answer.", seconds), labels),
		received: factory.NewHistogramVec(prom.HistogramOpts("almanac_http_request_size_bytes",
			"Size of request bodies as announced by clients.", sizes), labels),
		sent: factory.NewHistogramVec(prom.HistogramOpts("almanac_http_response_size_bytes",
			"Size of answers as sent, compressed if they were.", sizes), labels),
		answers: make(map[answerKind]*answerSeries),
		stored:  scores.WithLabelValues("stored"), refused: scores.WithLabelValues("refused"),
	}
}

// observe records a finished request. Routes are those of the table and methods are known ones, so clients cannot
// create labels.
func (t *telemetry) observe(route string, r *http.Request, answer *statusRecorder, took time.Duration) {
	method := r.Method
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
	default:
		method = "other"
	}
	series := t.seriesOf(answerKind{method, route, answer.status})
	series.requests.Inc()
	if series.errors != nil {
		series.errors.Inc()
	}
	series.duration.Observe(took.Seconds())
	series.received.Observe(float64(max(0, r.ContentLength)))
	series.sent.Observe(float64(answer.bytes))
}

func (t *telemetry) seriesOf(kind answerKind) *answerSeries {
	t.mu.RLock()
	series := t.answers[kind]
	t.mu.RUnlock()
	if series != nil {
		return series
	}
	series = &answerSeries{
		requests: t.requests.WithLabelValues(kind.method, kind.route, strconv.Itoa(kind.status)),
		duration: t.duration.WithLabelValues(kind.method, kind.route),
		received: t.received.WithLabelValues(kind.method, kind.route),
		sent:     t.sent.WithLabelValues(kind.method, kind.route),
	}
	if kind.status >= http.StatusInternalServerError {
		series.errors = t.errors.WithLabelValues(kind.method, kind.route)
	}
	t.mu.Lock()
	t.answers[kind] = series
	t.mu.Unlock()
	return series
}

// countScores counts score writes.
func (t *telemetry) countScores(stored, refused int) {
	t.stored.Add(float64(stored))
	t.refused.Add(float64(refused))
}

// statusRecorder is a response writer that records the status and the number of bytes written.
type statusRecorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (m *statusRecorder) WriteHeader(status int) {
	if m.status == 0 {
		m.status = status
	}
	m.ResponseWriter.WriteHeader(status)
}

func (m *statusRecorder) Write(b []byte) (int, error) {
	if m.status == 0 {
		m.status = http.StatusOK
	}
	n, err := m.ResponseWriter.Write(b)
	m.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (m *statusRecorder) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// MetricsHandler serves the metrics on a separate listener. It requires the metrics token if one is set.
func (a *API) MetricsHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.mayReadMetrics(r) {
			respond.Text(w, r, http.StatusUnauthorized, metricsRefusal)
			return
		}
		a.telemetry.page.ServeHTTP(w, r)
	})
}

const metricsRefusal = "The metrics are protected: send Authorization: Bearer <metrics token>"

func (a *API) mayReadMetrics(r *http.Request) bool {
	return !a.MetricsToken.Set() || a.MetricsToken.Matches(r.Header.Get("Authorization"))
}

func (a *API) metrics(c *endpoint.Call) (any, error) {
	if !a.Metrics {
		return nil, respond.NoRoute("GET /metrics")
	}
	if !a.mayReadMetrics(c.Request()) {
		return nil, &auth.Denied{Status: http.StatusUnauthorized, Message: metricsRefusal}
	}
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		a.telemetry.page.ServeHTTP(w, r)
		return nil
	}), nil
}
