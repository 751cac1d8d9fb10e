package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
)

// TestMeasureStore compares the metrics with the operations on a store.
func TestMeasureStore(t *testing.T) {
	events, err := segment.Open(t.TempDir(), segment.Options{MinFreeDisk: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = events.Close() }()
	registry := prometheus.NewRegistry()
	registry.MustRegister(newStoreCollector(events))
	scope := domain.OfProject("p")
	add := func(ids ...string) {
		t.Helper()
		for _, id := range ids {
			if err := events.Observations().Append(t.Context(), scope, []domain.Observation{
				{TraceID: "t", ID: id, StartTime: 1, Input: strings.Repeat("x", 100)},
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(when string, lines ...string) {
		t.Helper()
		w := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
		text := w.Body.String()
		for _, line := range lines {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%s there is no line %s in\n%s", when, line, text)
			}
		}
	}
	add("a", "b", "a")
	want("with rows in memory", `almanac_store_rows{table="observations"} 2`, `almanac_store_hot_rows{table="observations"} 2`,
		`almanac_store_segments{table="observations"} 0`,
		`almanac_store_superseded_rows_total{table="observations"} 1`, `almanac_store_rows{table="scores"} 0`,
		`almanac_store_flushes_total{table="observations"} 0`)
	if s := events.Stats().Observations; s.LogBytes == 0 || s.HotBytes == 0 {
		t.Errorf("rows take no space in memory or in the log: %+v", s)
	}
	if err := events.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, err := range events.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{Want: store.WantAll}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	want("after a flush", `almanac_store_rows{table="observations"} 2`, `almanac_store_hot_rows{table="observations"} 0`,
		`almanac_store_segments{table="observations"} 1`,
		`almanac_store_flushes_total{table="observations"} 1`, `almanac_store_merges_total{table="observations"} 0`)
	s := events.Stats().Observations
	if s.IndexBytes <= 0 || s.IndexBytes >= s.DiskBytes {
		t.Errorf("indexes have %d bytes of %d", s.IndexBytes, s.DiskBytes)
	}
	if s.CacheMisses == 0 || s.CacheHits == 0 || s.CacheBytes == 0 {
		t.Errorf("the cache was not used: %+v", s)
	}
}
