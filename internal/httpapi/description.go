package httpapi

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"html"
	"io/fs"
	"mime"
	"path"
	"strings"
	"sync"

	"almanac/api"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// description serves the API description.
func (a *API) description(*endpoint.Call) (any, error) {
	return a.described(), nil
}

// describe returns the API description with the path prefix of this server.
func (a *API) describe() *respond.Prepared {
	text := api.Description()
	if a.links.Prefix != "" {
		text = bytes.Replace(text, []byte("\nservers:\n  - url: /\n"), []byte("\nservers:\n  - url: "+a.links.Prefix+"\n"), 1)
	}
	return respond.PrepareAs("application/yaml; charset=utf-8", text)
}

// noncePlaceholder is replaced in the reference page by the nonce of each response.
const noncePlaceholder = "ALMANAC_NONCE"

// referenceHeaders prevents the reference from loading anything from other servers, and scripts and style sheets from
// anywhere else on this one. The viewer sets styles of its elements by attributes.
func referenceHeaders(nonce string) map[string]string {
	return map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src-elem 'nonce-" + nonce + "'; " +
			"style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
			"form-action 'none'",
		"X-Frame-Options": "DENY",
	}
}

// reference serves the interactive reference, or, in a program built without it, a plain list.
func (a *API) reference(*endpoint.Call) (any, error) {
	nonce := rand.Text()
	if !api.HasReference() {
		return respond.Content{Type: respond.HTML, Body: []byte(a.plainReference()), Header: referenceHeaders(nonce)}, nil
	}
	page, err := api.ReferenceFile("index.html")
	if err != nil {
		return nil, err
	}
	page = bytes.ReplaceAll(page, []byte(noncePlaceholder), []byte(nonce))
	return respond.Content{Type: respond.HTML, Body: page, Header: referenceHeaders(nonce)}, nil
}

// referenceFile serves the files that the reference page loads.
func (a *API) referenceFile(c *endpoint.Call) (any, error) {
	name := c.Path("file")
	file, err := a.referenceFiles.get(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || strings.HasPrefix(name, ".") {
		return nil, respond.NoRoute("GET /api/docs/" + name)
	}
	return file, err
}

// referenceFiles are the files of the reference that were asked for. They are kept, since anybody may ask for them and
// receive them slowly: if each response had its own copy, strangers could fill the memory.
type referenceFiles struct {
	mu    sync.Mutex
	known map[string]*respond.Prepared
}

func (f *referenceFiles) get(name string) (*respond.Prepared, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if file := f.known[name]; file != nil {
		return file, nil
	}
	body, err := api.ReferenceFile(name)
	if err != nil {
		return nil, err
	}
	contentType := cmp.Or(mime.TypeByExtension(path.Ext(name)), "text/plain; charset=utf-8")
	if f.known == nil {
		f.known = make(map[string]*respond.Prepared)
	}
	file := respond.PrepareAs(contentType, body)
	f.known[strings.Clone(name)] = file // it is part of a URL, which may be much longer
	return file, nil
}

func (a *API) plainReference() string {
	var b strings.Builder
	b.WriteString(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Almanac API</title></head>
<body>
<h1>Almanac API</h1>
<p>This program was built without the interactive reference. The whole description is at
<a href="openapi.yaml">/api/openapi.yaml</a>; any OpenAPI viewer shows it.</p>
<table>
`)
	for _, rt := range a.routes() {
		method := rt.method
		if method == anyMethod {
			method = "GET"
		}
		b.WriteString("<tr><td>" + html.EscapeString(method) + "</td><td>" + html.EscapeString(rt.path) + "</td></tr>\n")
	}
	b.WriteString("</table>\n</body>\n</html>\n")
	return b.String()
}
