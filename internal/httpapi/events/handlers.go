// Package events serves the routes that receive data: OpenTelemetry exports and the event batches of older clients.
package events

import (
	"context"
	"log/slog"
	"sync/atomic"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/ingest/scores"
	"almanac/internal/limits/usage"
)

// Handlers serves the ingestion routes.
type Handlers struct {
	Ingest *ingest.Pipeline
	// Legacy ingests the trace and observation events of a batch sent with key, and returns an error or nil for each
	// event: a *decode.Invalid rejects that event, any other error fails the whole batch. If Legacy is nil, such events
	// are rejected.
	Legacy func(ctx context.Context, scope domain.ProjectScope, key string, events []legacy.Event) []error
	Scores *scores.Writer
	// CountScores counts stored and refused scores.
	CountScores func(stored, refused int)
	// Usage counts usage and enforces limits; nil does neither.
	Usage *usage.Tracker
	Log   *slog.Logger

	warnedAt atomic.Int64 // when a client with refused traces was last logged
}
