package decode

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestParseMoment(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04T05:06:07.123Z":         "2026-03-04T05:06:07.123Z",
		"2026-03-04T05:06:07.123999+00:00": "2026-03-04T05:06:07.123Z",
		"2026-03-04t05:06:07z":             "2026-03-04T05:06:07Z",
		"2026-03-04T05:06+02:00":           "2026-03-04T03:06:00Z",
		"2026-03-04T05:06:07+0200":         "2026-03-04T03:06:07Z",
		"2026-03-04T05:06:07":              "2026-03-04T05:06:07Z",
		"2026-03-04 05:06":                 "2026-03-04T05:06:00Z",
		" 2026-03-04 ":                     "2026-03-04T00:00:00Z",
		"2026-03":                          "2026-03-01T00:00:00Z",
		"2026":                             "2026-01-01T00:00:00Z",
		"Wed, 04 Mar 2026 05:06:07 GMT":    "2026-03-04T05:06:07Z",
		"Wed, 04 Mar 2026 05:06:07 +0100":  "2026-03-04T04:06:07Z",
		"1969-12-31T23:59:59.9999Z":        "1969-12-31T23:59:59.999Z",
	} {
		if got, ok := ParseMoment(text); !ok || got.Format(time.RFC3339Nano) != want {
			t.Errorf("ParseMoment(%q) = %v, %v; want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", " ", "now", "1783000000000", "2026-02-30", "2026-13-01T00:00:00Z", "04.03.2026", "2026-03-04T25:00", "2026-03-04T05:06:07.Z", "T", "z",
		"2026-03-04T05:06:07." + strings.Repeat("1", 100) + "Z",
	} {
		if got, ok := ParseMoment(text); ok {
			t.Errorf("ParseMoment(%q) = %v, want a refusal", text, got)
		}
	}
}

func TestMomentIssues(t *testing.T) {
	const invalid = `[{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["at"],"message":"Invalid input: expected date, received Date"}]`
	for _, text := range []string{"", "soon"} {
		q := NewQuery(url.Values{"at": {text}})
		if got := q.Moment("at"); got != nil {
			t.Errorf("%q is %v", text, got)
		}
		if got := issuesJSON(t, q.Err()); got != invalid {
			t.Errorf("%q: %s", text, got)
		}
	}
	q := NewQuery(url.Values{"at": {"2026-03-04"}})
	if got := q.Moment("at"); got == nil || got.Year() != 2026 || q.Moment("absent") != nil || q.Err() != nil {
		t.Errorf("at = %v, %v", got, q.Err())
	}
	for body, want := range map[string]string{
		`{"at":"soon"}`: invalid,
		`{"at":9e15}`:   invalid,
		`{"at":true}`:   `[{"expected":"date","code":"invalid_type","path":["at"],"message":"Invalid input: expected date, received boolean"}]`,
	} {
		b := NewBody([]byte(body)).Object()
		b.Field("at").Moment()
		if got := issuesJSON(t, b.Err()); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
	for body, want := range map[string]string{`{"at":"2026-03-04"}`: "2026-03-04T00:00:00Z", `{"at":1.5}`: "1970-01-01T00:00:00.001Z", `{"at":-1000}`: "1969-12-31T23:59:59Z"} {
		b := NewBody([]byte(body)).Object()
		if got := b.Field("at").Moment(); b.Err() != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s is %v, %v", body, got, b.Err())
		}
	}
}

func FuzzParseMoment(f *testing.F) {
	for _, text := range []string{"2026-03-04T05:06:07.123Z", "2026-03-04 05:06", "2026", "Wed, 04 Mar 2026 05:06:07 GMT", "", "zzzzzzzzzzz"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseMoment(text)
		if !ok {
			return
		}
		// What is accepted can be written in the strict form and means the same then.
		again, ok := ParseDatetime(got.Format("2006-01-02T15:04:05.000Z"))
		if !ok || !again.Equal(got) {
			t.Errorf("%q is %v, which reads again as %v, %v", text, got, again, ok)
		}
	})
}
