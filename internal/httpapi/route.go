package httpapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"almanac/internal/access/annotators"
	"almanac/internal/access/auth"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// route is one row of the route table.
type route struct {
	method, path string
	access       access
	rules        rules
}

// rules holds a route's exceptions to the defaults. The zero value is right for most routes.
type rules struct {
	errors      respond.ErrorFormat
	forbidden   string   // the error message for a valid credential of the wrong kind
	maxBody     int64    // in bytes; 0 means defaultMaxBody
	noAdmission bool     // runs without a turn: health, metrics, and handlers that take turns themselves
	unlimited   bool     // exempt from usage limits: routes that clients probe with or that raise limits
	readsEvents bool     // reads events, which may occupy a CPU for a long time
	successor   string   // the path that replaces a deprecated route
	pages       pages    // which web pages may call it from a browser
	alsoAtRoot  bool     // also served at the root when there is a base path
	private     bool     // responses are for one person and must not be cached
	changes     bool     // GET may change state
	lists       []string // query parameters that may be repeated; any other is sent once
	anyQuery    bool     // the query is for the page in the browser and is not read here
	// receive reads the body once the request is admitted. If it is nil, the body is read before a wrong credential is
	// reported.
	receive endpoint.Receiver
	// ownPace means that the handler itself reads the body and says how slowly it may arrive.
	ownPace bool
}

// defaultMaxBody is the maximum body size, in bytes, of routes that do not set one.
const defaultMaxBody = 1 << 20

// maxUnknownBody is the maximum body size, in bytes, of requests that need no credential or have a wrong one.
const maxUnknownBody = 64 << 10

func (r route) maxBody() int64 {
	limit := cmp.Or(r.rules.maxBody, defaultMaxBody)
	if r.access.kind == "anyone" || r.access.kind == "visitor" {
		limit = min(limit, maxUnknownBody)
	}
	return limit
}

// access says who may call a route. It holds the route's handler, which can be reached only through admit.
type access struct {
	// What admit requires, for tests and documentation.
	kind       string            // anyone, project, organization, admin; for people: visitor, signedIn, projectMember, organizationMember
	permission domain.Permission // any one of these bits is enough; 0 for none
	publicToo  bool              // also admits a project key without its secret
	adminToo   bool              // also admits the admin key together with a project id
	// The permission people need to call a project route below /api/ui, and its handler there; nil for other routes.
	people  domain.Permission
	project func(*endpoint.Call, domain.ProjectScope) (any, error)
	// queued handles a request of an annotator, provided that it concerns only objects in their queues; otherwise it
	// returns errNotQueued. If it is nil, annotators are not admitted.
	queued func(*endpoint.Call, domain.ProjectScope, *annotators.Queues) (any, error)
	// published also admits callers who cannot see the project, provided that the requested object is published.
	published bool
	// admit checks the credential and returns the handler bound to it.
	admit func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error)
}

// anyone admits every request.
func anyone(h func(*endpoint.Call) (any, error)) access {
	return access{kind: "anyone", admit: func(*API, *http.Request, rules) (func(*endpoint.Call) (any, error), error) {
		return h, nil
	}}
}

// projectKey admits project keys, sent with their secret, that hold the permission; 0 requires none. The handler is
// bound to the key's project.
func projectKey(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return keyOfProject(permission, false, h)
}

// projectKeyOrPublic is like projectKey but also admits keys without their secret, as browsers send them, if the public
// half alone grants the permission.
func projectKeyOrPublic(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return keyOfProject(permission, true, h)
}

func keyOfProject(permission domain.Permission, publicToo bool, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return access{kind: "project", permission: permission, publicToo: publicToo, people: permission, project: h, admit: func(a *API,
		r *http.Request, rules rules,
	) (func(*endpoint.Call) (any, error), error) {
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

// projectKeyOrAdmin is like projectKey but also admits the instance's admin key if the request names a project.
func projectKeyOrAdmin(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	withKey := projectKey(permission, h)
	return access{kind: withKey.kind, permission: permission, adminToo: true, people: permission, project: h, admit: func(a *API,
		r *http.Request, rules rules,
	) (func(*endpoint.Call) (any, error), error) {
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

// forPeople sets the permission that people need for the route, where the permission for keys is too coarse for roles.
func (a access) forPeople(permission domain.Permission) access {
	a.people = permission
	return a
}

// projectAccess is projectKey or a variant of it.
type projectAccess func(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access

// orQueued is like admit but also admits annotators whose request concerns only objects in their queues. The request is
// read once: what read returns is what inQueues checks and what the handler gets, and there is nothing else to read.
func orQueued[Q any](
	admit projectAccess, permission domain.Permission, read func(*endpoint.Call) (Q, error),
	inQueues func(context.Context, *annotators.Queues, Q) (bool, error), h func(*endpoint.Call, domain.ProjectScope, Q) (any, error),
) access {
	a := admit(permission, func(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
		q, err := endpoint.Read(c, read)
		if err != nil {
			return nil, err
		}
		return h(c, scope, q)
	})
	a.queued = func(c *endpoint.Call, scope domain.ProjectScope, queues *annotators.Queues) (any, error) {
		q, err := endpoint.Read(c, read)
		if err != nil {
			return nil, err
		}
		if ok, err := inQueues(c.Context(), queues, q); err != nil || !ok {
			return nil, cmp.Or(err, errNotQueued)
		}
		return h(c, scope, q)
	}
	return a
}

// errNotQueued means that a request does not only concern objects in the annotation queues of the caller.
var errNotQueued = errors.New("the request concerns objects outside of the caller's queues")

// serviceHeader returns a header that clients may send with the prefix X-Langfuse- or X-Almanac-.
func serviceHeader(h http.Header, name string) string {
	if value := h.Get("X-Langfuse-" + name); value != "" {
		return value
	}
	return h.Get("X-Almanac-" + name)
}

// organizationKey admits organization keys. The handler is bound to the key's organization.
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
		endpoint.LeaseOf(r).Own(scope.OrganizationID())
		return func(c *endpoint.Call) (any, error) { return h(c.As(principal), scope) }, nil
	}}
}

// ownedByAdmin is the owner of what requests with the admin key hold in memory.
const ownedByAdmin = "(admin)"

// adminKey admits the instance's admin key.
func adminKey(h func(*endpoint.Call) (any, error)) access {
	return access{kind: "admin", admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any, error), error) {
		if err := a.Admin.Check(r.Header.Get("Authorization")); err != nil {
			return nil, err
		}
		endpoint.LeaseOf(r).Own(ownedByAdmin)
		return func(c *endpoint.Call) (any, error) { return h(c.AsAdmin(a.Admin.Actor())) }, nil
	}}
}

// adminOf is like adminKey but binds the handler to the organization named in the path, which may not exist.
func adminOf(h func(*endpoint.Call, domain.OrganizationScope) (any, error)) access {
	return access{kind: "admin", admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any, error), error) {
		scope, err := a.Admin.Organization(r.Header.Get("Authorization"), r.PathValue("organizationId"))
		if err != nil {
			return nil, err
		}
		endpoint.LeaseOf(r).Own(ownedByAdmin)
		return func(c *endpoint.Call) (any, error) { return h(c.AsAdmin(a.Admin.Actor()), scope) }, nil
	}}
}

// denied replaces the message for a credential of the wrong kind with the route's own, if it has one. A key of the
// right kind that lacks a permission keeps the general message, because the route's would mislead.
func denied(rules rules, err error) error {
	var d *auth.Denied
	if rules.forbidden != "" && errors.As(err, &d) && d.WrongKind {
		d.Message = rules.forbidden
	}
	return err
}

// maxSettingsBody is the maximum body size, in bytes, on dashboard and evaluation routes. It keeps a page of a hundred
// objects small enough for memory.
const maxSettingsBody = 256 << 10
