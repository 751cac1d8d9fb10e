package blackbox

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/test/harness"
)

// TestMetricsPage runs the recipes in docs/metrics.md on demo data, as if pasted by a reader.
func TestMetricsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	s := startForExports(t, t.TempDir())
	if _, stderr, code := harness.Run(t, "demo", "--url", s.URL, "--public-key", s.PublicKey, "--secret-key", s.SecretKey,
		"--seed=2"); code != 0 {
		t.Fatal(stderr)
	}
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	// The first block sets the variables; the keys here are those of the test.
	setUp := regexp.MustCompile(`(?m)^export LANGFUSE.*$`).ReplaceAllString(blocks[0][1], "")
	// The members of the first row of each response, in the order of the page.
	wanted := [][]string{
		{"providedModelName", "time_dimension", "sum_totalCost", "count_count"},
		{"name", "p95_latency", "p50_latency", "count_count"},
		{"traceRelease", "count_count"},
		{"traceRelease", "count_count"},
		{"userId", "sum_totalTokens", "uniq_traceId"},
		{"name", "histogram_value", "avg_value"},
		{"providedModelName", "usageType", "sum_usageByType"},
	}
	var answers []string
	for _, block := range blocks[1:] {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		command := exec.CommandContext(ctx, "bash", "-c", "set -e\n"+setUp+strings.ReplaceAll(block[1], "\nmetrics", "\necho\nmetrics"))
		command.Env = append(os.Environ(), keysOf(s)...)
		out, err := command.CombinedOutput()
		cancel()
		if err != nil {
			t.Fatalf("%s\n%v: %s", block[1], err, out)
		}
		answers = append(answers, strings.Split(strings.TrimSpace(string(out)), "\n")...)
	}
	if len(answers) != len(wanted) {
		t.Fatalf("%d answers, want %d: %q", len(answers), len(wanted), answers)
	}
	for n, text := range answers {
		var answer struct{ Data []map[string]any }
		if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Data) == 0 {
			t.Errorf("recipe %d: %s", n, text)
			continue
		}
		for _, name := range wanted[n] {
			if _, there := answer.Data[0][name]; !there {
				t.Errorf("recipe %d has no %s: %s", n, name, text)
			}
		}
	}
}
