package httpapi

import (
	"net/http"

	"almanac/internal/httpapi/prompting"
	"almanac/internal/httpapi/respond"
)

// deprecatedSince is when the reads of traces, observations, sessions and scores were replaced, as RFC 9745 writes a date:
// 2026-01-01T00:00:00Z.
const deprecatedSince = "@1767225600"

// What replaces them.
const (
	scoresSuccessor = "/api/public/v3/scores"
)

// replacedBy marks a route as deprecated.
func replacedBy(successor string) rules { return rules{successor: successor} }

// reading marks a route that reads events.
func (r rules) reading() rules {
	r.heavy = true
	return r
}

// notLimited marks a route that counts for no limit.
func (r rules) notLimited() rules {
	r.unlimited = true
	return r
}

// announce tells clients of a deprecated route what replaces it.
func (a *API) announce(h http.Header, successor string) {
	if successor != "" {
		h.Set("Deprecation", deprecatedSince)
		h.Add("Link", "<"+a.links.To(successor)+`>; rel="successor-version"`)
	}
}

// promptRules are what is special about the routes of prompts: denials have names, and a text of their own.
func promptRules(method string) rules {
	return rules{errors: respond.Named, forbidden: "Access denied - need to use basic auth with secret key to " + method + " prompts"}
}

// promptRulesV1 are those of the deprecated routes of prompts.
func promptRulesV1(method string) rules {
	r := promptRules(method)
	r.successor = prompting.PromptsSuccessor
	return r
}
