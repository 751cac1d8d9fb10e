package retention

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/media"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/catalogtest"
	"almanac/test/failing"
)

// newJob returns a job on a catalog with the projects "short" (7 days), "ever" and "gone", each with an observation and
// a score for each of the last ten days.
func newJob(t *testing.T) *Job {
	t.Helper()
	c, err := catalog.Open(t.Context(), catalogtest.File(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	by := domain.Actor{Kind: "cli"}
	if _, err := c.CreateOrganization(t.Context(), "org", "Org", by); err != nil {
		t.Fatal(err)
	}
	blobs, err := blob.OpenDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	j := &Job{
		Catalog: c, Store: storetest.NewModel(), Media: &media.Library{Catalog: c, Blobs: blobs}, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now },
	}
	for project, days := range map[string]int{"short": 7, "ever": 0, "gone": 0} {
		if _, err := c.CreateProject(t.Context(), domain.OfOrganization("org"), tenants.NewProject{
			ID: project, Name: project, RetentionDays: days,
		}, by); err != nil {
			t.Fatal(err)
		}
		scope := domain.OfProject(project)
		for day := range 10 {
			at := domain.MicrosOf(now.AddDate(0, 0, -day).Add(-time.Minute))
			id := string(rune('0' + day))
			if err := j.Store.Observations().Append(t.Context(), scope, []domain.Observation{
				{TraceID: "t" + id, ID: id, StartTime: at},
			}); err != nil {
				t.Fatal(err)
			}
			if err := j.Store.Scores().Append(t.Context(), scope, []domain.Score{{ID: id, Timestamp: at}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return j
}

// left returns the ids of a project's rows, observations first.
func (j *Job) left(t *testing.T, project string) (ids []string) {
	t.Helper()
	for row, err := range j.Store.Observations().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, row.ID)
	}
	for row, err := range j.Store.Scores().Scan(t.Context(), domain.OfProject(project), store.Query[domain.Score]{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, row.ID)
	}
	return ids
}

func TestOldEventsAreDeleted(t *testing.T) {
	j := newJob(t)
	if err := j.deleteOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	week := []string{"0", "1", "2", "3", "4", "5", "6"}
	if got, want := j.left(t, "short"), slices.Concat(week, week); !slices.Equal(got, want) {
		t.Errorf("a project with seven days has %v, want %v", got, want)
	}
	if got := len(j.left(t, "ever")); got != 20 {
		t.Errorf("a project without retention has %d rows, want all 20", got)
	}
}

// TestClockJumps moves the clock ten years ahead and back within minutes: nothing is deleted until the clock has been
// steady for a while.
func TestClockJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJob(t)
		var ahead atomic.Int64
		j.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { j.runner().Run(ctx) })
		after := func(wait time.Duration, want int, when string) {
			t.Helper()
			time.Sleep(wait)
			synctest.Wait()
			if got := len(j.left(t, "short")); got != want {
				t.Errorf("%s there are %d rows, want %d", when, got, want)
			}
		}
		const years = 10 * 365 * 24 * time.Hour
		ahead.Store(int64(years))
		after(steady-time.Minute, 20, "after a start with a clock that is ahead")
		ahead.Store(0)
		after(steady-time.Minute, 20, "when it has gone back")
		ahead.Store(int64(-time.Hour))
		after(steady-time.Minute, 20, "when it has gone back once more")
		after(3*time.Minute, 16, "when it was steady") // the oldest two days; the third will be old enough in half an hour
		ahead.Store(int64(years))
		after(steady-time.Minute, 16, "after another jump")
		ahead.Store(0)
		after(2*time.Hour, 14, "two hours later")
		cancel()
		done.Wait()
	})
}

func TestEventsOfDeletedProjectsAreDeleted(t *testing.T) {
	j := newJob(t)
	if err := j.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org"), "gone", domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	deleted := j.Now()
	j.Now = func() time.Time { return deleted.AddDate(-10, 0, 0) } // the clock was ahead and has been set back
	seen := make(map[string]time.Duration)
	step := func(passed time.Duration, want int) {
		t.Helper()
		if err := j.deleteOrphans(t.Context(), seen, passed); err != nil {
			t.Fatal(err)
		}
		if got := len(j.left(t, "gone")); got != want {
			t.Errorf("%v after it began the job has left %d rows of the project, want %d", passed, got, want)
		}
	}
	step(time.Hour, 20)
	step(time.Hour+grace/2, 20) // a request may still be writing
	step(time.Hour+grace, 0)
	if len(seen) > 0 {
		t.Errorf("the job remembers %v", seen)
	}
	if owed, err := j.Catalog.DeletedProjects(t.Context()); err != nil || len(owed) != 0 {
		t.Errorf("still owed: %v, %v", owed, err)
	}
	if got := len(j.left(t, "ever")); got != 20 {
		t.Errorf("another project has %d rows, want all 20", got)
	}
}

// keepFile adds a file to a trace of a project.
func (j *Job) keepFile(t *testing.T, project, trace, content string) {
	t.Helper()
	sum := sha256.Sum256([]byte(content))
	if err := j.Media.Keep(t.Context(), domain.OfProject(project), []media.Extracted{{
		ContentType: "text/plain", SHA256: base64.StdEncoding.EncodeToString(sum[:]), Data: []byte(content),
		Link: domain.MediumLink{TraceID: trace, Field: domain.FieldInput},
	}}); err != nil {
		t.Fatal(err)
	}
}

// hasFile reports whether a project has a file with its bytes.
func (j *Job) hasFile(t *testing.T, project, content string) bool {
	t.Helper()
	sum := sha256.Sum256([]byte(content))
	m, err := j.Catalog.Medium(t.Context(), domain.OfProject(project), domain.MediaID(base64.StdEncoding.EncodeToString(sum[:])))
	if errors.Is(err, domain.ErrNotFound) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := j.Media.Open(t.Context(), &m)
	if err != nil {
		t.Fatal(err)
	}
	return file.Close() == nil
}

func TestMediaOfOldTracesAreDeleted(t *testing.T) {
	j := newJob(t)
	j.keepFile(t, "short", "t9", "of an old trace")
	j.keepFile(t, "short", "t0", "of a new trace")
	j.keepFile(t, "short", "t9", "of both")
	j.keepFile(t, "short", "t0", "of both")
	j.keepFile(t, "ever", "t9", "of an old trace")
	check := func(what string, old bool) {
		t.Helper()
		if err := j.deleteOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]bool{"of an old trace": old, "of a new trace": true, "of both": true} {
			if got := j.hasFile(t, "short", file); got != want {
				t.Errorf("%s the file %s is there: %t", what, file, got)
			}
		}
		if !j.hasFile(t, "ever", "of an old trace") {
			t.Errorf("%s a project that keeps everything lost a file", what)
		}
	}
	check("as long as the file is new", true) // its trace may still arrive
	now := j.Now()
	j.Now = func() time.Time { return now.AddDate(0, 0, 6).Add(23 * time.Hour) }
	check("just before the file is old", true)
	for day := range 10 { // one of the traces gets more spans
		if err := j.Store.Observations().Append(t.Context(), domain.OfProject("short"), []domain.Observation{{
			TraceID: "t0", ID: "later" + string(rune('0'+day)), StartTime: domain.MicrosOf(now.AddDate(0, 0, day)),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	j.Now = func() time.Time { return now.AddDate(0, 0, 7).Add(time.Hour) }
	check("later", false)
}

func TestMediaOfDeletedProjectsAreDeleted(t *testing.T) {
	j := newJob(t)
	j.keepFile(t, "gone", "t1", "a")
	j.keepFile(t, "ever", "t1", "a")
	if err := j.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org"), "gone", domain.Actor{Kind: "cli"}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]time.Duration{"gone": 0}
	if err := errors.Join(j.deleteOrphans(t.Context(), seen, grace), j.Media.Sweep(t.Context())); err != nil {
		t.Fatal(err)
	}
	if j.hasFile(t, "gone", "a") || !j.hasFile(t, "ever", "a") {
		t.Errorf("gone has it: %t, ever has it: %t", j.hasFile(t, "gone", "a"), j.hasFile(t, "ever", "a"))
	}
}

// TestOneProjectFails makes every deletion in the first project fail: the others are processed nevertheless.
func TestOneProjectFails(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(t *testing.T, j *Job)
		run     func(j *Job, ctx context.Context) error
		want    int // rows left in another project
	}{
		"by age": {func(t *testing.T, j *Job) { j.change(t, "ever", tenants.ProjectChange{RetentionDays: new(7)}) }, (*Job).deleteOld, 14},
		"by size": {func(t *testing.T, j *Job) {
			j.setMaximum(t, "ever", 100)
			j.setMaximum(t, "short", 100)
		}, (*Job).deleteBeyond, 2},
		"by the size of all": {func(_ *testing.T, j *Job) { j.MaxData = 100 }, (*Job).deleteBeyond, 2},
		"by size, which would make room for all": {func(t *testing.T, j *Job) {
			j.setMaximum(t, "ever", 100)
			j.MaxData = 5000 // of 6000 bytes, 1800 of which are over the maximum of the failing project
		}, (*Job).deleteBeyond, 20},
		"after a deletion": {func(t *testing.T, j *Job) {
			for _, project := range []string{"ever", "short"} {
				if err := j.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org"), project,
					domain.Actor{Kind: "cli"}); err != nil {
					t.Fatal(err)
				}
			}
		}, func(j *Job, ctx context.Context) error {
			return j.deleteOrphans(ctx, map[string]time.Duration{"ever": 0, "short": 0}, grace)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJob(t)
			noon := j.Now().UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)
			j.Now = func() time.Time { return noon.Add(time.Minute) }
			j.rebuild(t, noon)
			c.prepare(t, j)
			broken := errors.New("broken")
			j.Store = &failing.Refusing{Store: j.Store, Deletion: func(project string) error {
				if project == "ever" {
					return broken
				}
				return nil
			}}
			if err := c.run(j, t.Context()); !errors.Is(err, broken) {
				t.Errorf("the failure is reported as %v", err)
			}
			if ever, short := len(j.left(t, "ever")), len(j.left(t, "short")); ever != 20 || short != c.want {
				t.Errorf("the failing project has %d rows and another %d, want 20 and %d", ever, short, c.want)
			}
		})
	}
}
