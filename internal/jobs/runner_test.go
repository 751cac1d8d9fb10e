package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/tables"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/test/catalogtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a table with jobs that add steps up to a total, one transaction each, and its servers.
type world struct {
	*testing.T
	db       *tables.DB
	table    leases.Table
	budget   *memory.Budget
	registry *prometheus.Registry
	log      *logged
	poll     time.Duration
	// step is called before each step of a job.
	step func(ctx context.Context, id string) error
}

// logged is a log that can be read while it is written.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func onBoth(t *testing.T, test func(w *world)) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) { test(newWorld(t, c)) })
}

func newWorld(t *testing.T, c *catalogtest.Catalog) *world {
	w := &world{
		T: t, db: c.DB, registry: prometheus.NewRegistry(), log: new(logged), poll: 10 * time.Millisecond,
		step: func(context.Context, string) error { return nil },
		table: leases.Table{
			Name: "sums", Key: "id", From: "sums", Still: "state = 'queued'", Tenant: "tenant", MaxOfTenant: 2, Since: "id",
			GiveUp: func(ctx context.Context, s tables.Session, id string) error {
				_, err := s.Exec(ctx, "UPDATE sums SET state = 'given up' WHERE id = ?", id)
				return err
			},
		},
	}
	w.exec(`CREATE TABLE sums (id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, state TEXT NOT NULL, steps BIGINT NOT NULL, done BIGINT NOT NULL,
		failures BIGINT NOT NULL, due BIGINT NOT NULL, leased_by TEXT, leased_until BIGINT, unfinished BIGINT NOT NULL DEFAULT 0)`)
	return w
}

func (w *world) exec(statement string, args ...any) {
	w.Helper()
	if err := w.db.Update(w.Context(), func(s tables.Session) error {
		_, err := s.Exec(w.Context(), statement, args...)
		s.Note(tables.Change{Kind: "sum"})
		return err
	}); err != nil {
		w.Fatal(err)
	}
}

func (w *world) add(id, tenant string, steps int) {
	w.Helper()
	w.exec("INSERT INTO sums (id, tenant, state, steps, done, failures, due) VALUES (?, ?, 'queued', ?, 0, 0, 0)", id, tenant, steps)
}

func (w *world) kind() jobs.Kind {
	return jobs.Kind{
		Name: "sum", AtOnce: 3, Poll: w.poll, Concerns: func(change tables.Change) bool { return change.Kind == "sum" },
		Claim: func(ctx context.Context, by leases.Server) (jobs.Job, error) {
			l, err := tables.Transact(ctx, w.db, func(s tables.Session) (*leases.Lease, error) {
				now, err := leases.Now(ctx, s)
				if err != nil {
					return nil, err
				}
				return w.table.Claim(ctx, s, by, now, tables.SQL("state = 'queued' AND due <= ?", now), tables.Query{})
			})
			if err != nil || l == nil {
				return nil, err
			}
			return &sum{w, l}, nil
		},
	}
}

// server starts a server and returns a function that stops it.
func (w *world) server(registry prometheus.Registerer) (stop func()) {
	r := jobs.New(jobs.Options{Memory: w.budget, Registry: registry, Log: slog.New(slog.NewTextHandler(w.log, nil))}, w.kind())
	w.db.Subscribe(r.Notice)
	ctx, cancel := context.WithCancel(w.Context())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}

// read returns columns of a job.
func (w *world) read(id string) (state string, done, failures int) {
	w.Helper()
	type row struct {
		state          string
		done, failures int
	}
	r, err := tables.QueryOne(w.Context(), w.db.Reader(), func(r tables.Row) (v row, err error) {
		err = r.Scan(&v.state, &v.done, &v.failures)
		return v, err
	}, "SELECT state, done, failures FROM sums WHERE id = ?", id)
	if err != nil {
		w.Fatal(err)
	}
	return r.state, r.done, r.failures
}

func (w *world) await(id, want string) {
	w.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if state, done, _ := w.read(id); state == want {
			return
		} else if time.Now().After(end) {
			w.Fatalf("%s is %s after %d steps: %s", id, state, done, w.log)
		}
	}
}

// sum is a job.
type sum struct {
	*world
	lease *leases.Lease
}

func (j *sum) Project() string   { return "p" }
func (j *sum) Attributes() []any { return []any{"id", j.lease.ID} }
func (j *sum) Result() []any     { return nil }

func (j *sum) update(ctx context.Context, f func(tables.Session) error) error {
	return j.db.Update(ctx, f)
}

func (j *sum) Renew(ctx context.Context) error {
	return j.update(ctx, func(s tables.Session) error { return j.lease.Renew(ctx, s, tables.Query{}) })
}

func (j *sum) Work(ctx context.Context) error {
	for {
		if err := j.step(ctx, j.lease.ID); err != nil {
			return err
		}
		steps, done := int64(0), int64(0)
		err := j.update(ctx, func(s tables.Session) error { // a checkpoint
			return j.lease.Renew(ctx, s, tables.SQL("done = done + 1"))
		})
		if err == nil {
			_, err = tables.QueryOne(ctx, j.db.Reader(), func(r tables.Row) (int, error) { return 0, r.Scan(&steps, &done) },
				"SELECT steps, done FROM sums WHERE id = ?", j.lease.ID)
		}
		if err != nil || done >= steps {
			return err
		}
	}
}

func (j *sum) Finish(ctx context.Context, failure error) error {
	return j.update(ctx, func(s tables.Session) error {
		s.Note(tables.Change{Kind: "sum"})
		if failure != nil {
			return j.lease.End(ctx, s, tables.SQL("failures = failures + 1"))
		}
		return j.lease.End(ctx, s, tables.SQL("state = 'done'"))
	})
}

func (j *sum) Release(ctx context.Context) error {
	return leases.Released(j.update(ctx, func(s tables.Session) error { return j.lease.End(ctx, s, tables.Query{}) }))
}

// TestServersShareJobs: every job is done once, and each by one server at a time.
func TestServersShareJobs(t *testing.T) {
	onBoth(t, func(w *world) {
		var mu sync.Mutex
		now := make(map[string]int)
		w.step = func(_ context.Context, id string) error {
			mu.Lock()
			defer mu.Unlock()
			if now[id]++; now[id] > 1 {
				t.Errorf("%s is worked on twice", id)
			}
			now[id]--
			return nil
		}
		for n := range 12 {
			w.add(strconv.Itoa(100+n), strconv.Itoa(n%3), 5)
		}
		defer w.server(nil)()
		if w.db.SQL.Lock != nil {
			defer w.server(nil)()
		}
		for n := range 12 {
			id := strconv.Itoa(100 + n)
			w.await(id, "done")
			if _, done, _ := w.read(id); done != 5 {
				t.Errorf("%s took %d steps", id, done)
			}
		}
	})
}

// TestStopInTheMiddle: a server that stops releases its jobs, and the next goes on from the last checkpoint.
func TestStopInTheMiddle(t *testing.T) {
	onBoth(t, func(w *world) {
		reached := make(chan struct{}, 100)
		w.step = func(ctx context.Context, id string) error {
			if _, done, _ := w.read(id); done == 3 {
				reached <- struct{}{}
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		w.add("1", "a", 5)
		stop := w.server(nil)
		<-reached
		stop()
		w.step = func(context.Context, string) error { return nil }
		defer w.server(nil)()
		w.await("1", "done")
		if _, done, failures := w.read("1"); done != 5 || failures != 0 {
			t.Errorf("%d steps, %d failures: %s", done, failures, w.log)
		}
	})
}

// TestLeaseLostWhileRunning: the work of a job that another server took over, or that was cancelled, ends, and changes
// nothing any more. A change is noticed at once.
func TestLeaseLostWhileRunning(t *testing.T) {
	for name, end := range map[string]string{
		"taken over": "UPDATE sums SET leased_by = 'another', state = 'elsewhere'",
		"cancelled":  "UPDATE sums SET state = 'cancelled', leased_by = NULL, leased_until = NULL",
		"deleted":    "DELETE FROM sums",
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(w *world) {
				began, ended := make(chan struct{}), make(chan error, 10)
				w.step = func(ctx context.Context, _ string) error {
					close(began)
					<-ctx.Done()
					ended <- context.Cause(ctx)
					return ctx.Err()
				}
				w.add("1", "a", 5)
				stop := w.server(w.registry)
				<-began
				w.exec(end)
				if err := <-ended; !errors.Is(err, leases.ErrLost) {
					t.Errorf("it ended with %v", err)
				}
				stop()
				if !strings.Contains(w.log.String(), "cancelled, changed, deleted or taken over") ||
					strings.Contains(w.log.String(), "failed") {
					t.Errorf("the log says %s", w.log)
				}
			})
		})
	}
}

// TestPanic: a job that panics fails, like any other, and its neighbours go on.
func TestPanic(t *testing.T) {
	onBoth(t, func(w *world) {
		w.step = func(_ context.Context, id string) error {
			if _, _, failures := w.read(id); id == "1" && failures < 2 {
				panic("no such thing")
			}
			return nil
		}
		w.add("1", "a", 2)
		w.add("2", "a", 2)
		stop := w.server(w.registry)
		w.await("2", "done")
		w.await("1", "done")
		stop()
		if _, _, failures := w.read("1"); failures != 2 {
			t.Errorf("it failed %d times", failures)
		}
		if text := w.log.String(); !strings.Contains(text, "no such thing") || !strings.Contains(text, "runner_test.go") {
			t.Errorf("the log does not say where: %s", text)
		}
		if err := testutil.GatherAndCompare(w.registry, strings.NewReader(`
			# HELP almanac_jobs_failed_total How often background jobs of this server failed, by kind, including those that are tried again.
			# TYPE almanac_jobs_failed_total counter
			almanac_jobs_failed_total{kind="sum"} 2
		`), "almanac_jobs_failed_total"); err != nil {
			t.Error(err)
		}
	})
}

// TestFairness: a project with one job does not wait for another with a hundred, of which only its share runs.
func TestFairness(t *testing.T) {
	onBoth(t, func(w *world) {
		running, most := 0, 0
		var mu sync.Mutex
		held := make(chan struct{})
		w.step = func(ctx context.Context, id string) error {
			if id == "modest" {
				return nil
			}
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			select {
			case <-held:
			case <-ctx.Done():
				return ctx.Err()
			}
			mu.Lock()
			running--
			mu.Unlock()
			return nil
		}
		for n := range 100 {
			w.add("greedy "+strconv.Itoa(n), "greedy", 1)
		}
		w.add("modest", "modest", 1)
		stop := w.server(nil)
		w.await("modest", "done")
		mu.Lock()
		if running > 2 || most > 2 {
			t.Errorf("%d of the greedy project run, at most %d", running, most)
		}
		mu.Unlock()
		close(held)
		w.await("greedy 99", "done")
		stop()
		if most > 2 {
			t.Errorf("%d of the greedy project ran", most)
		}
	})
}

// TestMemory: every job has a memory lease of its project.
func TestMemory(t *testing.T) {
	onBoth(t, func(w *world) {
		w.budget = memory.NewBudget(memory.SizesOf(64<<20), time.Second)
		w.step = func(ctx context.Context, _ string) error {
			if memory.Of(ctx) == nil {
				return errors.New("there is no lease")
			}
			return memory.Of(ctx).Grow(ctx, 1<<20)
		}
		w.add("1", "a", 3)
		stop := w.server(nil)
		w.await("1", "done")
		stop()
		if _, _, failures := w.read("1"); failures > 0 || w.budget.Held() > 0 {
			t.Errorf("%d failures, %d bytes are held", failures, w.budget.Held())
		}
	})
}

// TestOutcomeIsRecordedLater makes the catalog fail to record outcomes for a while: the same server records it once that
// is possible, and nobody repeats the job.
func TestOutcomeIsRecordedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, catalogtest.Open(t, catalogtest.File(t)))
		w.poll = jobs.Poll
		w.exec("CREATE TRIGGER full BEFORE UPDATE OF state ON sums BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
		w.add("1", "a", 2)
		defer w.server(nil)()
		time.Sleep(5 * jobs.LeaseLife)
		if state, done, _ := w.read("1"); state != "queued" || done != 2 {
			t.Errorf("it is %s after %d steps", state, done)
		}
		w.exec("DROP TRIGGER full")
		time.Sleep(jobs.LeaseLife)
		if state, done, _ := w.read("1"); state != "done" || done != 2 {
			t.Errorf("it is %s after %d steps: %s", state, done, w.log)
		}
	})
}

func TestBackoff(t *testing.T) {
	b := jobs.Backoff{Shortest: time.Minute, Longest: time.Hour}
	for _, random := range []float64{0, 0.5, 0.999} {
		b.Random = func() float64 { return random }
		for n, minutes := range []float64{1, 2, 4, 8, 16, 32, 60, 60} {
			want := time.Duration(minutes * (1 - random/5) * float64(time.Minute))
			if got := b.After(n); (got - want).Abs() > time.Millisecond {
				t.Errorf("after %d failures it waits for %v, want %v", n, got, want)
			}
		}
	}
	if got := b.After(1000); got > time.Hour || got < 40*time.Minute {
		t.Errorf("after very many it waits for %v", got)
	}
	b.Random = nil
	waits := make(map[time.Duration]bool)
	for range 4 {
		waits[b.After(3)] = true
	}
	if len(waits) == 1 {
		t.Error("all wait equally long")
	}
}

// TestClaimedAgain: a running job is cancelled and queued again, and its server claims it before the first run has
// noticed. The first run must not change anything any more.
func TestClaimedAgain(t *testing.T) {
	onBoth(t, func(w *world) {
		r := jobs.New(jobs.Options{Log: slog.New(slog.NewTextHandler(w.log, nil))}, w.kind())
		var calls atomic.Int32
		again, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		w.step = func(context.Context, string) error {
			switch calls.Add(1) {
			case 1:
				w.exec("UPDATE sums SET leased_by = NULL, leased_until = NULL, unfinished = 0")
				go func() { _, err := r.Step(w.Context()); ended <- err }()
				<-again
			case 2:
				close(again)
				<-goOn
			}
			return nil
		}
		w.add("1", "a", 1)
		if _, err := r.Step(w.Context()); err != nil {
			t.Fatal(err)
		}
		if state, _, _ := w.read("1"); state != "queued" {
			t.Errorf("the first run made it %s", state)
		}
		close(goOn)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if state, _, _ := w.read("1"); state != "done" {
			t.Errorf("the second run left it %s: %s", state, w.log)
		}
	})
}

// TestUnansweredClaim: the database commits a claim, but the connection breaks before it says so. The job is claimed
// again when its lease has expired.
func TestUnansweredClaim(t *testing.T) {
	onBoth(t, func(w *world) {
		kind := w.kind()
		claim, broken := kind.Claim, true
		kind.Claim = func(ctx context.Context, by leases.Server) (jobs.Job, error) {
			job, err := claim(ctx, by)
			if broken {
				broken = false
				return nil, errors.New("conn closed")
			}
			return job, err
		}
		r := jobs.New(jobs.Options{Log: slog.New(slog.NewTextHandler(w.log, nil))}, kind)
		w.add("1", "a", 1)
		if _, err := r.Step(w.Context()); err == nil {
			t.Fatal("the claim was answered")
		}
		w.exec("UPDATE sums SET leased_until = 0")
		if ran, err := r.Step(w.Context()); err != nil || !ran {
			t.Errorf("it was claimed again: %v, %v", ran, err)
		}
		if state, _, _ := w.read("1"); state != "done" {
			t.Errorf("it is %s", state)
		}
	})
}
