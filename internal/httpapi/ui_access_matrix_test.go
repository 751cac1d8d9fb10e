package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// somebody is one kind of person who tries to access organization a and its project a.
type somebody struct {
	name                  string
	browser               *apitest.Browser
	signedIn              bool
	organization, project domain.Role // their effective roles
}

// at returns the expected status for them on a route with this access: 200 if admitted, or the error status.
func (s somebody) at(a httpapi.Access) int {
	var may domain.PermissionSet
	role := s.organization
	switch a.Kind() {
	case "visitor":
		return http.StatusOK
	case "signedIn":
		may = domain.AllPermissions()
	case "projectMember":
		role, may = s.project, s.project.InProject()
	case "organizationMember":
		may = s.organization.InOrganization()
		if role == domain.RoleNone && s.project != domain.RoleNone {
			role = domain.RoleViewer // sees it because of the project
		}
	}
	switch {
	case !s.signedIn:
		return http.StatusUnauthorized
	case a.Kind() != "signedIn" && role == domain.RoleNone:
		return http.StatusNotFound
	case a.People() != 0 && !may.Has(a.People()):
		return http.StatusForbidden
	}
	return http.StatusOK
}

// inQueues reports whether they are admitted only to objects in their queues. These people have no queues.
func (s somebody) inQueues(a httpapi.Access) bool {
	may := s.project.InProject()
	return a.Queued() && !may.Has(a.People()) && may.Has(domain.QueuesAnnotate)
}

// TestUIAccessMatrix tries people of every role on every route for people. Refused requests reveal and change nothing.
func TestUIAccessMatrix(t *testing.T) {
	f := apitest.New(t, nil)
	table := f.UIRoutes()
	var letIn, onlyTheDoor bool
	for i, rt := range table {
		admit := rt.Access().Admit()
		table[i] = rt.Admitting(func(a *httpapi.API, r *http.Request, rules httpapi.Rules) (func(*endpoint.Call) (any, error), error) {
			handle, err := admit(a, r, rules)
			if err != nil {
				return nil, err
			}
			return func(c *endpoint.Call) (any, error) {
				letIn = true
				if onlyTheDoor {
					return nil, nil
				}
				return handle(c)
			}, nil
		})
	}
	a := apitest.NewBelongingsOfA(t, f)
	f.Serve(table)

	cli := domain.Actor{Kind: "cli"}
	everyone := []somebody{{name: "signed out", browser: f.Browser(), organization: domain.RoleNone, project: domain.RoleNone}}
	forged := f.Browser()
	forged.Cookies[apitest.SessionCookie] = strings.Repeat("A", 43)
	everyone = append(everyone, somebody{name: "a made-up token", browser: forged, organization: domain.RoleNone, project: domain.RoleNone})
	for _, name := range domain.AllRoleNames() {
		role := domain.Role(name)
		user := f.NewMember(t, strings.ToLower(name)+"@a.test", role)
		everyone = append(everyone, somebody{name + " of the organization", f.As(t, user.ID), true, role, role})

		only := f.NewMember(t, strings.ToLower(name)+"@project.test", domain.RoleNone)
		weaker := f.NewMember(t, strings.ToLower(name)+"@owner.test", domain.RoleOwner)
		for _, id := range []string{only.ID, weaker.ID} {
			if _, err := f.Catalog.SetProjectMember(t.Context(), domain.OfOrganization("org-a"), "project-a", id, role, cli); err != nil {
				t.Fatal(err)
			}
		}
		everyone = append(everyone,
			somebody{name + " of the project only", f.As(t, only.ID), true, domain.RoleNone, role},
			somebody{name + " of the project, and owner of the organization", f.As(t, weaker.ID), true, domain.RoleOwner, role})
	}
	neighbour := f.NewMember(t, "neighbour@a.test", domain.RoleNone)
	if _, err := f.Catalog.SetProjectMember(t.Context(), domain.OfOrganization("org-a"), "project-a2", neighbour.ID, domain.RoleOwner,
		cli); err != nil {
		t.Fatal(err)
	}
	stranger, err := f.Catalog.CreateAccount(t.Context(), "stranger@b.test", "Stranger", "", cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-b"), stranger.ID, domain.RoleOwner, cli); err != nil {
		t.Fatal(err)
	}
	everyone = append(everyone, somebody{"the owner of another organization", f.As(t, stranger.ID), true, domain.RoleNone, domain.RoleNone})

	before := a.State(t, f)
	verdicts := map[int]int{}
	for _, s := range everyone {
		t.Run(s.name, func(t *testing.T) {
			for _, rt := range table {
				want := s.at(rt.Access())
				verdicts[want]++
				mine := want == http.StatusOK && rt.Access().Kind() != "visitor"
				// Signing out would spoil the rest.
				inQueues := s.inQueues(rt.Access())
				letIn, onlyTheDoor = false, (mine || rt.Access().Kind() == "visitor") && rt.Method() != http.MethodGet
				body := ""
				if rt.Method() != http.MethodGet {
					body = `{"name":"Taken over"}`
				}
				w := httptest.NewRecorder()
				f.ServeHTTP(w, s.browser.Request(rt.Method(), a.IDs.Replace(rt.Path()), body))
				switch {
				case rt.Access().Published() && want != http.StatusOK:
					// The handler itself checks whether the trace is published. TestPublishedTraces covers that.
					if w.Code != want {
						t.Errorf("%s %s: refused with %d, want %d: %s", rt.Method(), rt.Path(), w.Code, want, w.Body)
					}
				case inQueues:
					// Malformed input is reported first. TestAnnotators sends valid input.
					if w.Code != want && w.Code != http.StatusBadRequest {
						t.Errorf("%s %s: refused with %d, want %d: %s", rt.Method(), rt.Path(), w.Code, want, w.Body)
					}
				case letIn != (want == http.StatusOK):
					t.Errorf("%s %s: let in: %v, want %d, answer %d %s", rt.Method(), rt.Path(), letIn, want, w.Code, w.Body)
				case !letIn && w.Code != want:
					t.Errorf("%s %s: refused with %d, want %d: %s", rt.Method(), rt.Path(), w.Code, want, w.Body)
				case w.Code >= http.StatusInternalServerError:
					t.Errorf("%s %s: %d %s", rt.Method(), rt.Path(), w.Code, w.Body)
				}
				if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s %s: headers %v", rt.Method(), rt.Path(), w.Header())
				}
				if sees := rt.Access().Kind() == "visitor" && s.project != domain.RoleNone; !mine && !sees {
					a.CheckHidden(t, w.Body.String())
				}
			}
			if after := a.State(t, f); after != before {
				t.Errorf("organization a changed\nfrom %s\n  to %s", before, after)
			}
		})
	}
	t.Run("the neighbour sees the organization and not the project", func(t *testing.T) {
		b := f.As(t, neighbour.ID)
		b.Ask(t, "GET", "/api/ui/projects/project-a2", "", http.StatusOK)
		b.Ask(t, "GET", "/api/ui/projects/project-a", "", http.StatusNotFound)
		b.Ask(t, "GET", "/api/ui/organizations/org-a/members", "", http.StatusForbidden)
	})
	t.Logf("%d routes, %d people, verdicts %v", len(table), len(everyone), verdicts)
	for _, status := range []int{200, 401, 403, 404} {
		if verdicts[status] == 0 {
			t.Errorf("nothing was to be answered with %d", status)
		}
	}
}
