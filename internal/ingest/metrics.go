package ingest

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are what the pipeline measures of itself.
type metrics struct {
	requests *prometheus.CounterVec
	spans    *prometheus.CounterVec
	rejected *prometheus.CounterVec
	bytes    prometheus.Counter
	seconds  *prometheus.HistogramVec
	projects projectLabels
}

func newMetrics(r prometheus.Registerer, receiving, working *Budget) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_ingest_requests_total", Help: "Exports answered, by the way they came and by what became of them.",
		}, []string{"transport", "result"}),
		spans: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_ingest_spans_total", Help: "Spans stored.",
		}, []string{"project"}),
		rejected: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_ingest_rejected_spans_total", Help: "Spans not stored, as far as exports could be read.",
		}, []string{"reason"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "almanac_ingest_bytes_total", Help: "Bytes of exports received, after decompression.",
		}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "almanac_ingest_duration_seconds", Help: "Time of one export in a stage: prepare (decode, map, price) or store (until it is on disk).",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"stage"}),
		projects: projectLabels{seen: make(map[string]bool)},
	}
	if r != nil {
		r.MustRegister(m.requests, m.spans, m.rejected, m.bytes, m.seconds,
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "almanac_ingest_bytes_in_flight", Help: "Memory held by exports that are received or worked on.",
			}, func() float64 { return float64(receiving.Held() + working.Held()) }),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "almanac_ingest_waiting_requests", Help: "Exports that wait for memory.",
			}, func() float64 { return float64(receiving.Waiting() + working.Waiting()) }))
	}
	return m
}

// observe notes how long a stage took.
func (m *metrics) observe(stage string, took time.Duration) {
	m.seconds.WithLabelValues(stage).Observe(took.Seconds())
}

// maxProjectLabels bounds the number of series, whatever the number of projects.
const maxProjectLabels = 1000

// projectLabels gives the first projects a label of their own and all others one together.
type projectLabels struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (p *projectLabels) of(project string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.seen[project] {
		if len(p.seen) >= maxProjectLabels {
			return "other"
		}
		p.seen[project] = true
	}
	return project
}
