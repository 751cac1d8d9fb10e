//go:build soak

package blackbox

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/test/harness"
)

// TestEverythingWithLittleMemory runs in a control group of 300 MB: two exports of 400,000 sessions, retention of a
// million rows, ingestion and small requests, all at once. Nobody is killed, nothing is cut, and nobody waits.
//
// It takes a quarter of an hour, since retention by age begins when the clock has been steady for ten minutes.
func TestEverythingWithLittleMemory(t *testing.T) {
	const sessions, old = 400_000, 1_000_000
	data := filepath.Join(t.TempDir(), "data")
	args := []string{
		"--init-org-id", "org", "--init-project-id", "p", "--init-project-public-key", "pk-lf-little", "--init-project-secret-key",
		"sk-lf-of-the-little-memory",
	}
	harness.StartOn(t, data, args...).Stop(t)
	if _, stderr, code := harness.Run(t, "projects", "create", "Old", "--id", "old", "--retention", "3", "--data", data); code != 0 {
		t.Fatal(stderr)
	}
	events := filepath.Join(data, "events")
	now := domain.MicrosOf(time.Now())
	fillWithSessions(t, events, "p", now-domain.Micros(sessions)*1000, sessions)
	fillWithSessions(t, events, "old", now-domain.Micros((10*24*time.Hour).Microseconds()), old)
	s := startLimitedOn(t, data, memoryLimit, args...)
	s.PublicKey, s.SecretKey = "pk-lf-little", "sk-lf-of-the-little-memory"

	stop, asked, sent := make(chan struct{}), make(chan int), make(chan int)
	go func() { asked <- keepAsking(t, s, stop) }()
	go func() { sent <- keepSending(t, s, stop) }()
	deleted := func() int { return metric(t, s, `almanac_retention_deleted_rows_total{reason="age"}`) }
	time.Sleep(10*time.Minute - 5*time.Second)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for end := time.Now().Add(5 * time.Minute); deleted() < old && time.Now().Before(end); {
				exportSessions(t, s, sessions)
			}
		})
	}
	wg.Wait()
	if deleted() < old {
		t.Errorf("%d of %d rows were deleted", deleted(), old)
	}
	close(stop)
	answered, acknowledged := <-asked, <-sent
	t.Logf("%d requests answered, %d spans acknowledged, peak %d MB", answered, acknowledged, peakMemory(t, s)>>20)
	if answered == 0 || acknowledged == 0 {
		t.Error("others were not answered")
	}
	status, answer := s.Do(t, "GET", "/api/public/traces?limit=1&name=sent-meanwhile", s.PublicKey, s.SecretKey, "")
	if status != 200 || !regexp.MustCompile(fmt.Sprintf(`"totalItems":%d\b`, acknowledged)).MatchString(answer) {
		t.Errorf("%d spans were acknowledged: %d %s", acknowledged, status, answer)
	}
	if peak := peakMemory(t, s); peak > memoryLimit {
		t.Errorf("%d MB are in use, %d MB allowed", peak>>20, memoryLimit>>20)
	}
}

// exportSessions exports the sessions of a project, and expects all of them.
func exportSessions(t *testing.T, s *harness.Server, sessions int64) {
	var e exportAnswer
	began := time.Now()
	status, answer := s.Do(t, "POST", "/api/public/exports", s.PublicKey, s.SecretKey, `{"table":"sessions","format":"csv"}`)
	if err := json.Unmarshal([]byte(answer), &e); err != nil || status/100 != 2 {
		t.Errorf("%d %s", status, answer)
		return
	}
	for e.State != "failed" && e.State != "done" {
		time.Sleep(100 * time.Millisecond)
		_, answer := s.Do(t, "GET", "/api/public/exports/"+e.ID, s.PublicKey, s.SecretKey, "")
		if err := json.Unmarshal([]byte(answer), &e); err != nil {
			t.Errorf("%v: %s", err, answer)
			return
		}
	}
	t.Logf("an export of %d sessions ended after %s", e.Rows, time.Since(began).Round(time.Second))
	if e.State == "failed" || e.Rows != sessions {
		t.Errorf("%s: %d of %d rows, %s", e.State, e.Rows, sessions, e.Error)
	}
}

// keepSending sends one trace after the other until it is told to stop, and returns how many were acknowledged.
func keepSending(t *testing.T, s *harness.Server, stop <-chan struct{}) int {
	for acknowledged := 0; ; {
		select {
		case <-stop:
			return acknowledged
		case <-time.After(10 * time.Millisecond):
		}
		at := time.Now().UnixNano()
		body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x","name":"sent-meanwhile",`+
			`"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}`, at, at, at, at)
		switch status, answer := s.Do(t, "POST", tracesPath, s.PublicKey, s.SecretKey, body); status {
		case 200:
			acknowledged++
		case 429, 503: // to be sent again by a client
		default:
			t.Errorf("%d %s", status, answer)
		}
	}
}

// metric returns the value of a sample, or 0 if there is none.
func metric(t *testing.T, s *harness.Server, sample string) int {
	t.Helper()
	_, text := s.Do(t, "GET", "/metrics", "", "", "")
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(sample) + ` (\S+)$`).FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(value)
}
