package decode

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestParseDate(t *testing.T) {
	day := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	at := day.Add(10*time.Hour + 30*time.Minute)
	for text, want := range map[string]time.Time{
		"2020-01-02":                      day,
		"2020-01":                         time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		"2020":                            time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		"2020-01-02T10:30":                at,
		"2020-01-02 10:30":                at,
		"2020-01-02t10:30:00z":            at,
		"2020-01-02T10:30Z":               at,
		"2020-01-02T10:30:00z":            at,
		" 2020-01-02T10:30:00Z ":          at,
		"2020-01-02T10:30:00.1239999Z":    at.Add(123 * time.Millisecond),
		"2020-01-02 10:30:00.5":           at.Add(500 * time.Millisecond),
		"2020-01-02T12:30:00+02:00":       at,
		"2020-01-02T12:30+0200":           at,
		"Thu, 02 Jan 2020 10:30:00 GMT":   at,
		"Thu, 02 Jan 2020 11:30:00 +0100": at,
		"1969-12-31T23:59:59.9995Z":       time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.UTC),
		"0001-01-01":                      time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		"9999-12-31T23:59:59.999Z":        time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
	} {
		if got, ok := ParseDate(text); !ok || !got.Equal(want) {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", " ", "x", "yesterday", "1583280000000", "1583280000", "20200102", "2020-13-01", "2020-02-30", "2020-01-02T24:01:00Z",
		"2020-01-02T10", "2020-01-02T10:30:61Z", "2020/01/02 10:30", "-1", "2020-01-02T10:30:00." + strings.Repeat("1", 200) + "Z",
	} {
		if got, ok := ParseDate(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestQueryDate(t *testing.T) {
	const issue = `[{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["d"],"message":"Invalid input: expected date, received Date"}]`
	for query, want := range map[string]string{
		"d=": "", "": "", "d=2020-01-01": "", "d=x": issue, "d=2020&d=2021": issue, "d=1583280000000": issue,
	} {
		q := queryOf(t, query)
		if got := q.Date("d"); (got != nil) != (query == "d=2020-01-01") {
			t.Errorf("%q is %v", query, got)
		}
		if got := issuesJSON(t, q.Err()); got != want {
			t.Errorf("issues of %q:\n got %s\nwant %s", query, got, want)
		}
	}
}

func TestDateIssues(t *testing.T) {
	const invalid = `[{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["at"],"message":"Invalid input: expected date, received Date"}]`
	for _, text := range []string{"", "soon"} {
		q := NewQuery(url.Values{"at": {text}})
		if got := q.NonEmptyDate("at"); got != nil {
			t.Errorf("%q is %v", text, got)
		}
		if got := issuesJSON(t, q.Err()); got != invalid {
			t.Errorf("%q: %s", text, got)
		}
	}
	q := NewQuery(url.Values{"at": {"2026-03-04"}})
	if got := q.NonEmptyDate("at"); got == nil || got.Year() != 2026 || q.NonEmptyDate("absent") != nil || q.Err() != nil {
		t.Errorf("at = %v, %v", got, q.Err())
	}
	for body, want := range map[string]string{
		`{"at":"soon"}`: invalid,
		`{"at":9e15}`:   invalid,
		`{"at":true}`:   `[{"expected":"date","code":"invalid_type","path":["at"],"message":"Invalid input: expected date, received boolean"}]`,
	} {
		b := NewBody([]byte(body)).Object()
		b.Field("at").Date()
		if got := issuesJSON(t, b.Err()); got != want {
			t.Errorf("%s: %s", body, got)
		}
	}
	for body, want := range map[string]string{
		`{"at":"2026-03-04"}`: "2026-03-04T00:00:00Z", `{"at":1.5}`: "1970-01-01T00:00:00.001Z", `{"at":-1000}`: "1969-12-31T23:59:59Z",
	} {
		b := NewBody([]byte(body)).Object()
		if got := b.Field("at").Date(); b.Err() != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s is %v, %v", body, got, b.Err())
		}
	}
}

func FuzzParseDate(f *testing.F) {
	for _, text := range []string{
		"2026-03-04T05:06:07.123Z", "2026-03-04 05:06", "2026", "Wed, 04 Mar 2026 05:06:07 GMT", "", "zzzzzzzzzzz",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseDate(text)
		if !ok {
			return
		}
		// Every accepted date can be written in the strict form with the same meaning.
		again, ok := ParseDatetime(got.Format("2006-01-02T15:04:05.000Z"))
		if !ok || !again.Equal(got) {
			t.Errorf("%q is %v, which reads again as %v, %v", text, got, again, ok)
		}
	})
}
