package scores

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// issueTexts returns the issues of an error in short form: code, path and message.
func issueTexts(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var invalid *decode.Invalid
	if !errors.As(err, &invalid) {
		t.Fatalf("not a *decode.Invalid: %v", err)
	}
	texts := make([]string, len(invalid.Issues))
	for n, i := range invalid.Issues {
		path := make([]string, len(i.Path))
		for m, step := range i.Path {
			path[m], _ = step.(string)
		}
		texts[n] = i.Code + " " + strings.Join(path, ".") + ": " + i.Message
	}
	return texts
}

// object returns a body with the given fields and any missing required ones.
func object(members ...string) string {
	given := strings.Join(members, ",")
	for _, needed := range []string{`"name":"n"`, `"value":1`, `"traceId":"t"`} {
		if name, _, _ := strings.Cut(needed, ":"); !strings.Contains(given, name+":") {
			members = append(members, needed)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// TestReadIssues covers the rules of the contract for a score that is sent on its own.
func TestReadIssues(t *testing.T) {
	const (
		subject = "custom traceId.sessionId.datasetRunId.observationId: Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."
		config  = "custom configId: configId is required when source is ANNOTATION (except for CORRECTION scores)."
		bool01  = "custom value: Value must be a number equal to either 0 or 1 for data type BOOLEAN"
		unknown = "invalid_union dataType: Invalid input"
	)
	long := func(n int) string { return `"` + strings.Repeat("x", n) + `"` }
	cases := []struct {
		name string
		body string
		want []string
	}{
		{"least", object(), nil},
		{"not an object", `"hello"`, []string{"invalid_type : Invalid input: expected object, received string"}},
		{"an array", `[]`, []string{"invalid_type : Invalid input: expected object, received array"}},
		{
			"empty", `{}`, []string{
				"invalid_type name: Invalid input: expected string, received undefined", "invalid_union value: Invalid input",
			},
		},
		{"unknown members are dropped", object(`"timestamp":5,"authorUserId":"u","executionTraceId":7`), nil},

		{"id null", object(`"id":null`), nil},
		{"id empty", object(`"id":""`), nil},
		{"id number", object(`"id":1`), []string{"invalid_type id: Invalid input: expected string, received number"}},
		{"id of 800", object(`"id":` + long(800)), nil},
		{"id of 801", object(`"id":` + long(801)), []string{"too_big id: Too big: expected string to have <=800 characters"}},
		{"id with a carriage return", object(`"id":"a\rb"`), []string{"custom id: ID must not contain carriage returns"}},

		{"name empty", object(`"name":""`), []string{"too_small name: Too small: expected string to have >=1 characters"}},
		{"name null", object(`"name":null`), []string{"invalid_type name: Invalid input: expected string, received null"}},
		{"name of 1001", object(`"name":` + long(1001)), []string{"too_big name: Too big: expected string to have <=1000 characters"}},

		{"boolean as value", object(`"value":true`), []string{"invalid_union value: Invalid input"}},
		{"null as value", object(`"value":null`), []string{"invalid_union value: Invalid input"}},
		{
			"value beyond doubles", object(`"value":1e999`), []string{
				"invalid_type value: Invalid input: expected number, received Infinity",
			},
		},
		{"text without a data type", object(`"value":"good"`), nil},
		{
			"empty text without a data type", object(`"value":""`), []string{
				"too_small value: Too small: expected string to have >=1 characters",
			},
		},

		{"data type null", object(`"dataType":null`), []string{unknown}},
		{"data type unknown", object(`"dataType":"FANCY"`), []string{unknown}},
		{"data type in lower case", object(`"dataType":"numeric"`), []string{unknown}},
		{"an unknown data type hides other issues", `{"dataType":"X"}`, []string{unknown}},

		{"NUMERIC", object(`"dataType":"NUMERIC"`), nil},
		{
			"NUMERIC text", object(`"dataType":"NUMERIC","value":"1"`), []string{
				"invalid_type value: Invalid input: expected number, received string",
			},
		},
		{"BOOLEAN 0", object(`"dataType":"BOOLEAN","value":0`), nil},
		{"BOOLEAN 1", object(`"dataType":"BOOLEAN","value":1`), nil},
		{"BOOLEAN -1", object(`"dataType":"BOOLEAN","value":-1`), []string{bool01}},
		{"BOOLEAN 2", object(`"dataType":"BOOLEAN","value":2`), []string{bool01}},
		{
			"BOOLEAN text", object(`"dataType":"BOOLEAN","value":"1"`), []string{
				"invalid_type value: Invalid input: expected number, received string",
			},
		},
		{
			"BOOLEAN true", object(`"dataType":"BOOLEAN","value":true`), []string{
				"invalid_type value: Invalid input: expected number, received boolean",
			},
		},
		{"CATEGORICAL", object(`"dataType":"CATEGORICAL","value":"a"`), nil},
		{
			"CATEGORICAL number", object(`"dataType":"CATEGORICAL","value":1`), []string{
				"invalid_type value: Invalid input: expected string, received number",
			},
		},
		{
			"CATEGORICAL empty", object(`"dataType":"CATEGORICAL","value":""`), []string{
				"too_small value: Too small: expected string to have >=1 characters",
			},
		},
		{"TEXT of 500", object(`"dataType":"TEXT","value":` + long(500)), nil},
		{
			"TEXT of 501", object(`"dataType":"TEXT","value":` + long(501)), []string{
				"too_big value: Too big: expected string to have <=500 characters",
			},
		},
		{
			"TEXT of 251 pairs", object(`"dataType":"TEXT","value":"` + strings.Repeat("😀", 251) + `"`),
			[]string{"too_big value: Too big: expected string to have <=500 characters"},
		},
		{
			"TEXT empty", object(`"dataType":"TEXT","value":""`), []string{
				"too_small value: Too small: expected string to have >=1 characters",
			},
		},
		{"CORRECTION empty", object(`"dataType":"CORRECTION","value":""`), nil},
		{"CORRECTION long", object(`"dataType":"CORRECTION","value":` + long(5000)), nil},
		{
			"CORRECTION number", object(`"dataType":"CORRECTION"`), []string{
				"invalid_type value: Invalid input: expected string, received number",
			},
		},
		{
			"CORRECTION with a config", object(`"dataType":"CORRECTION","value":"a","configId":"c"`),
			[]string{"invalid_type configId: Invalid input: expected null, received string"},
		},
		{"CORRECTION with config null", object(`"dataType":"CORRECTION","value":"a","configId":null`), nil},
		{
			"CORRECTION of a session", object(`"dataType":"CORRECTION","value":"a","traceId":null,"sessionId":"s"`),
			[]string{"custom dataType: " + ofTrace},
		},
		{
			"CORRECTION of a run", object(`"dataType":"CORRECTION","value":"a","traceId":null,"datasetRunId":"r"`),
			[]string{"custom dataType: " + ofTrace},
		},
		{"CORRECTION of an observation", object(`"dataType":"CORRECTION","value":"a","observationId":"o"`), nil},

		{"no subject", object(`"traceId":null`), []string{subject}},
		{"empty subject", object(`"traceId":""`), []string{subject}},
		{"trace and observation", object(`"observationId":"o"`), nil},
		{"session", object(`"traceId":null,"sessionId":"s"`), nil},
		{"run", object(`"traceId":"","datasetRunId":"r"`), nil},
		{"trace and session", object(`"sessionId":"s"`), []string{subject}},
		{"trace and run", object(`"datasetRunId":"r"`), []string{subject}},
		{"session and run", object(`"traceId":null,"sessionId":"s","datasetRunId":"r"`), []string{subject}},
		{"session and observation", object(`"traceId":null,"sessionId":"s","observationId":"o"`), []string{subject}},
		{"trace and empty session", object(`"sessionId":"","datasetRunId":null`), nil},
		{"trace number", object(`"traceId":5`), []string{"invalid_type traceId: Invalid input: expected string, received number"}},
		{
			"trace id of 801", object(`"traceId":` + long(801)), []string{
				"too_big traceId: Too big: expected string to have <=800 characters",
			},
		},
		{
			"the subject is checked next to a value out of range", object(`"dataType":"BOOLEAN","value":2,"traceId":null`),
			[]string{bool01, subject},
		},
		{
			"the subject is not checked next to a wrong type", object(`"comment":1,"traceId":null`),
			[]string{"invalid_type comment: Invalid input: expected string, received number"},
		},

		{
			"environment null", object(`"environment":null`), []string{
				"invalid_type environment: Invalid input: expected string, received null",
			},
		},
		{
			"environment number", object(`"environment":1`), []string{
				"invalid_type environment: Invalid input: expected string, received number",
			},
		},
		{"source EVAL", object(`"source":"EVAL"`), []string{`invalid_value source: Invalid option: expected one of "API"|"ANNOTATION"`}},
		{"source null", object(`"source":null`), []string{`invalid_value source: Invalid option: expected one of "API"|"ANNOTATION"`}},
		{"ANNOTATION without a config", object(`"source":"ANNOTATION"`), []string{config}},
		{"ANNOTATION with an empty config", object(`"source":"ANNOTATION","configId":""`), []string{config}},
		{"ANNOTATION with a config", object(`"source":"ANNOTATION","configId":"c"`), nil},
		{"ANNOTATION of a correction", object(`"source":"ANNOTATION","dataType":"CORRECTION","value":"x"`), nil},
		{"queue number", object(`"queueId":1`), []string{"invalid_type queueId: Invalid input: expected string, received number"}},
		{"config number", object(`"configId":1`), []string{"invalid_type configId: Invalid input: expected string, received number"}},
		{"any metadata", object(`"metadata":[1,{"a":null}]`), nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := readRequest(decode.NewBody([]byte(c.body)))
			if diff := cmp.Diff(c.want, issueTexts(t, err)); diff != "" {
				t.Errorf("%.200s: %s", c.body, diff)
			}
		})
	}
}

// TestReadEventIssues covers the differences in a batch of events.
func TestReadEventIssues(t *testing.T) {
	cases := []struct {
		name string
		body string
		want []string
	}{
		{"sources", object(`"source":"EVAL"`), nil},
		{
			"unknown source", object(`"source":"HUMAN"`), []string{
				`invalid_value source: Invalid option: expected one of "API"|"EVAL"|"ANNOTATION"`,
			},
		},
		{"environment null", object(`"environment":null`), nil},
		{"environment number", object(`"environment":{}`), nil},
		{"execution trace", object(`"executionTraceId":"t"`), nil},
		{
			"execution trace number", object(`"executionTraceId":1`), []string{
				"invalid_type executionTraceId: Invalid input: expected string, received number",
			},
		},
		{
			"ANNOTATION without a config is not dropped silently", object(`"source":"ANNOTATION"`),
			[]string{"custom configId: " + needConfig},
		},
		{"data type null", object(`"dataType":null`), []string{"invalid_union dataType: Invalid input"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadEvent(decode.NewBody([]byte(c.body)))
			if diff := cmp.Diff(c.want, issueTexts(t, err)); diff != "" {
				t.Errorf("%s: %s", c.body, diff)
			}
		})
	}
}

func TestRead(t *testing.T) {
	body := `{"id":"s","name":"n","value":0.123456789,"dataType":"NUMERIC","traceId":"t","observationId":"o","sessionId":"","datasetRunId":null,` +
		`"comment":"c","queueId":"q","configId":null,"metadata":{"a": 1},"environment":"Prod","source":"ANNOTATION","executionTraceId":"x"}`
	want := Draft{
		ID: "s", Name: "n", Number: 0.123456789, DataType: "NUMERIC", TraceID: "t", ObservationID: Change{"o", true},
		SessionID:    Change{Sent: true},
		ExperimentID: Change{Sent: true}, Comment: Change{"c", true}, QueueID: "q", ConfigID: Change{Sent: true}, Metadata: `{"a":1}`,
		Environment: "prod", Source: "ANNOTATION",
		ExecutionTraceID: Change{"x", true},
	}
	unexported := cmpopts.IgnoreUnexported(Draft{})
	got, _ := ReadEvent(decode.NewBody([]byte(body))) // an annotation without a config: only what was read matters here
	if diff := cmp.Diff(want, got, unexported); diff != "" {
		t.Errorf("event: %s", diff)
	}
	got, _ = readRequest(decode.NewBody([]byte(body)))
	want.ExecutionTraceID, want.At, want.Received = Change{}, 1, true // cannot be set in a single request
	if diff := cmp.Diff(want, got, unexported); diff != "" {
		t.Errorf("request: %s", diff)
	}
	first, _ := readRequest(decode.NewBody([]byte(object())))
	second, _ := readRequest(decode.NewBody([]byte(object(`"id":""`))))
	if len(first.ID) != 36 || len(second.ID) != 36 || first.ID == second.ID {
		t.Errorf("made the ids %q and %q", first.ID, second.ID)
	}
	if first.Source != "API" || first.Environment != "default" {
		t.Errorf("defaults: %+v", first)
	}
	for sent, want := range map[string]string{
		"Prod": "prod", "langfuse-x": "x", "a b": "default", "": "default", "langfuselangfuse_": "default",
		strings.Repeat("a", 41): strings.Repeat("a", 40),
	} {
		if d, err := readRequest(decode.NewBody([]byte(object(`"environment":"` + sent + `"`)))); err != nil || d.Environment != want {
			t.Errorf("environment %q became %q, %v", sent, d.Environment, err)
		}
	}
}

// readRequest reads a score that arrives at a fixed time.
func readRequest(v decode.Value) (Draft, error) { return ReadRequest(v, 1) }

// readListed reads a score of a list that arrives at a fixed time.
func readListed(v decode.Value) (Draft, error) { return ReadListed(v, 5) }

// TestDeriveID checks that sending an event again results in the same score, and that ids sent by clients are kept.
func TestDeriveID(t *testing.T) {
	derived := func(event string, members ...string) string {
		d := draft(t, 1, members...)
		d.DeriveID([]byte(event))
		return d.ID
	}
	one := derived("one")
	if again := derived("one"); one == "" || again != one {
		t.Errorf("the same event is %q, then %q", one, again)
	}
	if other := derived("other"); other == one {
		t.Error("another event is the same score")
	}
	if given := derived("one", `"id":"mine"`); given != "mine" {
		t.Errorf("an id that was given becomes %q", given)
	}
	w := newWriter()
	for _, comment := range []string{"first", "second"} { // a derived id may already be stored
		d := draft(t, 1, `"comment":"`+comment+`"`)
		d.DeriveID([]byte("one"))
		w.write(t, d)
	}
	if got := w.read(t, one); got.Comment != "second" {
		t.Errorf("stored %+v", got)
	}
}

func TestReadListed(t *testing.T) {
	for members, want := range map[string]domain.Micros{
		`"comment":"c"`: 5, `"timestamp":null`: 5, `"timestamp":"1970-01-01T00:00:00.000007Z"`: 7,
		`"timestamp":"1970-01-01T01:00:00+01:00"`: 0,
	} {
		if d, err := readListed(decode.NewBody([]byte(object(members)))); err != nil || d.At != want {
			t.Errorf("%s is read as %d, %v; want %d", members, d.At, err, want)
		}
	}
	for _, members := range []string{`"timestamp":7`, `"timestamp":"2026-03-01T10:00:00"`, `"timestamp":""`, `"source":"EVAL"`} {
		if d, err := readListed(decode.NewBody([]byte(object(members)))); err == nil {
			t.Errorf("%s is read as %+v", members, d)
		}
	}
}

// FuzzRead checks that no input makes the reader panic or accept a score that violates its rules.
func FuzzRead(f *testing.F) {
	f.Add([]byte(object(`"dataType":"TEXT","value":"x","metadata":{"a":[1]}`)))
	f.Add([]byte(object(`"id":"\ud800","comment":null,"source":"ANNOTATION","configId":"c"`)))
	f.Fuzz(func(t *testing.T, body []byte) {
		if decode.CheckJSON(body) != nil {
			return
		}
		for _, read := range []func(decode.Value) (Draft, error){readRequest, readListed, ReadEvent} {
			d, err := read(decode.NewBody(body))
			if err != nil {
				issueTexts(t, err)
				continue
			}
			if d.ID == "" || d.Name == "" || d.Source == "" || d.Environment != domain.NormalEnvironment(d.Environment) {
				t.Errorf("accepted %+v", d)
			}
			if (d.TraceID != "") == (d.SessionID.Text != "" || d.ExperimentID.Text != "") {
				t.Errorf("accepted the subject of %+v", d)
			}
			if d.Metadata != "" && parseObject(d.Metadata) == nil {
				t.Errorf("metadata %s of %s are no object", d.Metadata, body)
			}
		}
	})
}
