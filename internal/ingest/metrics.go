package ingest

import (
	"sync"
	"time"

	"almanac/internal/fair"
	"almanac/internal/meter"
)

// metrics are what the pipeline measures of itself.
type metrics struct {
	requests *meter.Counts
	rejected *meter.Counts
	bytes    *meter.Count
	seconds  *meter.Distributions
	// countSpans counts spans that were stored in a project.
	countSpans func(project string, stored int)
}

func newMetrics(r *meter.Registry, byProject bool, receiving, working *Budget, turns *fair.Pool) *metrics {
	r.AddGauge("almanac_ingest_bytes_in_flight", "Memory held by exports that are received or worked on.",
		func() float64 { return float64(receiving.Held() + working.Held()) })
	r.AddGauge("almanac_ingest_waiting_requests", "Exports that wait for memory or for their turn.",
		func() float64 { return float64(receiving.Waiting() + working.Waiting() + int64(turns.Waiting())) })
	stages := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	m := &metrics{
		requests: meter.Counters(r, "almanac_ingest_requests_total",
			"Exports answered, by the way they came and by what became of them.", "result", "transport"),
		rejected: meter.Counters(r, "almanac_ingest_rejected_spans_total", "Spans not stored, as far as exports could be read.", "reason"),
		bytes:    meter.Counters(r, "almanac_ingest_bytes_total", "Bytes of exports received, after decompression.").With(),
		seconds: meter.Histograms(r, "almanac_ingest_duration_seconds",
			"Time of one export in a stage: prepare (decode, map, price) or store (until it is on disk).", stages, "stage"),
	}
	if byProject {
		projects := projectLabels{seen: make(map[string]bool)}
		spans := meter.Counters(r, "almanac_ingest_spans_total", "Spans stored.", "project")
		m.countSpans = func(project string, stored int) { spans.With(projects.of(project)).Add(stored) }
		return m
	}
	spans := meter.Counters(r, "almanac_ingest_spans_total", "Spans stored.").With()
	m.countSpans = func(_ string, stored int) { spans.Add(stored) }
	return m
}

// observe notes how long a stage took.
func (m *metrics) observe(stage string, took time.Duration) {
	m.seconds.With(stage).Observe(took.Seconds())
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
