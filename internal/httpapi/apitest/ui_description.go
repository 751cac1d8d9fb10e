package apitest

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

	"almanac/internal/httpapi"
)

// UIDescription returns api/ui.yaml, prepared for comparison.
var UIDescription = sync.OnceValue(func() *Described {
	text, err := os.ReadFile(repository() + "/api/ui.yaml")
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
	public := Description() // to which this one refers
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	for name, resource := range map[string]any{public.base: public.Document, "file:///ui.yaml": plain} {
		if err := compiler.AddResource(name, resource); err != nil {
			panic(err)
		}
	}
	return &Described{
		base: "file:///ui.yaml", Document: plain.(map[string]any), compiler: compiler, schemas: map[string]*jsonschema.Schema{},
		reached: map[string]Coverage{},
	}
})

// uiPatterns matches the paths of all routes for people.
var uiPatterns = sync.OnceValue(func() *http.ServeMux {
	mux := http.NewServeMux()
	seen := map[string]bool{}
	for _, o := range httpapi.WebOperations() {
		if !seen[o.Path] {
			seen[o.Path] = true
			mux.Handle(o.Path, http.NotFoundHandler())
		}
	}
	return mux
})

// checkUIDescribed checks a response to the web application against the description of its operation, which is that of
// the public API for mirrored routes.
func checkUIDescribed(t *testing.T, r *http.Request, answer *http.Response, body []byte) {
	t.Helper()
	_, path := uiPatterns().Handler(r)
	if d := UIDescription(); path != "" {
		if _, found := d.At("paths", path, strings.ToLower(r.Method)); found != nil {
			d.Check(t, r, path, answer, body)
			return
		}
	}
	public, mirrored := strings.CutPrefix(path, "/api/ui/projects/{projectId}/")
	if !mirrored {
		t.Errorf("%s %s is not described", r.Method, r.URL.Path)
		return
	}
	if answer.StatusCode < http.StatusBadRequest { // errors for people differ from those for keys
		Description().Check(t, r, "/api/public/"+public, answer, body)
	}
}
