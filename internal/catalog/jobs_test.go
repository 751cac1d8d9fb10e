package catalog_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/leases"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// jobTest is a catalog with a clock, as servers that share its database see it.
type jobTest struct {
	catalogtest.Projects
	now time.Time
}

func onBothWithJobs(t *testing.T, test func(j *jobTest)) {
	catalogtest.OnBothWithProjects(t, func(p catalogtest.Projects) {
		j := &jobTest{p, time.UnixMilli(1_800_000_000_000).UTC()}
		p.DB.Now, p.DB.SQL.Clock = func() time.Time { return j.now }, ""
		test(j)
	})
}

func (j *jobTest) must(err error) {
	j.Helper()
	if err != nil {
		j.Fatal(err)
	}
}

func (j *jobTest) claim(ids ...string) *catalog.RecurringJob {
	j.Helper()
	j.must(j.AddRecurring(j.Context(), "chores", ids...))
	claimed, err := j.ClaimRecurring(j.Context(), leases.Server{Name: "one", Life: time.Minute}, "chores", ids)
	j.must(err)
	return claimed
}

// states returns the jobs of all projects as "id state", in order.
func (j *jobTest) states(f catalog.JobFilter) string {
	j.Helper()
	return j.statesOf(j.Jobs(j.Context(), f))
}

func (j *jobTest) statesOf(list []domain.Job, err error) string {
	j.Helper()
	j.must(err)
	var texts []string
	for n := range list {
		texts = append(texts, list[n].ID+" "+list[n].State)
	}
	return strings.Join(texts, ", ")
}

func (j *jobTest) want(when, want string) {
	j.Helper()
	if got := j.states(catalog.JobFilter{Kind: "chores"}); got != want {
		j.Errorf("%s the jobs are %q, want %q", when, got, want)
	}
}

func TestRecurringJobs(t *testing.T) {
	onBothWithJobs(t, func(j *jobTest) {
		ctx := j.Context()
		first := j.claim("a", "b")
		if first == nil || first.ID != "a" || first.Failures != 0 {
			j.Fatalf("claimed %+v", first)
		}
		if other := j.claim("a", "b"); other != nil {
			j.Fatalf("%s runs beside", other.ID)
		}
		j.want("at first", "a running, b queued")
		j.now = j.now.Add(10 * time.Second)
		j.must(errors.Join(j.RenewRecurring(ctx, first), j.FinishRecurring(ctx, first, "", time.Minute)))
		second := j.claim("a", "b")
		j.must(j.FinishRecurring(ctx, second, "It failed.", time.Minute))
		j.want("after both", "b failed, a waiting")
		j.now = j.now.Add(49 * time.Second)
		if early := j.claim("a", "b"); early != nil {
			j.Errorf("%s is early", early.ID)
		}
		j.now = j.now.Add(time.Second) // a minute after the first began
		if again := j.claim("a", "b"); again == nil || again.ID != "a" {
			j.Errorf("%+v is due", again)
		} else {
			j.must(j.ReleaseRecurring(ctx, again))
		}
		j.now = j.now.Add(time.Minute)
		if again := j.claim("b"); again == nil || again.Failures != 1 {
			j.Errorf("%+v is due", again)
		} else {
			j.must(j.FinishRecurring(ctx, again, "", 30*24*time.Hour))
		}
		j.now = j.now.Add(-48 * time.Hour) // the clock was wrong until now
		if again := j.claim("b"); again == nil {
			j.Error("it waits for a time that a wrong clock set")
		}
	})
}

// TestTakenOverRecurringJob: what a server that was robbed of its job records is refused.
func TestTakenOverRecurringJob(t *testing.T) {
	onBothWithJobs(t, func(j *jobTest) {
		job := j.claim("a")
		ctx := job.WithLease(j.Context())
		j.must(j.AddDailyTotals(ctx, j.Scope, 1, 1, nil))
		found, err := j.FindJob(ctx, "chores", "a")
		j.must(err)
		j.must(j.CancelJob(ctx, &found, catalogtest.Tester))
		j.want("cancelled", "a waiting")
		catalogtest.WantError(j.T, "counted", j.AddDailyTotals(ctx, j.Scope, 1, 1, nil), leases.ErrLost)
		catalogtest.WantError(j.T, "deleted", j.DailyTotalsDone(ctx, j.Scope), leases.ErrLost)
		catalogtest.WantError(j.T, "renewed", j.RenewRecurring(ctx, job), leases.ErrLost)
		catalogtest.WantError(j.T, "finished", j.FinishRecurring(ctx, job, "", time.Minute), leases.ErrLost)
		found, err = j.FindJob(ctx, "chores", "a")
		j.must(err)
		catalogtest.WantError(j.T, "cancelled twice", j.CancelJob(ctx, &found, catalogtest.Tester), domain.ErrConflict)
		j.must(j.RetryJob(ctx, &found, catalogtest.Tester))
		j.want("retried", "a queued")
		if again := j.claim("a"); again == nil {
			j.Error("it does not run again")
		}
		catalogtest.WantError(j.T, "retried while it runs", j.RetryJob(ctx, &found, catalogtest.Tester), domain.ErrConflict)
	})
}

// TestJobsOfProjects lists, cancels and retries exports of both kinds.
func TestJobsOfProjects(t *testing.T) {
	onBothWithJobs(t, func(j *jobTest) {
		ctx := j.Context()
		j.claim("chore")
		owner, p := catalogtest.Seed(j.T, j.Catalog, "exported")
		scope, server := domain.OfProject(p.ID), leases.Server{Name: "one", Life: time.Minute}
		if _, err := j.PutBlobStorageIntegration(ctx, owner, domain.BlobStorageIntegration{
			ProjectID: p.ID, Type: domain.BlobS3, BucketName: "bucket", ExportFrequency: "hourly", Enabled: true, FileType: "CSV",
			ExportMode: domain.ExportFullHistory,
		}, func(domain.BlobStorageIntegration) error { return nil }, catalogtest.Tester); err != nil {
			j.Fatal(err)
		}
		e, err := j.CreateExport(ctx, scope, domain.Export{Table: "scores", Format: "csv", Request: json.RawMessage(`{}`)},
			catalogtest.Tester)
		j.must(err)
		check := func(when, file, bucket string) {
			j.Helper()
			for kind, want := range map[string]string{
				catalog.JobExport: e.ID + " " + file, catalog.JobScheduledExport: p.ID + " " + bucket,
			} {
				if got := j.statesOf(j.JobsOf(ctx, domain.OfProject(p.ID), catalog.JobFilter{Kind: kind})); got != want {
					j.Errorf("%s: %q, want %q", when, got, want)
				}
			}
		}
		find := func(kind, id string) *domain.Job {
			j.Helper()
			found, err := j.FindJob(ctx, kind, id)
			j.must(err)
			return &found
		}
		check("new", "queued", "queued")
		counts, err := j.CountJobs(ctx)
		j.must(err)
		if len(counts) != 3 {
			j.Errorf("counted %+v", counts)
		}
		file, err := j.ClaimExport(ctx, server)
		j.must(err)
		run, err := j.ClaimBlobRun(ctx, server)
		j.must(err)
		check("claimed", "running", "running")
		if got := find(catalog.JobExport, e.ID); got.Server != "one" || got.StartedAt == nil || got.Subject != "scores" {
			j.Errorf("running: %+v", got)
		}
		j.must(errors.Join(j.CancelJob(ctx, find(catalog.JobExport, e.ID), catalogtest.Tester),
			j.CancelJob(ctx, find(catalog.JobScheduledExport, p.ID), catalogtest.Tester)))
		check("cancelled", "cancelled", "waiting")
		catalogtest.WantError(j.T, "the file goes on", j.RenewExport(ctx, file), leases.ErrLost)
		catalogtest.WantError(j.T, "the run goes on", j.RenewBlobRun(ctx, run), leases.ErrLost)
		catalogtest.WantError(j.T, "twice", j.CancelJob(ctx, find(catalog.JobExport, e.ID), catalogtest.Tester), domain.ErrConflict)
		catalogtest.WantError(j.T, "twice", j.CancelJob(ctx, find(catalog.JobScheduledExport, p.ID), catalogtest.Tester),
			domain.ErrConflict)
		j.must(errors.Join(j.RetryJob(ctx, find(catalog.JobExport, e.ID), catalogtest.Tester),
			j.RetryJob(ctx, find(catalog.JobScheduledExport, p.ID), catalogtest.Tester)))
		check("retried", "queued", "queued")
		catalogtest.WantError(j.T, "what waits", j.RetryJob(ctx, find(catalog.JobExport, e.ID), catalogtest.Tester), domain.ErrConflict)
		if got := j.statesOf(j.JobsOf(ctx, j.Other, catalog.JobFilter{})); got != "" {
			j.Errorf("another project has %q", got)
		}
		if got := j.states(catalog.JobFilter{States: []string{domain.JobRunning}}); got != "chore running" {
			j.Errorf("running: %q", got)
		}
		_, err = j.FindJob(ctx, "", "none")
		catalogtest.WantError(j.T, "no job", err, domain.ErrNotFound)
	})
}
