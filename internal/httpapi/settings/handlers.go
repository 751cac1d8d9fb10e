// Package settings serves what a project configures: models and their prices, LLM connections, exports to blob storage.
package settings

import (
	"almanac/internal/catalog"
	"almanac/internal/pricing"
	"almanac/internal/secretbox"
	"almanac/internal/store"
)

// Handlers serve the routes of a project's settings.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Prices  *pricing.Book
	// Secrets encrypts what projects entrust to us.
	Secrets *secretbox.Box
	// PrivateConnections reports whether connections may lead into the private network.
	PrivateConnections bool
}
