package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"almanac/internal/ingest/otlp"
)

// receiver is a fake server that receives spans.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	answers  []int // statuses of the responses to exports, in order; then 200
	exports  int
	spans    map[string]bool // trace id and span id
	times    map[[2]otlp.Nanos]bool
	received chan struct{}

	scores       map[string]bool // ids
	refusedScore string          // name of the scores to refuse
}

const demoPublic, demoSecret = "pk-lf-demo", "sk-lf-demo-secret"

func newReceiver(t *testing.T, answers ...int) *receiver {
	t.Helper()
	r := &receiver{
		answers: answers, spans: make(map[string]bool), times: make(map[[2]otlp.Nanos]bool), scores: make(map[string]bool),
		received: make(chan struct{}, 1000),
	}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if public, secret, _ := request.BasicAuth(); public != demoPublic || secret != demoSecret {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"message":"Invalid credentials."}`))
			return
		}
		if request.URL.Path == "/api/public/projects" {
			_, _ = w.Write([]byte(`{"data":[{"name":"Bot"}]}`))
			return
		}
		if request.URL.Path == "/api/public/ingestion" {
			r.takeScores(t, w, request)
			return
		}
		r.take(t, w, request)
	}))
	t.Cleanup(r.Close)
	return r
}

// takeScores accepts all scores of a batch except those with the refused name.
func (r *receiver) takeScores(t *testing.T, w http.ResponseWriter, request *http.Request) {
	var batch struct {
		Batch []struct {
			ID   string
			Body struct{ ID, Name string }
		}
	}
	if err := json.NewDecoder(request.Body).Decode(&batch); err != nil {
		if request.Context().Err() == nil { // the client was not interrupted
			t.Error(err)
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	type failure struct{ ID, Message, Error string }
	failures := []failure{}
	for _, e := range batch.Batch {
		if e.Body.Name == r.refusedScore {
			failures = append(failures, failure{e.ID, "Invalid request data", "too nice"})
			continue
		}
		r.scores[e.Body.ID] = true
	}
	w.WriteHeader(http.StatusMultiStatus)
	if err := json.NewEncoder(w).Encode(map[string]any{"errors": failures}); err != nil && request.Context().Err() == nil {
		t.Error(err)
	}
}

func (r *receiver) take(t *testing.T, w http.ResponseWriter, request *http.Request) {
	var body bytes.Buffer
	z, err := gzip.NewReader(request.Body)
	if err != nil {
		return // the client was interrupted
	}
	if _, err := body.ReadFrom(z); err != nil {
		if !errors.Is(err, io.ErrUnexpectedEOF) { // the client was interrupted
			t.Error(err)
		}
		return
	}
	var export otlp.Export
	if err := export.DecodeJSON(body.Bytes(), otlp.DefaultLimits()); err != nil || export.Rejected > 0 {
		t.Errorf("%d spans rejected, %v", export.Rejected, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exports++
	if len(r.answers) > 0 {
		status := r.answers[0]
		r.answers = r.answers[1:]
		if status != http.StatusOK {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(status)
			return
		}
	}
	for _, group := range export.ResourceSpans {
		for _, span := range group.ScopeSpans[0].Spans {
			r.spans[span.TraceID+span.SpanID] = true
			r.times[[2]otlp.Nanos{span.Start, span.End}] = true
		}
	}
	r.received <- struct{}{}
	_, _ = w.Write([]byte("{}"))
}

func (r *receiver) args(more ...string) []string {
	return append([]string{"demo", "--url", r.URL, "--public-key", demoPublic, "--secret-key", demoSecret}, more...)
}

// sentCounts matches the counts that the command prints.
var sentCounts = regexp.MustCompile(`Sent (\d+) traces with (\d+) observations`)

func TestDemo(t *testing.T) {
	r := newReceiver(t)
	stdout, stderr := mustRun(t, r.args("--traces=150", "--seed=11")...)
	found := sentCounts.FindStringSubmatch(stdout)
	if found == nil || found[1] != "150" || found[2] == "0" {
		t.Fatalf("%s%s", stdout, stderr)
	}
	sent := len(r.spans)
	if scores := len(r.scores); scores == 0 || !strings.Contains(stdout, fmt.Sprintf("and %d scores", scores)) {
		t.Errorf("%d scores arrived\n%s", scores, stdout)
	}
	for _, want := range []string{
		`project "Bot" at ` + r.URL, "support-chat", "generation", "seed 11", `curl -s -u "$LANGFUSE_PUBLIC_KEY:$LANGFUSE_SECRET_KEY"`,
		r.URL + "/api/public/v2/observations",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing from\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout+stderr, demoSecret) {
		t.Error("the secret is printed")
	}
	if r.exports < 2 {
		t.Errorf("%d exports", r.exports)
	}

	mustRun(t, r.args("--traces=150", "--seed=11")...)
	if len(r.spans) != sent {
		t.Errorf("the same seed added %d spans", len(r.spans)-sent)
	}
	mustRun(t, r.args("--traces=150")...)
	mustRun(t, r.args("--traces=150")...)
	if len(r.spans) < 5*sent/2 {
		t.Errorf("%d spans of three seeds, %d of one", len(r.spans), sent)
	}
}

// TestDemoEnd checks that the seed and the end determine all times, whenever the command runs.
func TestDemoEnd(t *testing.T) {
	var runs [3]map[[2]otlp.Nanos]bool
	for n, end := range []string{"2028-02-29T15:00:00+01:00", "2028-02-29T14:00:00Z", "2028-02-29T15:00:00+01:00"} {
		r := newReceiver(t)
		mustRun(t, r.args("--traces=20", "--seed=11", "--end="+end)...)
		runs[n] = r.times
		var latest int64
		for times := range r.times {
			latest = max(latest, times[1].Value)
		}
		if got := time.Unix(0, latest).UTC().Format(time.RFC3339Nano); got != "2028-02-29T14:00:00Z" {
			t.Errorf("--end=%s: the last span ends at %s", end, got)
		}
	}
	if maps.Equal(runs[0], runs[1]) || !maps.Equal(runs[0], runs[2]) {
		t.Error("the times of spans depend on something else than the seed and the end, or not on its time zone")
	}
}

// TestDemoVariables checks the variables that SDKs use for keys and address.
func TestDemoVariables(t *testing.T) {
	r := newReceiver(t)
	secretFile := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secretFile, []byte(demoSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, variables := range map[string]map[string]string{
		"of SDKs":       {"LANGFUSE_PUBLIC_KEY": demoPublic, "LANGFUSE_SECRET_KEY": demoSecret, "LANGFUSE_BASE_URL": r.URL},
		"of older SDKs": {"LANGFUSE_PUBLIC_KEY": demoPublic, "LANGFUSE_SECRET_KEY": demoSecret, "LANGFUSE_HOST": r.URL},
		"our own":       {"ALMANAC_PUBLIC_KEY": demoPublic, "ALMANAC_SECRET_KEY_FILE": secretFile, "ALMANAC_URL": r.URL},
		"twins":         {"ALMANAC_PUBLIC_KEY": demoPublic, "ALMANAC_SECRET_KEY": demoSecret, "ALMANAC_BASE_URL": r.URL},
		"more twins":    {"ALMANAC_PUBLIC_KEY": demoPublic, "ALMANAC_SECRET_KEY": demoSecret, "ALMANAC_HOST": r.URL, "ALMANAC_SEED": "4"},
		"two addresses": {
			"LANGFUSE_PUBLIC_KEY": demoPublic, "LANGFUSE_SECRET_KEY": demoSecret, "LANGFUSE_BASE_URL": r.URL,
			"LANGFUSE_HOST": "http://127.0.0.1:1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			code := run(t.Context(), []string{"demo", "--traces=1"}, func(name string) string { return variables[name] }, &out, &errOut)
			if code != 0 || !strings.Contains(out.String(), "Sent 1 traces") {
				t.Errorf("exit code %d: %s%s", code, out.String(), errOut.String())
			}
		})
	}
}

func TestDemoMistakes(t *testing.T) {
	r := newReceiver(t)
	const nobody = "http://127.0.0.1:1" // the port of a closed server may have been reused
	nothing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nothing.Close)
	forbidding := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"message":"Access denied"}`))
	}))
	t.Cleanup(forbidding.Close)
	with := func(url string) []string {
		return []string{"demo", "--url", url, "--public-key", demoPublic, "--secret-key", demoSecret}
	}
	cases := []struct {
		name string
		args []string
		want []string
	}{
		{
			"no keys", []string{"demo"}, []string{
				"LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY", "--public-key", "almanac keys create", "first start",
			},
		},
		{"half a pair", []string{"demo", "--public-key=a"}, []string{"a key pair is needed"}},
		{"too many traces", r.args("--traces=1000001"), []string{"--traces 1000001: at most 1000000"}},
		{"fewer than none", r.args("--traces=-1"), []string{"--traces -1"}},
		{"no day", r.args("--days=0"), []string{"--days 0: traces can be spread over 1 to 3650 days"}},
		{
			"no end", r.args("--end=2201-01-01T00:00:00Z"), []string{
				"--end 2201-01-01T00:00:00Z: the traces must be between 1970 and the year 2200",
			},
		},
		{"no beginning", r.args("--end=1970-01-06T00:00:00Z"), []string{"--end 1970-01-06T00:00:00Z", "between 1970 and"}},
		{"too fast", r.args("--rate=1001"), []string{"--rate 1001: at most 1000"}},
		{"no number", r.args("--rate=NaN"), []string{"--rate NaN"}},
		{"backwards", r.args("--rate=1", "--duration=-1s"), []string{"--duration -1s is negative"}},
		{"how long what", r.args("--duration=1s"), []string{"--duration requires --rate"}},
		{"no address", with("localhost"), []string{`--url: "localhost" is not the address of a server such as http://127.0.0.1:3000`}},
		{"nobody there", with(nobody), []string{"no server is responding at " + nobody, "almanac serve", "--url"}},
		{
			"wrong key", append(with(r.URL), "--secret-key=sk-lf-wrong"), []string{
				"401 Unauthorized: Invalid credentials.", demoPublic, "almanac keys list", "almanac keys create",
			},
		},
		{"another server", with(nothing.URL), []string{"404", "including its base path, if any"}},
		{"too little", with(forbidding.URL), []string{"403 Forbidden: Access denied", "traces:write", "almanac keys create"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, code := runHere(c.args...)
			if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit code %d, printed %q and %q", code, stdout, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("%q is missing from %q", want, stderr)
				}
			}
			if strings.Contains(stderr, demoSecret) || strings.Contains(stderr, "sk-lf-wrong") {
				t.Errorf("the secret is printed: %s", stderr)
			}
		})
	}
}

// TestDemoWaitsForABusyServer checks that the command retries when the server asks for it.
func TestDemoWaitsForABusyServer(t *testing.T) {
	r := newReceiver(t, http.StatusServiceUnavailable)
	stdout, stderr := mustRun(t, r.args("--traces=5")...)
	if !strings.Contains(stdout, "Sent 5 traces") || !strings.Contains(stderr, "503") ||
		!strings.Contains(stderr, "Waiting for the server: ") || r.exports != 2 {
		t.Errorf("%d exports\n%s%s", r.exports, stdout, stderr)
	}
}

// TestDemoTellsHowFarItCame checks the message about a run that fails in the middle.
func TestDemoTellsHowFarItCame(t *testing.T) {
	r := newReceiver(t, http.StatusOK, http.StatusBadRequest)
	stdout, stderr, code := runHere(r.args("--traces=300")...)
	if code != 1 || stdout != "" ||
		!regexp.MustCompile(`sending failed after [1-9]\d* traces: the server responded 400`).MatchString(stderr) {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// TestDemoTellsOfRefusedScores checks that refused scores do not stop the command.
func TestDemoTellsOfRefusedScores(t *testing.T) {
	r := newReceiver(t)
	r.refusedScore = "tone"
	stdout, stderr := mustRun(t, r.args("--traces=100")...)
	if !regexp.MustCompile(`the server rejected [1-9]\d* scores: Invalid request data: too nice`).MatchString(stderr) ||
		!strings.Contains(stdout, fmt.Sprintf("and %d scores", len(r.scores))) {
		t.Errorf("%s%s", stdout, stderr)
	}
}

func TestDemoStream(t *testing.T) {
	r := newReceiver(t)
	stdout, stderr := mustRun(t, r.args("--traces=0", "--rate=40", "--duration=500ms")...)
	found := sentCounts.FindStringSubmatch(stdout)
	if found == nil || found[1] == "0" || len(r.spans) == 0 || !strings.Contains(stderr, "40 traces per second") {
		t.Errorf("%d spans\n%s%s", len(r.spans), stdout, stderr)
	}
}

// TestDemoInterrupted checks that Ctrl-C ends a stream and that the command still reports what was sent.
func TestDemoInterrupted(t *testing.T) {
	r := newReceiver(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		select {
		case <-r.received:
		case <-time.After(20 * time.Second):
		}
		cancel()
	}()
	var out, errOut bytes.Buffer
	code := run(ctx, r.args("--traces=0", "--rate=100"), func(string) string { return "" }, &out, &errOut)
	if code != 0 || !sentCounts.MatchString(out.String()) {
		t.Errorf("exit code %d: %s%s", code, out.String(), errOut.String())
	}
}

func TestDemoHelp(t *testing.T) {
	stdout, _, code := runHere("demo", "--help")
	for _, want := range []string{"--traces=200", "--days=7", "LANGFUSE_BASE_URL", "$ALMANAC_PUBLIC_KEY", "--seed"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, lacks %q:\n%s", code, want, stdout)
		}
	}
	if strings.Contains(stdout, "--base-url") || strings.Contains(stdout, "--host") {
		t.Errorf("other names of --url are shown:\n%s", stdout)
	}
}
