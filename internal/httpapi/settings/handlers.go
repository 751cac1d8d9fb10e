// Package settings serves project settings: models and their prices, LLM connections, and exports to blob storage.
package settings

import (
	"almanac/internal/catalog"
	"almanac/internal/pricing"
	"almanac/internal/secretbox"
	"almanac/internal/store"
)

// Handlers serves the routes of project settings.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Prices  *pricing.Lists
	// Secrets encrypts credentials that projects store with the server.
	Secrets *secretbox.Box
	// PrivateConnections allows LLM connections to addresses in the private network.
	PrivateConnections bool
}
