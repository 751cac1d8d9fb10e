package httpapi

import (
	"net/http"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The tests are outside of the package, since package apitest, which they share with the tests of the handlers, imports
// it. Here is what they see of it that others do not.

type (
	// Route is a row of the route table.
	Route = route
	// Access says who may call a route.
	Access = access
	// Rules are the exceptions of a route.
	Rules = rules
)

const (
	AnyMethod      = anyMethod
	DefaultMaxBody = defaultMaxBody
	MaxMessage     = maxMessage
	MaxUnknownBody = maxUnknownBody
)

// The kinds of access.
var (
	AdminKey           = adminKey
	Anyone             = anyone
	ProjectKey         = projectKey
	ProjectKeyOrPublic = projectKeyOrPublic
)

var (
	LoggedPath = loggedPath
	RequestID  = requestID
)

// NewRoute returns a route.
func NewRoute(method, path string, access Access, rules Rules) Route {
	return route{method, path, access, rules}
}

func (r route) Method() string { return r.method }
func (r route) Path() string   { return r.path }
func (r route) Access() access { return r.access }
func (r route) Rules() rules   { return r.rules }

func (r rules) Lists() []string { return r.lists }
func (r rules) Reading() rules  { return r.reading() }

func (r rules) ErrorOnly() rules {
	r.errors = respond.ErrorOnly
	return r
}

func (a access) Kind() string                  { return a.kind }
func (a access) Permission() domain.Permission { return a.permission }
func (a access) PublicToo() bool               { return a.publicToo }
func (a access) AdminToo() bool                { return a.adminToo }
func (a access) People() domain.Permission     { return a.people }
func (a access) Published() bool               { return a.published }
func (a access) Queued() bool                  { return a.queued != nil }

// Admit is what checks the credential of a request and returns the handler.
type Admit = func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error)

func (a access) Admit() Admit { return a.admit }

// Admitting returns the route with another way to admit requests.
func (r route) Admitting(admit Admit) Route {
	r.access.admit = admit
	return r
}

// WithoutReceiver returns the route without its own way to read the body.
func (r route) WithoutReceiver() Route {
	r.rules.receive = nil
	return r
}

func (a *API) Routes() []Route           { return a.routes() }
func (a *API) AllRoutes() []Route        { return a.allRoutes() }
func (a *API) PageRoutes() []Route       { return a.pageRoutes() }
func (a *API) UIRoutes() []Route         { return a.uiRoutes() }
func (a *API) ExploreRoutes() []Route    { return a.exploreRoutes() }
func (a *API) MirroredRoutes() []Route   { return a.mirroredRoutes() }
func (a *API) AnnotationRoutes() []Route { return a.annotationRoutes() }

// Serve makes the API serve these routes.
func (a *API) Serve(table []Route) { a.mux = a.newMux(table) }

// PlainReference is the page of the reference in a program built without the viewer.
func (a *API) PlainReference() string { return a.plainReference() }
