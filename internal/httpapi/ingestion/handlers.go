// Package ingestion takes data in: exports over OpenTelemetry, and batches of events of older clients.
package ingestion

import (
	"context"
	"log/slog"
	"sync/atomic"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/legacy"
	"almanac/internal/limits"
	"almanac/internal/scores"
)

// Handlers serve the routes by which data comes in.
type Handlers struct {
	Ingest *ingest.Pipeline
	// Legacy takes in the events of a batch that are about traces and observations, which key sent, and returns an error or nil
	// for each: a *decode.Invalid refuses the event, any other one fails the whole batch. If it is nil, such events are refused.
	Legacy func(ctx context.Context, scope domain.ProjectScope, key string, events []legacy.Event) []error
	Scores *scores.Writer
	// CountScores counts scores that were stored and refused.
	CountScores func(stored, refused int)
	// Usage counts what is used and refuses what passes a limit; nil counts nothing.
	Usage *limits.Keeper
	Log   *slog.Logger

	warnedAt atomic.Int64 // when the log last told of clients whose traces are refused
}
