// Package datasets serves datasets, their items and runs, and experiments.
package datasets

import (
	"almanac/internal/catalog"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
)

// Handlers serves the dataset and experiment routes.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Media   endpoint.Media
	Links   endpoint.Links
}
