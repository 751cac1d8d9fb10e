package retention

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/media"
	"almanac/internal/store/storetest"
	"almanac/test/failing"
)

// world is a job with work of every kind: rows of "short" that are too old, two deleted projects, and files of both.
type world struct {
	*Job
	files string // the directory of the files
	log   *strings.Builder
}

// newTemplate creates a catalog that each world copies, which is faster than creating a new one each time.
func newTemplate(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "catalog.db")
	c, err := catalog.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	by := domain.Actor{Kind: "cli"}
	if _, err := c.CreateOrganization(t.Context(), "org", "Org", by); err != nil {
		t.Fatal(err)
	}
	for _, project := range projects {
		days := 0
		if project == "short" {
			days = 7
		}
		if _, err := c.CreateProject(t.Context(), domain.OfOrganization("org"), tenants.NewProject{
			ID: project, Name: project, RetentionDays: days,
		}, by); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

var projects = []string{"short", "ever", "gone", "gone2"}

func newWorld(t *testing.T, template string, failures *failing.Switch) *world {
	t.Helper()
	content, err := os.ReadFile(template)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "catalog.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.OpenSQLite(t.Context(), file, failures.Driver)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	directory := t.TempDir()
	blobs, err := blob.OpenDirectory(directory)
	if err != nil {
		t.Fatal(err)
	}
	lines := new(strings.Builder)
	w := &world{files: directory, log: lines, Job: &Job{
		Catalog: c, Store: failures.Store(storetest.NewModel()), Media: &media.Library{Catalog: c, Blobs: failures.Blobs(blobs)},
		Log: slog.New(slog.NewTextHandler(lines, nil)), Now: time.Now,
	}}
	for _, project := range projects {
		w.keepFile(t, project, "told", "old file of "+project)
	}
	time.Sleep(8 * 24 * time.Hour) // the files are old now, as the rows will be
	for _, project := range projects {
		scope := domain.OfProject(project)
		for id, age := range map[string]time.Duration{"old": 8 * 24 * time.Hour, "new": time.Hour} {
			at := domain.MicrosOf(time.Now().Add(-age))
			if err := w.Store.Observations().Append(t.Context(), scope, []domain.Observation{
				{TraceID: "t" + id, ID: id, StartTime: at},
			}); err != nil {
				t.Fatal(err)
			}
			if err := w.Store.Scores().Append(t.Context(), scope, []domain.Score{{ID: id, Timestamp: at}}); err != nil {
				t.Fatal(err)
			}
		}
		w.keepFile(t, project, "tnew", "new file of "+project)
	}
	for _, project := range []string{"gone", "gone2"} {
		if err := c.DeleteProject(t.Context(), domain.OfOrganization("org"), project, domain.Actor{Kind: "cli"}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// runner returns a runner of the job.
func (j *Job) runner() *jobs.Runner { return jobs.New(jobs.Options{Log: j.Log}, j.Kind()) }

// during runs the job while f waits.
func (w *world) during(t *testing.T, f func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { w.runner().Run(ctx) })
	f()
	cancel()
	done.Wait()
}

// check checks what is left when all work is done.
func (w *world) check(t *testing.T, when string) {
	t.Helper()
	for project, want := range map[string]string{"short": "new new", "ever": "new old new old", "gone": "", "gone2": ""} {
		if got := strings.Join(w.left(t, project), " "); got != want {
			t.Errorf("%s: %s has %q, want %q", when, project, got, want)
		}
	}
	for file, want := range map[string]bool{
		"old file of short": false, "new file of short": true, "old file of ever": true, "new file of ever": true,
	} {
		if got := w.hasFile(t, file[strings.LastIndex(file, " ")+1:], file); got != want {
			t.Errorf("%s: %s is there: %t", when, file, got)
		}
	}
	found, err := filepath.Glob(filepath.Join(w.files, "*", "*", "*"))
	if err != nil || len(found) != 3 {
		t.Errorf("%s: the files are %v, %v", when, found, err)
	}
	if owed, err := w.Catalog.DeletedProjects(t.Context()); err != nil || len(owed) > 0 {
		t.Errorf("%s: events of %v are still to be deleted, %v", when, owed, err)
	}
	if unused, err := w.Catalog.UnusedBlobs(t.Context(), 100); err != nil || len(unused) > 0 {
		t.Errorf("%s: blobs %v are still to be removed, %v", when, unused, err)
	}
	if unused, err := w.Catalog.GivenUpBlobs(t.Context(), "", 100); err != nil || len(unused) > 0 {
		t.Errorf("%s: blobs %v could not be removed, %v", when, unused, err)
	}
}

// TestRun leaves everything to the job: old rows, rows of deleted projects, and unreferenced files.
func TestRun(t *testing.T) {
	template := newTemplate(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, template, new(failing.Switch))
		rows := func(when string, gone, short int) {
			t.Helper()
			synctest.Wait()
			if g, s := len(w.left(t, "gone")), len(w.left(t, "short")); g != gone || s != short {
				t.Errorf("%s there are %d rows of a deleted project and %d of one with old ones, want %d and %d", when, g, s, gone, short)
			}
		}
		w.during(t, func() {
			time.Sleep(grace - time.Second)
			rows("while somebody may still write", 4, 4)
			time.Sleep(2 * everyDeletion)
			rows("after that", 0, 4)
			time.Sleep(steady)
			rows("when the clock was steady", 0, 2)
			w.check(t, "in the end")
		})
		text := w.log.String()
		for _, part := range []string{
			"project=gone observations=2 scores=2", "project=gone2 observations=2 scores=2", "project=short days=7 observations=1 scores=1",
		} {
			if strings.Count(text, part) != 1 {
				t.Errorf("%q is not once in the log: %s", part, text)
			}
		}
		if strings.Contains(text, "level=ERROR") || strings.Contains(text, "project=ever") || strings.Contains(text, "jumped") {
			t.Errorf("the log says %s", text)
		}
	})
}

// TestFailuresOfTheJob injects a failure into every call of the job, one per round. The failure is logged, nothing that
// failed counts as done, the rest of the work goes on, and in the end everything is done.
func TestFailuresOfTheJob(t *testing.T) {
	failures, template := new(failing.Switch), newTemplate(t)
	for round := 0; ; round++ {
		failed := ""
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, template, failures)
			failures.Arm()
			w.during(t, func() {
				time.Sleep(steady + 2*everyDeletion)
				synctest.Wait()
				failed = failures.Disarm()
				time.Sleep(3 * everyDeletion) // it is tried again soon
				synctest.Wait()
				w.check(t, "after a failure of "+failed)
			})
			for of, what := range map[string]string{
				"observations: aggregate": `what="expired events"`,
				"FROM project_deletions":  `what="events of deleted projects"`,
				"FROM exports":            `what="expired exports"`,
				"":                        strings.ReplaceAll(failed, `"`, `\"`),
			} {
				if failed != "" && strings.Contains(failed, of) && !strings.Contains(w.log.String(), what) {
					t.Errorf("a failure of %s is not in the log: %s", failed, w.log.String())
				}
			}
			// What cannot be recorded is done, and recorded a moment later.
			if failed != "" && !strings.Contains(w.log.String(), "level=ERROR") &&
				!strings.Contains(w.log.String(), "cannot record the outcome") {
				t.Errorf("a failure of %s is no error in the log: %s", failed, w.log.String())
			}
		})
		if failed == "" {
			if round < 20 {
				t.Errorf("only %d calls were made to fail", round)
			}
			return
		}
	}
}
