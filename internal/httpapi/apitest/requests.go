package apitest

import (
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// BasicHeader returns the Authorization header of a key.
func BasicHeader(public, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret))
}

// AsAdmin returns a request with the admin key.
func AsAdmin(name, method, path, body string, status int, want string) Scenario {
	return Scenario{
		Name: name, Method: method, Path: path, Body: body, Status: status, Want: want,
		Header: map[string]string{"Authorization": "Bearer admin-secret"},
	}
}

// Ask makes a request and returns the response with generated ids and times replaced by words. The response must have
// the status of the scenario and match the API description.
func (f *Fixture) Ask(t *testing.T, s Scenario) string {
	t.Helper()
	if s.Key == "" {
		s.Key = "project"
	}
	if s.Status == 0 {
		s.Status = 200
	}
	r, answer := f.serveAfterFailures(t, s)
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != s.Status {
		t.Errorf("%s %s: status %d, want %d; body %.1000s", r.Method, s.Path, answer.StatusCode, s.Status, body)
	}
	CheckDescribed(t, r, answer, body)
	return anonymous.Replace(OwnTime.ReplaceAllString(ownID.ReplaceAllString(string(body), `"ID"`), `"TIME"`))
}

// Sequence makes requests one after the other, on one server. The want of each is compared with the response after ids
// and times have been replaced.
func Sequence(t *testing.T, steps []Scenario) *Fixture {
	t.Helper()
	f := New(t, nil)
	for _, s := range steps {
		got := f.Ask(t, s)
		if s.Want != "" && got != s.Want {
			t.Errorf("%s: %s %s\n got %s\nwant %s", s.Name, s.Method, s.Path, got, s.Want)
		}
		for _, part := range s.Contains {
			if !strings.Contains(got, part) {
				t.Errorf("%s: the body lacks %s: %s", s.Name, part, got)
			}
		}
	}
	return f
}

// Post returns a scenario that sends a body to a route of the public API.
func Post(path, body string) Scenario {
	return Scenario{Name: body, Method: "POST", Path: "/api/public/" + path, Body: body}
}

// Get returns a scenario that reads a route of the public API.
func Get(path string) Scenario { return Scenario{Name: "read", Path: "/api/public/" + path} }

// Gives returns the scenario with the response that it expects.
func (s Scenario) Gives(status int, want string) Scenario {
	s.Status, s.Want = status, want
	return s
}

// Says returns the scenario with texts that its response must contain.
func (s Scenario) Says(status int, parts ...string) Scenario {
	s.Status, s.Contains = status, parts
	return s
}

// Message is a scenario that sends a message as MCP clients do.
func Message(name, body string, status int, want string) Scenario {
	return Scenario{
		Name: name, Method: "POST", Path: "http://localhost:3000/api/public/mcp", Key: "project", Body: body, Status: status, Want: want,
		Header: map[string]string{"Accept": "application/json, text/event-stream"},
	}
}

// With returns the scenario with another header.
func (s Scenario) With(name, value string) Scenario {
	header := map[string]string{name: value}
	for key, value := range s.Header {
		if _, set := header[key]; !set {
			header[key] = value
		}
	}
	s.Header = header
	return s
}

// Get sends a request with the key of project a and returns the body.
func (f *Fixture) Get(t testing.TB, path string) []byte {
	t.Helper()
	w := httptest.NewRecorder()
	f.ServeHTTP(w, Scenario{Path: path, Key: "project"}.Request())
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %.500s", path, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// WithHeader returns a header with one more member.
func WithHeader(header map[string]string, name, value string) map[string]string {
	header = maps.Clone(header)
	if header == nil {
		header = make(map[string]string)
	}
	header[name] = value
	return header
}

// Patch returns a scenario that changes what a route of the public API names.
func Patch(path, body string) Scenario {
	return Scenario{Name: body, Method: "PATCH", Path: "/api/public/" + path, Body: body}
}

// WaitForNextMillisecond makes the next object newer than the last.
func WaitForNextMillisecond() { time.Sleep(2 * time.Millisecond) }

// Send makes a request that must succeed and returns the body of the response.
func Send[T any](t *testing.T, f *Fixture, s Scenario) T {
	t.Helper()
	w := httptest.NewRecorder()
	f.ServeHTTP(w, s.Request())
	if w.Code/100 != 2 {
		t.Fatalf("%s %s: status %d, %s", s.Method, s.Path, w.Code, w.Body)
	}
	return DecodeJSON[T](t, w.Body.Bytes())
}

// Send sends a request and returns the response.
func (f *Fixture) Send(s Scenario) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, s.Request())
	return w
}

// Bearer is the header with which browsers send scores.
var Bearer = map[string]string{"Authorization": "Bearer pk-lf-a"}
