package blackbox

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"almanac/test/harness"
)

var updateExposition = flag.Bool("update-exposition", false, "write testdata/exposition.txt from the program under test")

// TestExposition compares the names, types, labels and buckets of the metrics with a list, since dashboards and alerts
// of operators depend on them. Metrics of the runtime and the process may be added.
func TestExposition(t *testing.T) {
	s := countEverything(t)
	families := scrape(t, s, expfmt.NewFormat(expfmt.TypeTextPlain))
	got := describe(families)
	const file = "testdata/exposition.txt"
	if *updateExposition {
		if err := os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(list)), "\n")
	got = slices.DeleteFunc(got, func(line string) bool {
		added := !slices.Contains(want, line)
		return added && (strings.HasPrefix(line, "go_") || strings.HasPrefix(line, "process_"))
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	native := scrape(t, s, expfmt.NewFormat(expfmt.TypeProtoDelim))
	if diff := cmp.Diff(describe(families), describe(native)); diff != "" {
		t.Errorf("as protobuf: %s", diff)
	}
	for name, family := range native {
		for _, metric := range family.GetMetric() {
			if h := metric.GetHistogram(); strings.HasPrefix(name, "almanac_") && h != nil &&
				(h.Schema == nil || len(h.GetPositiveSpan())+int(h.GetZeroCount()) == 0) {
				t.Errorf("%s is no native histogram: %v", name, metric)
			}
		}
	}
}

// countEverything starts a server and triggers every metric.
func countEverything(t *testing.T) *harness.Server {
	t.Helper()
	s := harness.Start(t, "--shutdown-delay", "2s", "--metrics-projects", "--legacy-ingestion", "accept", "--limit-key", "spans=2/m")
	const span = `{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"a","startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601000000000"}`
	export := func(spans ...string) string {
		return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
	}
	for _, sent := range []struct {
		path, secret, body string
		status             int
	}{
		{"otel/v1/traces", s.SecretKey, export(span, `{"traceId":"0af7651916cd43dd8448eb211c80319c","name":"no id"}`), 200},
		{"otel/v1/traces", s.SecretKey, export(span, span, span), 413},
		{"scores", s.SecretKey, `{"traceId":"t","name":"s","value":1}`, 200},
		{"scores", "wrong", `{}`, 401},
		{
			"ingestion", s.SecretKey, `{"batch":[{"id":"1","type":"trace-create","timestamp":"2026-01-01T00:00:00Z","body":{"id":"t"}}]}`,
			207,
		},
	} {
		if status, body := s.Do(t, http.MethodPost, "/api/public/"+sent.path, s.PublicKey, sent.secret, sent.body); status != sent.status {
			t.Fatalf("%s is answered %d %s", sent.path, status, body)
		}
	}
	if _, stderr, code := harness.Run(t, "backup", filepath.Join(t.TempDir(), "backup"), "--data", s.Data); code != 0 {
		t.Fatal(stderr)
	}
	// A server that is shutting down responds with a status that counts as an error.
	if err := s.Process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for status := 0; status != http.StatusInternalServerError; {
		status, _ = s.Do(t, http.MethodGet, "/api/public/ready", "", "", "")
	}
	return s
}

// scrape reads the metrics in a format.
func scrape(t *testing.T, s *harness.Server, format expfmt.Format) map[string]*dto.MetricFamily {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/metrics", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", string(format))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got := expfmt.ResponseFormat(answer.Header); got.FormatType() != format.FormatType() {
		t.Fatalf("asked for %s, got %s", format, answer.Header.Get("Content-Type"))
	}
	families := make(map[string]*dto.MetricFamily)
	for decoder := expfmt.NewDecoder(answer.Body, format); ; {
		family := new(dto.MetricFamily)
		if err := decoder.Decode(family); errors.Is(err, io.EOF) {
			return families
		} else if err != nil {
			t.Fatal(err)
		}
		families[family.GetName()] = family
	}
}

// describe returns the name, type, labels and buckets of every family.
func describe(families map[string]*dto.MetricFamily) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(families)) {
		labels, buckets := make(map[string]bool), make(map[float64]bool)
		for _, metric := range families[name].GetMetric() {
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = true
			}
			for _, bucket := range metric.GetHistogram().GetBucket() {
				if !math.IsInf(bucket.GetUpperBound(), 1) { // only written in the text format
					buckets[bucket.GetUpperBound()] = true
				}
			}
		}
		line := fmt.Sprintf("%s %s %v", name, strings.ToLower(families[name].GetType().String()), slices.Sorted(maps.Keys(labels)))
		if len(buckets) > 0 {
			line += fmt.Sprintf(" %v", slices.Sorted(maps.Keys(buckets)))
		}
		lines = append(lines, line)
	}
	return lines
}
