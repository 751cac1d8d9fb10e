// Package settings serves project settings: models and their prices, LLM connections, and exports to blob storage.
package settings

import (
	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/ingest/pricing"
	"almanac/internal/llm"
	"almanac/internal/netguard"
	"almanac/internal/store"
	"almanac/internal/transfer/scheduled"
)

// Handlers serves the routes of project settings.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Prices  *pricing.Lists
	// Secrets encrypts credentials that projects store with the server.
	Secrets *secretbox.Box
	// Exports reaches the buckets of integrations.
	Exports *scheduled.Exports
	// Guard says which addresses connections to model providers may have, and LLM makes calls with them.
	Guard netguard.Guard
	LLM   *llm.Client
}
