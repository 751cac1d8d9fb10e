package blackbox

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"almanac/test/harness"
)

// spansOnDays returns an export with one span on each of count days, from the given one on.
func spansOnDays(prefix, first, count int) string {
	var b strings.Builder
	b.WriteString(`{"resourceSpans":[{"scopeSpans":[{"spans":[`)
	for n := range count {
		if n > 0 {
			b.WriteByte(',')
		}
		nanos := int64(first+n)*24*60*60*1_000_000_000 + 1
		fmt.Fprintf(&b, `{"traceId":"%032x","spanId":"%016x","name":"n","startTimeUnixNano":"%d"}`, prefix<<32+n+1, n+1, nanos)
	}
	b.WriteString(`]}]}]}`)
	return b.String()
}

// limitDescriptors lets a process have at most this many descriptors.
func limitDescriptors(most uint64) func(pid int) error {
	return func(pid int) error {
		limit := syscall.Rlimit{Cur: most, Max: most}
		if _, _, code := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_NOFILE, uintptr(unsafe.Pointer(&limit)), 0,
			0, 0); code != 0 {
			return fmt.Errorf("cannot limit the descriptors of the server: %w", code)
		}
		return nil
	}
}

// TestSpansOfManyDays sends spans of 50,000 different days to a server with few descriptors, which accepts any date.
// Another project must be able to write all the time, and the server must start again.
func TestSpansOfManyDays(t *testing.T) {
	const descriptors = 250
	data := filepath.Join(t.TempDir(), "data")
	start := func() *harness.Server {
		t.Helper()
		s, err := harness.TryStartPaused(t, data, limitDescriptors(descriptors), "--otlp-grpc-listen", "off", "--max-event-age", "0",
			"--max-event-future", "0")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := start()
	public, secret := s.PublicKey, s.SecretKey
	stdout, stderr, code := harness.Run(t, "projects", "create", "Other", "--id", "other", "--data", data)
	if code != 0 {
		t.Fatalf("projects create: %d %s%s", code, stdout, stderr)
	}
	stdout, stderr, code = harness.Run(t, "keys", "create", "--project", "other", "--data", data)
	found := regexp.MustCompile(`LANGFUSE_PUBLIC_KEY=(\S+)\nLANGFUSE_SECRET_KEY=(\S+)`).FindStringSubmatch(stdout)
	if code != 0 || found == nil {
		t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
	}
	today := int(time.Now().Unix() / (24 * 60 * 60))
	write := func(n int) {
		t.Helper()
		if status, body := s.Do(t, http.MethodPost, tracesPath, found[1], found[2],
			spansOnDays(1000+n, today, 1)); status != http.StatusOK {
			t.Fatalf("write %d of the other project: %d %s", n, status, body)
		}
	}
	const exports = 3
	for n := range exports {
		status, body := s.Do(t, http.MethodPost, tracesPath, public, secret, spansOnDays(n, 0, 50_000))
		if status != http.StatusOK || strings.Contains(body, "rejected") {
			t.Fatalf("export %d: %d %s", n, status, body)
		}
		write(n)
	}
	if status, body := s.Get(t, "/api/public/health"); status != http.StatusOK {
		t.Errorf("health: %d %s", status, body)
	}
	_, log := s.Printed()
	if strings.Contains(log, "cannot write a segment") {
		t.Errorf("a flush failed:\n%s", log)
	}
	s.Stop(t)
	s = start()
	s.PublicKey, s.SecretKey = public, secret
	write(exports)
	if status, body := s.Get(t, "/api/public/health"); status != http.StatusOK {
		t.Errorf("health after a restart: %d %s", status, body)
	}
	files, err := os.ReadDir(filepath.Join(data, "events", "observations"))
	if err != nil || len(files) > descriptors {
		t.Errorf("%d files, %v", len(files), err)
	}
	status, body := s.Get(t, "/api/public/v2/observations?limit=1&fromStartTime=1971-01-01T00:00:00Z&toStartTime=1971-01-02T00:00:00Z")
	if status != http.StatusOK || !strings.Contains(body, `"startTime":"1971-01-01T00:00:00.000Z"`) {
		t.Errorf("a read of a day in the past: %d %s", status, body)
	}
}

// TestTimesThatAreNotAccepted sends spans and scores that are too old, or of the future.
func TestTimesThatAreNotAccepted(t *testing.T) {
	s := harness.Start(t, "--otlp-grpc-listen", "off", "--max-event-age", "10", "--max-event-future", "1")
	today := int(time.Now().Unix() / (24 * 60 * 60))
	status, body := s.Do(t, http.MethodPost, tracesPath, s.PublicKey, s.SecretKey, spansOnDays(1, today-20, 30))
	for _, want := range []string{
		`"rejectedSpans":"`, "startTimeUnixNano:too_old", "startTimeUnixNano:in_the_future",
		"This server accepts spans that start at times from ",
	} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%d %s, want %s", status, body, want)
		}
	}
	if status, body := s.Do(t, http.MethodPost, tracesPath, s.PublicKey, s.SecretKey,
		spansOnDays(2, today-100, 30)); status != http.StatusBadRequest {
		t.Errorf("only old spans: %d %s", status, body)
	}
	score := `{"batch":[{"id":"e1","type":"score-create","timestamp":"1999-01-01T00:00:00Z","body":{"traceId":"t","name":"n","value":1}}]}`
	if status, body := s.Do(t, http.MethodPost, "/api/public/ingestion", s.PublicKey, s.SecretKey,
		score); status != http.StatusMultiStatus ||
		!strings.Contains(body, "The time is too far in the past") {
		t.Errorf("an old score: %d %s", status, body)
	}
	if _, metrics := s.Get(t, "/metrics"); !strings.Contains(metrics, `almanac_ingest_rejected_spans_total{reason="time"}`) {
		t.Error("rejected spans are not counted")
	}
}
