package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/endpoint"
)

// parameter is a described query parameter.
type parameter struct {
	name string
	list bool
}

// parameters returns the described query parameters of an operation.
func parameters(d *apitest.Described, method, path string) (list []parameter) {
	for _, pointer := range [][]string{{"paths", path, "parameters"}, {"paths", path, strings.ToLower(method), "parameters"}} {
		found, _ := d.At(pointer...)
		all, _ := found.([]any)
		for _, one := range all {
			object := one.(map[string]any)
			if ref, ok := object["$ref"].(string); ok {
				target, _ := d.At(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
				object = target.(map[string]any)
			}
			if object["in"] != "query" {
				continue
			}
			schema, _ := object["schema"].(map[string]any)
			list = append(list, parameter{object["name"].(string), schema["type"] == "array"})
		}
	}
	return list
}

// alsoRepeated are parameters that are described as comma-separated strings, and that clients may also repeat.
var alsoRepeated = map[string]string{
	"/api/public/v2/observations": "fields", "/api/public/v3/scores": "fields", "/api/public/experiments": "fields",
	"/api/public/experiment-items": "fields",
}

// TestQueriesAreReadOnce sends every route each of its parameters twice, and queries that cannot be read. Only described
// lists reach the handler.
func TestQueriesAreReadOnce(t *testing.T) {
	f := apitest.New(t, nil)
	reached := false
	table := f.AllRoutes()
	for i, rt := range table {
		admit := rt.Access().Admit()
		table[i] = rt.WithoutReceiver().Admitting(func(
			a *httpapi.API, r *http.Request, rules httpapi.Rules,
		) (func(*endpoint.Call) (any, error), error) {
			if _, err := admit(a, r, rules); err != nil {
				return nil, err
			}
			return func(*endpoint.Call) (any, error) {
				reached = true
				return nil, nil
			}, nil
		})
	}
	f.Serve(table)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	ids := strings.NewReplacer("{organizationId}", "org-a", "{projectId}", "project-a")
	sent, lists := 0, 0
	for _, rt := range table {
		described, path, mirrored := apitest.Description(), rt.Path(), false
		if rest, ui := strings.CutPrefix(path, "/api/ui/"); ui {
			described = apitest.UIDescription()
			if item, _ := described.At("paths", path, strings.ToLower(rt.Method())); item == nil { // a mirrored route
				described, path, mirrored = apitest.Description(), "/api/public/"+strings.TrimPrefix(rest, "projects/{projectId}/"), true
			}
		}
		known := parameters(described, rt.Method(), path)
		names := []string{"unknown"}
		for _, p := range known {
			names = append(names, p.name)
			if p.list != slices.Contains(rt.Rules().Lists(), p.name) && alsoRepeated[path] != p.name {
				t.Errorf("%s %s: %s is described as a list: %v, and may be repeated: %v", rt.Method(), rt.Path(), p.name, p.list, !p.list)
			}
		}
		for _, name := range rt.Rules().Lists() {
			if !slices.Contains(names, name) {
				t.Errorf("%s %s: the list %s is not described", rt.Method(), rt.Path(), name)
			}
		}
		ask := func(query string) (int, string) {
			reached = false
			method := rt.Method()
			if method == httpapi.AnyMethod {
				method = http.MethodGet
			}
			body := ""
			if method != http.MethodGet {
				body = "{}"
			}
			r := owner.Request(method, ids.Replace(rt.Path()), body)
			r.URL.RawQuery = query
			if !strings.HasPrefix(rt.Path(), "/api/ui/") {
				kind := map[string]string{"project": "project", "organization": "organization"}[rt.Access().Kind()]
				header := apitest.Scenario{Path: "/", Key: kind}.Request().Header.Get("Authorization")
				if rt.Access().Kind() == "admin" {
					header = "Bearer admin-secret"
				}
				r.Header.Set("Authorization", header)
			}
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if !reached && !mirrored { // errors for people differ from those for keys
				described.Check(t, r, path, w.Result(), w.Body.Bytes())
			}
			return w.Code, w.Body.String()
		}
		if status, answer := ask(""); !reached {
			t.Errorf("%s %s: %d %s", rt.Method(), rt.Path(), status, answer)
			continue
		}
		for _, query := range []string{"x=%zz", "%zz", "x=1;y=2", "x=1&y=%"} {
			if status, answer := ask(query); status != http.StatusBadRequest || reached || !json.Valid([]byte(answer)) {
				t.Errorf("%s %s?%s: %d, reached: %v, %s", rt.Method(), rt.Path(), query, status, reached, answer)
			}
		}
		for _, name := range names {
			sent++
			status, answer := ask(fmt.Sprintf("%s=1&%[1]s=1", url.QueryEscape(name)))
			if slices.Contains(rt.Rules().Lists(), name) {
				lists++
				if !reached {
					t.Errorf("%s %s: %s is a list: %d %s", rt.Method(), rt.Path(), name, status, answer)
				}
			} else if status != http.StatusBadRequest || reached || !strings.Contains(answer, "expected ") &&
				!strings.Contains(answer, "Invalid") {
				t.Errorf("%s %s: %s twice: %d, reached: %v, %s", rt.Method(), rt.Path(), name, status, reached, answer)
			}
		}
	}
	t.Logf("%d routes, %d parameters, of which %d are lists", len(table), sent, lists)
	if sent < 500 || lists < 20 {
		t.Errorf("only %d parameters were sent, of which %d are lists", sent, lists)
	}
}

// TestManyRepeatedParameters: a response names some of the parameters that were repeated. It would be much longer than the
// request otherwise, and strangers can send it.
func TestManyRepeatedParameters(t *testing.T) {
	f := apitest.New(t, nil)
	var query strings.Builder
	for n := range 4000 {
		fmt.Fprintf(&query, "&%d&%d", n, n)
	}
	for _, path := range []string{"/api/public/health", "/api/ui/auth/session"} {
		w := open(f, "https://almanac.test"+path+"?"+query.String(), nil)
		if w.Code != http.StatusBadRequest || w.Body.Len() > 5000 {
			t.Errorf("%s: status %d with %d bytes", path, w.Code, w.Body.Len())
		}
	}
}
