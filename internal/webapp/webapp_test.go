package webapp

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const index = `<meta name="almanac-base" content=""><link href="./assets/a.css" nonce="ALMANAC_NONCE"><script src="./assets/a.js" nonce="ALMANAC_NONCE"></script>`

func packed(t *testing.T, text string) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

func newApp(t *testing.T, prefix string) *App {
	t.Helper()
	app, err := New(fstest.MapFS{
		"index.html":          {Data: []byte(index)},
		"placeholder.html":    {Data: []byte("how to build it")},
		"assets/a.js.br":      {Data: []byte("brotli")},
		"assets/a.js.gz":      packed(t, "script"),
		"assets/_b.js.gz":     packed(t, "another"),
		"assets/f.woff2":      {Data: []byte("font")},
		"assets/.hidden.js":   {Data: []byte("hidden")},
		".vite/manifest.json": {Data: []byte("{}")},
	}, prefix, "")
	if err != nil {
		t.Fatal(err)
	}
	return app
}

func page(app *App, header http.Header) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header = header
	app.Page(w, r)
	return w
}

func TestPage(t *testing.T) {
	app := newApp(t, "/a/b")
	first, second := page(app, http.Header{}), page(app, http.Header{})
	nonces := regexp.MustCompile(`nonce="([^"]+)"`).FindAllStringSubmatch(first.Body.String(), -1)
	if len(nonces) != 2 || nonces[0][1] != nonces[1][1] || len(nonces[0][1]) < 22 {
		t.Fatalf("nonces are %v", nonces)
	}
	csp := first.Header().Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'none'; ", "script-src 'nonce-" + nonces[0][1] + "' example.com/a/b/assets/; ",
		"style-src 'nonce-" + nonces[0][1] + "' example.com/a/b/assets/; ",
		"img-src 'self' data: blob:; ", "media-src 'self' blob:; ", "frame-src blob:; ", "connect-src 'self'; ", "frame-ancestors 'none'",
		"base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'",
	} {
		if !strings.Contains(csp, part) {
			t.Errorf("the policy %s lacks %s", csp, part)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") || strings.Contains(csp, "*") {
		t.Errorf("the policy allows too much: %s", csp)
	}
	if csp == second.Header().Get("Content-Security-Policy") {
		t.Error("two answers have the same nonce")
	}
	want := `<meta name="almanac-base" content="/a/b"><link href="/a/b/assets/a.css" nonce="N"><script src="/a/b/assets/a.js" nonce="N"></script>`
	if got := strings.ReplaceAll(first.Body.String(), nonces[0][1], "N"); got != want {
		t.Errorf("the page is %s", got)
	}
	if first.Header().Get("ETag") != second.Header().Get("ETag") || first.Header().Get("ETag") == newPage(t, "").Header().Get("ETag") {
		t.Error("the tag is that of the page below its prefix, without the nonce")
	}
}

// TestScriptSources checks that the policy names the files of the build at every host where the page may have been
// opened, and nothing else of it, whatever the request says that the host is.
func TestScriptSources(t *testing.T) {
	for name, c := range map[string]struct{ prefix, publicURL, host, want string }{
		"a host":                      {"", "", "example.org", " example.org/assets/"},
		"a port":                      {"", "", "127.0.0.1:3000", " 127.0.0.1:3000/assets/"},
		"a prefix":                    {"/a%20b;c,d", "", "h", " h/a%20b%3Bc%2Cd/assets/"},
		"behind a proxy":              {"/p", "https://example.org/p", "backend:3000", " backend:3000/p/assets/ example.org/p/assets/"},
		"opened at its public URL":    {"", "https://example.org", "example.org", " example.org/assets/"},
		"an IPv6 address":             {"", "", "[::1]:3000", ""},
		"no host":                     {"", "", "", ""},
		"a host that would add to it": {"", "", "x; script-src *", ""},
		"a host with a comma":         {"", "https://example.org", "x,y", " example.org/assets/"},
		"any host":                    {"", "", "*", ""},
		"a keyword":                   {"", "", "'unsafe-inline'", ""},
	} {
		app, err := New(fstest.MapFS{"index.html": {Data: []byte(index)}}, c.prefix, c.publicURL)
		if err != nil {
			t.Fatal(err)
		}
		want := "default-src 'none'; script-src 'nonce-N'" + c.want + "; style-src 'nonce-N'" + c.want + "; img-src "
		if got := app.policy("N", c.host); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func newPage(t *testing.T, prefix string) *httptest.ResponseRecorder {
	t.Helper()
	return page(newApp(t, prefix), http.Header{})
}

func TestPageThatABrowserHas(t *testing.T) {
	app := newApp(t, "")
	etag := page(app, http.Header{}).Header().Get("ETag")
	for _, header := range []string{etag, "W/" + etag, `"x", ` + etag} {
		answer := page(app, http.Header{"If-None-Match": {header}})
		// A policy would carry a nonce that differs from the cached page.
		if answer.Code != http.StatusNotModified || answer.Body.Len() > 0 || answer.Header().Get("Content-Security-Policy") != "" {
			t.Errorf("%s: %d %v", header, answer.Code, answer.Header())
		}
	}
	if answer := page(app, http.Header{"If-None-Match": {`"x"`}}); answer.Code != http.StatusOK {
		t.Errorf("another tag: %d", answer.Code)
	}
}

func TestPrefixIsNoMarkup(t *testing.T) {
	if body := newPage(t, `/"><script>`).Body.String(); strings.Contains(body, `"><script>`+"/") {
		t.Errorf("the page is %s", body)
	}
}

func TestPlaceholder(t *testing.T) {
	app, err := New(fstest.MapFS{"placeholder.html": {Data: []byte(`<a href="./api/docs">`)}}, "/base", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := page(app, http.Header{}).Body.String(); got != `<a href="/base/api/docs">` {
		t.Errorf("the page is %s", got)
	}
	if _, err := New(fstest.MapFS{}, "", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a page: %v", err)
	}
}

func TestEmbeddedFiles(t *testing.T) {
	if _, err := New(Files(), "", ""); err != nil {
		t.Fatal(err)
	}
}

func TestAssets(t *testing.T) {
	app := newApp(t, "")
	for name, c := range map[string]struct{ file, accept, body, encoding, contentType string }{
		"the best":           {"a.js", "gzip, deflate, br", "brotli", "br", "text/javascript; charset=utf-8"},
		"brotli ruled out":   {"a.js", "br;q=0, gzip;q=0.5", "", "gzip", "text/javascript; charset=utf-8"},
		"without brotli":     {"_b.js", "br, gzip", "", "gzip", "text/javascript; charset=utf-8"},
		"neither":            {"a.js", "", "script", "", "text/javascript; charset=utf-8"},
		"both ruled out":     {"a.js", "br;q=0.0,gzip; q=0", "script", "", "text/javascript; charset=utf-8"},
		"what is not packed": {"f.woff2", "br, gzip", "font", "", "font/woff2"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.Header.Set("Accept-Encoding", c.accept)
		if err := app.Asset(w, r, c.file); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		h := w.Header()
		if h.Get("Content-Encoding") != c.encoding || h.Get("Content-Type") != c.contentType || c.body != "" && w.Body.String() != c.body {
			t.Errorf("%s: %q %v", name, w.Body, h)
		}
		if h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", name, h)
		}
	}
	for _, name := range []string{"gone.js", "../index.html", "..", "", "a.js.br", "a.js.gz", "a", "../.vite/manifest.json", "x/a.js"} {
		w := httptest.NewRecorder()
		if err := app.Asset(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody), name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// sharing is a response that keeps what is written without copying it.
type sharing struct {
	header http.Header
	body   []byte
}

func (s *sharing) Header() http.Header { return s.header }

func (*sharing) WriteHeader(int) {}

func (s *sharing) Write(b []byte) (int, error) {
	s.body = b
	return len(b), nil
}

// TestFilesAreShared: responses with the same file share its memory, or strangers who receive it slowly could fill it.
func TestFilesAreShared(t *testing.T) {
	app := newApp(t, "")
	for _, name := range []string{"a.js", "_b.js", "f.woff2"} {
		for _, accepted := range []string{"br", "gzip", ""} {
			r := httptest.NewRequest(http.MethodGet, "/assets/"+name, http.NoBody)
			r.Header.Set("Accept-Encoding", accepted)
			var sent [2]sharing
			for n := range sent {
				sent[n].header = make(http.Header)
				if err := app.Asset(&sent[n], r, name); err != nil {
					t.Fatal(err)
				}
			}
			if &sent[0].body[0] != &sent[1].body[0] {
				t.Errorf("two responses with %s in the encoding %q have a copy each", name, accepted)
			}
		}
	}
}
