// Package dashboards serves dashboards, their widgets and where these are placed.
package dashboards

import "almanac/internal/catalog"

// Handlers serve the routes of dashboards.
type Handlers struct{ Catalog *catalog.Catalog }
