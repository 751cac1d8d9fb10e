package server

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/usage"
	"almanac/internal/media"
	"almanac/internal/query/prompts"
	"almanac/internal/store"
	"almanac/internal/store/clickhouse"
	"almanac/internal/store/eventdir"
	"almanac/internal/store/segment"
)

// refuseNewerEvents returns an error if the events in the data directory were written by a newer program.
func refuseNewerEvents(options config.Serve) error {
	if options.EventsInClickHouse() {
		return nil
	}
	if err := segment.RefuseNewer(datadir.EventsDir(options.Data)); err != nil {
		return fmt.Errorf("cannot open the event store: %w", err)
	}
	return nil
}

// openEvents opens the event store of the catalog and logs what it holds.
func openEvents(ctx context.Context, c *catalog.Catalog, options config.Serve, budget int64, log *slog.Logger) (store.Store, error) {
	if options.EventsInClickHouse() {
		return openClickHouse(ctx, options, log)
	}
	began := time.Now()
	tuning := segment.OptionsFor(budget)
	tuning.Log = log
	events, err := eventdir.Open(ctx, c, options.Storage, tuning)
	if err != nil {
		return nil, fmt.Errorf("cannot open the event store: %w", err)
	}
	found := events.Stats()
	log.Info("opened the event store",
		"observations", found.Observations.Rows, "scores", found.Scores.Rows,
		"segments", found.Observations.Segments+found.Scores.Segments,
		"rows_from_log", found.Observations.HotRows+found.Scores.HotRows,
		"disk_mb", (found.Observations.DiskBytes+found.Scores.DiskBytes)>>20,
		"took", time.Since(began).Round(time.Millisecond))
	return events, nil
}

// openClickHouse opens the event store in ClickHouse.
func openClickHouse(ctx context.Context, options config.Serve, log *slog.Logger) (store.Store, error) {
	began := time.Now()
	address, err := clickhouse.ParseAddress(options.Store.Reveal())
	if err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	events, err := clickhouse.Open(ctx, address, clickhouse.Options{Log: log})
	if err != nil {
		return nil, fmt.Errorf("cannot open the event store: %w", err)
	}
	log.Info("opened the event store in ClickHouse", "address", address.String(), "cluster", address.Cluster, "took",
		time.Since(began).Round(time.Millisecond))
	return events, nil
}

// newPipeline returns the pipeline that ingests spans.
func newPipeline(
	options config.Serve, budget int64, events store.Store, prices *pricing.Lists, masks *ingest.Masks, files *media.Library,
	library *prompts.Library,
	usage *usage.Tracker, registry prometheus.Registerer, log *slog.Logger,
) *ingest.Pipeline {
	if masks.Rules() > 0 {
		log.Info("masking is enabled", "rules", masks.Rules(), "file", options.MaskingRules)
	}
	var keeper ingest.MediaKeeper
	if options.ExtractMedia {
		keeper = files
	}
	return ingest.New(ingest.Options{
		Media: keeper,
		Table: events.Observations(), Prices: prices, Limits: otlp.DefaultLimits(), Times: eventTimes(options), Masks: masks,
		MaxExport: int64(options.MaxExport), Memory: ingestMemory(options, budget), Wait: options.IngestQueueTimeout,
		TurnWait: options.RequestQueueTimeout,
		Prompts:  library, Usage: usage, Metrics: registry, ProjectMetrics: options.MetricsProjects, Log: log,
	})
}

// eventTimes returns the times that new events may have.
func eventTimes(options config.Serve) domain.TimeWindow {
	return domain.WindowOfDays(options.MaxEventAge, options.MaxEventFuture)
}

// newLegacy returns the function that ingests events of older clients, or nil if the operator disabled it.
func newLegacy(
	options config.Serve, events *store.LockedStore, prices *pricing.Lists, masks *ingest.Masks, pipeline *ingest.Pipeline,
	registry prometheus.Registerer,
) func(context.Context, domain.ProjectScope, string, []legacy.Event) []error {
	if options.LegacyIngestion != "accept" {
		return nil
	}
	return legacy.New(legacy.Options{
		Table: events.Observations(), Lock: events.LockedObservations().Lock, Prices: prices, Masks: masks, Memory: pipeline.Working(),
		Stored: pipeline.NoteEvent, LinkPrompts: pipeline.LinkPrompts,
		Times: eventTimes(options), Metrics: registry,
	}).Ingest
}

// concurrentReads returns how many reads of events may run concurrently. The embedded store runs in this process, and
// more reads than CPUs would only delay everything else. With ClickHouse a read is mostly waiting.
func concurrentReads(options config.Serve) int {
	switch {
	case options.MaxConcurrentReads > 0:
		return options.MaxConcurrentReads
	case options.EventsInClickHouse():
		return max(16, 8*runtime.GOMAXPROCS(0))
	}
	return max(4, 2*runtime.GOMAXPROCS(0))
}

// requestMemory returns how much memory all requests may hold together: their bodies, the data read for them and their
// responses.
func requestMemory(options config.Serve, budget int64) int64 {
	if budget > 0 {
		return min(int64(options.RequestMemory), budget/4)
	}
	return int64(options.RequestMemory)
}

// cacheMemory returns the size of a cache of catalog data: at most the given number of bytes.
func cacheMemory(most int, budget int64) int {
	const share = 32
	if budget > 0 {
		return int(min(int64(most), budget/share))
	}
	return most
}

// ingestMemory returns how much memory all exports may hold together. With a small budget the rest is left to the store
// and to reads.
func ingestMemory(options config.Serve, budget int64) int64 {
	if budget > 0 {
		return min(int64(options.IngestMemory), budget/4)
	}
	return int64(options.IngestMemory)
}
