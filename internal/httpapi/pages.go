package httpapi

import (
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/webapp"
)

// pagePaths are the paths of the web application's pages, each including everything below it. The application itself
// decides which pages exist.
var pagePaths = []string{"/auth", "/organization", "/project", "/account", "/trace", "/public/traces", "/invite", "/docs", "/dev"}

// pageRoutes returns the routes of the web application's pages and files. They are not part of the API or of its
// description.
func (a *API) pageRoutes() []route {
	static := rules{pages: noPages, noAdmission: true, anyQuery: true}
	page := anyone(a.page)
	table := []route{
		{"GET", "/", page, static},
		{"GET", "/setup", page, static},
		{"GET", "/assets/{file}", anyone(a.asset), static},
	}
	for _, path := range pagePaths {
		table = append(table, route{"GET", path, page, static}, route{"GET", path + "/{rest...}", page, static})
	}
	// Link checkers and previews use HEAD. The HTTP server discards the body.
	for _, rt := range slices.Clone(table) {
		rt.method = http.MethodHead
		table = append(table, rt)
	}
	return table
}

// page serves the web application, which decides by the URL what to show.
func (a *API) page(*endpoint.Call) (any, error) {
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		a.web.Page(w, r)
		return nil
	}), nil
}

// asset serves a file of the web application.
func (a *API) asset(c *endpoint.Call) (any, error) {
	name := c.Path("file")
	return respond.Stream(func(w http.ResponseWriter, r *http.Request) error {
		err := a.web.Asset(w, r, name)
		if errors.Is(err, fs.ErrNotExist) {
			return respond.NoRoute("GET /assets/" + name)
		}
		return err
	}), nil
}

// newWeb returns the web application for the URL of this server.
func newWeb(links endpoint.Links) *webapp.App {
	app, err := webapp.New(webapp.Files(), links.Prefix, links.URL)
	if err != nil {
		panic("BUG: the web application is not embedded: " + err.Error())
	}
	return app
}
