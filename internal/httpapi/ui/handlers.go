// Package ui serves the queries of the web application: lists, counts, histograms and tails, single traces and
// observations, exports, deletions and saved views.
package ui

import (
	"context"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/query/explore"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Handlers serves the routes of this package.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	// Finder finds traces of a project.
	Finder func(domain.ProjectScope) *traces.Finder
	// RemoveTraces deletes traces with everything that belongs to them.
	RemoveTraces func(c *endpoint.Call, scope domain.ProjectScope, ids []string) error
	// Media signs the URLs of files.
	Media endpoint.Media
	// Box is the time budget of a query that may return a partial result; 0 for the default.
	Box time.Duration
	// Tails tracks the open tails, which stream rows as they arrive.
	Tails *Tails
}

func (h *Handlers) explorer(scope domain.ProjectScope) *explore.Explorer {
	return &explore.Explorer{Store: h.Store, Scope: scope, Traces: h.Finder(scope), TimeLimit: h.Box}
}

// commentCounts returns the number of comments by observation.
func (h *Handlers) commentCounts(ctx context.Context, scope domain.ProjectScope) (map[string]int, error) {
	return h.Catalog.CommentCounts(ctx, scope, "OBSERVATION", maxCommented)
}

// maxCommented is the maximum number of commented observations of a project that commentCounts returns.
const maxCommented = 100_000
