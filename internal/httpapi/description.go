package httpapi

import (
	"bytes"
	"crypto/rand"
	"errors"
	"html"
	"io/fs"
	"mime"
	"path"
	"strings"

	"almanac/api"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// description serves the API description.
func (a *API) description(*endpoint.Call) (any, error) {
	return respond.Content{Type: "application/yaml; charset=utf-8", Body: a.described()}, nil
}

// describe returns the API description with the path prefix of this server.
func (a *API) describe() []byte {
	if a.links.Prefix == "" {
		return api.Description()
	}
	return bytes.Replace(api.Description(), []byte("\nservers:\n  - url: /\n"), []byte("\nservers:\n  - url: "+a.links.Prefix+"\n"), 1)
}

// noncePlaceholder is replaced in the reference page by the nonce of each response.
const noncePlaceholder = "ALMANAC_NONCE"

// referenceHeaders prevents the reference from loading anything from other servers, and scripts and style sheets from
// anywhere else on this one. The viewer sets styles of its elements by attributes.
func referenceHeaders(nonce string) map[string]string {
	return map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src-elem 'nonce-" + nonce + "'; " +
			"style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
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
	body, err := api.ReferenceFile(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || strings.HasPrefix(name, ".") {
		return nil, respond.NoRoute("GET /api/docs/" + name)
	}
	if err != nil {
		return nil, err
	}
	contentType := mime.TypeByExtension(path.Ext(name))
	if contentType == "" {
		contentType = "text/plain; charset=utf-8"
	}
	return respond.Content{Type: contentType, Body: body}, nil
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
