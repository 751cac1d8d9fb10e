package server

import (
	"net/http"
	"net/url"

	"almanac/internal/netguard"
)

// strictTransport makes browsers use only encrypted connections to this host name for a year (HSTS). Responses to this
// machine are left alone: its name stands for every program on it.
func strictTransport(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := (&url.URL{Host: r.Host}).Hostname(); r.TLS != nil && !netguard.IsLoopback(host) {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		h.ServeHTTP(w, r)
	})
}
