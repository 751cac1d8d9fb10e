package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// somebody is one kind of person who tries to access organization a and its project a.
type somebody struct {
	name                  string
	browser               *browser
	signedIn              bool
	organization, project domain.Role // their effective roles
}

// at returns the expected status for them on a route with this access: 200 if admitted, or the error status.
func (s somebody) at(a access) int {
	var may domain.PermissionSet
	role := s.organization
	switch a.kind {
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
	case a.kind != "signedIn" && role == domain.RoleNone:
		return http.StatusNotFound
	case a.people != 0 && !may.Has(a.people):
		return http.StatusForbidden
	}
	return http.StatusOK
}

// inQueues reports whether they are admitted only to objects in their queues. These people have no queues.
func (s somebody) inQueues(a access) bool {
	may := s.project.InProject()
	return a.queued != nil && !may.Has(a.people) && may.Has(domain.QueuesAnnotate)
}

// TestUIAccessMatrix tries people of every role on every route for people. Refused requests reveal and change nothing.
func TestUIAccessMatrix(t *testing.T) {
	f := newFixture(t, nil)
	table := f.uiRoutes()
	var letIn, onlyTheDoor bool
	for i, rt := range table {
		admit := rt.access.admit
		table[i].access.admit = func(a *API, r *http.Request, rules rules) (func(*endpoint.Call) (any, error), error) {
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
		}
	}
	a := newBelongingsOfA(t, f)
	f.mux = f.newMux(table)

	cli := domain.Actor{Kind: "cli"}
	everyone := []somebody{{name: "signed out", browser: f.browser(), organization: domain.RoleNone, project: domain.RoleNone}}
	forged := f.browser()
	forged.cookies[sessionCookie] = strings.Repeat("A", 43)
	everyone = append(everyone, somebody{name: "a made-up token", browser: forged, organization: domain.RoleNone, project: domain.RoleNone})
	for _, name := range domain.AllRoleNames() {
		role := domain.Role(name)
		user := f.newMember(t, strings.ToLower(name)+"@a.test", role)
		everyone = append(everyone, somebody{name + " of the organization", f.as(t, user.ID), true, role, role})

		only := f.newMember(t, strings.ToLower(name)+"@project.test", domain.RoleNone)
		weaker := f.newMember(t, strings.ToLower(name)+"@owner.test", domain.RoleOwner)
		for _, id := range []string{only.ID, weaker.ID} {
			if _, err := f.Catalog.SetProjectMember(t.Context(), domain.OfOrganization("org-a"), "project-a", id, role, cli); err != nil {
				t.Fatal(err)
			}
		}
		everyone = append(everyone,
			somebody{name + " of the project only", f.as(t, only.ID), true, domain.RoleNone, role},
			somebody{name + " of the project, and owner of the organization", f.as(t, weaker.ID), true, domain.RoleOwner, role})
	}
	neighbour := f.newMember(t, "neighbour@a.test", domain.RoleNone)
	if _, err := f.Catalog.SetProjectMember(t.Context(), domain.OfOrganization("org-a"), "project-a2", neighbour.ID, domain.RoleOwner, cli); err != nil {
		t.Fatal(err)
	}
	stranger, err := f.Catalog.CreateAccount(t.Context(), "stranger@b.test", "Stranger", "", cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Catalog.AppointMember(t.Context(), domain.OfOrganization("org-b"), stranger.ID, domain.RoleOwner, cli); err != nil {
		t.Fatal(err)
	}
	everyone = append(everyone, somebody{"the owner of another organization", f.as(t, stranger.ID), true, domain.RoleNone, domain.RoleNone})

	before := a.state(t, f)
	verdicts := map[int]int{}
	for _, s := range everyone {
		t.Run(s.name, func(t *testing.T) {
			for _, rt := range table {
				want := s.at(rt.access)
				verdicts[want]++
				mine := want == http.StatusOK && rt.access.kind != "visitor"
				// Signing out would spoil the rest.
				inQueues := s.inQueues(rt.access)
				letIn, onlyTheDoor = false, (mine || rt.access.kind == "visitor") && rt.method != http.MethodGet
				body := ""
				if rt.method != http.MethodGet {
					body = `{"name":"Taken over"}`
				}
				w := httptest.NewRecorder()
				f.ServeHTTP(w, s.browser.request(rt.method, a.ids.Replace(rt.path), body))
				switch {
				case rt.access.published && want != http.StatusOK:
					// The handler itself checks whether the trace is published. TestPublishedTraces covers that.
					if w.Code != want {
						t.Errorf("%s %s: refused with %d, want %d: %s", rt.method, rt.path, w.Code, want, w.Body)
					}
				case inQueues:
					// Malformed input is reported first. TestAnnotators sends valid input.
					if w.Code != want && w.Code != http.StatusBadRequest {
						t.Errorf("%s %s: refused with %d, want %d: %s", rt.method, rt.path, w.Code, want, w.Body)
					}
				case letIn != (want == http.StatusOK):
					t.Errorf("%s %s: let in: %v, want %d, answer %d %s", rt.method, rt.path, letIn, want, w.Code, w.Body)
				case !letIn && w.Code != want:
					t.Errorf("%s %s: refused with %d, want %d: %s", rt.method, rt.path, w.Code, want, w.Body)
				case w.Code >= http.StatusInternalServerError:
					t.Errorf("%s %s: %d %s", rt.method, rt.path, w.Code, w.Body)
				}
				if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s %s: headers %v", rt.method, rt.path, w.Header())
				}
				if sees := rt.access.kind == "visitor" && s.project != domain.RoleNone; !mine && !sees {
					a.checkHidden(t, w.Body.String())
				}
			}
			if after := a.state(t, f); after != before {
				t.Errorf("organization a changed\nfrom %s\n  to %s", before, after)
			}
		})
	}
	t.Run("the neighbour sees the organization and not the project", func(t *testing.T) {
		b := f.as(t, neighbour.ID)
		b.ask(t, "GET", "/api/ui/projects/project-a2", "", http.StatusOK)
		b.ask(t, "GET", "/api/ui/projects/project-a", "", http.StatusNotFound)
		b.ask(t, "GET", "/api/ui/organizations/org-a/members", "", http.StatusForbidden)
	})
	t.Logf("%d routes, %d people, verdicts %v", len(table), len(everyone), verdicts)
	for _, status := range []int{200, 401, 403, 404} {
		if verdicts[status] == 0 {
			t.Errorf("nothing was to be answered with %d", status)
		}
	}
}
