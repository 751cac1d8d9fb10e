package blackbox

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/server"
	"almanac/internal/store/segment"
	"almanac/internal/transfer/export"
	"almanac/test/harness"
)

// backgroundJobs says where each background job of the server is run with little memory. A new job that reads events
// is a kind of internal/jobs, and is added here with its test.
var backgroundJobs = map[string]string{
	"export":           "TestExportsWithLittleMemory: each table",
	"scheduled-export": "internal/transfer/scheduled, TestRunsTakeMemoryFromTheBudget",
	"retention":        "internal/retention, TestRetentionTakesMemoryFromTheBudget",
	"inheritance":      "internal/inherit, TestLittleMemory",
	"experiment":       "internal/httpapi/playground, TestExperimentsTakeMemoryFromTheBudget",
	// These read and write a few rows of the catalog.
	"key usage": "", "accounts": "", "limits": "", "refused credentials": "", "certificates": "", "changes of other servers": "",
	"views": "",
}

func TestEveryBackgroundJobIsBounded(t *testing.T) {
	for _, name := range server.JobNames() {
		if _, known := backgroundJobs[name]; !known {
			t.Errorf("the background job %q is not run with little memory", name)
		}
	}
	for name := range backgroundJobs {
		if !slices.Contains(server.JobNames(), name) {
			t.Errorf("there is no background job %q", name)
		}
	}
}

// TestExportsWithLittleMemory exports every table of a project with more sessions and users than fit into the memory of
// the server, all at the same time. The server must answer requests meanwhile, and finish the files.
func TestExportsWithLittleMemory(t *testing.T) {
	const sessions = 400_000
	data := filepath.Join(t.TempDir(), "data")
	args := []string{
		"--init-org-id", "org", "--init-project-id", "p", "--init-project-public-key", "pk-lf-little", "--init-project-secret-key",
		"sk-lf-of-the-little-memory",
	}
	harness.StartOn(t, data, args...).Stop(t)
	fillWithSessions(t, filepath.Join(data, "events"), "p", 1_790_000_000_000_000, sessions)
	s := startLimitedOn(t, data, memoryLimit, args...)
	s.PublicKey, s.SecretKey = "pk-lf-little", "sk-lf-of-the-little-memory"

	stop, asked := make(chan struct{}), make(chan int)
	go func() { asked <- keepAsking(t, s, stop) }()
	rows := map[string]int64{export.Observations: sessions, export.Traces: sessions, export.Sessions: sessions, export.Users: sessions}
	open := make(map[string]string) // table by id
	for _, table := range export.Tables() {
		if table == export.AuditLogs { // for people only
			continue
		}
		var e exportAnswer
		status, answer := s.Do(t, "POST", "/api/public/exports", s.PublicKey, s.SecretKey,
			fmt.Sprintf(`{"table":%q,"format":"csv"}`, table))
		if err := json.Unmarshal([]byte(answer), &e); err != nil || status/100 != 2 {
			t.Fatalf("%s: %d %s", table, status, answer)
		}
		open[e.ID] = table
	}
	for end := time.Now().Add(5 * time.Minute); len(open) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v did not end", open)
		}
		for id, table := range open {
			var e exportAnswer
			status, answer := s.Do(t, "GET", "/api/public/exports/"+id, s.PublicKey, s.SecretKey, "")
			if err := json.Unmarshal([]byte(answer), &e); err != nil || status/100 != 2 {
				t.Fatalf("%s: %d %s", table, status, answer)
			}
			switch e.State {
			case "failed":
				t.Errorf("%s: %s", table, e.Error)
			case "done":
				if e.Rows != rows[table] {
					t.Errorf("%s: %d rows, want %d", table, e.Rows, rows[table])
				}
			default:
				continue
			}
			t.Logf("%s: %d rows; peak %d MB", table, e.Rows, peakMemory(t, s)>>20)
			delete(open, id)
		}
	}
	close(stop)
	if answered := <-asked; answered == 0 {
		t.Error("no small request was answered meanwhile")
	}
	if peak := peakMemory(t, s); peak > memoryLimit {
		t.Errorf("%d MB are in use, %d MB allowed", peak>>20, memoryLimit>>20)
	}
}

// fillWithSessions gives a project sessions of one row each, a millisecond apart from a time on.
func fillWithSessions(t *testing.T, directory, project string, start domain.Micros, sessions int) {
	t.Helper()
	s, err := segment.Open(directory, segment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < sessions; from += 10_000 {
		batch := make([]domain.Observation, 10_000)
		for n := range batch {
			number := strconv.Itoa(from + n)
			batch[n] = domain.Observation{
				TraceID: fmt.Sprintf("%032x", from+n), ID: fmt.Sprintf("%016x", from+n),
				StartTime: start + domain.Micros(from+n)*1000, Type: "SPAN",
				SessionID: "a-session-with-a-rather-long-identifier-" + number, UserID: "user-" + number,
			}
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject(project), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
