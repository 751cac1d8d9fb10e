package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// uiDescription returns api/ui.yaml, prepared for comparison.
var uiDescription = sync.OnceValue(func() *described {
	text, err := os.ReadFile("../../api/ui.yaml")
	if err != nil {
		panic(err)
	}
	var document map[string]any
	if err := yaml.Unmarshal(text, &document); err != nil {
		panic(err)
	}
	raw, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		panic(err)
	}
	public := description() // to which this one refers
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	for name, resource := range map[string]any{public.base: public.document, "file:///ui.yaml": plain} {
		if err := compiler.AddResource(name, resource); err != nil {
			panic(err)
		}
	}
	return &described{base: "file:///ui.yaml", document: plain.(map[string]any), compiler: compiler, schemas: map[string]*jsonschema.Schema{}, reached: map[string]coverage{}}
})

// uiPatterns matches the paths of all routes for people.
var uiPatterns = sync.OnceValue(func() *http.ServeMux {
	mux := http.NewServeMux()
	seen := map[string]bool{}
	for _, rt := range new(API).uiRoutes() {
		if !seen[rt.path] {
			seen[rt.path] = true
			mux.Handle(rt.path, http.NotFoundHandler())
		}
	}
	return mux
})

// checkUIDescribed checks a response to the web application against the description of its operation, which is that of
// the public API for mirrored routes.
func checkUIDescribed(t *testing.T, r *http.Request, answer *http.Response, body []byte) {
	t.Helper()
	_, path := uiPatterns().Handler(r)
	if d := uiDescription(); path != "" {
		if _, found := d.at("paths", path, strings.ToLower(r.Method)); found != nil {
			d.check(t, r, path, answer, body)
			return
		}
	}
	public, mirrored := strings.CutPrefix(path, "/api/ui/projects/{projectId}/")
	if !mirrored {
		t.Errorf("%s %s is not described", r.Method, r.URL.Path)
		return
	}
	if answer.StatusCode < http.StatusBadRequest { // errors for people differ from those for keys
		description().check(t, r, "/api/public/"+public, answer, body)
	}
}

// TestUIRoutesAreDescribed compares the table of routes for people with the description in both directions.
func TestUIRoutesAreDescribed(t *testing.T) {
	d := uiDescription()
	operations := d.operations()
	public := description().operations()
	mirrored := 0
	for _, rt := range new(API).uiRoutes() {
		name := rt.method + " " + rt.path
		if _, ok := operations[name]; ok {
			delete(operations, name)
			operation, _ := d.at("paths", rt.path, strings.ToLower(rt.method))
			security, open := operation.(map[string]any)["security"].([]any)
			if forAll := open && len(security) == 0; forAll != (rt.access.kind == "visitor") {
				t.Errorf("%s is for %s, described security is %v", name, rt.access.kind, security)
			}
			continue
		}
		path, ok := strings.CutPrefix(rt.path, "/api/ui/projects/{projectId}/")
		if _, known := public[rt.method+" /api/public/"+path]; !ok || !known {
			t.Errorf("%s is served but not described", name)
			continue
		}
		mirrored++
	}
	for name := range operations {
		t.Errorf("%s is described but not served", name)
	}
	if mirrored < 50 {
		t.Errorf("only %d routes of the public API are served to people", mirrored)
	}
}
