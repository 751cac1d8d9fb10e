package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/store"
)

// storeMetrics are the metrics of a table of the store.
var storeMetrics = []struct {
	name, help string
	kind       prometheus.ValueType
	of         func(store.TableStats) int64
}{
	{"almanac_store_rows", "Rows visible to reads.", prometheus.GaugeValue, func(s store.TableStats) int64 { return s.Rows }},
	{
		"almanac_store_dead_rows", "Replaced or deleted rows that still take up space.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return s.DeadRows },
	},
	{
		"almanac_store_hot_rows", "Rows that are only in memory and in the write-ahead log.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return s.HotRows },
	},
	{
		"almanac_store_hot_bytes", "Memory used by rows that are not yet in a segment.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return s.HotBytes },
	},
	{
		"almanac_store_log_bytes", "Size of the write-ahead log.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return s.LogBytes },
	},
	{"almanac_store_segments", "Segments on disk.", prometheus.GaugeValue, func(s store.TableStats) int64 { return int64(s.Segments) }},
	{
		"almanac_store_disk_bytes", "Size of segments and their indexes.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return s.DiskBytes },
	},
	{"almanac_store_index_bytes", "Size of indexes.", prometheus.GaugeValue, func(s store.TableStats) int64 { return s.IndexBytes }},
	{
		"almanac_store_cache_bytes", "Memory used by cached decoded pages.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return s.CacheBytes },
	},
	{
		"almanac_store_cache_hits_total", "Page reads served from the cache.", prometheus.CounterValue,
		func(s store.TableStats) int64 { return s.CacheHits },
	},
	{
		"almanac_store_cache_misses_total", "Page reads not served from the cache.", prometheus.CounterValue,
		func(s store.TableStats) int64 { return s.CacheMisses },
	},
	{
		"almanac_store_flushes_total", "Flushes of rows from memory into a segment.", prometheus.CounterValue,
		func(s store.TableStats) int64 { return s.Flushes },
	},
	{"almanac_store_merges_total", "Merges of segments.", prometheus.CounterValue, func(s store.TableStats) int64 { return s.Merges }},
	{
		"almanac_store_superseded_rows_total", "Rows replaced by a newer version.", prometheus.CounterValue,
		func(s store.TableStats) int64 { return s.Superseded },
	},
	{
		"almanac_store_unmergeable_segments", "Segments that are not merged because they cannot be read.", prometheus.GaugeValue,
		func(s store.TableStats) int64 { return int64(s.Unmergeable) },
	},
	{
		"almanac_store_deferred_removals", "Deletes and replacements not applied yet because a segment cannot be read.",
		prometheus.GaugeValue, func(s store.TableStats) int64 { return s.Deferred },
	},
}

// storeCollector collects the metrics of the event store on every scrape.
type storeCollector struct {
	events store.Store
	descs  []*prometheus.Desc // of storeMetrics, in the same order
}

func newStoreCollector(events store.Store) *storeCollector {
	c := &storeCollector{events: events}
	for _, m := range storeMetrics {
		c.descs = append(c.descs, prometheus.NewDesc(m.name, m.help, []string{"table"}, nil))
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *storeCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c *storeCollector) Collect(metrics chan<- prometheus.Metric) {
	stats := c.events.Stats()
	for n, m := range storeMetrics {
		metrics <- prometheus.MustNewConstMetric(c.descs[n], m.kind, float64(m.of(stats.Observations)), "observations")
		metrics <- prometheus.MustNewConstMetric(c.descs[n], m.kind, float64(m.of(stats.Scores)), "scores")
	}
}
