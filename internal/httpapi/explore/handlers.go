// Package explore serves what the pages of the web application ask about many rows, and about one trace.
package explore

import (
	"context"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/explore"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// Handlers serve the reads of the web application.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	// Finder finds traces of a project.
	Finder func(domain.ProjectScope) *traces.Finder
	// RemoveTraces deletes traces with all that belongs to them.
	RemoveTraces func(c *endpoint.Call, scope domain.ProjectScope, ids []string) error
	// Media signs the addresses of files.
	Media endpoint.Media
	// Box is how long an answer that may be partial is worked on; 0 for the usual time.
	Box time.Duration
	// Tails are those that show rows as they arrive.
	Tails *Tails
}

func (h *Handlers) explorer(scope domain.ProjectScope) *explore.Explorer {
	return &explore.Explorer{Store: h.Store, Scope: scope, Traces: h.Finder(scope), Box: h.Box}
}

// commentCounts returns how many comments observations of a project have.
func (h *Handlers) commentCounts(ctx context.Context, scope domain.ProjectScope) (map[string]int, error) {
	return h.Catalog.CommentCounts(ctx, scope, "OBSERVATION", maxCommented)
}

// maxCommented is how many observations with comments of a project are known to a tree.
const maxCommented = 100_000
