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

// caches are what is remembered of the catalog, by whoever serves requests.
type caches struct {
	keys     *auth.Keys
	accounts *accounts.Accounts
	prompts  *prompts.Library
	prices   *pricing.Book
	marks    *traces.MarkBook
	usage    *limits.Keeper
}

// invalidate drops what is remembered of something in the catalog that was changed, by this server or another. Nothing else
// does: whoever changes something need not think of it.
func (c caches) invalidate(change rows.Change) {
	switch change.Kind {
	case rows.KindKey:
		c.keys.Invalidate() // all: a lookup is cheap, and a new key may be remembered as unknown
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
	case rows.KindOrganization, "": // an organization goes with all its projects
		c.keys.Invalidate()
		c.accounts.Invalidate()
		c.prompts.InvalidateAll()
		c.prices.InvalidateAll()
		c.marks.InvalidateAll()
		c.usage.Changed()
	}
}
