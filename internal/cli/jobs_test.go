package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/leases"
	"almanac/internal/domain"
)

// TestJobs lists, cancels and retries an export and a recurring job.
func TestJobs(t *testing.T) {
	data := newInstallation(t, false)
	run := func(want int, part string, args ...string) string {
		t.Helper()
		stdout, stderr, code := runHere(append(append([]string{"jobs"}, args...), "--data", data)...)
		if text := strings.Join(strings.Fields(stdout+stderr), " "); code != want || !strings.Contains(text, part) {
			t.Fatalf("almanac jobs %v: exit code %d, %s, want %q", args, code, text, part)
		}
		return stdout
	}
	project := strings.TrimSpace(func() string {
		stdout, _, _ := runHere("projects", "create", "P", "--data", data)
		return stdout
	}())
	c, err := catalog.OpenCurrent(t.Context(), filepath.Join(data, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	e, err := c.CreateExport(t.Context(), domain.OfProject(project), domain.Export{
		Table: "scores", Format: "csv", Request: json.RawMessage(`{}`),
	}, operator)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddRecurring(t.Context(), "retention", "cleanup"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ClaimRecurring(t.Context(), leases.Server{Name: "a server", Life: time.Minute}, "retention",
		[]string{"cleanup"}); err != nil {
		t.Fatal(err)
	}
	run(0, "retention cleanup - running", "list")
	run(0, "export "+e.ID+" "+project+" queued", "list")
	run(0, "retention cleanup is waiting", "cancel", "cleanup")
	run(1, "neither queued nor running", "cancel", "cleanup", "--kind", "retention")
	run(0, "retention cleanup is queued", "retry", "cleanup")
	run(0, "export "+e.ID+" is cancelled", "cancel", e.ID)
	if strings.Contains(run(0, "KIND ID PROJECT STATE", "list"), e.ID) {
		t.Error("what has ended is listed")
	}
	run(0, e.ID, "list", "--all", "--kind", "export", "--project", project)
	run(0, "export "+e.ID+" is queued", "retry", e.ID)
	run(1, "it is queued", "retry", e.ID)
	run(1, `there is no job "none"`, "cancel", "none")
	var job domain.Job
	if err := json.Unmarshal([]byte(run(0, "", "list", "--format", "jsonl", "--project", project)), &job); err != nil || job.ID != e.ID ||
		job.State != domain.JobQueued || job.DueAt == nil {
		t.Errorf("as JSON it is %+v, %v", job, err)
	}
	lease, err := c.ClaimExport(t.Context(), leases.Server{Name: "a server", Life: time.Minute})
	if err != nil || lease == nil {
		t.Fatal(lease, err)
	}
	if err := c.FinishExport(t.Context(), lease, "no \x1b[2J\u009b\nforged"); err != nil { // as a bucket answers
		t.Fatal(err)
	}
	if got := run(0, "forged", "list"); strings.ContainsAny(got, "\x1b\u009b") || strings.Contains(got, "\nforged") {
		t.Errorf("control characters are shown: %q", got)
	}
	many := make([]string, shownJobs+1)
	for n := range many {
		many[n] = fmt.Sprint("job ", n)
	}
	if err := c.AddRecurring(t.Context(), "other", many...); err != nil {
		t.Fatal(err)
	}
	if got := run(0, "Showing 1000 jobs; there are more.", "list", "--kind", "other"); strings.Count(got, "\n") != 1+shownJobs {
		t.Errorf("%d lines are shown", strings.Count(got, "\n"))
	}
}
