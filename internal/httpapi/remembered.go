package httpapi

import "almanac/internal/catalog"

// forget drops what is remembered of something in the catalog that was changed, by this server or another. Nothing else calls
// the methods that forget: whoever changes something need not think of it.
func (a *API) forget(change catalog.Change) {
	switch change.Kind {
	case catalog.KindKey:
		a.Keys.Forget() // all: a lookup is cheap, and a new key may be remembered as unknown
	case catalog.KindPrompt:
		a.Prompts.Forget(change.ProjectID)
	case catalog.KindModel:
		a.Prices.Forget(change.ProjectID)
	case catalog.KindProject:
		a.Keys.Forget()
		a.Prompts.Forget(change.ProjectID)
		a.Prices.Forget(change.ProjectID)
	case catalog.KindLimits:
		a.Usage.Changed()
	case catalog.KindOrganization, "": // an organization goes with all its projects
		a.Keys.Forget()
		a.Prompts.ForgetAll()
		a.Prices.ForgetAll()
		a.Usage.Changed()
	}
}
