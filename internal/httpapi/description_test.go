package httpapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"
	"go.yaml.in/yaml/v3"

	"almanac/api"
	"almanac/internal/httpapi/endpoint"
	"almanac/test/storechoice"
)

// TestMain also checks, after a full run, which operations the scenarios reached, and with which outcomes.
func TestMain(m *testing.M) {
	if os.Getenv("ALMANAC_TEST_STORE") != "" { // there each attempt waits for another process
		_ = flag.Set("rapid.checks", "5")
	}
	flag.Parse()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == ""
	if whole && onClickHouse() && !*everyScenario {
		if err := chosen.start(); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if err := storechoice.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	if path, err := template(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	if whole && code == 0 {
		for _, problem := range checkCoverage() {
			fmt.Fprintln(os.Stderr, problem)
			code = 1
		}
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// described is an API description prepared for comparison.
type described struct {
	base     string // its URL for the schema compiler
	document map[string]any
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
	reached map[string]coverage
}

var description = sync.OnceValue(func() *described {
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
	return &described{base: "file:///openapi.yaml", document: plain.(map[string]any), compiler: compiler, schemas: map[string]*jsonschema.Schema{}, reached: map[string]coverage{}}
})

// at follows a JSON pointer, through references.
func (d *described) at(pointer ...string) (value any, location []string) {
	value = d.document
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
				value, location = d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
		}
	}
	return value, location
}

// operations returns "GET /path" for each operation, with the names of its security schemes.
func (d *described) operations() map[string][]string {
	found := make(map[string][]string)
	paths, _ := d.at("paths")
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
func (d *described) schema(location []string) (*jsonschema.Schema, error) {
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

// checkDescribed checks a response against the description of its operation. Responses that every route can give
// (redirects, unknown paths and methods, and 5xx of the HTTP layer itself) need not be described for each of them.
func checkDescribed(t *testing.T, r *http.Request, answer *http.Response, body []byte) {
	t.Helper()
	path := infoPath(r)
	if path == "" || strings.HasPrefix(path, "/probe/") {
		return
	}
	d := description()
	if _, found := d.at("paths", path, strings.ToLower(r.Method)); found == nil {
		if answer.StatusCode == http.StatusOK && !anyMethodPath(path) {
			t.Errorf("%s %s is not described", r.Method, path)
		}
		return
	}
	d.check(t, r, path, answer, body)
}

// check checks a response of a described operation.
func (d *described) check(t *testing.T, r *http.Request, path string, answer *http.Response, body []byte) {
	t.Helper()
	method := strings.ToLower(r.Method)
	if answer.StatusCode == http.StatusTooManyRequests && answer.Header.Get("X-RateLimit-Reset") != "" {
		return // any operation may return it; TestLimitForms checks its format
	}
	if answer.StatusCode == http.StatusNotModified || answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "" {
		return
	}
	status := strconv.Itoa(answer.StatusCode)
	response, _ := d.at("paths", path, method, "responses", status)
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
	_, location := d.at("paths", path, method, "responses", status, "content", mediaType, "schema")
	if location == nil { // files may have any type
		_, location = d.at("paths", path, method, "responses", status, "content", "*/*", "schema")
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
	for _, rt := range append(new(API).routes(), probes()...) {
		if !seen[rt.path] {
			seen[rt.path] = true
			mux.Handle(muxPattern(rt.path), http.NotFoundHandler())
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
	return slices.ContainsFunc(new(API).routes(), func(rt route) bool { return rt.path == path && rt.method == anyMethod })
}

// TestRoutesAreDescribed compares the route table with the description in both directions, credentials included.
func TestRoutesAreDescribed(t *testing.T) {
	schemes := map[string]string{"project": "projectKey", "organization": "organizationKey", "admin": "adminKey"}
	operations := description().operations()
	for _, rt := range new(API).routes() {
		method := rt.method
		if method == anyMethod {
			method = "GET"
		}
		name := method + " " + rt.path
		security, ok := operations[name]
		if !ok {
			t.Errorf("%s is served but not described", name)
			continue
		}
		delete(operations, name)
		for kind, scheme := range schemes {
			if described := slices.Contains(security, scheme); described != (rt.access.kind == kind) {
				t.Errorf("%s is for %s, described security is %v", name, rt.access.kind, security)
			}
		}
	}
	for name := range operations {
		t.Errorf("%s is described but not served", name)
	}
}

// TestDescriptionHasNoTornTexts finds unquoted strings with a comma in inline YAML, whose rest became a member without
// a value.
func TestDescriptionHasNoTornTexts(t *testing.T) {
	var check func(path string, value any)
	check = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, member := range v {
				if member == nil && strings.Contains(name, " ") {
					t.Errorf("%s has a member %q without a value", path, name)
				}
				check(path+"/"+name, member)
			}
		case []any:
			for _, item := range v {
				check(path, item)
			}
		}
	}
	check("", description().document)
}

func TestDescriptionStatesTheAPILevel(t *testing.T) {
	if version, _ := description().at("info", "version"); version != Level {
		t.Errorf("the description has version %v, the server reports %s", version, Level)
	}
}
