package respond

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain/wire"
)

func TestErrorBodies(t *testing.T) {
	issues := []decode.Issue{decode.Violation([]any{"x"}, "a < b")}
	cases := []struct {
		name   string
		err    *Error
		family ErrorFormat
		want   string
	}{
		{"stable with a name", MethodNotAllowed(), Stable, `{"message":"Method not allowed","error":"MethodNotAllowedError"}`},
		{
			"stable with issues", InvalidData(issues), Stable,
			`{"message":"Invalid request data","error":[{"code":"custom","path":["x"],"message":"a < b"}]}`,
		},
		{"stable without a name", &Error{Message: "No authorization header"}, Stable, `{"message":"No authorization header"}`},
		{"message only", MethodNotAllowed(), MessageOnly, `{"message":"Method not allowed"}`},
		{
			"message with issues", InvalidData(issues), MessageOnly,
			`{"message":"Invalid request data","details":[{"code":"custom","path":["x"],"message":"a < b"}]}`,
		},
		{"error only", NotFound("no such thing"), ErrorOnly, `{"error":"no such thing"}`},
		{"error only in any family", &Error{Message: "no such thing", ErrorOnly: true}, Stable, `{"error":"no such thing"}`},
		{"not found", NotFound("Trace x not found"), Stable, `{"message":"Trace x not found","error":"LangfuseNotFoundError"}`},
		{"semantic rejection", InvalidRequest("no"), Stable, `{"message":"no","error":"InvalidRequestError"}`},
		{"conflict", Conflict("taken"), Stable, `{"message":"taken","error":"LangfuseConflictError"}`},
		{"internal", Internal(), Stable, `{"message":"Internal Server Error","error":"An unknown error occurred"}`},
		{"busy", Busy("later", 1), Stable, `{"message":"later","error":"ServiceUnavailableError"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Marshal(c.err.Body(c.family))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
	if TooSlow().Status != 422 {
		t.Error("a slow query is a server error, which clients repeat")
	}
}

func TestTime(t *testing.T) {
	at := time.Date(2026, 3, 4, 7, 6, 7, 123_999_999, time.FixedZone("", 2*60*60))
	got, err := json.Marshal([]any{Time(at), wire.OptionalTime(&at), wire.OptionalTime(nil), Time(time.Unix(0, 0))})
	if want := `["2026-03-04T05:06:07.123Z","2026-03-04T05:06:07.123Z",null,"1970-01-01T00:00:00.000Z"]`; err != nil ||
		string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func get(header http.Header, status int, body string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header = header
	w := httptest.NewRecorder()
	JSON(w, r, status, []byte(body))
	return w.Result()
}

func TestEntityTag(t *testing.T) {
	first := get(http.Header{}, 200, `{"a":1}`)
	tag := first.Header.Get("ETag")
	if tag == "" || strings.HasPrefix(tag, "W/") || first.Header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Fatalf("headers = %v", first.Header)
	}
	for header, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
		again := get(http.Header{"If-None-Match": {header}}, 200, `{"a":1}`)
		if again.StatusCode != want {
			t.Errorf("If-None-Match %s gives %d, want %d", header, again.StatusCode, want)
		}
		if body, _ := io.ReadAll(again.Body); want == 304 && len(body) > 0 {
			t.Errorf("a 304 has a body: %q", body)
		}
	}
	if other := get(http.Header{}, 200, `{"a":2}`); other.Header.Get("ETag") == tag {
		t.Error("different bodies have one tag")
	}
	if failed := get(http.Header{}, 400, `{}`); failed.Header.Get("ETag") != "" {
		t.Error("an error has a tag")
	}
}

func TestCompression(t *testing.T) {
	long := `"` + strings.Repeat("almanac ", 1000) + `"`
	for header, want := range map[string]bool{
		"gzip": true, "deflate, gzip;q=0.5": true, "gzip; q=0": false, "br": false, "": false, "gzip;q=x": false,
	} {
		answer := get(http.Header{"Accept-Encoding": {header}}, 200, long)
		if got := answer.Header.Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("Accept-Encoding %q: compressed = %v, want %v", header, got, want)
			continue
		}
		body := io.Reader(answer.Body)
		if want {
			var err error
			if body, err = gzip.NewReader(answer.Body); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != long {
			t.Errorf("Accept-Encoding %q: the body does not come back: %v", header, err)
		}
		if answer.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Vary = %q", answer.Header.Get("Vary"))
		}
	}
	if short := get(http.Header{"Accept-Encoding": {"gzip"}}, 200, `{}`); short.Header.Get("Content-Encoding") != "" {
		t.Error("a short body is compressed")
	}
	compressed := get(http.Header{"Accept-Encoding": {"gzip"}}, 200, long)
	if plain := get(http.Header{}, 200, long); plain.Header.Get("ETag") == compressed.Header.Get("ETag") {
		t.Error("one strong tag stands for two sequences of bytes")
	}
}
