package httpapi_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// credential is one kind of credential that a request may present.
type credential struct {
	name   string
	header map[string]string
	// of is the owner of a valid key: project or organization; empty if it is not a valid key.
	of     string
	may    domain.PermissionSet
	public bool // without its secret
	admin  bool // the Authorization header holds the admin key
	// acting is the expected status on routes that also read the admin key from its own header: 0 if that header is
	// absent, 200 if the credential is admitted, or the error status.
	acting int
	// foreign means that nothing of a may be revealed, even where the credential is admitted.
	foreign bool
}

// at returns the expected status of the credential on a route with this access: 200 if admitted, or the error status.
func (c credential) at(a httpapi.Access) int {
	switch {
	case a.Kind() == "anyone":
		return http.StatusOK
	case a.Kind() == "admin" && c.admin:
		return http.StatusOK
	case a.Kind() == "admin":
		return http.StatusUnauthorized
	case a.AdminToo() && c.acting != 0:
		return c.acting
	case c.of == "":
		return http.StatusUnauthorized
	case c.of != a.Kind():
		return http.StatusForbidden
	case a.Kind() == "organization":
		return http.StatusOK
	case c.public && (!a.PublicToo() || a.Permission()&domain.ScoresWrite == 0 || !c.may.Has(domain.ScoresWrite)):
		return http.StatusForbidden
	case a.Permission() != 0 && !c.may.Has(a.Permission()):
		return http.StatusForbidden
	}
	return http.StatusOK
}

// newCredentials returns one credential of every kind. It creates the keys that the fixture lacks, all of project a.
func newCredentials(t *testing.T, f *apitest.Fixture) []credential {
	t.Helper()
	const secret = "sk-lf-of-the-matrix"
	add := func(public string, may domain.PermissionSet, expires *time.Time) {
		if _, err := f.Catalog.CreateKey(t.Context(), domain.OfOrganization("org-a"), tenants.NewKey{
			ProjectID: "project-a", PublicKey: public, SecretHash: auth.HashSecret(secret), Permissions: may, ExpiresAt: expires,
		}, domain.Actor{}); err != nil {
			t.Fatal(err)
		}
	}
	send := func(authorization string) map[string]string { return map[string]string{"Authorization": authorization} }
	pair := func(name string) map[string]string {
		return send(apitest.BasicHeader(apitest.Keys[name].PublicKey, apitest.Keys[name].SecretKey))
	}
	acting := func(authorization, key, project string) map[string]string {
		return map[string]string{"Authorization": authorization, "X-Langfuse-Admin-Api-Key": key, "X-Langfuse-Project-Id": project}
	}
	const admin = "Bearer admin-secret"
	all := domain.AllPermissions()

	add("pk-lf-expired", all, new(time.Unix(1, 0)))
	add("pk-lf-revoked", all, nil)
	revoked := send(apitest.BasicHeader("pk-lf-revoked", secret))
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/projects", Header: revoked}.Request()) // now it is cached
	if w.Code != http.StatusOK {
		t.Fatalf("the key that is to be revoked gives %d %s", w.Code, w.Body)
	}
	if _, err := f.Catalog.RevokeKey(t.Context(), "pk-lf-revoked", domain.Actor{}); err != nil {
		t.Fatal(err)
	}
	add("pk-lf-nothing", 0, nil)

	credentials := []credential{
		{name: "nothing"},
		{name: "a scheme alone", header: send("Basic ")},
		{name: "an unknown scheme", header: send("Digest " + apitest.Keys["project"].SecretKey)},
		{name: "no base64", header: send("Basic ???")},
		{name: "no pair", header: send("Basic " + base64.StdEncoding.EncodeToString([]byte("pk-lf-a")))},
		{name: "an unknown key", header: send(apitest.BasicHeader("pk-lf-unknown", apitest.Keys["project"].SecretKey))},
		{name: "a wrong secret", header: send(apitest.BasicHeader("pk-lf-a", apitest.Keys["foreign"].SecretKey))},
		{name: "the secret in the place of the public key", header: send("Bearer " + apitest.Keys["project"].SecretKey)},
		{name: "a revoked key", header: revoked},
		{name: "a revoked key without its secret", header: send("Bearer pk-lf-revoked")},
		{name: "an expired key", header: send(apitest.BasicHeader("pk-lf-expired", secret))},
		{name: "an expired key without its secret", header: send("Bearer pk-lf-expired")},
		{name: "a project key", header: pair("project"), of: "project", may: all},
		{name: "a project key without its secret", header: send("Bearer pk-lf-a"), of: "project", may: all, public: true},
		{name: "a key that may nothing", header: send(apitest.BasicHeader("pk-lf-nothing", secret)), of: "project"},
		{name: "a key that may nothing, without its secret", header: send("Bearer pk-lf-nothing"), of: "project", public: true},
		{name: "the key of a foreign project", header: pair("foreign"), of: "project", may: all, foreign: true},
		{
			name: "the key of a foreign project without its secret", header: send("Bearer pk-lf-b"), of: "project", may: all, public: true,
			foreign: true,
		},
		{name: "the key of another project of the organization", header: pair("neighbour"), of: "project", may: all, foreign: true},
		{name: "an organization key", header: pair("organization"), of: "organization"},
		{name: "an organization key without its secret", header: send("Bearer pk-lf-org-a")},
		{name: "the key of a foreign organization", header: pair("foreignOrg"), of: "organization", foreign: true},
		{name: "the admin key", header: send(admin), admin: true},
		{name: "a wrong admin key", header: send("Bearer admin-secres")},
		{name: "the admin key as a pair", header: send(apitest.BasicHeader("admin", "admin-secret"))},
		{name: "an administrator in the project", header: acting(admin, "admin-secret", "project-a"), admin: true, acting: http.StatusOK},
		{name: "an administrator in no project", header: acting(admin, "admin-secret", ""), admin: true, acting: http.StatusBadRequest},
		{
			name: "an administrator in an unknown project", header: acting(admin, "admin-secret", "x"), admin: true,
			acting: http.StatusNotFound,
		},
		{
			name: "an administrator whose second key is wrong", header: acting(admin, "x", "project-a"), admin: true,
			acting: http.StatusUnauthorized,
		},
		{
			name: "a foreign key and a wrong admin key", header: acting(pair("foreign")["Authorization"], "x", "project-a"),
			of: "project", may: all, acting: http.StatusUnauthorized, foreign: true,
		},
		{
			name:   "a foreign key and the admin key in its own header alone",
			header: acting(pair("foreign")["Authorization"], "admin-secret", "project-a"),
			of:     "project", may: all, acting: http.StatusUnauthorized, foreign: true,
		},
	}
	for _, name := range domain.PermissionNames() {
		permission, err := domain.ParsePermission(name)
		if err != nil {
			t.Fatal(err)
		}
		public := "pk-lf-only-" + strings.ReplaceAll(name, ":", "-")
		may := domain.PermissionsOf(permission)
		add(public, may, nil)
		credentials = append(credentials,
			credential{name: "a key that may only " + name, header: send(apitest.BasicHeader(public, secret)), of: "project", may: may},
			credential{
				name: "the same for " + name + " without its secret", header: send("Bearer " + public), of: "project", may: may,
				public: true,
			})
	}
	return credentials
}

// TestAccessMatrix tries every kind of credential on every route of the table. The route's access determines who is
// admitted and how others are refused. Refused requests reveal and change nothing, even with the ids of a in the path,
// and no request causes a server error.
func TestAccessMatrix(t *testing.T) {
	f := apitest.New(t, nil)
	table := f.Routes()
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
	f.Serve(table)
	a := apitest.NewBelongingsOfA(t, f)
	credentials := newCredentials(t, f)
	before := a.State(t, f)
	verdicts := make(map[int]int)
	for _, c := range credentials {
		t.Run(c.name, func(t *testing.T) {
			for _, rt := range table {
				want := c.at(rt.Access())
				verdicts[want]++
				// A credential with access to a could change it, which would spoil the rest: the handler does not run then.
				mine := want == http.StatusOK && !c.foreign && rt.Access().Kind() != "anyone"
				letIn, onlyTheDoor = false, mine && rt.Method() != http.MethodGet
				w := httptest.NewRecorder()
				f.ServeHTTP(w, c.request(rt, a.IDs.Replace(rt.Path())))
				switch {
				case letIn != (want == http.StatusOK):
					t.Errorf("%s %s: let in: %v, answer %d %s", rt.Method(), rt.Path(), letIn, w.Code, w.Body)
				case !letIn && w.Code != want:
					t.Errorf("%s %s: refused with %d, want %d: %s", rt.Method(), rt.Path(), w.Code, want, w.Body)
				case w.Code >= http.StatusInternalServerError:
					t.Errorf("%s %s: %d %s", rt.Method(), rt.Path(), w.Code, w.Body)
				}
				if !mine {
					a.CheckHidden(t, w.Body.String())
				}
			}
			if after := a.State(t, f); after != before {
				t.Errorf("organization a changed\nfrom %s\n  to %s", before, after)
			}
		})
	}
	t.Logf("%d routes, %d credentials, verdicts %v", len(table), len(credentials), verdicts)
	for _, status := range []int{200, 400, 401, 403, 404} {
		if verdicts[status] == 0 {
			t.Errorf("nothing was to be answered with %d", status)
		}
	}
}

// request returns a request to a route, with a body that means something to most routes.
func (c credential) request(rt httpapi.Route, path string) *http.Request {
	s := apitest.Scenario{Method: rt.Method(), Path: path, Header: c.header}
	if rt.Method() == httpapi.AnyMethod {
		s.Method = http.MethodGet
	}
	if s.Method != http.MethodGet {
		s.Body = `{"name":"Taken over"}`
	}
	return s.Request()
}

// TestPermissionsFitMethods: routes that only read require a read permission, those that delete a delete permission,
// and all others a write permission, so that no permission grants more than its name says.
func TestPermissionsFitMethods(t *testing.T) {
	const (
		reading  = domain.TracesRead | domain.ScoresRead | domain.PromptsRead | domain.DatasetsRead | domain.CommentsRead
		deleting = domain.TracesDelete | domain.ScoresDelete | domain.PromptsDelete | domain.DatasetsDelete
		writing  = domain.TracesWrite | domain.ScoresWrite | domain.PromptsWrite | domain.DatasetsWrite | domain.CommentsWrite | domain.FeedbackWrite
	)
	fit := map[string]domain.Permission{http.MethodGet: reading, http.MethodDelete: deleting}
	asked := map[domain.Permission]bool{}
	var free []string
	for _, rt := range apitest.New(t, nil).Routes() {
		if rt.Access().Kind() != "project" {
			continue
		}
		permission := rt.Access().Permission()
		if permission == 0 {
			free = append(free, rt.Method()+" "+rt.Path())
			continue
		}
		want, ok := fit[rt.Method()]
		if !ok {
			want = writing
		}
		if strings.HasPrefix(rt.Path(), "/api/public/query/") {
			want = reading // queries that are too long for a URL
		}
		if strings.HasPrefix(rt.Path(), "/api/public/exports") {
			want = reading // files of readable data: creating and removing them changes nothing else
		}
		if rt.Path() == "/api/public/deletions" {
			want = deleting // by a query, which is too long for a URL
		}
		if permission &^= domain.ProjectAdmin; permission&^want != 0 {
			t.Errorf("%s %s asks for %s", rt.Method(), rt.Path(), permission)
		}
		for _, name := range domain.PermissionNames() {
			if single, err := domain.ParsePermission(name); err != nil || rt.Access().Permission()&single != 0 {
				asked[single] = true
			}
		}
	}
	asked[domain.TracesPublish] = true // asked for by what is sent: see TestPublishingNeedsAPermission
	if len(asked) != len(domain.PermissionNames()) {
		t.Errorf("of %d permissions, %d open anything", len(domain.PermissionNames()), len(asked))
	}
	// Every key may ask which project it belongs to, and each tool requires the permission of its own route.
	if want := []string{"GET /api/public/projects", "POST /api/public/mcp"}; !slices.Equal(free, want) {
		t.Errorf("asks for no permission: %q, want %q", free, want)
	}
}

// TestKeyThatOnlySends: a key that may send traces can do nothing else, neither delete nor comment.
func TestKeyThatOnlySends(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", []domain.Observation{{TraceID: "t1", ID: "o1", Type: "SPAN", StartTime: apitest.October}}, nil)
	const public, secret = "pk-lf-sender", "sk-lf-of-the-sender"
	if _, err := f.Catalog.CreateKey(t.Context(), domain.OfOrganization("org-a"), tenants.NewKey{
		ProjectID: "project-a", PublicKey: public, SecretHash: auth.HashSecret(secret),
		Permissions: domain.PermissionsOf(domain.TracesWrite),
	}, domain.Actor{}); err != nil {
		t.Fatal(err)
	}
	header := map[string]string{"Authorization": apitest.BasicHeader(public, secret)}
	lacks := func(permission string) string {
		return `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission ` + permission + `"}`
	}
	medium := func(members string) string {
		return `{"contentType":"image/png","contentLength":1,"sha256Hash":"` + strings.Repeat("A", 43) + `=",` + members + `}`
	}
	for _, s := range []apitest.Scenario{
		{Method: "DELETE", Path: "/api/public/traces/t1", Status: 403, Want: lacks("traces:delete")},
		{Method: "DELETE", Path: "/api/public/traces", Body: `{"traceIds":["t1"]}`, Status: 403, Want: lacks("traces:delete")},
		{
			Method: "POST", Path: comments, Body: `{"projectId":"p","objectType":"TRACE","objectId":"t1","content":"c"}`, Status: 403,
			Want: lacks("comments:write"),
		},
		{Path: comments, Status: 403, Want: lacks("comments:read")},
		{Path: "/api/public/traces/t1", Status: 403, Want: lacks("traces:read")},
		{Path: "/api/public/media/x", Status: 403, Want: lacks("traces:read or datasets:read")},
		{Method: "DELETE", Path: "/api/public/scores/x", Status: 403, Want: lacks("scores:delete")},
		{
			Method: "POST", Path: mediaPath, Body: medium(`"datasetId":"d","datasetItemId":"i","field":"input"`), Status: 403,
			Want: lacks("datasets:write"),
		},
		{Method: "POST", Path: mediaPath, Body: medium(`"traceId":"t1","field":"input"`), Status: 201},
	} {
		s.Header, s.Name = header, s.Method+" "+s.Path
		f.Run(t, s)
	}
	f.Run(t, apitest.Scenario{Name: "the trace is still there", Path: "/api/public/traces/t1", Key: "project", Status: 200})
}

const comments = "/api/public/comments"

const mediaPath = "/api/public/media"
