package webapp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// TestAnnouncedFiles checks which files the page at a path names: those of the pattern that matches it most closely.
func TestAnnouncedFiles(t *testing.T) {
	app, err := New(fstest.MapFS{
		"index.html": {Data: []byte("<head><script nonce=\"ALMANAC_NONCE\"></script></head>")},
		"pages.json": {Data: []byte(`[
			{"path": "/", "files": ["assets/start.js"]},
			{"path": "/project/$p/traces/$t", "files": ["assets/trace.js", "assets/common.js"]},
			{"path": "/project/$p/traces/compare", "files": ["assets/compare.js"]},
			{"path": "/project/$p/traces", "files": ["assets/traces.js"]},
			{"path": "/project/$p/$", "files": ["assets/other.js"]},
			{"path": "/project/~/$", "files": ["assets/last.js"]},
			{"path": "/setup", "files": []}
		]`)},
	}, "/base", "")
	if err != nil {
		t.Fatal(err)
	}
	get := func(path, etag string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, http.NoBody)
		r.Header.Set("If-None-Match", etag)
		app.Page(w, r)
		return w
	}
	for path, want := range map[string]string{
		"/":                          "start.js",
		"/project/a/traces":          "traces.js",
		"/project/a/traces/b":        "trace.js common.js",
		"/project/a/traces/a%2Fb":    "trace.js common.js",
		"/project/a/traces/compare":  "compare.js",
		"/project/a/traces/b/c":      "other.js",
		"/project/a/prompts":         "other.js",
		"/project/~/traces":          "last.js",
		"/project/a":                 "",
		"/setup":                     "",
		"/project/a/%22%3E%3Cscript": "other.js",
		"/unknown/a/traces":          "",
	} {
		answer := get(path, "")
		nonce, _, _ := strings.Cut(strings.TrimPrefix(answer.Header().Get("Content-Security-Policy"),
			"default-src 'none'; script-src 'nonce-"), "'")
		var links strings.Builder
		if want != "" {
			for name := range strings.SplitSeq(want, " ") {
				links.WriteString(`<link rel="modulepreload" crossorigin href="/base/assets/` + name + `" nonce="` + nonce + "\">\n")
			}
		}
		if got, want := answer.Body.String(), `<head><script nonce="`+nonce+`"></script>`+links.String()+"</head>"; got != want {
			t.Errorf("%s: the page is %s, not %s", path, got, want)
		}
	}
	// A browser that has the page of one path does not have that of another.
	etag := get("/project/a/traces", "").Header().Get("ETag")
	if code := get("/project/b/traces", etag).Code; code != http.StatusNotModified {
		t.Errorf("the same page is answered with %d", code)
	}
	if code := get("/project/a/traces/b", etag).Code; code != http.StatusOK {
		t.Errorf("another page is answered with %d", code)
	}
}

func TestAnnouncementsThatCannotBeRead(t *testing.T) {
	files := fstest.MapFS{"index.html": {Data: []byte(index)}, "pages.json": {Data: []byte("{")}}
	if _, err := New(files, "", ""); err == nil || !strings.Contains(err.Error(), "pages.json") {
		t.Errorf("the application starts with %v", err)
	}
}
