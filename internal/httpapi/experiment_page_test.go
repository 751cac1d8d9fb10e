package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

func TestExperimentPages(t *testing.T) {
	const page = "/project/p/experiments/results"
	plain := map[string]string{"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; form-action 'none'; base-uri 'none'"}
	leadsTo := func(location string) map[string]string { return map[string]string{"Location": location} }
	runScenarios(t, []scenario{
		{
			name: "the page", path: page + "?baseline=9418f79cf4b07efb", status: http.StatusOK, wantHeader: plain,
			contains: []string{"/api/public/experiment-items?experimentId=9418f79cf4b07efb&amp;fields=io,scores"},
		},
		{
			name: "without an experiment", path: page, status: http.StatusOK, wantHeader: plain,
			contains: []string{"/api/public/experiment-items?fields=io,scores"},
		},
		{
			name: "an id that is a script", path: page + "?baseline=%3Cscript%3Ealert(1)%3C/script%3E%22%27%26", status: http.StatusOK, wantHeader: plain,
			contains: []string{"experimentId=%3Cscript%3Ealert%281%29%3C%2Fscript%3E%22%27%26&amp;"}, missing: []string{"<script"},
		},
		{
			name: "an id that is too long", path: page + "?baseline=" + strings.Repeat("x", 201), status: http.StatusOK,
			contains: []string{"experiment-items?fields="}, missing: []string{"xx"},
		},
		{name: "an id that is no text", path: page + "?baseline=%ff", status: http.StatusOK, contains: []string{"experiment-items?fields="}},
		{name: "repeated", path: page + "?baseline=a&baseline=b", status: http.StatusOK, contains: []string{"experiment-items?fields="}},
		{
			name: "a dataset run", path: "/project/p/datasets/d/runs/9418f79cf4b07efb", status: http.StatusFound,
			wantHeader: leadsTo("/project/p/experiments/results?baseline=9418f79cf4b07efb"),
		},
		{
			name: "a dataset run with odd names", path: "/project/%2F%2Fexample.org/datasets/d/runs/a%20b&c=d%0D%0AX:%20y", status: http.StatusFound,
			wantHeader: leadsTo("/project/%2F%2Fexample.org/experiments/results?baseline=a+b%26c%3Dd%0D%0AX%3A+y"),
		},
		{name: "the wrong method", method: "POST", path: page, status: http.StatusMethodNotAllowed},
	})
}
