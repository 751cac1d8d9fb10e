package deploy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"almanac/test/harness"
)

var (
	metricName  = regexp.MustCompile(`\b(?:almanac|go|process)_[a-z0-9_]+`)
	matcherName = regexp.MustCompile(`([a-z_]+)(?:=~|!~|!=|=)"`)
	groupNames  = regexp.MustCompile(`\bby \(([a-z_, ]+)\)`)
	sampleLine  = regexp.MustCompile(`(?m)^([a-z0-9_]+)(?:\{(.*)\})? \S+$`)
	labelName   = regexp.MustCompile(`([a-z_]+)="`)
)

// TestMetricsExist compares the metrics in alerts and the dashboard with those of a running server.
func TestMetricsExist(t *testing.T) {
	labels := exposed(t)
	for _, own := range []string{"job", "instance"} { // added by Prometheus
		for _, of := range labels {
			of[own] = true
		}
	}
	labels["up"] = map[string]bool{"job": true, "instance": true}
	expressions := append(alertExpressions(t), dashboardExpressions(t)...)
	if len(expressions) < 30 {
		t.Errorf("only %d expressions were found", len(expressions))
	}
	for _, e := range expressions {
		names := append(metricName.FindAllString(e, -1), regexp.MustCompile(`\bup\b`).FindAllString(e, -1)...)
		if len(names) == 0 {
			t.Errorf("no metric in %s", e)
		}
		for _, name := range names {
			if labels[name] == nil {
				t.Errorf("the server has no metric %s, which is in %s", name, e)
				continue
			}
			used := groupNames.FindAllStringSubmatch(e, -1)
			for _, match := range append(matcherName.FindAllStringSubmatch(e, -1), used...) {
				for label := range strings.SplitSeq(match[1], ", ") {
					if !labels[name][label] {
						t.Errorf("%s has no label %s, which is in %s", name, label, e)
					}
				}
			}
		}
	}
	checkSyntax(t, expressions)
}

// exposed returns the metrics, with their labels, of a server after everything that can be counted has happened.
func exposed(t *testing.T) map[string]map[string]bool {
	t.Helper()
	s := harness.Start(t, "--shutdown-delay", "2s", "--metrics-projects")
	// One span that is stored, and one that is rejected because it has no id.
	status, body := s.Do(t, http.MethodPost, "/api/public/otel/v1/traces", s.PublicKey, s.SecretKey,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[
		{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"a","startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601000000000"},
		{"traceId":"0af7651916cd43dd8448eb211c80319c","name":"b","startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601000000000"}]}]}]}`)
	if status != http.StatusOK || !strings.Contains(body, `"rejectedSpans"`) {
		t.Fatalf("an export: %d %s", status, body)
	}
	score := `{"traceId":"0af7651916cd43dd8448eb211c80319c","name":"s","value":1}`
	if status, body := s.Do(t, http.MethodPost, "/api/public/scores", s.PublicKey, s.SecretKey, score); status != http.StatusOK {
		t.Fatalf("a score: %d %s", status, body)
	}
	// A server that is shutting down responds with a status that counts as an error.
	if err := s.Process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for status = 0; status != http.StatusInternalServerError; {
		status, _ = s.Do(t, http.MethodGet, "/api/public/ready", "", "", "")
	}
	_, text := s.Do(t, http.MethodGet, "/metrics", "", "", "")
	labels := make(map[string]map[string]bool)
	for _, match := range sampleLine.FindAllStringSubmatch(text, -1) {
		if labels[match[1]] == nil {
			labels[match[1]] = make(map[string]bool)
		}
		for _, label := range labelName.FindAllStringSubmatch(match[2], -1) {
			labels[match[1]][label[1]] = true
		}
	}
	return labels
}

func alertExpressions(t *testing.T) []string {
	t.Helper()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert string
				Expr  string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "deploy/prometheus/alerts.yaml")), &rules); err != nil {
		t.Fatal(err)
	}
	tried := read(t, "test/deploy/testdata/alerts_test.yaml")
	var all []string
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			all = append(all, rule.Expr)
			if !strings.Contains(tried, fmt.Sprintf(`alertname="%s",alertstate="firing"`, rule.Alert)) {
				t.Errorf("the alert %s is never seen to fire in testdata/alerts_test.yaml", rule.Alert)
			}
		}
	}
	return all
}

func dashboardExpressions(t *testing.T) []string {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			ID      int
			Type    string
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/grafana/almanac.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	seen := make(map[int]bool)
	var all []string
	for _, panel := range dashboard.Panels {
		if seen[panel.ID] || panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("the panel %q shows nothing, or has the number of another", panel.Title)
		}
		seen[panel.ID] = true
		for _, target := range panel.Targets {
			all = append(all, target.Expr)
		}
	}
	return all
}

// checkSyntax makes Prometheus parse the expressions as rules, with values in place of the dashboard's variables.
func checkSyntax(t *testing.T, expressions []string) {
	t.Helper()
	type rule struct {
		Record string `yaml:"record"`
		Expr   string `yaml:"expr"`
	}
	var rules []rule
	for n, e := range expressions {
		e = strings.NewReplacer("$__rate_interval", "1m", "$instance", ".*").Replace(e)
		rules = append(rules, rule{fmt.Sprintf("expression_%d", n), e})
	}
	text, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "all", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "all.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	tool(t, directory, installed(t, "prometheus/usr/bin/promtool"), "check", "rules", "all.yaml")
}
