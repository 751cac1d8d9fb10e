// Package files serves media: the files that belong to traces and dataset items.
package files

import (
	"log/slog"

	"almanac/internal/catalog"
	"almanac/internal/httpapi/endpoint"
)

// Handlers serve the routes of media.
type Handlers struct {
	Catalog *catalog.Catalog
	Media   endpoint.Media
	Log     *slog.Logger
}
