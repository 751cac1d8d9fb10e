// Package traces serves reads of observations, traces, sessions and metrics, and the deletion of traces.
package traces

import (
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/ingest/pricing"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Handlers serves the tracing routes.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	// Prices holds the models of projects, whose prices appear in rows.
	Prices *pricing.Lists
	// Marks holds what people set on traces, which appears in rows.
	Marks *traces.MarkCache
	Media endpoint.Media
	// Finder finds traces and sessions of a project.
	Finder func(domain.ProjectScope) *traces.Finder
	// Viewed records that a signed-in person was shown an object that they named; nil if that is disabled.
	Viewed func(c *endpoint.Call, scope domain.ProjectScope, objectType, id string)
}
