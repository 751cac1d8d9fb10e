package legacy

import (
	"errors"

	"almanac/internal/decode"
	"almanac/internal/meter"
)

// metrics are what an ingester measures of itself.
type metrics struct{ events *meter.Counts }

func newMetrics(r *meter.Registry) *metrics {
	return &metrics{events: meter.Counters(r, "almanac_legacy_events_total",
		"Events about traces and observations that came to the batch ingestion endpoint, by type and by what became of them.", "result", "type")}
}

// count counts the events of a batch.
func (m *metrics) count(events []Event, errs []error) {
	for n := range events {
		kind := events[n].Type
		if _, known := eventTypes[kind]; !known {
			kind = "other" // clients do not choose how many series there are
		}
		result := "ok"
		if err := errs[n]; err != nil {
			result = "error"
			if _, invalid := errors.AsType[*decode.Invalid](err); invalid {
				result = "invalid"
			}
		}
		m.events.With(result, kind).Inc()
	}
}
