// Package admin serves the administration of organizations: projects, keys, members, limits and the audit log.
package admin

import (
	"almanac/internal/catalog"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/limits/usage"
)

// Handlers serves the administration routes.
type Handlers struct {
	Catalog *catalog.Catalog
	// Usage counts usage and enforces limits; nil does neither.
	Usage *usage.Tracker
	// Storage measures what projects store.
	Storage *Storage
	Links   endpoint.Links
}
