package blackbox

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/pgtest"
	"almanac/test/chtest"
	"almanac/test/formats"
	"almanac/test/harness"
)

var migrateTraces = flag.Int("migrate-traces", 300, "how many traces TestMigrate moves; a trace has about 8 spans")

// TestMigrate moves an installation to ClickHouse and PostgreSQL: once while its server runs, then again for later
// changes. The new server must answer a recorded set of reads exactly as the old one did.
func TestMigrate(t *testing.T) {
	postgres, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := postgres.Stop(); err != nil {
			t.Error(err)
		}
	}()
	engine := chtest.StartOwn(t)
	store := engine.StoreAddress("moved")
	catalog := postgres.URL("postgres")

	data := filepath.Join(t.TempDir(), "data")
	old := harness.StartOn(t, data)
	write := func(method, path, body string) {
		t.Helper()
		if status, answer := old.Do(t, method, path, old.PublicKey, old.SecretKey, body); status < 200 || status > 207 {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
	}
	demo := func(seed, traces int) {
		t.Helper()
		_, stderr, code := harness.Run(t, "demo", "--url", old.URL, "--public-key", old.PublicKey, "--secret-key", old.SecretKey,
			fmt.Sprint("--seed=", seed), fmt.Sprint("--traces=", traces),
			"--end=2026-11-13T15:00:00Z")
		if code != 0 {
			t.Fatalf("demo: %d %s", code, stderr)
		}
	}
	migrate := func() (stdout string) {
		t.Helper()
		stdout, stderr, code := harness.Run(t, "migrate", "--data", data, "--to", store, "--catalog", catalog)
		if code != 0 {
			t.Fatalf("migrate: %d %s%s", code, stdout, stderr)
		}
		if strings.Contains(stdout+stderr, chtest.Password) {
			t.Errorf("the password of ClickHouse is printed:\n%s%s", stdout, stderr)
		}
		return stdout
	}
	demo(1, *migrateTraces)
	write("POST", "/api/public/v2/prompts", `{"name":"greeting","type":"text","prompt":"Hello {{name}}","labels":["production"]}`)
	write("POST", "/api/public/v2/datasets", `{"name":"questions","description":"asked often"}`)
	write("POST", "/api/public/dataset-items", `{"datasetName":"questions","input":{"q":1},"expectedOutput":"one"}`)
	write("PUT", "/api/public/llm-connections",
		`{"provider":"openai","adapter":"openai","secretKey":"sk-planted-secret","baseURL":"https://api.openai.com/v1"}`)
	began := time.Now()
	first := migrate()
	t.Logf("the first run took %v:\n%s", time.Since(began).Round(time.Millisecond), first)

	// The second run moves later changes: new traces, the deletion of a trace already copied, a changed prompt.
	copied := observationsOf(t, old, url.Values{})
	gone := copied[len(copied)-1].TraceID
	removed := len(observationsOf(t, old, url.Values{"traceId": {gone}})) + scoresOf(t, old, gone)
	demo(2, 20)
	write("DELETE", "/api/public/traces/"+gone, "")
	write("POST", "/api/public/v2/prompts", `{"name":"greeting","type":"text","prompt":"Good day {{name}}","labels":["production"]}`)
	write("POST", "/api/public/scores", `{"id":"late","name":"late","value":1,"traceId":"t"}`)

	const span = `"fromTimestamp":"2020-01-01T00:00:00Z","toTimestamp":"2100-01-01T00:00:00Z"`
	all := observationsOf(t, old, url.Values{})
	paths := []string{
		"/api/public/projects", "/api/public/v2/prompts", "/api/public/v2/prompts/greeting", "/api/public/v2/prompts/greeting?version=1",
		"/api/public/v2/datasets",
		"/api/public/dataset-items?datasetName=questions", "/api/public/llm-connections", "/api/public/v3/scores?limit=100",
		"/api/public/v2/scores?limit=100",
		"/api/public/sessions?limit=100", "/api/public/traces?limit=100", "/api/public/traces/" + all[0].TraceID,
		"/api/public/traces/" + all[len(all)-1].TraceID,
		"/api/public/v2/observations?limit=1000&fields=core,basic,io,metadata,model,usage,prompt,metrics,trace_context",
		"/api/public/v2/observations?limit=100&filter=" +
			url.QueryEscape(`[{"type":"string","column":"input","operator":"matches","value":"the"}]`),
		"/api/public/v2/metrics?query=" + url.QueryEscape(`{"view":"observations","metrics":[{"measure":"count","aggregation":"count"},`+
			`{"measure":"latency","aggregation":"p95"}],"dimensions":[{"field":"name"}],"orderBy":[{"field":"name","direction":"asc"}],`+
			span+`}`),
		"/api/public/v2/metrics?query=" +
			url.QueryEscape(`{"view":"scores-numeric","metrics":[{"measure":"count","aggregation":"count"}],"dimensions":[{"field":"name"}],"orderBy":[{"field":"name","direction":"asc"}],`+span+`}`),
	}
	want := make([]string, len(paths))
	for n, path := range paths {
		status, answer := old.Get(t, path)
		if status != 200 || len(answer) < 20 {
			t.Fatalf("%s: %d %s", path, status, answer)
		}
		want[n] = answer
	}
	keys := [2]string{old.PublicKey, old.SecretKey}
	old.Stop(t)
	if second := migrate(); !strings.Contains(second, fmt.Sprintf(", %d removed", removed)) {
		t.Errorf("the second run did not remove the %d rows that were deleted:\n%s", removed, second)
	}
	if third := migrate(); !strings.Contains(third, ", 0 of them in this run, 0 removed") {
		t.Errorf("a third run copies something:\n%s", third)
	}
	if _, err := os.Stat(data + ".migrating"); !os.IsNotExist(err) {
		t.Errorf("the snapshot is left: %v", err)
	}

	moved := harness.StartOn(t, t.TempDir(), "--store", store, "--catalog", catalog, "--encryption-key", keyOf(t, data))
	moved.PublicKey, moved.SecretKey = keys[0], keys[1]
	for n, path := range paths {
		status, answer := moved.Get(t, path)
		if status != 200 {
			t.Errorf("%s: %d %s", path, status, answer)
		}
		if d := cmp.Diff(want[n], answer); d != "" {
			t.Errorf("%s (-before +after):\n%.2000s", path, d)
		}
	}
	if d := cmp.Diff(all, observationsOf(t, moved, url.Values{})); d != "" {
		t.Errorf("observations (-before +after):\n%.2000s", d)
	}
	if stdout, stderr, code := harness.Run(t, "migrate", "--data", data, "--to", store, "--catalog", catalog); code != 1 ||
		!strings.Contains(stderr, "in use") && !strings.Contains(stderr, "a server was started on it") {
		t.Errorf("moving again over a server that is in use: %d %s%s", code, stdout, stderr)
	}

	// Data of an earlier program is migrated on the way, and the original left unchanged.
	earlier := formats.Unpack(t, "04-2f9362a")
	before := contentOf(t, filepath.Join(earlier.Data, "events"))
	store, catalog = engine.StoreAddress("earlier"), postgres.URL("template1")
	succeed(t, "migrate", "--data", earlier.Data, "--to", store, "--catalog", catalog)
	if contentOf(t, filepath.Join(earlier.Data, "events")) != before {
		t.Error("the data of the earlier program was changed")
	}
	earlier.Media = "" // it stays where it was
	readFormat(t, t.TempDir(), &earlier.Written, "--store", store, "--catalog", catalog)
}

// scoresOf returns the number of scores of a trace.
func scoresOf(t *testing.T, s *harness.Server, trace string) int {
	t.Helper()
	status, body := s.Get(t, "/api/public/v3/scores?limit=100&traceId="+trace)
	var page struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(body), &page); err != nil || status != 200 {
		t.Fatalf("%d %.500s, %v", status, body, err)
	}
	return len(page.Data)
}

// keyOf returns the encryption key of a data directory.
func keyOf(t *testing.T, data string) string {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(data, "encryption.key"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(key))
}

func TestMigrateRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		args       []string
	}{
		{"nowhere to go", "at least one of --to, --catalog and --blob", []string{"migrate", "--data", t.TempDir()}},
		{"nothing to copy", "there is no catalog in", []string{"migrate", "--data", t.TempDir(), "--to", "clickhouse://127.0.0.1:1/x"}},
		{"a catalog that is a file", "must start with postgres://", []string{"migrate", "--data", t.TempDir(), "--catalog", "catalog.db"}},
	} {
		if stdout, stderr, code := harness.Run(t, c.args...); code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %d %s%s", c.name, code, stdout, stderr)
		}
	}
}
