// Package media serves media, the files that belong to traces and dataset items, and the files of exports.
package media

import (
	"log/slog"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
)

// Handlers serves the routes of media and export files.
type Handlers struct {
	Catalog      *catalog.Catalog
	Observations store.Table[domain.Observation]
	Media        endpoint.Media
	Log          *slog.Logger
}
