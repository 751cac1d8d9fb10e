package langfuse

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/netguard"
)

// source simulates the API of an installation: it serves the responses in order, and repeats the last one.
type source struct {
	*client
	answers []http.HandlerFunc
	asked   int
	waits   []time.Duration
}

func newSource(t *testing.T, answers ...http.HandlerFunc) *source {
	t.Helper()
	s := &source{answers: answers}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "pk" || password != "sk" {
			t.Errorf("the credentials are %q and %q", user, password)
		}
		s.asked++
		s.answers[min(s.asked, len(s.answers))-1](w, r)
	}))
	t.Cleanup(server.Close)
	s.client = &client{base: server.URL, publicKey: "pk", secretKey: "sk", http: netguard.TrustedClient(server.Client().Transport,
		0), longest: maxAnswer, sleep: func(ctx context.Context, d time.Duration) error {
		s.waits = append(s.waits, d)
		return ctx.Err()
	}}
	return s
}

// ask requests a record and returns its name.
func (s *source) ask(ctx context.Context) (string, error) {
	var answer struct{ Name string }
	err := s.get(ctx, "/api/public/record", url.Values{"page": {"1"}}, &answer)
	return answer.Name, err
}

func well(w http.ResponseWriter, r *http.Request) {
	if r.URL.RequestURI() != "/api/public/record?page=1" {
		w.WriteHeader(http.StatusTeapot)
	}
	_, _ = w.Write([]byte(`{"name":"well"}`))
}

// status responds with a status and headers, given as alternating names and values.
func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for pair := range slices.Chunk(headers, 2) {
			w.Header().Set(pair[0], pair[1])
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(`{"message":"said so"}`))
	}
}

// partly announces more than it sends.
func partly(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte(`{"name":`))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// gone closes the connection without a response.
func gone(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// TestClientTriesAgain checks that transient errors are retried, after the requested time or an increasing one.
func TestClientTriesAgain(t *testing.T) {
	const half = 500 * time.Millisecond
	for _, c := range []struct {
		name    string
		answers []http.HandlerFunc
		waits   []time.Duration
	}{
		{"at once", nil, nil},
		{"429 with seconds", []http.HandlerFunc{status(429, "Retry-After", "7")}, []time.Duration{7 * time.Second}},
		{"429 with parts of seconds", []http.HandlerFunc{status(429, "Retry-After", "2.5")}, []time.Duration{2500 * time.Millisecond}},
		{"429 that asks for too much", []http.HandlerFunc{status(429, "Retry-After", "90000")}, []time.Duration{15 * time.Minute}},
		{
			"429 that asks for nothing", []http.HandlerFunc{
				status(429), status(429, "Retry-After", "0"), status(429, "Retry-After", "soon"),
			}, []time.Duration{half, half, half},
		},
		{
			"429 with a time that has passed",
			[]http.HandlerFunc{status(429, "Retry-After", "Thu, 01 Jan 1970 00:00:01 GMT")},
			[]time.Duration{half},
		},
		{
			"5xx",
			[]http.HandlerFunc{status(500), status(502), status(503), status(504)},
			[]time.Duration{half, 2 * half, 4 * half, 8 * half},
		},
		{
			"503 with seconds",
			[]http.HandlerFunc{status(503, "Retry-After", "20"), status(503)},
			[]time.Duration{20 * time.Second, 2 * half},
		},
		{"408", []http.HandlerFunc{status(408)}, []time.Duration{half}},
		{"cut answers", []http.HandlerFunc{partly, partly}, []time.Duration{half, 2 * half}},
		{"cut connections", []http.HandlerFunc{gone, partly}, []time.Duration{half, 2 * half}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSource(t, append(c.answers, well)...)
			if name, err := s.ask(t.Context()); name != "well" || err != nil {
				t.Fatalf("the answer is %q, %v", name, err)
			}
			if !slices.Equal(s.waits, c.waits) {
				t.Errorf("it waits %v", s.waits)
			}
		})
	}
}

// TestClientWaitsUntil checks that the client waits until the time that a source gives.
func TestClientWaitsUntil(t *testing.T) {
	for _, header := range []string{"Retry-After", "X-RateLimit-Reset"} {
		at := time.Now().Add(10 * time.Minute)
		if header == "Retry-After" {
			at = at.Truncate(time.Second)
		}
		layout := map[string]string{"Retry-After": http.TimeFormat, "X-RateLimit-Reset": time.RFC3339Nano}[header]
		s := newSource(t, status(429, header, at.UTC().Format(layout)), well)
		before := time.Until(at)
		if _, err := s.ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(s.waits) != 1 || s.waits[0] > before || s.waits[0] < time.Until(at) {
			t.Errorf("%s: it waits %v, and %v before", header, s.waits, before)
		}
	}
}

// TestClientGivesUp checks the error when a source does not recover. Rate-limited requests do not count as attempts, up
// to a limit.
func TestClientGivesUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		asked  int
		want   string
	}{
		{"5xx", status(503), attempts, "gave up after 8 attempts: the source responded to /api/public/record with status 503: said so"},
		{"cut", partly, attempts, "gave up after 8 attempts: the response of the source to /api/public/record was cut off: "},
		{
			"429", status(429), refusals + attempts,
			"gave up after 8 attempts: the source responded to /api/public/record with status 429: said so",
		},
		{"401", status(401), 1, "the source responded to /api/public/record with status 401: said so"},
		{"a page", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte("<html>not here</html>"))
		}, 1, "the source responded to /api/public/record with status 404"},
		{"something else", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>"))
		}, 1, "the source responded to /api/public/record with something unexpected: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSource(t, c.answer)
			if _, err := s.ask(t.Context()); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
			if s.asked != c.asked {
				t.Errorf("it was asked %d times", s.asked)
			}
			if longest := slices.Max(append(s.waits, 0)); longest > longestWait {
				t.Errorf("it waits %s", longest)
			}
		})
	}
}

// TestClientIsStopped checks that waiting ends when the import is stopped.
func TestClientIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newSource(t, func(w http.ResponseWriter, r *http.Request) {
		status(503)(w, r)
		cancel()
	})
	s.sleep = sleep // the real one, half a second or longer
	if _, err := s.ask(ctx); !errors.Is(err, context.Canceled) && !isStatus(err, 503) {
		t.Errorf("the error is %v", err)
	}
	if s.asked != 1 {
		t.Errorf("it was asked %d times", s.asked)
	}
}

// TestClientTakesTurns checks that requests are spaced apart.
func TestClientTakesTurns(t *testing.T) {
	s := newSource(t, well)
	s.interval = time.Hour
	for range 3 {
		if _, err := s.ask(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.waits) != 3 || s.waits[0] != 0 || s.waits[1] < 59*time.Minute || s.waits[2]-s.waits[1] < 59*time.Minute {
		t.Errorf("it waits %v", s.waits)
	}
}

func TestMessagesAreCut(t *testing.T) {
	for _, body := range []string{strings.Repeat("ä", maxMessage), "a" + strings.Repeat("ä", maxMessage)} {
		if got := messageOf([]byte(body)); len(got) > maxMessage || len(got) < maxMessage-3 || !utf8.ValidString(got) {
			t.Errorf("the message is %q", got)
		}
	}
}
