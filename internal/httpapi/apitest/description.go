package apitest

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"almanac/api"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/endpoint"
)

// Described is an API description prepared for comparison.
type Described struct {
	base     string // its URL for the schema compiler
	Document map[string]any
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
	reached map[string]Coverage
}

// Description is the parsed description of the public API.
var Description = sync.OnceValue(func() *Described {
	var document map[string]any
	if err := yaml.Unmarshal(api.Description(), &document); err != nil {
		panic(err)
	}
	// Through JSON, so that numbers and keys are what the validator expects.
	raw, err := json.Marshal(document)
	if err != nil {
		panic(err)
	}
	plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("file:///openapi.yaml", plain); err != nil {
		panic(err)
	}
	return &Described{
		base: "file:///openapi.yaml", Document: plain.(map[string]any), compiler: compiler, schemas: map[string]*jsonschema.Schema{},
		reached: map[string]Coverage{},
	}
})

// At follows a JSON pointer, through references.
func (d *Described) At(pointer ...string) (value any, location []string) {
	value = d.Document
	for _, step := range pointer {
		object, ok := value.(map[string]any)
		if !ok {
			return nil, nil
		}
		value, ok = object[step]
		if !ok {
			return nil, nil
		}
		location = append(location, step)
		if object, ok := value.(map[string]any); ok {
			if ref, ok := object["$ref"].(string); ok && strings.HasPrefix(ref, "#/") { // the compiler knows other documents
				value, location = d.At(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
		}
	}
	return value, location
}

// Operations returns "GET /path" for each operation, with the names of its security schemes.
func (d *Described) Operations() map[string][]string {
	found := make(map[string][]string)
	paths, _ := d.At("paths")
	for path, item := range paths.(map[string]any) {
		for method, operation := range item.(map[string]any) {
			if !slices.Contains([]string{"get", "put", "post", "patch", "delete"}, method) {
				continue
			}
			schemes := []string{}
			security, _ := operation.(map[string]any)["security"].([]any)
			for _, alternative := range security {
				for scheme := range alternative.(map[string]any) {
					schemes = append(schemes, scheme)
				}
			}
			found[strings.ToUpper(method)+" "+path] = schemes
		}
	}
	return found
}

// schema compiles the schema at a location.
func (d *Described) schema(location []string) (*jsonschema.Schema, error) {
	escaped := make([]string, len(location))
	for n, step := range location {
		escaped[n] = strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D").Replace(step)
	}
	pointer := d.base + "#/" + strings.Join(escaped, "/")
	d.mu.Lock()
	defer d.mu.Unlock()
	if s, ok := d.schemas[pointer]; ok {
		return s, nil
	}
	s, err := d.compiler.Compile(pointer)
	d.schemas[pointer] = s
	return s, err
}

// CheckDescribed checks a response against the description of its operation. Responses that every route can give
// (redirects, unknown paths and methods, and 5xx of the HTTP layer itself) need not be described for each of them.
func CheckDescribed(t *testing.T, r *http.Request, answer *http.Response, body []byte) {
	t.Helper()
	path := infoPath(r)
	if path == "" || strings.HasPrefix(path, "/probe/") {
		return
	}
	d := Description()
	if _, found := d.At("paths", path, strings.ToLower(r.Method)); found == nil {
		if answer.StatusCode == http.StatusOK && !anyMethodPath(path) {
			t.Errorf("%s %s is not described", r.Method, path)
		}
		return
	}
	d.Check(t, r, path, answer, body)
}

// Check checks a response of a described operation.
func (d *Described) Check(t *testing.T, r *http.Request, path string, answer *http.Response, body []byte) {
	t.Helper()
	method := strings.ToLower(r.Method)
	if answer.StatusCode == http.StatusTooManyRequests && answer.Header.Get("X-RateLimit-Reset") != "" {
		return // any operation may return it; TestLimitForms checks its format
	}
	if answer.StatusCode == http.StatusNotModified || answer.StatusCode == http.StatusServiceUnavailable &&
		answer.Header.Get("Retry-After") != "" {
		return
	}
	status := strconv.Itoa(answer.StatusCode)
	response, _ := d.At("paths", path, method, "responses", status)
	if response == nil {
		t.Errorf("%s %s: status %s is not described", r.Method, path, status)
		return
	}
	d.cover(r.Method+" "+path, answer.StatusCode, t.Name())
	if len(body) == 0 {
		return
	}
	mediaType, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil {
		t.Errorf("%s %s: content type: %v", r.Method, path, err)
		return
	}
	_, location := d.At("paths", path, method, "responses", status, "content", mediaType, "schema")
	if location == nil { // files may have any type
		_, location = d.At("paths", path, method, "responses", status, "content", "*/*", "schema")
	}
	if location == nil {
		t.Errorf("%s %s: status %s with content type %s is not described", r.Method, path, status, mediaType)
		return
	}
	if !endpoint.IsJSON(mediaType) {
		return
	}
	schema, err := d.schema(location)
	if err != nil {
		t.Fatalf("the schema at %s: %v", location, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s %s: the body is not JSON: %v", r.Method, path, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s %s: the answer is not as described: %v\n%s", r.Method, path, err, body)
	}
}

// patterns matches the paths of all routes.
var patterns = sync.OnceValue(func() *http.ServeMux {
	mux := http.NewServeMux()
	seen := map[string]bool{}
	for _, o := range httpapi.Operations() {
		if !seen[o.Path] {
			seen[o.Path] = true
			mux.Handle(httpapi.MuxPattern(o.Path), http.NotFoundHandler())
		}
	}
	return mux
})

// infoPath returns the path of the route that serves a request, or "".
func infoPath(r *http.Request) string {
	_, pattern := patterns().Handler(r)
	return strings.TrimSuffix(pattern, "{$}")
}

func anyMethodPath(path string) bool {
	return slices.ContainsFunc(httpapi.Operations(), func(o httpapi.Operation) bool { return o.Path == path && o.Method == "" })
}
