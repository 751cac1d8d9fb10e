package httpapi

import (
	"errors"
	"net/http"

	"almanac/internal/auth"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/queued"
)

// route is one line of the table.
type route struct {
	method, path string
	access       access
	rules        rules
}

// rules are what is special about a route. The zero value is right for most.
type rules struct {
	errors         respond.ErrorFormat
	forbidden      string // the message for a valid credential of the wrong kind
	maxBody        int64  // in bytes; 0 stands for defaultMaxBody
	alwaysAdmitted bool   // takes no turn: health and metrics, and what takes turns of its own
	unlimited      bool   // counts for no limit: what clients probe with, and what limits are raised with
	heavy          bool   // reads events, which may keep a processor busy for long
	successor      string // the path that replaces a deprecated route
	pages          pages  // which pages of browsers may call it
	rootToo        bool   // served at the root, too, if everything else is below a base path
	private        bool   // answers are for one person: nothing on the way keeps a copy
	changes        bool   // GET may change something, too
	// receive takes the body in after the credential was checked. Without it the body is read before everything else.
	receive endpoint.Receiver
}

// defaultMaxBody is the largest body of a route that sets no limit of its own.
const defaultMaxBody = 1 << 20

func (r route) maxBody() int64 {
	if r.rules.maxBody > 0 {
		return r.rules.maxBody
	}
	return defaultMaxBody
}

// access says who may call a route, and holds its handler, which cannot be called in any other way.
type access struct {
	// What admit asks for, for tests and documentation.
	kind       string            // anyone, project, organization, admin; of people: visitor, signedIn, projectMember, organizationMember
	permission domain.Permission // one of them is enough; 0 for none
	publicToo  bool              // a project key without its secret, too
	adminToo   bool              // an administrator who names a project, too
	// What people need to call a route of projects at its address below /api/ui, and what they call there; nil for other routes.
	people  domain.Permission
	project func(*endpoint.Call, domain.ProjectScope) (any, error)
	// queued reports whether a request is about nothing but what is in somebody's annotation queues. Annotators may then make it, too;
	// if it is nil, they may not.
	queued func(*endpoint.Call, domain.ProjectScope, *queued.Queues) (bool, error)
	// published says that whoever cannot see the project is let in, too, if what they ask for is published.
	published bool
	// admit checks the credential and returns the call of the handler for it.
	admit func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error)
}

// anyone lets everybody in.
func anyone(h func(*endpoint.Call) (any, error)) access {
	return access{kind: "anyone", admit: func(*API, *http.Request, rules) (func(*endpoint.Call) (any, error), error) {
		return h, nil
	}}
}

// projectKey lets in keys of a project, with their secrets, that hold the permission; 0 asks for none. The handler is bound to
// that project.
func projectKey(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return keyOfProject(permission, false, h)
}

// projectKeyOrPublic lets in the same keys, and also without their secrets, as browsers send them, if that is enough for the
// permission.
func projectKeyOrPublic(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return keyOfProject(permission, true, h)
}

func keyOfProject(permission domain.Permission, publicToo bool, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return access{kind: "project", permission: permission, publicToo: publicToo, people: permission, project: h, admit: func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error) {
		principal, err := a.Keys.Check(r.Context(), r.Header.Get("Authorization"))
		if err != nil {
			return nil, err
		}
		endpoint.InfoOf(r).Consumer = principal.Consumer()
		scope, err := principal.RequireProject(permission, publicToo)
		if err != nil {
			return nil, denied(rules, err)
		}
		endpoint.LeaseOf(r).Own(scope.ProjectID())
		return func(c *endpoint.Call) (any, error) { return h(c.As(principal), scope) }, nil
	}}
}

// projectKeyOrAdmin is projectKey that also lets in whoever has the instance's admin key and names a project.
func projectKeyOrAdmin(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	withKey := projectKey(permission, h)
	return access{kind: withKey.kind, permission: permission, adminToo: true, people: permission, project: h, admit: func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error) {
		key := serviceHeader(r.Header, "admin-api-key")
		if key == "" {
			return withKey.admit(a, r, rules)
		}
		principal, err := a.Admin.InProject(r.Header.Get("Authorization"), key, serviceHeader(r.Header, "project-id"))
		if err != nil {
			return nil, err
		}
		endpoint.InfoOf(r).Consumer = principal.Consumer()
		scope, _ := principal.Project()
		if _, err := a.Catalog.Project(r.Context(), scope); err != nil {
			return nil, endpoint.ProjectError(err)
		}
		endpoint.LeaseOf(r).Own(scope.ProjectID())
		return func(c *endpoint.Call) (any, error) { return h(c.As(principal), scope) }, nil
	}}
}

// forPeople names the permission that people need for the route, where that of keys is too coarse for their roles.
func (a access) forPeople(permission domain.Permission) access {
	a.people = permission
	return a
}

// orQueued lets in annotators, too, if their request is about nothing but what is in their queues.
func (a access) orQueued(check func(*endpoint.Call, domain.ProjectScope, *queued.Queues) (bool, error)) access {
	a.queued = check
	return a
}

// serviceHeader returns a header that clients send under either name of the service.
func serviceHeader(h http.Header, name string) string {
	if value := h.Get("X-Langfuse-" + name); value != "" {
		return value
	}
	return h.Get("X-Almanac-" + name)
}

// organizationKey lets in keys of an organization. The handler is bound to that organization.
func organizationKey(h func(*endpoint.Call, domain.OrganizationScope) (any, error)) access {
	return access{kind: "organization", admit: func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error) {
		principal, err := a.Keys.Check(r.Context(), r.Header.Get("Authorization"))
		if err != nil {
			return nil, err
		}
		endpoint.InfoOf(r).Consumer = principal.Consumer()
		scope, err := principal.RequireOrganization()
		if err != nil {
			return nil, denied(rules, err)
		}
		return func(c *endpoint.Call) (any, error) { return h(c.As(principal), scope) }, nil
	}}
}

// adminKey lets in whoever has the instance's admin key.
func adminKey(h func(*endpoint.Call) (any, error)) access {
	return access{kind: "admin", admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any, error), error) {
		if err := a.Admin.Check(r.Header.Get("Authorization")); err != nil {
			return nil, err
		}
		return func(c *endpoint.Call) (any, error) { return h(c.AsAdmin(a.Admin.Actor())) }, nil
	}}
}

// adminOf lets in the same. The handler is bound to the organization that the path names, which need not exist.
func adminOf(h func(*endpoint.Call, domain.OrganizationScope) (any, error)) access {
	return access{kind: "admin", admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any, error), error) {
		scope, err := a.Admin.Organization(r.Header.Get("Authorization"), r.PathValue("organizationId"))
		if err != nil {
			return nil, err
		}
		return func(c *endpoint.Call) (any, error) { return h(c.AsAdmin(a.Admin.Actor()), scope) }, nil
	}}
}

// denied gives the refusal of a credential of the wrong kind the route's own message, if it has one. About a permission that a
// key of the right kind lacks that message would mislead.
func denied(rules rules, err error) error {
	var d *auth.Denied
	if rules.forbidden != "" && errors.As(err, &d) && d.WrongKind {
		d.Message = rules.forbidden
	}
	return err
}

// maxSettingsBody is the largest body of the routes of dashboards and evaluations, so that a page of a hundred of them fits into memory.
const maxSettingsBody = 256 << 10
