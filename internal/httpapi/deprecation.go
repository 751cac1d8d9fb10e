package httpapi

import "net/http"

// deprecatedSince is when the reads of traces, observations and sessions were replaced, as RFC 9745 writes a date:
// 2026-01-01T00:00:00Z.
const deprecatedSince = "@1767225600"

// observationsSuccessor replaces all of them.
const observationsSuccessor = "/api/public/v2/observations"

// replacedBy marks a route as deprecated.
func replacedBy(successor string) rules { return rules{successor: successor} }

// announce tells clients of a deprecated route what replaces it.
func (r rules) announce(h http.Header) {
	if r.successor != "" {
		h.Set("Deprecation", deprecatedSince)
		h.Add("Link", "<"+r.successor+`>; rel="successor-version"`)
	}
}
