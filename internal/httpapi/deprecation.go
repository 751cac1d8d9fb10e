package httpapi

import (
	"net/http"

	"almanac/internal/httpapi/prompts"
	"almanac/internal/httpapi/respond"
)

// deprecatedSince is the date since which routes are deprecated, 2026-01-01T00:00:00Z, in the format of RFC 9745.
const deprecatedSince = "@1767225600"

// The successors of deprecated routes.
const (
	scoresSuccessor = "/api/public/v3/scores"
)

// replacedBy returns the rules of a deprecated route with a successor.
func replacedBy(successor string) rules { return rules{successor: successor} }

// reading marks a route that reads events.
func (r rules) reading() rules {
	r.readsEvents = true
	return r
}

// withLists names the query parameters of a route that may be repeated.
func (r rules) withLists(names ...string) rules {
	r.lists = names
	return r
}

// notLimited exempts a route from usage limits.
func (r rules) notLimited() rules {
	r.unlimited = true
	return r
}

// announce sets the headers that tell clients of a deprecated route its successor.
func (a *API) announce(h http.Header, successor string) {
	if successor != "" {
		h.Set("Deprecation", deprecatedSince)
		h.Add("Link", "<"+a.links.To(successor)+`>; rel="successor-version"`)
	}
}

// promptRules returns the rules of prompt routes: denials have names and their own message.
func promptRules(method string) rules {
	return rules{errors: respond.Named, forbidden: "Access denied - need to use basic auth with secret key to " + method + " prompts"}
}

// newPromptRules returns the rules of the route for new versions, which may be long.
func newPromptRules() rules {
	r := promptRules("POST")
	r.maxBody = prompts.MaxPromptBody
	return r
}

// promptRulesV1 returns the rules of the deprecated prompt routes.
func promptRulesV1(method string) rules {
	r := promptRules(method)
	r.successor = prompts.PromptsSuccessor
	return r
}
