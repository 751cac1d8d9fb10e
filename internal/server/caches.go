package server

import (
	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/usage"
	"almanac/internal/query/prompts"
	"almanac/internal/query/traces"
)

// caches hold data from the catalog for serving requests.
type caches struct {
	keys     *auth.Keys
	accounts *accounts.Accounts
	prompts  *prompts.Library
	prices   *pricing.Lists
	marks    *traces.MarkCache
	usage    *usage.Tracker
}

// invalidate drops cached data about an object in the catalog that this server or another has changed. It is the only
// place that does so: code that changes the catalog need not know about caches.
func (c caches) invalidate(change tables.Change) {
	switch change.Kind {
	case tables.KindKey:
		c.keys.Invalidate() // all of them: a lookup is cheap, and a new key may be cached as unknown
	case tables.KindSession, tables.KindUser, tables.KindMembership, tables.KindProjectMembership:
		c.accounts.Invalidate()
	case tables.KindPrompt:
		c.prompts.Invalidate(change.ProjectID)
	case tables.KindModel:
		c.prices.Invalidate(change.ProjectID)
	case tables.KindTrace:
		c.marks.Invalidate(change.ProjectID)
	case tables.KindProject:
		c.keys.Invalidate()
		c.accounts.Invalidate()
		c.prompts.Invalidate(change.ProjectID)
		c.prices.Invalidate(change.ProjectID)
		c.marks.Invalidate(change.ProjectID)
	case tenants.KindLimits:
		c.usage.Changed()
	case tables.KindOrganization, "": // an organization includes all its projects
		c.keys.Invalidate()
		c.accounts.Invalidate()
		c.prompts.InvalidateAll()
		c.prices.InvalidateAll()
		c.marks.InvalidateAll()
		c.usage.Changed()
	}
}
