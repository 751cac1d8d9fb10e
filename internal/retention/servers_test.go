package retention

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/media"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/catalogtest"
	"almanac/test/failing"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// servers are two servers of one database and one event store.
type servers struct {
	*testing.T
	model    *storetest.Model
	catalogs [2]*catalogtest.Catalog
	later    time.Duration // by how much the clock of the database was moved
}

// after moves the clock of the database.
func (s *servers) after(d time.Duration) {
	s.later += d
	for _, c := range s.catalogs {
		c.DB.SQL.Clock = fmt.Sprintf("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + %d", s.later.Milliseconds())
	}
}

// job returns the job of a server whose clock has been steady for a while.
func (s *servers) job(server int, events store.Store) *Job {
	s.Helper()
	blobs, err := blob.OpenDirectory(s.TempDir())
	if err != nil {
		s.Fatal(err)
	}
	c := s.catalogs[server].Catalog
	return &Job{
		Catalog: c, Store: events, Media: &media.Library{Catalog: c, Blobs: blobs}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		began: time.Now().Add(-steady), clock: steadiness{clock: time.Now().UnixNano(), passed: steady},
	}
}

// run runs all that is due on a server, and returns how much that was.
func (s *servers) run(j *Job) (ran int) {
	s.Helper()
	for {
		found, err := j.runner().Step(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		if !found {
			return ran
		}
		ran++
	}
}

// TestServersShareRetention suspends a server at each moment of its work, for longer than its lease lasts. Another server
// goes on, and the first one wakes up: every row is counted once and deleted.
func TestServersShareRetention(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		if c.DB.SQL.Clock == "" {
			return // only one server can use SQLite
		}
		s := &servers{T: t, model: storetest.NewModel(), catalogs: [2]*catalogtest.Catalog{c, catalogtest.Open(t, address)}}
		organization, _ := catalogtest.Seed(t, c, "org")
		if err := c.AddRecurring(t.Context(), KindName, "retention-by-age"); err != nil {
			t.Fatal(err)
		}
		for at, calls := -1, 1; at < calls; at++ { // the first time undisturbed
			p, err := c.CreateProject(t.Context(), organization, tenants.NewProject{Name: fmt.Sprint("p", at), RetentionDays: 7},
				catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			row := domain.Observation{
				TraceID: "t", ID: "o", StartTime: domain.MicrosOf(time.Now().AddDate(0, 0, -20)), TotalCost: domain.FloatOf(1),
			}
			if err := s.model.Observations().Append(t.Context(), domain.OfProject(p.ID), []domain.Observation{row}); err != nil {
				t.Fatal(err)
			}
			suspended := &failing.Interleaved{Store: s.model, At: at, Happen: func() {
				if ran := s.run(s.job(1, s.model)); ran != 0 {
					t.Errorf("before call %d: another server does the same at the same time", at)
				}
				s.after(jobs.LeaseLife + time.Second)
				if ran := s.run(s.job(1, s.model)); ran != 1 {
					t.Errorf("before call %d: the other server took over %d jobs", at, ran)
				}
			}}
			s.after(everyRetention)
			if ran := s.run(s.job(0, suspended)); ran != 1 {
				t.Errorf("%d jobs were due", ran)
			}
			calls = max(calls, suspended.Calls) // there are fewer if there is nothing left to do
			for _, kind := range totalsKinds {
				totals, err := c.DailyTotals(t.Context(), domain.OfProject(p.ID), kind.by, 0, 1<<40, false)
				if err != nil || len(totals) != 1 || totals[0].Observations != 1 || totals[0].TotalCost != 1 {
					t.Errorf("suspended before call %d: by %s there are %+v, %v", at, kind.by, totals, err)
				}
			}
			if left := (&Job{Store: s.model}).left(t, p.ID); len(left) != 0 {
				t.Errorf("suspended before call %d: %q are left", at, left)
			}
			if err := c.DeleteProject(t.Context(), organization, p.ID, catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
			if t.Failed() {
				return
			}
		}
	})
}

// TestServersOfTheFirstVersion hold a lock as long as they run, and no leases: nothing is deleted beside them.
func TestServersOfTheFirstVersion(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, address string) {
		if c.DB.SQL.Clock == "" {
			return // only one server can use SQLite
		}
		s := &servers{T: t, model: storetest.NewModel(), catalogs: [2]*catalogtest.Catalog{c, catalogtest.Open(t, address)}}
		organization, _ := catalogtest.Seed(t, c, "org")
		if err := c.AddRecurring(t.Context(), KindName, "retention-by-age"); err != nil {
			t.Fatal(err)
		}
		p, err := c.CreateProject(t.Context(), organization, tenants.NewProject{Name: "p", RetentionDays: 7}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		row := domain.Observation{TraceID: "t", ID: "o", StartTime: domain.MicrosOf(time.Now().AddDate(0, 0, -20))}
		if err := s.model.Observations().Append(t.Context(), domain.OfProject(p.ID), []domain.Observation{row}); err != nil {
			t.Fatal(err)
		}
		if err := s.catalogs[1].WithLock(t.Context(), "retention", func(ctx context.Context) error {
			ctx, stop := context.WithTimeout(ctx, 200*time.Millisecond)
			defer stop()
			_, err := s.job(0, s.model).runner().Step(ctx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if left := (&Job{Store: s.model}).left(t, p.ID); len(left) != 1 {
			t.Error("rows were deleted while another server may delete them")
		}
		if ran := s.run(s.job(0, s.model)); ran != 1 {
			t.Errorf("%d jobs ran afterwards", ran)
		}
		if left := (&Job{Store: s.model}).left(t, p.ID); len(left) != 0 {
			t.Errorf("afterwards %q are left", left)
		}
	})
}
