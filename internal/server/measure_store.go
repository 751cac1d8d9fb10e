package server

import (
	"almanac/internal/meter"
	"almanac/internal/store"
)

// storeMetrics are the numbers of a table that are measured, under the names that Prometheus knows them by.
var storeMetrics = []struct {
	name, help string
	kind       meter.Kind
	of         func(store.TableStats) int64
}{
	{"almanac_store_rows", "Rows that reads can see.", meter.Gauge, func(s store.TableStats) int64 { return s.Rows }},
	{"almanac_store_dead_rows", "Rows that were replaced or deleted and still take space.", meter.Gauge, func(s store.TableStats) int64 { return s.DeadRows }},
	{"almanac_store_hot_rows", "Rows that are in memory and in the log only.", meter.Gauge, func(s store.TableStats) int64 { return s.HotRows }},
	{"almanac_store_hot_bytes", "Memory of rows that are in no segment yet.", meter.Gauge, func(s store.TableStats) int64 { return s.HotBytes }},
	{"almanac_store_log_bytes", "Size of the write-ahead log.", meter.Gauge, func(s store.TableStats) int64 { return s.LogBytes }},
	{"almanac_store_segments", "Segments on disk.", meter.Gauge, func(s store.TableStats) int64 { return int64(s.Segments) }},
	{"almanac_store_disk_bytes", "Size of segments and their indexes.", meter.Gauge, func(s store.TableStats) int64 { return s.DiskBytes }},
	{"almanac_store_index_bytes", "Size of indexes.", meter.Gauge, func(s store.TableStats) int64 { return s.IndexBytes }},
	{"almanac_store_cache_bytes", "Decoded pages that are kept in memory.", meter.Gauge, func(s store.TableStats) int64 { return s.CacheBytes }},
	{"almanac_store_cache_hits_total", "Pages that were in the cache when they were asked for.", meter.Counter, func(s store.TableStats) int64 { return s.CacheHits }},
	{"almanac_store_cache_misses_total", "Pages that were not.", meter.Counter, func(s store.TableStats) int64 { return s.CacheMisses }},
	{"almanac_store_flushes_total", "Flushes of rows from memory into a segment.", meter.Counter, func(s store.TableStats) int64 { return s.Flushes }},
	{"almanac_store_merges_total", "Merges of segments.", meter.Counter, func(s store.TableStats) int64 { return s.Merges }},
	{"almanac_store_superseded_rows_total", "Rows that were replaced by a newer one.", meter.Counter, func(s store.TableStats) int64 { return s.Superseded }},
}

// measureStore makes known what is in the event store. It is asked when somebody reads the metrics.
func measureStore(registry *meter.Registry, events store.Store) {
	registry.AddSource(func() []meter.Family {
		stats := events.Stats()
		families := make([]meter.Family, len(storeMetrics))
		for n, m := range storeMetrics {
			families[n] = meter.Family{Name: m.name, Help: m.help, Kind: m.kind, Samples: []meter.Sample{
				{Labels: `table="observations"`, Value: float64(m.of(stats.Observations))},
				{Labels: `table="scores"`, Value: float64(m.of(stats.Scores))},
			}}
		}
		return families
	})
}
