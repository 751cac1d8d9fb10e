// Package inherit completes stored observations with what their traces have: the user, session, version and tags that
// clients set on another span of the trace, most often the root, which ends and is sent last. Within an export that is
// done before the rows are stored (domain.HandDown). This package follows what arrives in the event store, and amends the
// observations of traces whose spans come in several exports. See docs/decisions.
package inherit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/jobs"
	"almanac/internal/store"
)

// KindName is the name of the job.
const KindName = "inheritance"

const (
	// every is how often the job looks for what has arrived.
	every = time.Second
	// turn is how long a server keeps the job. It is short since a job whose server is killed twice is not begun again
	// soon.
	turn = 10 * time.Second
)

// Job completes observations. It is a single recurring job of all servers.
type Job struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Log     *slog.Logger

	every    time.Duration // how often the job looks for what has arrived
	settling time.Duration // see New
	added    bool          // there is a row for the job; only claims use it

	mu      sync.Mutex
	known   bool
	at      catalog.Position
	prompt  int64     // what arrived up to here was worked on by this server
	planned time.Time // when the mark of the position was recorded
	large   map[store.ArrivedTrace]time.Time
}

// New returns the job.
func New(c *catalog.Catalog, s store.Store, log *slog.Logger) *Job {
	j := &Job{Catalog: c, Store: s, Log: log, every: every}
	if delay := s.VisibilityDelay(); delay > 0 {
		j.settling = delay + 2*jobs.Poll // until every server knows the mark, and pending writes are visible
	}
	return j
}

// Kind returns the kind of the job.
func (j *Job) Kind() jobs.Kind {
	return jobs.Kind{
		Name: KindName, AtOnce: 1, Poll: every, Claim: j.claim,
		Concerns: func(change tables.Change) bool { return change.Kind == catalog.KindJob },
	}
}

// Reconcile reconciles the position with the event store. It must be called before rows are appended: a store that was
// restored from a backup may lack amendments, and then everything is looked at again.
func (j *Job) Reconcile(ctx context.Context) error {
	at, err := j.Catalog.PositionOf(ctx, KindName)
	if err != nil {
		return err
	}
	if from := j.Store.Resume(store.Mark{Observations: at.Mark}).Observations; from < at.Mark {
		j.Log.Warn("the event store is behind: its traces are completed again", "completed", at.Mark, "stored", from)
		at = catalog.Position{}
	}
	j.begin(at)
	return nil
}

// begin sets the position.
func (j *Job) begin(at catalog.Position) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.known, j.at, j.prompt, j.planned = true, at, at.Read, time.Now()
}

func (j *Job) claim(ctx context.Context, by leases.Server) (jobs.Job, error) {
	if j.settling == 0 && j.idle() {
		return nil, nil
	}
	if !j.added {
		if err := j.Catalog.AddRecurring(ctx, KindName, KindName); err != nil {
			return nil, err
		}
		j.added = true
	}
	at, err := j.Catalog.PositionOf(ctx, KindName)
	if err != nil {
		return nil, err
	}
	if j.settling > 0 { // another server may work on what this one appends
		j.Store.Resume(store.Mark{Observations: at.Mark})
	}
	lease, err := j.Catalog.ClaimRecurring(ctx, by, KindName, []string{KindName})
	if err != nil || lease == nil {
		return nil, err
	}
	if at, err = j.Catalog.PositionOf(ctx, KindName); err != nil {
		return nil, err
	}
	j.mu.Lock()
	other := at != j.at && j.settling > 0 // another server had it
	j.mu.Unlock()
	if other {
		j.begin(at)
	}
	return &run{j, lease}, nil
}

// idle reports whether nothing has arrived that this server has not worked on. It is the only one.
func (j *Job) idle() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.known && j.Store.Mark().Observations == j.prompt
}

// run is the job while this server has it.
type run struct {
	*Job
	lease *catalog.RecurringJob
}

// Project implements jobs.Job.
func (r *run) Project() string { return "" }

// Attributes implements jobs.Job.
func (r *run) Attributes() []any { return nil }

// Result implements jobs.Job.
func (r *run) Result() []any { return nil }

// Work implements jobs.Job.
func (r *run) Work(ctx context.Context) error {
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	for end := time.Now().Add(turn); time.Now().Before(end); {
		if err := r.Step(ctx); err != nil {
			return err
		}
		if r.settling == 0 && r.idle() {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return r.Renew(ctx)
}

// Renew implements jobs.Job.
func (r *run) Renew(ctx context.Context) error {
	r.mu.Lock()
	at := r.at
	r.mu.Unlock()
	return r.Catalog.RenewAt(ctx, r.lease, at)
}

// Release implements jobs.Job.
func (r *run) Release(ctx context.Context) error { return r.Catalog.ReleaseRecurring(ctx, r.lease) }

// Finish implements jobs.Job.
func (r *run) Finish(ctx context.Context, failure error) error {
	if failure == nil {
		return r.Catalog.FinishRecurring(ctx, r.lease, "", 0)
	}
	again := jobs.Backoff{Shortest: every, Longest: time.Minute}.After(r.lease.Failures)
	return r.Catalog.FinishRecurring(ctx, r.lease, "Observations could not be completed. The log of the server says why.", again)
}

// reach sets the position that is recorded with the next renewal of the lease.
func (j *Job) reach(at catalog.Position) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.at = at
}

// Step works on what has arrived since the last step. Where rows may become visible with numbers below those that are
// visible already, everything is looked at a second time, once no such row can appear any more; only that counts as read.
func (j *Job) Step(ctx context.Context) error {
	j.mu.Lock()
	at, prompt, planned := j.at, j.prompt, j.planned
	j.mu.Unlock()
	mark := j.Store.Mark().Observations
	prompt, err := j.follow(ctx, store.Window{After: prompt, UpTo: mark}, func(done int64) {
		if j.settling == 0 {
			j.reach(catalog.Position{Read: done, Mark: mark})
		}
	})
	if err == nil && j.settling > 0 && time.Since(planned) >= j.settling && at.Mark > at.Read {
		at.Read, err = j.follow(ctx, store.Window{After: at.Read, UpTo: at.Mark}, func(done int64) {
			j.reach(catalog.Position{Read: done, Mark: at.Mark})
		})
	}
	switch {
	case j.settling == 0:
		at = catalog.Position{Read: prompt, Mark: j.Store.Mark().Observations}
	case at.Read == at.Mark:
		at.Mark, planned = mark, time.Now()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.at, j.prompt, j.planned = at, prompt, planned
	return err
}
