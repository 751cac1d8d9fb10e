package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/catalog"
)

// scheduleTimeout is the time limit for counting integrations.
const scheduleTimeout = 2 * time.Second

// scheduleCollector counts scheduled exports by state on every scrape.
type scheduleCollector struct {
	catalog *catalog.Catalog
	log     *slog.Logger
	exports *prometheus.Desc
}

func newScheduleCollector(c *catalog.Catalog, log *slog.Logger) *scheduleCollector {
	return &scheduleCollector{c, log, prometheus.NewDesc("almanac_scheduled_exports",
		"Scheduled exports by state: ok, failing (they are retried), disabled (by a failure that somebody must fix, or by a restore) or off.",
		[]string{"state"}, nil)}
}

// Describe implements prometheus.Collector.
func (c *scheduleCollector) Describe(descs chan<- *prometheus.Desc) { descs <- c.exports }

// Collect implements prometheus.Collector.
func (c *scheduleCollector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scheduleTimeout)
	defer cancel()
	states, err := c.catalog.BlobStorageStates(ctx)
	if err != nil {
		c.log.Warn("cannot count scheduled exports", "error", err)
		return
	}
	for state, count := range states {
		metrics <- prometheus.MustNewConstMetric(c.exports, prometheus.GaugeValue, float64(count), state)
	}
}
