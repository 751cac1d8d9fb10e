package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"almanac/internal/domain"
)

// Origins are the origins whose pages may call the API; "*" means all. Credentials are never allowed: a page sends its
// key in a header, never in a cookie.
type Origins []string

// ReadOrigins parses a comma-separated list of origins; "none" is the empty list.
func ReadOrigins(list string) Origins {
	var origins Origins
	for origin := range strings.SplitSeq(list, ",") {
		origin = domain.LowerASCII(strings.TrimSuffix(strings.TrimSpace(origin), "/"))
		if origin != "" && origin != "none" {
			origins = append(origins, origin)
		}
	}
	return origins
}

func (o Origins) all() bool { return slices.Contains(o, "*") }

func (o Origins) allow(origin string) bool {
	return o.all() || slices.Contains(o, domain.LowerASCII(origin))
}

// pages says which web pages may call a route from a browser.
type pages int

const (
	// pagesByAccess allows pages on routes for project keys and on routes open to all, but not on routes for organization
	// keys and administrators.
	pagesByAccess pages = iota
	// noPages is for routes that pages of other origins never need.
	noPages
	// everyPage is for public documents: the response allows *, if the configuration does, whether or not the request has
	// an origin.
	everyPage
)

// pages returns which pages may call the route.
func (r route) pages() pages {
	if r.rules.pages == pagesByAccess && (r.access.kind == "organization" || r.access.kind == "admin") {
		return noPages
	}
	return r.rules.pages
}

// pages returns which pages may use a method of a resource. A method without a route is treated like the others.
func (res *resource) pages(method string) pages {
	if rt, offered := res.route(method); offered {
		return rt.pages()
	}
	for _, rt := range res.routes {
		if may := rt.pages(); may != noPages {
			return may
		}
	}
	return noPages
}

// allowOrigin sets the CORS headers that let a page read the response, if its origin is allowed.
func (a *API) allowOrigin(w http.ResponseWriter, r *http.Request, may pages) {
	if may == noPages || len(a.Origins) == 0 {
		return
	}
	h := w.Header()
	if may == everyPage && a.Origins.all() {
		h.Set("Access-Control-Allow-Origin", "*")
		return
	}
	h.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" && a.Origins.allow(origin) {
		h.Set("Access-Control-Allow-Origin", origin)
	}
}

// answerPreflight responds to a CORS preflight request, or returns false if pages may not call the resource at all.
func (a *API) answerPreflight(w http.ResponseWriter, r *http.Request, res *resource) bool {
	// Browsers send GET, HEAD and POST whatever methods are allowed; only the origin matters for these.
	may := res.pages(r.Header.Get("Access-Control-Request-Method"))
	if may == noPages || len(a.Origins) == 0 {
		return false
	}
	a.allowOrigin(w, r, may)
	h := w.Header()
	if h.Get("Access-Control-Allow-Origin") != "" || r.Header.Get("Origin") == "" {
		h.Set("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
		if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
			h.Set("Access-Control-Allow-Headers", asked)
			h.Add("Vary", "Access-Control-Request-Headers")
		}
	}
	h.Set("Content-Length", "0")
	w.WriteHeader(http.StatusNoContent)
	return true
}
