// Package tracing serves what is read of traces: observations, traces, sessions and metrics.
package tracing

import (
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/pricing"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// Handlers serve the reads of traces, and their deletion.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	// Prices are the models of projects, whose prices rows show.
	Prices *pricing.Book
	// Marks is what people say of traces, whose rows show it.
	Marks *traces.MarkBook
	Media endpoint.Media
	// Finder finds traces and sessions of a project.
	Finder func(domain.ProjectScope) *traces.Finder
	// Viewed is told that somebody who is signed in was shown something that they named; nil if nobody wants to know.
	Viewed func(c *endpoint.Call, scope domain.ProjectScope, objectType, id string)
}
