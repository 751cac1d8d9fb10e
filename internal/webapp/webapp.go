// Package webapp embeds and serves the web application, which is built from web/ into dist.
package webapp

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"embed"
	"errors"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Names that begin with an underscore are among those of the build, so all: is needed.
//
//go:embed all:dist
var embedded embed.FS

// Files returns the files of the build. Without Node that is only a page that says how to build the rest.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic("BUG: dist is not embedded: " + err.Error())
	}
	return files
}

// noncePlaceholder is replaced in the page by the nonce of each response. It must match web/vite.config.ts.
const noncePlaceholder = "ALMANAC_NONCE"

// App serves the page of the application, which differs between its URLs only in the files that it announces, and the
// files that it loads.
type App struct {
	files  fs.FS
	pages  pages
	prefix string
	public string // the host of the public URL

	mu    sync.Mutex
	known map[string][]byte // files that were asked for, by name
}

// New returns the application with the given files, served below a path prefix such as /almanac as browsers see it, and
// at a public URL if there is one.
func New(files fs.FS, prefix, publicURL string) (*App, error) {
	page, err := fs.ReadFile(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		page, err = fs.ReadFile(files, "placeholder.html")
	}
	if err != nil {
		return nil, err
	}
	base := []byte(html.EscapeString(prefix))
	// The build does not know where it will be served, so its URLs are relative.
	page = bytes.ReplaceAll(page, []byte(`="./`), slices.Concat([]byte(`="`), base, []byte("/")))
	page = bytes.Replace(page, []byte(`name="almanac-base" content=""`),
		slices.Concat([]byte(`name="almanac-base" content="`), base, []byte(`"`)), 1)
	pages, err := announced(files, page, base)
	if err != nil {
		return nil, err
	}
	public := ""
	if u, err := url.Parse(publicURL); err == nil {
		public = u.Host
	}
	return &App{
		files: files, pages: pages, prefix: prefix, public: public,
		known: make(map[string][]byte),
	}, nil
}

// Page writes the page of a path, which does not include the prefix. A browser that has cached it keeps the old nonce. That is safe: the nonce is for the page's own
// scripts and the styles that they add, and the page never contains anything written by others.
func (a *App) Page(w http.ResponseWriter, r *http.Request) {
	page := a.pages.at(r.URL.EscapedPath())
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", page.etag)
	if matches(r.Header.Get("If-None-Match"), page.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	nonce := rand.Text()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", a.policy(nonce, r.Host))
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	body := bytes.ReplaceAll(page.html, []byte(noncePlaceholder), []byte(nonce))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// policy returns the Content-Security-Policy of the page: nothing from elsewhere, nothing inline except styles and
// scripts with the nonce, and no strings that become scripts. Scripts and styles come only from the files of the build,
// not from the rest of this origin, where files of users are. Frames show bytes that the page itself fetched and typed as
// PDF, and are under this policy too, as are all documents that a browser opens from a blob URL of the page.
//
// A path needs a host, which may be unknown behind a proxy. The nonce also covers what the page's scripts import, so
// the application works there as well. Only a script can start a worker.
func (a *App) policy(nonce, host string) string {
	code := "'nonce-" + nonce + "'" + a.assetSources(host)
	return "default-src 'none'; script-src " + code + "; style-src " + code + "; " +
		"img-src 'self' data: blob:; media-src 'self' blob:; frame-src blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
		"frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types almanac"
}

// hostForm matches the hosts that a policy can name. IPv6 addresses are not among them.
var hostForm = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// assetSources returns the sources of a policy that stand for the files of the build, each after a space.
func (a *App) assetSources(host string) string {
	directory := strings.NewReplacer(" ", "%20", ";", "%3B", ",", "%2C").Replace(a.prefix) + "/assets/"
	sources := ""
	for _, h := range []string{host, a.public} {
		if source := " " + h + directory; hostForm.MatchString(h) && !strings.Contains(sources, source) {
			sources += source
		}
	}
	return sources
}

// matches reports whether an If-None-Match header names a tag.
func matches(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == etag || candidate == "*" {
			return true
		}
	}
	return false
}

// contentTypes are the content types of the files in a build.
var contentTypes = map[string]string{
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".json":  "application/json",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".png":   "image/png",
	".woff2": "font/woff2",
	".wasm":  "application/wasm",
}

// Asset writes a file that the page loads. Its name changes with its content, so browsers may cache it forever. It
// returns fs.ErrNotExist if there is no such file.
func (a *App) Asset(w http.ResponseWriter, r *http.Request, name string) error {
	contentType, ok := contentTypes[path.Ext(name)]
	if !ok || strings.Contains(name, "/") || !fs.ValidPath(name) {
		return fs.ErrNotExist
	}
	body, encoding, err := a.read("assets/"+name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Add("Vary", "Accept-Encoding")
	// Our images are shown only by our page, and never as a document.
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
	return nil
}

// encodings are the compressions of text files in the build, best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// read returns a file in an encoding that the client accepts. Text files are stored compressed only; a client that
// accepts neither encoding gets them decompressed.
func (a *App) read(name, accepted string) (body []byte, encoding string, err error) {
	for _, e := range encodings {
		if accepts(accepted, e.name) {
			body, err = a.keep(name+e.suffix, func() ([]byte, error) { return fs.ReadFile(a.files, name+e.suffix) })
			if !errors.Is(err, fs.ErrNotExist) {
				return body, e.name, err
			}
		}
	}
	body, err = a.keep(name, func() ([]byte, error) {
		body, err := fs.ReadFile(a.files, name)
		if errors.Is(err, fs.ErrNotExist) {
			body, err = a.unpack(name + ".gz")
		}
		return body, err
	})
	return body, "", err
}

// keep returns a file, which is loaded once: anybody may ask for it and receive it slowly. If each response had its own
// copy, strangers could fill the memory.
func (a *App) keep(name string, load func() ([]byte, error)) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if body, ok := a.known[name]; ok {
		return body, nil
	}
	body, err := load()
	if err == nil {
		a.known[name] = body
	}
	return body, err
}

// unpack returns a file that is stored compressed.
func (a *App) unpack(name string) ([]byte, error) {
	packed, err := fs.ReadFile(a.files, name)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}

// accepts reports whether an Accept-Encoding header names an encoding without ruling it out.
func accepts(header, encoding string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(candidate, ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			quality, _ := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
			return strings.Trim(quality, "0.") != "" || quality == ""
		}
	}
	return false
}
