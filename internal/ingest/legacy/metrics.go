package legacy

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/decode"
)

// metrics are the ingester's own metrics.
type metrics struct{ events *prometheus.CounterVec }

func newMetrics(r prometheus.Registerer) *metrics {
	return &metrics{events: promauto.With(r).NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_legacy_events_total",
		Help: "Events about traces and observations that came to the batch ingestion endpoint, by type and by what became of them.",
	}, []string{"result", "type"})}
}

// count counts the events of a batch.
func (m *metrics) count(events []Event, w *work) {
	for n := range events {
		kind := events[n].Type
		if _, known := eventTypes[kind]; !known {
			kind = "other" // clients must not control the number of series
		}
		result := "ok"
		if w.unpublished[n] {
			result = "unpublished"
		}
		if err := w.errs[n]; err != nil {
			result = "error"
			if _, invalid := errors.AsType[*decode.Invalid](err); invalid {
				result = "invalid"
			}
		}
		m.events.WithLabelValues(result, kind).Inc()
	}
}
