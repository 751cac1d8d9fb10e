package blackbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/test/clock"
	"almanac/test/harness"
)

// The tests in this file run at many dates: see test/clock.

// TestClock checks that server and test run at the intended date. File times are those of the machine.
func TestClock(t *testing.T) {
	ahead, err := clock.Ahead()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "now")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if off := time.Since(info.ModTime()) - ahead; off.Abs() > time.Minute {
		t.Errorf("the clock of the test is %v off", off)
	}
	s := harness.Start(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/public/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	shows, err := http.ParseTime(answer.Header.Get("Date"))
	if off := time.Since(shows); err != nil || off.Abs() > time.Minute {
		t.Errorf("the clock of the server is %v off: %v", off, err)
	}
}

// ownValues matches times and ids that the server generates.
var ownValues = regexp.MustCompile(`"(createdAt|updatedAt|id|datasetId)":"[^"]*"`)

// TestSameAnswers queries a server about fixed times. The responses are written to the file named by
// ALMANAC_TEST_ANSWERS, to be compared with those at other dates. A restored backup must return the same.
func TestSameAnswers(t *testing.T) {
	s := startForExports(t, t.TempDir())
	if _, stderr, code := harness.Run(t, "demo", "--url", s.URL, "--public-key", s.PublicKey, "--secret-key", s.SecretKey, "--seed=3",
		"--traces=60",
		"--end=2026-03-01T15:00:00Z"); code != 0 {
		t.Fatal(stderr)
	}
	for _, write := range [][2]string{
		{"/api/public/v2/datasets", `{"name":"questions"}`},
		{"/api/public/dataset-items", `{"id":"i1","datasetName":"questions","input":{"q":1},"expectedOutput":"one"}`},
		{"/api/public/scores", `{"id":"s1","name":"quality","value":0.5,"sessionId":"chat-1"}`},
		{"/api/public/otel/v1/traces", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"item",` +
			`"startTimeUnixNano":"1772323199000000000","endTimeUnixNano":"1772323201000000000","attributes":[` +
			`{"key":"langfuse.experiment.id","value":{"stringValue":"e1"}},{"key":"langfuse.experiment.name","value":{"stringValue":"first"}},` +
			`{"key":"langfuse.experiment.dataset.id","value":{"stringValue":"questions"}},{"key":"langfuse.experiment.item.id","value":{"stringValue":"i1"}},` +
			`{"key":"langfuse.experiment.item.root_observation_id","value":{"stringValue":"b7ad6b7169203331"}}]}]}]}]}`},
	} {
		if status, answer := s.Do(t, "POST", write[0], s.PublicKey, s.SecretKey, write[1]); status != 200 {
			t.Fatalf("%s: %d %s", write[0], status, answer)
		}
	}
	const span = `"fromTimestamp":"2026-01-01T00:00:00Z","toTimestamp":"2026-04-01T00:00:00Z"`
	metrics := func(granularity string) string {
		return "/api/public/v2/metrics?query=" +
			url.QueryEscape(`{"view":"observations","metrics":[{"measure":"count","aggregation":"count"},`+
				`{"measure":"totalCost","aggregation":"sum"}],"timeDimension":{"granularity":"`+granularity+`"},`+span+`}`)
	}
	paths := []string{
		"/api/public/v2/observations?limit=1000&fields=core,basic,io,metadata,model,usage,prompt,metrics,trace_context",
		"/api/public/v3/scores?limit=100&name=tone",
		metrics("day"), metrics("week"), metrics("month"), "/api/public/metrics/daily?limit=50", "/api/public/sessions?limit=100",
		"/api/public/traces?limit=100&fromTimestamp=2026-02-28T00:00:00Z", "/api/public/dataset-items?datasetName=questions",
		"/api/public/v2/datasets",
		"/api/public/experiments?fromStartTime=2026-01-01T00:00:00Z", "/api/public/models?limit=100",
	}
	ask := func(s *harness.Server) string {
		t.Helper()
		var all strings.Builder
		for _, path := range paths {
			status, answer := s.Get(t, path)
			if status != 200 || len(answer) < 60 {
				t.Errorf("%s: %d %s", path, status, answer)
			}
			fmt.Fprintf(&all, "%s\n%s\n", path, ownValues.ReplaceAllString(answer, `"$1":"…"`))
		}
		return all.String()
	}
	answers := ask(s)
	if file := os.Getenv("ALMANAC_TEST_ANSWERS"); file != "" {
		if err := os.WriteFile(file, []byte(answers), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	backup, restored := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
	for _, args := range [][]string{{"backup", backup, "--data", s.Data}, {"restore", backup, "--data", restored}} {
		if stdout, stderr, code := harness.Run(t, args...); code != 0 {
			t.Fatalf("%s: %d %s%s", args[0], code, stdout, stderr)
		}
	}
	if ask(startForExports(t, restored)) != answers {
		t.Error("the backup gives other answers")
	}
}

// TestDays sends spans and scores of now and of the days before, and counts them by day.
func TestDays(t *testing.T) {
	s := startForExports(t, t.TempDir())
	const days = 40
	now := time.Now()
	var spans []sentSpan
	var events []map[string]any
	for n := range days {
		at := now.Add(-time.Duration(n) * 24 * time.Hour)
		id := fmt.Sprintf("%016x", n+1)
		spans = append(spans, sentSpan{name: "daily", trace: id + id, id: id, start: at, lasts: time.Second})
		events = append(events,
			map[string]any{"id": id, "type": "score-create", "timestamp": at.UTC().Format(time.RFC3339Nano), "body": map[string]any{
				"id": id, "traceId": id + id, "name": "quality", "value": 1,
			}})
	}
	sendSpans(t, s, spans)
	batch, err := json.Marshal(map[string]any{"batch": events})
	if err != nil {
		t.Fatal(err)
	}
	if status, answer := s.Do(t, "POST", "/api/public/ingestion", s.PublicKey, s.SecretKey, string(batch)); status != 207 ||
		strings.Contains(answer, `"status":4`) {
		t.Fatalf("%d %s", status, answer)
	}
	from, to := now.Add(-days*24*time.Hour).UTC().Format(time.RFC3339), now.Add(time.Hour).UTC().Format(time.RFC3339)
	for view, want := range map[string]int{"observations": days, "scores-numeric": days} {
		status, answer := s.Get(t, "/api/public/v2/metrics?query="+
			url.QueryEscape(`{"view":"`+view+`","metrics":[{"measure":"count","aggregation":"count"}],`+
				`"timeDimension":{"granularity":"day"},"fromTimestamp":"`+from+`","toTimestamp":"`+to+`"}`))
		var table struct {
			Data []struct {
				Day   string `json:"time_dimension"`
				Count any    `json:"count_count"`
			}
		}
		if err := json.Unmarshal([]byte(answer), &table); err != nil || status != 200 {
			t.Fatalf("%d %s %v", status, answer, err)
		}
		counted := 0
		for _, row := range table.Data {
			if fmt.Sprint(row.Count) == "1" {
				counted++
			}
		}
		if counted != want {
			t.Errorf("%s: %d days have one, want %d: %s", view, counted, want, answer)
		}
	}
	// The last ten days, and the day ten days ago.
	status, answer := s.Get(t, "/api/public/v2/observations?limit=100&fromStartTime="+
		now.Add(-10*24*time.Hour).Truncate(time.Millisecond).UTC().Format(time.RFC3339Nano))
	if names := strings.Count(answer, `"name":"daily"`); status != 200 || names != 11 {
		t.Errorf("%d observations of the last ten days: %d %s", names, status, answer)
	}
}
