package server

import (
	"almanac/internal/accounts"
	"almanac/internal/auth"
	"almanac/internal/catalog/rows"
	"almanac/internal/catalog/tenants"
	"almanac/internal/limits"
	"almanac/internal/pricing"
	"almanac/internal/prompts"
	"almanac/internal/traces"
)

// caches hold data from the catalog for serving requests.
type caches struct {
	keys     *auth.Keys
	accounts *accounts.Accounts
	prompts  *prompts.Library
	prices   *pricing.Lists
	marks    *traces.MarkCache
	usage    *limits.Tracker
}

// invalidate drops cached data about an object in the catalog that this server or another has changed. It is the only
// place that does so: code that changes the catalog need not know about caches.
func (c caches) invalidate(change rows.Change) {
	switch change.Kind {
	case rows.KindKey:
		c.keys.Invalidate() // all of them: a lookup is cheap, and a new key may be cached as unknown
	case rows.KindSession, rows.KindUser, rows.KindMembership, rows.KindProjectMembership:
		c.accounts.Invalidate()
	case rows.KindPrompt:
		c.prompts.Invalidate(change.ProjectID)
	case rows.KindModel:
		c.prices.Invalidate(change.ProjectID)
	case rows.KindTrace:
		c.marks.Invalidate(change.ProjectID)
	case rows.KindProject:
		c.keys.Invalidate()
		c.accounts.Invalidate()
		c.prompts.Invalidate(change.ProjectID)
		c.prices.Invalidate(change.ProjectID)
		c.marks.Invalidate(change.ProjectID)
	case tenants.KindLimits:
		c.usage.Changed()
	case rows.KindOrganization, "": // an organization includes all its projects
		c.keys.Invalidate()
		c.accounts.Invalidate()
		c.prompts.InvalidateAll()
		c.prices.InvalidateAll()
		c.marks.InvalidateAll()
		c.usage.Changed()
	}
}
