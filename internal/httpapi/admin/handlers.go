// Package admin serves what organizations and administrators manage: projects, keys, members, limits and the audit log.
package admin

import (
	"almanac/internal/catalog"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/limits"
)

// Handlers serve the routes of administration.
type Handlers struct {
	Catalog *catalog.Catalog
	// Usage counts what is used and refuses what passes a limit; nil counts nothing.
	Usage *limits.Keeper
	Links endpoint.Links
}
