package server

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/limits/memory"
	"almanac/internal/media"
	"almanac/internal/retention"
	"almanac/internal/store"
)

// newRetention returns the job that enforces retention and reports how close the next deletion is. Of several servers
// only the one that runs the job reports it.
func newRetention(
	options config.Serve, c *catalog.Catalog, events store.Store, files *media.Library, budget *memory.Budget,
	registry prometheus.Registerer, log *slog.Logger,
) *retention.Job {
	gauge := func(name, help string) prometheus.Gauge {
		return promauto.With(registry).NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	bytes := gauge("almanac_data_bytes", "Size of the events, as counted for --max-data; 0 if there are no size limits.")
	most := gauge("almanac_data_max_bytes", "Maximum size of the events (--max-data), or 0.")
	fullness := gauge("almanac_data_fullness_ratio",
		"Highest fraction of its size limit that the instance or any project has reached: above 1, the oldest days are deleted.")
	deleted := promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_retention_deleted_rows_total",
		Help: "Observations and scores deleted automatically, by reason: age, size, or a deleted project.",
	}, []string{"reason"})
	for _, reason := range []string{"age", "size", "project"} {
		deleted.WithLabelValues(reason)
	}
	return &retention.Job{
		Catalog: c, Store: events, Media: files, Memory: budget, Log: log, Now: time.Now, MaxData: int64(options.MaxData),
		Measure: func(u retention.Usage) {
			bytes.Set(float64(u.Bytes))
			most.Set(float64(u.MaxBytes))
			fullness.Set(u.Fullness)
		},
		Deleted: func(reason string, rows int) { deleted.WithLabelValues(reason).Add(float64(rows)) },
	}
}
