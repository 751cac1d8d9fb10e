package blackbox

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/test/chtest"
	"almanac/test/harness"
)

// TestClickHouse sends the same demo data to a server with the embedded store and to one with ClickHouse. Both must
// return the same, even after the second was killed. While ClickHouse is down, the server must say so.
func TestClickHouse(t *testing.T) {
	engine := chtest.StartOwn(t)
	address := engine.StoreAddress("blackbox")
	data := t.TempDir()
	embedded, remote := harness.Start(t), harness.StartOn(t, data, "--store", address)
	end := time.Now().Format(time.RFC3339) // the same for both: the order of traces depends on it
	for _, s := range []*harness.Server{embedded, remote} {
		_, stderr, code := harness.Run(t, "demo", "--url", s.URL, "--public-key", s.PublicKey, "--secret-key", s.SecretKey, "--seed=3",
			"--traces=60", "--end", end)
		if code != 0 {
			t.Fatalf("demo: %d %s", code, stderr)
		}
	}
	want := observationsOf(t, embedded, url.Values{})
	sameAnswers(t, embedded, remote, want)

	if _, log := remote.Printed(); strings.Contains(log, chtest.Password) {
		t.Errorf("the password of ClickHouse is in the log:\n%s", log)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	if stdout, stderr, code := harness.Run(t, "backup", backup, "--data", data, "--store", address); code != 0 ||
		!strings.Contains(stdout+stderr, "BACKUP DATABASE") {
		t.Errorf("backup: %d %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := harness.Run(t, "doctor", "--data", data, "--store", address); code != 0 ||
		!strings.Contains(stdout, "in ClickHouse") {
		t.Errorf("doctor: %d %s%s", code, stdout, stderr)
	}

	keys := [2]string{remote.PublicKey, remote.SecretKey}
	remote.Signal(t, syscall.SIGKILL)
	remote = harness.StartOn(t, data, "--store", address)
	remote.PublicKey, remote.SecretKey = keys[0], keys[1]
	gone := want[0].TraceID
	for _, s := range []*harness.Server{embedded, remote} {
		if status, body := s.Do(t, "DELETE", "/api/public/traces/"+gone, s.PublicKey, s.SecretKey, ""); status != 200 {
			t.Fatalf("delete: %d %s", status, body)
		}
	}
	left := observationsOf(t, embedded, url.Values{})
	if len(left) == len(want) {
		t.Error("nothing was deleted")
	}
	sameAnswers(t, embedded, remote, left)

	if err := engine.Kill(); err != nil {
		t.Fatal(err)
	}
	body := `{"id":"s","name":"late","value":1,"traceId":"t"}`
	if status, answer := remote.Do(t, "POST", "/api/public/scores", keys[0], keys[1], body); status != 503 {
		t.Errorf("a score while ClickHouse is away: %d %s", status, answer)
	}
	if err := engine.Restart(); err != nil {
		t.Fatal(err)
	}
	if status, answer := remote.Do(t, "POST", "/api/public/scores", keys[0], keys[1], body); status != 200 {
		t.Errorf("a score when ClickHouse is back: %d %s", status, answer)
	}
	if _, stderr, code := harness.Run(t, "serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--store",
		"clickhouse://u:sesame@127.0.0.1:9000/db"); code != 1 ||
		!strings.Contains(stderr, "HTTP port") || strings.Contains(stderr, "sesame") {
		t.Errorf("with the native port: %d %s", code, stderr)
	}
}

// sameAnswers compares the responses of two servers to reads.
func sameAnswers(t *testing.T, embedded, remote *harness.Server, want []observation) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("there is nothing to compare")
	}
	if d := cmp.Diff(want, observationsOf(t, remote, url.Values{})); d != "" {
		t.Errorf("observations (-embedded +ClickHouse):\n%s", d)
	}
	const span = `"fromTimestamp":"2020-01-01T00:00:00Z","toTimestamp":"2100-01-01T00:00:00Z"`
	for _, path := range []string{
		"/api/public/v2/observations?limit=100&filter=" +
			url.QueryEscape(`[{"type":"string","column":"input","operator":"matches","value":"the"}]`),
		"/api/public/v2/observations?limit=100&type=GENERATION&fields=core,basic,metadata,io",
		"/api/public/traces/" + want[len(want)-1].TraceID,
		"/api/public/v2/metrics?query=" + url.QueryEscape(`{"view":"observations","metrics":[{"measure":"count","aggregation":"count"},`+
			`{"measure":"totalTokens","aggregation":"p95"},{"measure":"totalCost","aggregation":"max"}],"dimensions":[{"field":"providedModelName"}],`+span+`}`),
		"/api/public/v2/metrics?query=" +
			url.QueryEscape(`{"view":"observations","metrics":[{"measure":"totalTokens","aggregation":"sum"}],`+
				`"dimensions":[{"field":"tags"}],`+span+`}`),
		"/api/public/v2/metrics?query=" +
			url.QueryEscape(`{"view":"scores-numeric","metrics":[{"measure":"value","aggregation":"histogram"}],`+
				`"dimensions":[{"field":"name"}],`+span+`}`),
		"/api/public/v3/scores?limit=100",
	} {
		status, wanted := embedded.Get(t, path)
		if status != 200 {
			t.Errorf("%s: %d %s", path, status, wanted)
		}
		_, got := remote.Get(t, path)
		if d := cmp.Diff(withoutTimes(t, wanted), withoutTimes(t, got)); d != "" {
			t.Errorf("%s (-embedded +ClickHouse):\n%.3000s", path, d)
		}
	}
}

// withoutTimes parses a response and drops what differs between two servers: when they received something, and the
// project.
func withoutTimes(t *testing.T, answer string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(answer), &value); err != nil {
		t.Fatalf("%v: %.300s", err, answer)
	}
	dropTimes(value)
	return value
}

func dropTimes(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range []string{"createdAt", "updatedAt", "projectId", "htmlPath", "cursor"} {
			delete(value, name)
		}
		for _, v := range value {
			dropTimes(v)
		}
	case []any:
		for _, v := range value {
			dropTimes(v)
		}
	}
}
