package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/catalog"
)

// jobCollector counts background jobs on every scrape. All servers of a database report the same numbers.
type jobCollector struct {
	catalog      *catalog.Catalog
	kinds        []string
	log          *slog.Logger
	jobs, oldest *prometheus.Desc
}

func newJobCollector(c *catalog.Catalog, kinds []string, log *slog.Logger) *jobCollector {
	return &jobCollector{
		c, kinds, log,
		prometheus.NewDesc("almanac_jobs", "Background jobs of all servers, by kind and state: queued or running.",
			[]string{"kind", "state"}, nil),
		prometheus.NewDesc("almanac_jobs_oldest_seconds",
			"How long the oldest queued background job has been waiting, by kind; 0 if none is.", []string{"kind"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (c *jobCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- c.jobs
	descs <- c.oldest
}

// Collect implements prometheus.Collector.
func (c *jobCollector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scheduleTimeout)
	defer cancel()
	counts, err := c.catalog.CountJobs(ctx)
	if err != nil {
		c.log.Warn("cannot count background jobs", "error", err)
		return
	}
	for _, kind := range c.kinds {
		found, waited := make(map[string]int64), 0.0
		for _, n := range counts {
			if n.Kind != kind {
				continue
			}
			found[n.State] = n.Jobs
			if n.State == "queued" {
				waited = max(0, time.Since(n.Oldest).Seconds())
			}
		}
		for _, state := range []string{"queued", "running"} {
			metrics <- prometheus.MustNewConstMetric(c.jobs, prometheus.GaugeValue, float64(found[state]), kind, state)
		}
		metrics <- prometheus.MustNewConstMetric(c.oldest, prometheus.GaugeValue, waited, kind)
	}
}
