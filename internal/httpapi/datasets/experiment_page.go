package datasets

import (
	"html"
	"net/url"
	"unicode/utf8"

	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// pageHeaders keep a page from loading and sending anything.
var pageHeaders = map[string]string{"Content-Security-Policy": "default-src 'none'; form-action 'none'; base-uri 'none'"}

// maxShownID is how many bytes an id from an address may have to be repeated on a page.
const maxShownID = 200

// ExperimentPage answers at the address of an experiment's results, which client libraries print. There is nothing to see
// there without a credential, so it says how to get at the results.
func (h *Handlers) ExperimentPage(c *endpoint.Call) (any, error) {
	id := endpoint.ValueOr(c.Query().String("baseline"), "")
	if len(id) > maxShownID || !utf8.ValidString(id) {
		id = ""
	}
	query := ""
	if id != "" {
		query = "experimentId=" + url.QueryEscape(id) + "&"
	}
	page := `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Results of an experiment</title></head>
<body>
<h1>Results of an experiment</h1>
<p>This address is kept for a page that shows the results of an experiment. The API has them already; ask with the keys of
your project:</p>
<pre>curl -u "$LANGFUSE_PUBLIC_KEY:$LANGFUSE_SECRET_KEY" \
  "$LANGFUSE_BASE_URL/api/public/experiment-items?` + html.EscapeString(query) + `fields=io,scores"</pre>
<p><a href="` + h.Links.To("/api/docs") + `">The reference</a> describes the parameters and what is returned.</p>
</body>
</html>
`
	return respond.Content{Type: respond.HTML, Body: []byte(page), Header: pageHeaders}, nil
}

// DatasetRunPage leads from the address of a dataset run, which client libraries print as well, to that of the experiment
// that it is.
func (h *Handlers) DatasetRunPage(c *endpoint.Call) (any, error) {
	return respond.Redirect{
		Location: "/project/" + url.PathEscape(c.Path("projectId")) + "/experiments/results?baseline=" +
			url.QueryEscape(c.Path("datasetRunId")),
	}, nil
}
