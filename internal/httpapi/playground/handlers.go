// Package playground serves the playground: runs of models, streamed and recorded as traces, and what projects keep for
// them: tools, schemas, saved playgrounds and the default model. It also serves experiments that the server runs.
package playground

import (
	"context"
	"log/slog"
	"time"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest"
	"almanac/internal/ingest/pricing"
	"almanac/internal/llm"
)

// Models calls models; it is implemented by llm.Client.
type Models interface {
	Stream(ctx context.Context, c llm.Connection, r llm.Request, handle func(llm.Event) error) (*llm.Result, error)
}

// Recorder stores the rows of runs; it is implemented by ingest.Pipeline.
type Recorder interface {
	Rows(ctx context.Context, scope domain.ProjectScope, by domain.Consumer, rows []ingest.Row) ([]domain.Observation, error)
}

// Handlers serves the routes of this package.
type Handlers struct {
	Catalog *catalog.Catalog
	// Secrets decrypts the secrets of connections.
	Secrets *secretbox.Box
	Models  Models
	Records Recorder
	// Prices holds the prices of projects, for estimates.
	Prices *pricing.Lists
	Media  endpoint.Media
	// Runs tracks the runs in progress.
	Runs *Runs
	// Recheck is how often the right to run models is checked while an answer arrives; 0 for the usual time.
	Recheck time.Duration
	Log     *slog.Logger
}
