package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// Origins are those whose pages may call the API; "*" stands for all. Credentials are never allowed: keys come in a header that
// a page must know, never from a cookie.
type Origins []string

// ReadOrigins reads a list of origins that is separated by commas; "none" is an empty one.
func ReadOrigins(list string) Origins {
	var origins Origins
	for origin := range strings.SplitSeq(list, ",") {
		origin = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(origin), "/"))
		if origin != "" && origin != "none" {
			origins = append(origins, origin)
		}
	}
	return origins
}

func (o Origins) all() bool { return slices.Contains(o, "*") }

func (o Origins) allow(origin string) bool {
	return o.all() || slices.Contains(o, strings.ToLower(origin))
}

// pages says which pages of browsers may call a route.
type pages int

const (
	// pagesByAccess lets pages call what the key of a project opens, and what is open to all. What keys of organizations and
	// administrators are for is no business of pages.
	pagesByAccess pages = iota
	// noPages is for what pages of other origins never need.
	noPages
	// everyPage is for documents that are no secret: the answer says * whether it is asked or not.
	everyPage
)

// pages returns which pages may call the route.
func (r route) pages() pages {
	if r.rules.pages == pagesByAccess && (r.access.kind == "organization" || r.access.kind == "admin") {
		return noPages
	}
	return r.rules.pages
}

// pages returns which pages may use a method of a resource. What it does not offer is answered like the rest of it.
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

// allowOrigin lets a page read the answer, if it may.
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

// answerPreflight answers the question that browsers ask before a request, or returns false if pages never get an answer here.
func (a *API) answerPreflight(w http.ResponseWriter, r *http.Request, res *resource) bool {
	// Browsers send GET, HEAD and POST whatever methods are allowed: what counts for them is whether the origin is.
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
