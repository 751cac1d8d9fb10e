package apitest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/domain"
)

// Integration returns the body of an integration with additional members; later members override earlier ones.
func Integration(members string) string {
	return `{"projectId":"project-a","type":"S3","bucketName":"b","region":"eu-central-1","accessKeyId":"AKIA","secretAccessKey":"0123456789","exportFrequency":"daily","enabled":true,"forcePathStyle":false,"fileType":"JSONL","exportMode":"FULL_HISTORY"` + members + `}`
}

// Commented returns rows to comment on: a trace with a session, and one without.
func Commented() []domain.Observation {
	return []domain.Observation{
		{TraceID: "t1", ID: "o1", SessionID: "s1", StartTime: October}, {TraceID: "t2", ID: "o2", StartTime: October},
	}
}

// PlainWidget is the smallest valid widget.
const PlainWidget = `{"name":"w","view":"observations","dimensions":[],"metrics":[{"measure":"count","agg":"count"}],"filters":[],"chartType":"NUMBER"}`

// NothingToDo is the issue of a change without a field.
const NothingToDo = `{"code":"custom","path":[],"message":"At least one field must be provided"}`

// UnknownMember is the issue of an object with an unknown member.
const UnknownMember = `{"code":"unrecognized_keys","keys":["x"],"path":[],"message":"Unrecognized key: \"x\""}`

// BadBody returns the response of a route with coded errors to an invalid body.
func BadBody(issues ...string) string { return codedIssues("invalid_body", issues...) }

// BadQuery returns the response of a route with coded errors to an invalid query.
func BadQuery(issues ...string) string { return codedIssues("invalid_query", issues...) }

func codedIssues(code string, issues ...string) string {
	return `{"message":"Invalid request data","code":"` + code + `","details":{"issues":[` + strings.Join(issues, ",") + `]}}`
}

// Made creates an object and returns its id.
func Made(t *testing.T, f *Fixture, path, body string) string {
	t.Helper()
	return Send[struct{ ID string }](t, f, Scenario{Method: "POST", Path: path, Key: "project", Body: body}).ID
}

// NewCode is the body of a new evaluator that is code.
const NewCode = `{"name":"code","type":"code","sourceCode":"pass","sourceCodeLanguage":"TYPESCRIPT"}`

// WithMember appends a member to an object, where it overrides an earlier one of the same name.
func WithMember(object, name, value string) string {
	return strings.TrimSuffix(object, "}") + `,"` + name + `":` + value + `}`
}

// Connection returns the body of a connection with additional members.
func Connection(adapter, members string) string {
	return `{"provider":"p","adapter":"` + adapter + `","secretKey":"sk-0123456789abcd"` + members + `}`
}

// MetricsOf returns a query as a request parameter.
func MetricsOf(question string) string { return "?query=" + url.QueryEscape(question) }

// Tiered returns the body of a model with these tiers.
func Tiered(tiers ...string) string {
	return `{"modelName":"m","matchPattern":"^m$","unit":"TOKENS","pricingTiers":[` + strings.Join(tiers, ",") + `]}`
}

// DefaultTierIn is a default pricing tier as clients send it.
const DefaultTierIn = `{"name":"Standard","isDefault":true,"priority":0,"conditions":[],"prices":{"input":1,"output":2}}`

// ObservationsBody is a page of observations.
type ObservationsBody struct {
	Data []struct{ ID, TraceID string }
	Meta struct{ Cursor string }
}

// QueryOf builds a query string from names and values.
func QueryOf(pairs ...string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return "?" + values.Encode()
}

// Packed returns a compressed text.
func Packed(t *testing.T, text string, newWriter func(io.Writer) io.WriteCloser) string {
	t.Helper()
	var b bytes.Buffer
	w := newWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Gzipped returns a writer for Packed.
func Gzipped(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

// October is a time in the past at which rows begin.
const October = domain.Micros(1_791_280_800_000_000) // 2026-10-06T10:00:00.000Z
