package exports_test

import (
	"slices"
	"testing"
	"time"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// blobTest is a catalog with an exported project and a clock.
type blobTest struct {
	exportTest
	owner   domain.OrganizationScope
	project string
}

func onBothWithBlobRuns(t *testing.T, test func(b blobTest)) {
	onBothWithExports(t, func(e exportTest) {
		owner, p := catalogtest.Seed(e.T, e.Catalog, "exported")
		b := blobTest{e, owner, p.ID}
		b.put(true)
		test(b)
	})
}

func (b blobTest) put(enabled bool) domain.BlobStorageIntegration {
	b.Helper()
	stored, err := b.PutBlobStorageIntegration(b.Context(), b.owner, domain.BlobStorageIntegration{
		ProjectID: b.project, Type: domain.BlobS3, BucketName: "bucket", ExportFrequency: "hourly", Enabled: enabled, FileType: "CSV",
		ExportMode: domain.ExportFullHistory,
	}, func(domain.BlobStorageIntegration) error { return nil }, catalogtest.Tester)
	if err != nil {
		b.Fatal(err)
	}
	return stored
}

func (b blobTest) claimRun(server string) *exports.BlobRun {
	b.Helper()
	run, err := b.ClaimBlobRun(b.Context(), leases.Server{Name: server, Life: time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	return run
}

func (b blobTest) state() domain.BlobStorageIntegration {
	b.Helper()
	state, err := b.BlobStorageIntegration(b.Context(), b.owner, b.project)
	if err != nil {
		b.Fatal(err)
	}
	return state
}

func (b blobTest) wantStatus(when, status string) {
	b.Helper()
	state := b.state()
	if got := state.SyncStatus(b.DB.Now()); got != status {
		b.Errorf("%s it is %s, want %s", when, got, status)
	}
}

// TestBlobRunLife runs an integration when it is due, as often as its frequency says.
func TestBlobRunLife(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		b.wantStatus("before the first run", "idle")
		run := b.claimRun("one")
		if run == nil || run.Done != domain.NoMark || run.PlannedAt != nil || run.Attempts != 0 {
			b.Fatalf("the first run is %+v", run)
		}
		b.wantStatus("in the first run", "running")
		if other := b.claimRun("one"); other != nil {
			b.Fatalf("it runs twice: %+v", other)
		}
		upTo := domain.Mark{Observations: 7, Scores: 3}
		if err := b.PlanBlobRun(b.Context(), run, upTo); err != nil {
			b.Fatal(err)
		}
		run.Rows, run.Bytes = 11, 500
		if err := b.RenewBlobRun(b.Context(), run); err != nil {
			b.Fatal(err)
		}
		if p, err := b.BlobProgress(b.Context(), b.owner, b.project); err != nil || p == nil ||
			*p != (exports.BlobProgress{Rows: 11, Bytes: 500}) {
			b.Errorf("the progress is %+v, %v", p, err)
		}
		if mark, err := b.BlobMark(b.Context()); err != nil || mark != upTo {
			b.Errorf("it is about to export up to %+v, %v", mark, err)
		}
		began := *run.PlannedAt
		b.advance(time.Second)
		if err := b.FinishBlobRun(b.Context(), run, began.Add(time.Hour)); err != nil {
			b.Fatal(err)
		}
		if s := b.state(); s.LastSyncAt == nil || !s.LastSyncAt.Equal(began) || s.NextSyncAt == nil ||
			!s.NextSyncAt.Equal(began.Add(time.Hour)) {
			b.Errorf("after the run it is %+v", s)
		}
		b.wantStatus("after the first run", "up_to_date")
		if p, err := b.BlobProgress(b.Context(), b.owner, b.project); err != nil || p != nil {
			b.Errorf("after the run the progress is %+v, %v", p, err)
		}
		if run := b.claimRun("one"); run != nil {
			b.Fatalf("it runs before it is due: %+v", run)
		}
		b.advance(time.Hour)
		b.wantStatus("an hour later", "queued")
		if run := b.claimRun("one"); run == nil || run.Done != upTo {
			b.Errorf("the second run is %+v", run)
		}
	})
}

// TestBlobRunPlannedByAWrongClock: a run whose next time is further away than the frequency allows is due.
func TestBlobRunPlannedByAWrongClock(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		for _, c := range []struct {
			later time.Duration
			due   bool
		}{{time.Hour, false}, {90 * time.Minute, false}, {365 * 24 * time.Hour, true}, {24 * time.Hour, true}} {
			err := b.DB.Update(b.Context(), func(s tables.Session) error {
				_, err := s.Exec(b.Context(), "UPDATE blob_storage_integrations SET next_sync_at = ? WHERE project_id = ?",
					tables.Millis(b.DB.Now().Add(c.later)), b.project)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			run := b.claimRun("one")
			if (run != nil) != c.due {
				b.Errorf("an hourly run that is planned in %v is claimed: %v", c.later, run != nil)
			}
			if run != nil {
				if err := b.ReleaseBlobRun(b.Context(), run); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// TestBlobRunTakenOver has another server continue a run, with the same bounds, after its server died.
func TestBlobRunTakenOver(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		first := b.claimRun("one")
		upTo := domain.Mark{Observations: 7, Scores: 3}
		if err := b.PlanBlobRun(b.Context(), first, upTo); err != nil {
			b.Fatal(err)
		}
		if b.DB.SQL.Lock != nil { // on SQLite only one server runs, so the lease of another has ended
			b.advance(50 * time.Second)
			if err := b.RenewBlobRun(b.Context(), first); err != nil {
				b.Fatal(err)
			}
			b.advance(50 * time.Second)
			if run := b.claimRun("two"); run != nil {
				b.Fatalf("it was taken from a server that lives: %+v", run)
			}
			b.advance(11 * time.Second)
		}
		second := b.claimRun("two")
		if second == nil || second.Planned != upTo || second.PlannedAt == nil || !second.PlannedAt.Equal(*first.PlannedAt) ||
			second.Done != domain.NoMark {
			b.Fatalf("taken over as %+v", second)
		}
		ctx, again := b.Context(), b.DB.Now()
		catalogtest.WantError(b.T, "the first renews", b.RenewBlobRun(ctx, first), leases.ErrLost)
		catalogtest.WantError(b.T, "the first plans", b.PlanBlobRun(ctx, first, domain.Mark{Observations: 100}), leases.ErrLost)
		catalogtest.WantError(b.T, "the first fails", b.FailBlobRun(ctx, first, "no", &again), leases.ErrLost)
		catalogtest.WantError(b.T, "the first ends", b.FinishBlobRun(ctx, first, again), leases.ErrLost)
		if err := b.ReleaseBlobRun(ctx, first); err != nil { // it no longer holds the lease, so this does nothing
			b.Fatal(err)
		}
		if err := b.FinishBlobRun(ctx, second, second.PlannedAt.Add(time.Hour)); err != nil {
			b.Fatal(err)
		}
		if s := b.state(); s.LastError != nil || s.LastSyncAt == nil {
			b.Errorf("it is %+v", s)
		}
	})
}

// TestBlobRunGivenBack has another server immediately continue the run of a server that stops.
func TestBlobRunGivenBack(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		run := b.claimRun("one")
		if err := b.PlanBlobRun(b.Context(), run, domain.Mark{Observations: 1}); err != nil {
			b.Fatal(err)
		}
		if err := b.ReleaseBlobRun(b.Context(), run); err != nil {
			b.Fatal(err)
		}
		b.wantStatus("given back", "idle")
		if next := b.claimRun("two"); next == nil || next.Planned.Observations != 1 {
			b.Errorf("another goes on with %+v", next)
		}
	})
}

// TestBlobRunFails counts attempts until one succeeds, and disables an integration that somebody has to fix.
func TestBlobRunFails(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		ctx := b.Context()
		for attempt := range 3 {
			run := b.claimRun("one")
			if run == nil || run.Attempts != attempt {
				b.Fatalf("attempt %d is %+v", attempt, run)
			}
			again := b.DB.Now().Add(time.Minute)
			if err := b.FailBlobRun(ctx, run, "out of reach", &again); err != nil {
				b.Fatal(err)
			}
			b.wantStatus("after a failure", "error")
			if s := b.state(); s.LastError == nil || *s.LastError != "out of reach" || s.LastErrorAt == nil || !s.NextSyncAt.Equal(again) ||
				!s.Enabled {
				b.Errorf("after a failure it is %+v", s)
			}
			if run := b.claimRun("one"); run != nil {
				b.Fatal("it does not wait")
			}
			b.advance(time.Minute)
		}
		run := b.claimRun("one")
		if err := b.FailBlobRun(ctx, run, "no such bucket", nil); err != nil {
			b.Fatal(err)
		}
		b.wantStatus("when it must be mended", "disabled")
		b.advance(24 * time.Hour)
		if run := b.claimRun("one"); run != nil {
			b.Fatal("what is switched off runs")
		}
		_, err := b.BlobRunNow(ctx, b.owner, b.project, catalogtest.Tester)
		catalogtest.WantError(b.T, "run what is switched off", err, domain.ErrConflict)
		b.put(true)
		b.wantStatus("mended", "queued")
		run = b.claimRun("one")
		if run == nil || run.Attempts != 4 {
			b.Fatalf("mended, the run is %+v", run)
		}
		if err := b.PlanBlobRun(ctx, run, domain.Mark{}); err != nil {
			b.Fatal(err)
		}
		if err := b.FinishBlobRun(ctx, run, run.PlannedAt.Add(time.Hour)); err != nil {
			b.Fatal(err)
		}
		b.wantStatus("after a success", "up_to_date")
		b.advance(time.Hour)
		if run := b.claimRun("one"); run == nil || run.Attempts != 0 {
			b.Errorf("after a success the next run is %+v", run)
		}
	})
}

// TestBlobRunRecovers succeeds on the second attempt: the next run is due when it would have been without the failure.
func TestBlobRunRecovers(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		run := b.claimRun("one")
		if err := b.PlanBlobRun(b.Context(), run, domain.Mark{}); err != nil {
			b.Fatal(err)
		}
		if err := b.FailBlobRun(b.Context(), run, "out of reach", new(b.DB.Now().Add(time.Minute))); err != nil {
			b.Fatal(err)
		}
		b.advance(2 * time.Minute)
		run = b.claimRun("one")
		if run == nil || run.PlannedAt == nil {
			b.Fatalf("the second attempt is %+v", run)
		}
		next := run.PlannedAt.Add(time.Hour)
		if err := b.FinishBlobRun(b.Context(), run, next); err != nil {
			b.Fatal(err)
		}
		if s := b.state(); s.NextSyncAt == nil || !s.NextSyncAt.Equal(next) {
			b.Errorf("the next run is due at %v, want %v", s.NextSyncAt, next)
		}
		b.wantStatus("after the second attempt", "up_to_date")
	})
}

// TestBlobRunNow makes an integration due immediately, even one that waits after a failure, and again while it runs.
func TestBlobRunNow(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		ctx := b.Context()
		now := func() {
			b.Helper()
			if s, err := b.BlobRunNow(ctx, b.owner, b.project, catalogtest.Tester); err != nil || s.LastError != nil ||
				s.NextSyncAt == nil {
				b.Fatalf("it is %+v, %v", s, err)
			}
		}
		run := b.claimRun("one")
		if err := b.FailBlobRun(ctx, run, "out of reach", new(b.DB.Now().Add(time.Hour))); err != nil {
			b.Fatal(err)
		}
		now()
		b.wantStatus("after a failure and run now", "queued")
		if run = b.claimRun("one"); run == nil {
			b.Fatal("it does not run")
		}
		if err := b.PlanBlobRun(ctx, run, domain.Mark{}); err != nil {
			b.Fatal(err)
		}
		b.advance(time.Second)
		now() // rows that arrived since the plan must be exported as well
		b.wantStatus("in a run", "running")
		if err := b.FinishBlobRun(ctx, run, run.PlannedAt.Add(time.Hour)); err != nil {
			b.Fatal(err)
		}
		b.wantStatus("after the run that was under way", "queued")
		if run = b.claimRun("one"); run == nil {
			b.Error("it does not run again")
		}
		_, err := b.BlobRunNow(ctx, domain.OfOrganization("another"), b.project, catalogtest.Tester)
		catalogtest.WantError(b.T, "run that of another organization", err, domain.ErrNotFound)
	})
}

// TestBlobRunsAreShared makes an organization with many integrations leave room for others, however long its runs take.
func TestBlobRunsAreShared(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		many := []string{b.project}
		for _, name := range []string{"second", "third"} {
			p, err := b.CreateProject(b.Context(), b.owner, tenants.NewProject{Name: name}, catalogtest.Tester)
			if err != nil {
				b.Fatal(err)
			}
			b.project = p.ID
			b.put(true)
			many = append(many, p.ID)
		}
		first, second := b.claimRun("one"), b.claimRun("one")
		if first == nil || second == nil || !slices.Contains(many, first.ProjectID) || !slices.Contains(many, second.ProjectID) {
			b.Fatalf("two runs are %+v and %+v", first, second)
		}
		if third := b.claimRun("one"); third != nil {
			b.Errorf("an organization has three runs: %+v", third)
		}
		other, p := catalogtest.Seed(b.T, b.Catalog, "other")
		b.owner, b.project = other, p.ID
		b.put(true)
		if run := b.claimRun("one"); run == nil || run.ProjectID != p.ID {
			b.Errorf("the next run is %+v, want that of the other organization", run)
		}
	})
}

// TestStartedOverBlobRun: a run whose integration starts over neither goes on nor counts as the new one.
func TestStartedOverBlobRun(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		first := b.claimRun("one#1")
		if err := b.PlanBlobRun(b.Context(), first, domain.Mark{Observations: 7, Scores: 3}); err != nil {
			b.Fatal(err)
		}
		if _, err := b.PutBlobStorageIntegration(b.Context(), b.owner, domain.BlobStorageIntegration{
			ProjectID: b.project, Type: domain.BlobS3, BucketName: "bucket", ExportFrequency: "hourly", Enabled: true, FileType: "CSV",
			ExportMode: domain.ExportFromToday,
		}, func(domain.BlobStorageIntegration) error { return nil }, catalogtest.Tester); err != nil {
			b.Fatal(err)
		}
		second := b.claimRun("one#2") // before it notices
		if err := b.PlanBlobRun(b.Context(), second, domain.Mark{Observations: 9, Scores: 3}); err != nil {
			b.Fatal(err)
		}
		catalogtest.WantError(b.T, "renewed", b.RenewBlobRun(b.Context(), first), leases.ErrLost)
		catalogtest.WantError(b.T, "finished", b.FinishBlobRun(b.Context(), first, b.DB.Now()), leases.ErrLost)
		if err := b.FinishBlobRun(b.Context(), second, b.DB.Now()); err != nil {
			b.Error(err)
		}
	})
}

// TestBlobRunOfDisabledIntegration: disabling an integration ends its run, whose failure does not enable it again.
func TestBlobRunOfDisabledIntegration(t *testing.T) {
	onBothWithBlobRuns(t, func(b blobTest) {
		run := b.claimRun("one")
		b.put(false)
		catalogtest.WantError(b.T, "renewing the run", b.RenewBlobRun(b.Context(), run), leases.ErrLost)
		catalogtest.WantError(b.T, "the failure of the run", b.FailBlobRun(b.Context(), run, "too slow", new(b.DB.Now())), leases.ErrLost)
		if b.state().Enabled {
			b.Error("it is enabled again")
		}
	})
}
