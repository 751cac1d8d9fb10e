package httpapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"almanac/internal/access/annotators"
	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
)

// Access to the routes of the web application. These ignore API keys, and all other routes ignore the session cookie.

// visitor admits every request from the web application's own pages, signed in or not.
func visitor(h func(*endpoint.Call) (any, error)) access {
	return access{kind: "visitor", admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any, error), error) {
		if err := a.people.Cookies.CheckOrigin(r); err != nil {
			return nil, err
		}
		return h, nil
	}}
}

// person returns the signed-in sender of a request from the web application's own pages. The error is a *respond.Error
// or an *auth.Denied.
func (a *API) person(r *http.Request) (*auth.Person, error) {
	if err := a.people.Cookies.CheckOrigin(r); err != nil {
		return nil, err
	}
	return a.Accounts.Check(r.Context(), a.people.Cookies.Token(r))
}

// signedIn admits everybody who is signed in, whatever their roles.
func signedIn(h func(*endpoint.Call) (any, error)) access {
	return access{kind: "signedIn", admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any, error), error) {
		person, err := a.person(r)
		if err != nil {
			return nil, err
		}
		endpoint.LeaseOf(r).Own(person.User.ID)
		return func(c *endpoint.Call) (any, error) { return h(c.AsPerson(person, person.Principal())) }, nil
	}}
}

// projectMember admits people whose role in the project named by the path has the permission; 0 requires none. The
// handler is bound to that project. A project that they cannot see is reported as not found.
func projectMember(permission domain.Permission, h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
	return memberOfProject(permission, nil, func(c *endpoint.Call, project domain.ProjectScope, _ domain.OrganizationScope) (any, error) {
		return h(c, project)
	})
}

// mirrored admits people to a route for keys: those whose role has its permission and, if the route admits them,
// annotators whose request concerns only objects in their queues.
func mirrored(key access) access {
	return memberOfProject(key.people, key.queued,
		func(c *endpoint.Call, project domain.ProjectScope, _ domain.OrganizationScope) (any, error) {
			return key.project(c, project)
		})
}

// opening is a request to read a trace or an observation, as it was read.
type opening interface {
	// Opened returns the type and the id of the object.
	Opened() (objectType, id string)
	// InTrace returns the id of the only trace from which the response is taken; "" if the request does not name one.
	InTrace() string
}

// opened admits people who may read traces, annotators who have the object in their queues, and everybody, signed in or
// not, to an object in a published trace. It records that members opened it. As with orQueued, the handler gets the
// request that was checked.
func opened[Q opening](a *API, read func(*endpoint.Call) (Q, error), h func(*endpoint.Call, domain.ProjectScope, Q) (any, error)) access {
	viewed := a.viewed()
	member := mirrored(orQueued(projectKey, domain.TracesRead, read,
		func(ctx context.Context, queues *annotators.Queues, q Q) (bool, error) {
			objectType, id := q.Opened()
			return queues.Have(ctx, objectType, id)
		}, func(c *endpoint.Call, scope domain.ProjectScope, q Q) (any, error) {
			value, err := h(c, scope, q)
			if err == nil && viewed != nil {
				objectType, id := q.Opened()
				viewed(c, scope, objectType, id)
			}
			return value, err
		}))
	either := member
	either.published = true
	either.admit = func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error) {
		handle, refusal := member.admit(a, r, rules)
		denied, isDenied := errors.AsType[*auth.Denied](refusal)
		if !isDenied || denied.Status >= http.StatusInternalServerError {
			return handle, refusal
		}
		if err := a.Accounts.Visit(clientaddr.Network(a.addressOf(r))); err != nil {
			return nil, err
		}
		scope := auth.OfPublished(r.PathValue("projectId"))
		return func(c *endpoint.Call) (any, error) {
			q, err := endpoint.Read(c, read)
			if err != nil {
				return nil, err
			}
			// The response does not tell an unpublished trace from one that does not exist.
			if ok, err := a.isPublished(c.Context(), scope, q.InTrace()); err != nil || !ok {
				return nil, cmp.Or(err, refusal)
			}
			endpoint.LeaseOf(r).Own(scope.ProjectID()) // the project wants it to be read
			return h(c, scope, q)
		}, nil
	}
	return either
}

// isPublished reports whether a project has a trace with this id that is published, by people or by its spans.
func (a *API) isPublished(ctx context.Context, scope domain.ProjectScope, traceID string) (bool, error) {
	if traceID == "" {
		return false, nil
	}
	if _, err := a.Catalog.Project(ctx, scope); err != nil {
		if errors.Is(err, domain.ErrNotFound) {
			err = nil
		}
		return false, err
	}
	marks, err := a.Catalog.TraceMarks(ctx, scope, []string{traceID})
	if err != nil {
		return false, err
	}
	said := marks[traceID].Public
	if said != nil && !*said {
		return false, nil
	}
	for row, err := range a.Store.Observations().Lookup(ctx, scope, store.Lookup{TraceIDs: []string{traceID}}) {
		if err != nil {
			return false, err
		}
		if said != nil || row.Public {
			return true, nil
		}
	}
	return false, nil
}

// projectManager is like projectMember but binds the handler to the project's organization; the handler takes the
// project from the path.
func projectManager(permission domain.Permission, h func(*endpoint.Call, domain.OrganizationScope) (any, error)) access {
	return memberOfProject(permission, nil,
		func(c *endpoint.Call, _ domain.ProjectScope, organization domain.OrganizationScope) (any, error) {
			return h(c, organization)
		})
}

func memberOfProject(
	permission domain.Permission, inQueues func(*endpoint.Call, domain.ProjectScope, *annotators.Queues) (any, error),
	h func(*endpoint.Call, domain.ProjectScope, domain.OrganizationScope) (any, error),
) access {
	return access{kind: "projectMember", people: permission, queued: inQueues, admit: func(a *API, r *http.Request,
		_ rules,
	) (func(*endpoint.Call) (any, error), error) {
		person, err := a.person(r)
		if err != nil {
			return nil, err
		}
		principal, project, organization, refusal := person.Project(r.PathValue("projectId"), permission)
		if refusal != nil && inQueues != nil {
			principal, project, organization, err = person.Project(r.PathValue("projectId"), domain.QueuesAnnotate)
		} else {
			err = refusal
		}
		if err != nil {
			return nil, refusal
		}
		endpoint.InfoOf(r).Consumer = principal.Consumer()
		endpoint.LeaseOf(r).Own(project.ProjectID())
		return func(c *endpoint.Call) (any, error) {
			c.AsPerson(person, principal)
			if refusal == nil {
				return h(c, project, organization)
			}
			// The response does not tell an object outside their queues from one that does not exist.
			queues := &annotators.Queues{Catalog: a.Catalog, Observations: a.Store.Observations(), Scope: project, UserID: person.User.ID}
			value, err := inQueues(c, project, queues)
			if errors.Is(err, errNotQueued) {
				err = refusal
			}
			return value, err
		}, nil
	}}
}

// organizationMember admits people whose role in the organization named by the path has the permission; 0 requires
// none. The handler is bound to that organization. An organization that they cannot see is reported as not found.
func organizationMember(permission domain.Permission, h func(*endpoint.Call, domain.OrganizationScope) (any, error)) access {
	return access{kind: "organizationMember", people: permission, admit: func(a *API, r *http.Request, _ rules) (func(*endpoint.Call) (any,
		error), error,
	) {
		person, err := a.person(r)
		if err != nil {
			return nil, err
		}
		principal, scope, err := person.Organization(r.PathValue("organizationId"), permission)
		if err != nil {
			return nil, err
		}
		endpoint.InfoOf(r).Consumer = principal.Consumer()
		endpoint.LeaseOf(r).Own(scope.OrganizationID())
		return func(c *endpoint.Call) (any, error) { return h(c.AsPerson(person, principal), scope) }, nil
	}}
}

// viewed returns a function that records that somebody opened an object, or nil if that is disabled. In the audit log,
// sessions of traces are a different kind from the sessions of people.
func (a *API) viewed() func(c *endpoint.Call, scope domain.ProjectScope, objectType, id string) {
	if a.People.Views == nil {
		return nil
	}
	kinds := map[string]string{domain.ObjectTrace: "trace", domain.ObjectObservation: "observation", domain.ObjectSession: "traceSession"}
	return func(c *endpoint.Call, scope domain.ProjectScope, objectType, id string) {
		a.People.Views.Add(catalog.View{
			Scope: scope, UserID: c.Person().User.ID, Kind: kinds[objectType], ID: id, Origin: a.originOf(c.Request()),
		})
	}
}
