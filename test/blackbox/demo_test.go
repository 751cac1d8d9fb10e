package blackbox

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"almanac/test/harness"
)

// observation holds some fields of an observation.
type observation struct {
	ID        string `json:"id"`
	TraceID   string `json:"traceId"`
	Type      string `json:"type"`
	Name      string `json:"name"`
	Level     string `json:"level"`
	UserID    string `json:"userId"`
	SessionID string `json:"sessionId"`
	Input     string `json:"input"`
	Output    string `json:"output"`
	Model     string `json:"model"`

	TotalUsage int64   `json:"totalUsage"`
	TotalCost  float64 `json:"totalCost"`
}

// observationsOf reads all observations that match a query.
func observationsOf(t *testing.T, s *harness.Server, query url.Values) []observation {
	t.Helper()
	var all []observation
	query.Set("limit", "1000")
	query.Set("fields", "core,basic,io,model,usage")
	for {
		status, body := s.Get(t, "/api/public/v2/observations?"+query.Encode())
		var page struct {
			Data []observation
			Meta struct{ Cursor string }
		}
		if err := json.Unmarshal([]byte(body), &page); err != nil || status != 200 {
			t.Fatalf("%d %.500s, %v", status, body, err)
		}
		all = append(all, page.Data...)
		if page.Meta.Cursor == "" {
			return all
		}
		query.Set("cursor", page.Meta.Cursor)
	}
}

// keysOf returns the environment variables for keys and URL.
func keysOf(s *harness.Server) []string {
	return []string{"LANGFUSE_PUBLIC_KEY=" + s.PublicKey, "LANGFUSE_SECRET_KEY=" + s.SecretKey, "LANGFUSE_BASE_URL=" + s.URL}
}

// TestDemo sends demo data to a server and runs the queries that the command prints.
func TestDemo(t *testing.T) {
	s := harness.Start(t)
	demo := func(args ...string) string {
		t.Helper()
		stdout, stderr, code := harness.Run(t, append([]string{
			"demo", "--url", s.URL, "--public-key", s.PublicKey, "--secret-key", s.SecretKey,
		}, args...)...)
		if code != 0 {
			t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
		}
		return stdout
	}
	printed := demo("--seed=2")
	sent := observationsOf(t, s, url.Values{})
	traces := make(map[string]bool)
	types := make(map[string]bool)
	cost := 0.0
	for _, o := range sent {
		traces[o.TraceID], types[o.Type] = true, true
		cost += o.TotalCost
	}
	if len(traces) != 200 || len(types) != 10 || cost <= 0 || !strings.Contains(printed, "Sent 200 traces") {
		t.Errorf("%d traces, %d types, %v dollars\n%s", len(traces), len(types), cost, printed)
	}

	scores := regexp.MustCompile(`and ([1-9][0-9]*) scores`).FindStringSubmatch(printed)
	if _, metrics := s.Get(t, "/metrics"); scores == nil ||
		!strings.Contains(metrics, `almanac_scores_total{result="stored"} `+scores[1]+"\n") {
		t.Errorf("not all scores are stored:\n%s", printed)
	}

	lines := regexp.MustCompile(`(?m)^ +(curl .*)$`).FindAllStringSubmatch(printed, -1)
	if len(lines) < 5 {
		t.Errorf("%d commands in\n%s", len(lines), printed)
	}
	for _, line := range lines {
		command := exec.CommandContext(t.Context(), "sh", "-c", line[1])
		command.Env = append(os.Environ(), keysOf(s)...)
		out, err := command.Output()
		var answer struct{ Data []observation }
		if err != nil || json.Unmarshal(out, &answer) != nil || len(answer.Data) == 0 {
			t.Errorf("%s\ngives %.300s, %v", line[1], out, err)
		}
	}

	demo("--seed=2")
	if again := observationsOf(t, s, url.Values{}); len(again) != len(sent) {
		t.Errorf("%d observations after the same seed, %d before", len(again), len(sent))
	}
	if printed := demo("--traces=0", "--rate=30", "--duration=1s"); strings.Contains(printed, "Sent 0 traces") {
		t.Errorf("nothing in a second:\n%s", printed)
	}
	if more := observationsOf(t, s, url.Values{}); len(more) <= len(sent) {
		t.Errorf("%d observations after a stream, %d before", len(more), len(sent))
	}

	_, stderr, code := harness.Run(t, "demo", "--url", s.URL)
	if code != 1 || !strings.Contains(stderr, "almanac keys create") {
		t.Errorf("without keys: %d %s", code, stderr)
	}
	_, stderr, code = harness.Run(t, "demo", "--url", s.URL, "--public-key", s.PublicKey, "--secret-key", "sk-lf-wrong")
	if code != 1 || !strings.Contains(stderr, "401") {
		t.Errorf("with a wrong key: %d %s", code, stderr)
	}
}
