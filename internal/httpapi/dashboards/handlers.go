// Package dashboards serves dashboards, their widgets and the widgets' placements.
package dashboards

import "almanac/internal/catalog"

// Handlers serves the dashboard routes.
type Handlers struct{ Catalog *catalog.Catalog }
