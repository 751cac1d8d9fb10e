package catalog_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/sqldb"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
	"almanac/test/programs"
)

// ear records the changes that a subscriber receives.
type ear struct {
	mu    sync.Mutex
	heard []tables.Change
}

func (e *ear) tell(c tables.Change) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, c)
}

// take returns the changes received since the last call.
func (e *ear) take() []tables.Change {
	e.mu.Lock()
	defer e.mu.Unlock()
	heard := e.heard
	e.heard = nil
	return heard
}

// await waits until a change is received and returns how long that took.
func (e *ear) await(t *testing.T, want tables.Change) time.Duration {
	t.Helper()
	began := time.Now()
	for time.Since(began) < 10*time.Second {
		e.mu.Lock()
		n := slices.Index(e.heard, want)
		if n >= 0 {
			e.heard = e.heard[n+1:]
		}
		e.mu.Unlock()
		if n >= 0 {
			return time.Since(began)
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("did not hear of %+v", want)
	return 0
}

// listen runs Listen until the end of the test and returns its log.
func listen(t *testing.T, c *catalogtest.Catalog) *programs.Output {
	t.Helper()
	log := new(programs.Output)
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { c.Listen(ctx, slog.New(slog.NewTextHandler(log, nil))) })
	t.Cleanup(func() { stop(); work.Wait() })
	return log
}

func TestChangesAreToldBeforeTheyReturn(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		e := new(ear)
		c.Subscribe(e.tell)
		organization, project := catalogtest.Seed(t, c, "o")
		key, err := c.CreateKey(t.Context(), organization, tenants.NewKey{ProjectID: project.ID, PublicKey: "pk", SecretHash: "x"},
			catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		want := []tables.Change{
			{Kind: tables.KindOrganization, OrganizationID: "o"},
			{Kind: tables.KindProject, OrganizationID: "o", ProjectID: project.ID},
			{Kind: tables.KindKey, OrganizationID: "o", ProjectID: project.ID},
		}
		if d := cmp.Diff(want, e.take()); d != "" {
			t.Errorf("told of (-want +got):\n%s", d)
		}
		if _, err := c.CreateKey(t.Context(), organization, tenants.NewKey{ProjectID: project.ID, PublicKey: "pk"},
			catalogtest.Tester); !errors.Is(err, domain.ErrConflict) {
			t.Fatal(err)
		}
		if got := e.take(); got != nil {
			t.Errorf("told of %v though nothing was changed", got)
		}
		if _, err := c.DeleteProjectKey(t.Context(), organization, project.ID, key.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.RecordDeletion(t.Context(), domain.OfProject(project.ID), "trace", []string{"a", "b", "c"},
			catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.Announce(t.Context(), tables.Change{Kind: tables.KindKey}); err != nil {
			t.Fatal(err)
		}
		want = []tables.Change{
			{Kind: tables.KindKey, OrganizationID: "o", ProjectID: project.ID},
			{Kind: "trace", OrganizationID: "o", ProjectID: project.ID},
			{Kind: tables.KindKey},
		}
		if d := cmp.Diff(want, e.take()); d != "" {
			t.Errorf("told of (-want +got):\n%s", d)
		}
	})
}

// TestOtherServersHear measures how long it takes until another server learns of a change.
func TestOtherServersHear(t *testing.T) {
	address := pgtest.URL(t)
	here, there := catalogtest.Open(t, address), catalogtest.Open(t, address)
	e := new(ear)
	there.Subscribe(e.tell)
	listen(t, there)
	e.await(t, tables.Change{})
	organization, project := catalogtest.Seed(t, here, "o")
	e.await(t, tables.Change{Kind: tables.KindProject, OrganizationID: "o", ProjectID: project.ID})
	var longest time.Duration
	for range 20 {
		if _, err := here.CreateKey(t.Context(), organization, tenants.NewKey{
			ProjectID: project.ID, PublicKey: domain.NewID(), SecretHash: "x",
		}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		longest = max(longest, e.await(t, tables.Change{Kind: tables.KindKey, OrganizationID: "o", ProjectID: project.ID}))
	}
	t.Logf("the longest of 20 took %v", longest)
	if longest > time.Second {
		t.Errorf("a change was heard of after %v", longest)
	}
	// An id that is too long for a notification.
	long := strings.Repeat("x", 8000)
	if _, err := here.CreateProject(t.Context(), organization, tenants.NewProject{ID: long, Name: "long"}, catalogtest.Tester); err != nil {
		t.Fatal(err)
	}
	e.await(t, tables.Change{})
}

// TestDeafServer has a server whose notifications get lost because it sends them to another database: it invalidates
// its caches again and again.
func TestDeafServer(t *testing.T) {
	here, there := pgtest.URL(t), pgtest.URL(t)
	c, other := catalogtest.Open(t, here), catalogtest.Open(t, there)
	c.DB.SQL.Listen = sqldb.Listener(here, other.DB.SQL.Write, 50*time.Millisecond)
	e := new(ear)
	c.Subscribe(e.tell)
	log := listen(t, c)
	for range 2 {
		e.await(t, tables.Change{})
	}
	if strings.Count(log.String(), "did not arrive") != 1 || strings.Contains(log.String(), "again") {
		t.Errorf("the log says:\n%s", log)
	}
}

// TestDatabaseIsRestarted stops the database under a server that listens and runs a job: both resume without help.
func TestDatabaseIsRestarted(t *testing.T) {
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	c := catalogtest.Open(t, server.URL("postgres"))
	e := new(ear)
	c.Subscribe(e.tell)
	log := listen(t, c)
	e.await(t, tables.Change{})
	events := runAlone(t, c)
	if got := <-events; got != "begins" {
		t.Fatalf("the job %s", got)
	}

	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-events:
		if got != "ends" {
			t.Errorf("the job %s", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("the job goes on without a database")
	}
	e.take()
	if err := server.Resume(); err != nil {
		t.Fatal(err)
	}
	t.Logf("heard again after %v", e.await(t, tables.Change{}))
	if got := <-events; got != "begins" {
		t.Errorf("the job %s", got)
	}
	if _, err := c.CreateOrganization(t.Context(), "o", "O", catalogtest.Tester); err != nil {
		t.Fatal(err)
	}
	e.await(t, tables.Change{Kind: tables.KindOrganization, OrganizationID: "o", ProjectID: ""}) // from this catalog
	e.await(t, tables.Change{Kind: tables.KindOrganization, OrganizationID: "o", ProjectID: ""}) // from the database
	for _, want := range []string{"cannot listen for catalog changes", "listening for catalog changes again"} {
		if strings.Count(log.String(), want) != 1 {
			t.Errorf("the log says not once %q:\n%s", want, log)
		}
	}
}

// runExclusive runs a job under a lock until ctx is done, again whenever the lock was lost.
func runExclusive(ctx context.Context, c *catalogtest.Catalog, job func(context.Context)) {
	for ctx.Err() == nil {
		if err := c.WithLock(ctx, "job", func(ctx context.Context) error { job(ctx); return nil }); err != nil {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// runAlone runs a job until the end of the test and reports when it begins and ends.
func runAlone(t *testing.T, c *catalogtest.Catalog) <-chan string {
	t.Helper()
	events := make(chan string, 10)
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		runExclusive(ctx, c, func(ctx context.Context) {
			events <- "begins"
			<-ctx.Done()
			events <- "ends"
		})
	})
	t.Cleanup(func() { stop(); work.Wait() })
	return events
}

func TestJobsRunAlone(t *testing.T) {
	address := pgtest.URL(t)
	var running, most, runs int
	var mu sync.Mutex
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		running += by
		most, runs = max(most, running), runs+max(by, 0)
	}
	var work sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 3 {
		c := catalogtest.Open(t, address)
		one, leave := context.WithCancel(ctx)
		work.Go(func() {
			runExclusive(one, c, func(ctx context.Context) {
				count(1)
				time.AfterFunc(200*time.Millisecond, leave) // the server stops, and the next one takes over
				<-ctx.Done()
				time.Sleep(100 * time.Millisecond) // it finishes its work
				count(-1)
			})
		})
	}
	work.Wait()
	if most != 1 || runs != 3 {
		t.Errorf("%d servers had the job at once, %d runs of 3", most, runs)
	}
}

func TestWithLock(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		broken := errors.New("broken")
		catalogtest.WantError(t, "what f returns", c.WithLock(t.Context(), "x", func(context.Context) error { return broken }), broken)
		if err := c.WithLock(t.Context(), "x", func(ctx context.Context) error {
			return c.WithLock(ctx, "y", func(context.Context) error { return nil }) // another name does not wait
		}); err != nil {
			t.Error(err)
		}
	})
	t.Run("given up", func(t *testing.T) {
		c := catalogtest.Open(t, pgtest.URL(t))
		err := c.WithLock(t.Context(), "x", func(ctx context.Context) error {
			limited, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
			return c.WithLock(limited, "x", func(context.Context) error { return nil })
		})
		catalogtest.WantError(t, "waiting for oneself", err, context.DeadlineExceeded)
	})
}
