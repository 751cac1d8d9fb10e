package ingest

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/limits/fair"
	"almanac/internal/prom"
)

// metrics are the pipeline's own metrics.
type metrics struct {
	requests *prometheus.CounterVec
	rejected *prometheus.CounterVec
	bytes    prometheus.Counter
	// prepare and store observe the duration of a stage for one export.
	prepare, store prometheus.Observer
	// spans returns the counter of spans stored in a project.
	spans func(project string) prometheus.Counter
}

func newMetrics(r prometheus.Registerer, byProject bool, receiving, working *Budget, turns *fair.Pool) *metrics {
	factory := promauto.With(r)
	factory.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_ingest_bytes_in_flight", Help: "Memory held by exports that are received or worked on.",
	}, func() float64 { return float64(receiving.Held() + working.Held()) })
	factory.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_ingest_waiting_requests", Help: "Exports that wait for memory or for their turn.",
	}, func() float64 { return float64(receiving.Waiting() + working.Waiting() + int64(turns.Waiting())) })
	seconds := factory.NewHistogramVec(prom.HistogramOpts("almanac_ingest_duration_seconds",
		"Time of one export in a stage: prepare (decode, map, price) or store (until it is on disk).",
		[]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}), []string{"stage"})
	m := &metrics{
		requests: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_ingest_requests_total", Help: "Exports answered, by the way they came and by what became of them.",
		}, []string{"result", "transport"}),
		rejected: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_ingest_rejected_spans_total", Help: "Spans not stored, as far as exports could be read.",
		}, []string{"reason"}),
		bytes: factory.NewCounter(prometheus.CounterOpts{
			Name: "almanac_ingest_bytes_total", Help: "Bytes of exports received, after decompression.",
		}),
		prepare: seconds.WithLabelValues("prepare"),
		store:   seconds.WithLabelValues("store"),
	}
	spans := prometheus.CounterOpts{Name: "almanac_ingest_spans_total", Help: "Spans stored."}
	if byProject {
		projects := projectCounters{vec: factory.NewCounterVec(spans, []string{"project"}), known: make(map[string]prometheus.Counter)}
		m.spans = projects.of
		return m
	}
	all := factory.NewCounter(spans)
	m.spans = func(string) prometheus.Counter { return all }
	return m
}

// maxProjectLabels bounds the number of series, whatever the number of projects.
const maxProjectLabels = 1000

// projectCounters gives the first maxProjectLabels projects their own counter; the rest share one.
type projectCounters struct {
	vec *prometheus.CounterVec

	mu    sync.Mutex
	known map[string]prometheus.Counter
}

func (p *projectCounters) of(project string) prometheus.Counter {
	p.mu.Lock()
	defer p.mu.Unlock()
	if counter, ok := p.known[project]; ok {
		return counter
	}
	if len(p.known) >= maxProjectLabels {
		return p.vec.WithLabelValues("other")
	}
	p.known[project] = p.vec.WithLabelValues(project)
	return p.known[project]
}
