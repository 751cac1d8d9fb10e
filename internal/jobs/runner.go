// Package jobs runs work in the background that outlives a request, such as exports. A job is a row of the catalog that
// a server leases (package leases): it survives the server, several servers share the jobs, and no job runs twice at the
// same time. A kind of job is described by a Kind, and what there is to do by a Job; the runner does the rest.
package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
)

const (
	// LeaseLife is how long a server keeps a lease that it does not renew.
	LeaseLife = 30 * time.Second
	// renewal is how often a server renews its leases.
	renewal = LeaseLife / 6
	// Poll is how long a server usually waits before it looks for jobs that it was not notified of.
	Poll = 10 * time.Second
)

// Kind is a kind of jobs.
type Kind struct {
	Name string
	// AtOnce is how many jobs of this kind a server runs concurrently.
	AtOnce int
	// Poll is how long a server waits before it looks for jobs that it was not notified of.
	Poll time.Duration
	// Concerns reports whether a change of the catalog may have made a job due, or a running one unwanted.
	Concerns func(tables.Change) bool
	// Claim leases the next job to a server. It returns nil if there is none.
	Claim func(context.Context, leases.Server) (Job, error)
}

// Job is a job that is leased to this server.
type Job interface {
	// Project returns the project that the job works for, to which its memory is counted; empty for none.
	Project() string
	// Attributes returns what the log says of the job, and Result what it says of its outcome besides; nil if that is
	// worth no line.
	Attributes() []any
	Result() []any
	// Work does the work. Its context carries a memory lease, as that of a request does, and ends when the server stops
	// or the job's lease is lost. An error that is recorded is for Finish to explain.
	Work(ctx context.Context) error
	// Renew extends the lease and stores the progress. It is called while Work runs.
	Renew(ctx context.Context) error
	// Finish ends the lease and records that the job is done or, if failure is not nil, that it failed and when it is
	// tried again, if at all.
	Finish(ctx context.Context, failure error) error
	// Release ends the lease of a job that the server abandons because it stops. The next server goes on with it.
	Release(ctx context.Context) error
}

// Options has what a runner needs.
type Options struct {
	// Memory is the budget from which every job has a lease. Nil, which bounds nothing, is for tests.
	Memory *memory.Budget
	// Registry has the metrics; nil for none.
	Registry prometheus.Registerer
	Log      *slog.Logger
}

// Runner runs the jobs of a server. One that is killed loses its leases; one that stops releases them.
type Runner struct {
	Options
	server leases.Server
	kinds  []*queue
	failed *prometheus.CounterVec
}

// queue is a kind with what the server knows of its jobs.
type queue struct {
	Kind
	wake chan struct{}

	mu      sync.Mutex
	changed map[chan struct{}]bool // of the running jobs: they may have become unwanted
	working map[Job]string         // the names with which the running jobs were claimed
}

// New returns a runner for jobs of some kinds.
func New(o Options, kinds ...Kind) *Runner {
	host, err := os.Hostname()
	if err != nil {
		host = "server"
	}
	r := &Runner{Options: o, server: leases.Server{Name: host + "/" + domain.NewID(), Life: LeaseLife}}
	r.failed = promauto.With(o.Registry).NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_jobs_failed_total",
		Help: "How often background jobs of this server failed, by kind, including those that are tried again.",
	}, []string{"kind"})
	for _, kind := range kinds {
		r.kinds = append(r.kinds, &queue{
			Kind: kind, wake: make(chan struct{}, 1), changed: make(map[chan struct{}]bool), working: make(map[Job]string),
		})
		r.failed.WithLabelValues(kind.Name)
	}
	return r
}

// Kinds returns the names of the kinds.
func (r *Runner) Kinds() []string {
	var names []string
	for _, q := range r.kinds {
		names = append(names, q.Name)
	}
	return names
}

// Notice is called on changes of the catalog: there may be work, or running work may have become unwanted.
func (r *Runner) Notice(change tables.Change) {
	for _, q := range r.kinds {
		if change.Kind == "" || q.Concerns(change) {
			q.notice()
		}
	}
}

func (q *queue) notice() {
	signal(q.wake)
	q.mu.Lock()
	defer q.mu.Unlock()
	for changed := range q.changed {
		signal(changed)
	}
}

// signal wakes the receiver of a channel with a buffer of one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Run runs jobs until ctx is done and the running ones are released.
func (r *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, q := range r.kinds {
		all.Go(func() { r.runAll(ctx, q) })
	}
	all.Wait()
}

// runAll runs the jobs of a kind, as many at once as the kind says.
func (r *Runner) runAll(ctx context.Context, q *queue) {
	tick := time.NewTicker(q.Poll)
	defer tick.Stop()
	var running sync.WaitGroup
	defer running.Wait()
	places := make(chan struct{}, q.AtOnce)
	for {
		select {
		case <-ctx.Done():
			return
		case places <- struct{}{}:
		}
		select {
		case <-q.wake: // the look that follows covers it
		default:
		}
		job := r.claim(ctx, q)
		if job != nil {
			running.Go(func() {
				r.run(ctx, q, job)
				signal(q.wake) // there may be more of the same project
				<-places
			})
			continue
		}
		<-places
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-q.wake:
		}
	}
}

// claim returns the next job, or nil if there is none.
func (r *Runner) claim(ctx context.Context, q *queue) (job Job) {
	err := Safely(func() (err error) {
		job, err = r.claimOne(ctx, q)
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			r.Log.Error("cannot look for background jobs", "kind", q.Name, "error", err)
		}
		return nil
	}
	return job
}

// claimOne claims a job under a name of its own.
func (r *Runner) claimOne(ctx context.Context, q *queue) (Job, error) {
	by := r.server.Named(domain.NewID())
	q.mu.Lock()
	by.Working = slices.Collect(maps.Values(q.working))
	q.mu.Unlock()
	job, err := q.Claim(ctx, by)
	if err != nil || job == nil {
		return nil, err
	}
	q.mu.Lock()
	q.working[job] = by.Name
	q.mu.Unlock()
	return job, nil
}

// Step runs one job, and reports whether there was one. It is for tests.
func (r *Runner) Step(ctx context.Context) (bool, error) {
	for _, q := range r.kinds {
		job, err := r.claimOne(ctx, q)
		if err != nil {
			return false, err
		}
		if job != nil {
			r.run(ctx, q, job)
			return true, nil
		}
	}
	return false, nil
}

// run does a job and records the outcome.
func (r *Runner) run(ctx context.Context, q *queue, job Job) {
	defer func() {
		q.mu.Lock()
		delete(q.working, job)
		q.mu.Unlock()
	}()
	began := time.Now()
	log := r.Log.With(append([]any{"kind", q.Name}, job.Attributes()...)...)
	log.Debug("background job began")
	changed := make(chan struct{}, 1)
	q.mu.Lock()
	q.changed[changed] = true
	q.mu.Unlock()
	err := r.work(ctx, q, job, changed, log)
	q.mu.Lock()
	delete(q.changed, changed)
	q.mu.Unlock()

	switch {
	case errors.Is(err, leases.ErrLost):
		log.Info("background job ended: it was cancelled, changed, deleted or taken over")
		return
	case err != nil && ctx.Err() != nil:
		_ = end(ctx, log, job.Release)
		return
	case err != nil:
		r.failed.WithLabelValues(q.Name).Inc()
		log.Warn("background job failed", "error", short(err), "took", time.Since(began).Round(time.Millisecond))
	}
	ended := end(ctx, log, func(ctx context.Context) error { return job.Finish(ctx, err) })
	if result := job.Result(); err == nil && ended == nil && result != nil {
		log.Info("background job done", append(result, "took", time.Since(began).Round(time.Millisecond))...)
	}
}

// work does the work of a job while it renews its lease, periodically and when there was a change. If the lease is lost,
// the work is cancelled, and leases.ErrLost is returned.
func (r *Runner) work(ctx context.Context, q *queue, job Job, changed <-chan struct{}, log *slog.Logger) error {
	working, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		tick := time.NewTicker(renewal)
		defer tick.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-tick.C:
			case <-changed:
			}
			err := Safely(func() error { return job.Renew(working) })
			switch {
			case errors.Is(err, leases.ErrLost):
				stop(err)
				return
			case err != nil && working.Err() == nil:
				log.Warn("cannot renew the lease of a background job", "error", err)
			}
		}
	})
	err := Safely(func() error {
		leased, release := r.Memory.Work(working, cmp.Or(job.Project(), q.Name))
		defer release()
		return job.Work(leased)
	})
	// A server that stops ends the work, too, but the lease may have been lost before.
	if cause := context.Cause(working); err != nil && cause != nil && (ctx.Err() == nil || errors.Is(cause, leases.ErrLost)) {
		err = cause
	}
	stop(nil)
	renewing.Wait()
	return err
}

// end records the outcome of a job. It retries until that succeeds, the lease is lost or ctx is done: with a single
// server, nobody else would take the job over.
func end(ctx context.Context, log *slog.Logger, record func(context.Context) error) error {
	for {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), LeaseLife)
		err := Safely(func() error { return record(ending) })
		cancel()
		if err == nil || errors.Is(err, leases.ErrLost) {
			return err
		}
		log.Warn("cannot record the outcome of a background job: unless a retry succeeds, the job is repeated when its lease expires",
			"error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(renewal):
		}
	}
}

// Panic is the error of a job that panicked.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Safely turns a panic into an error: what one job does must not stop the server.
func Safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Panic{p, debug.Stack()}
		}
	}()
	return f()
}

// short returns the message of an error for the log. That of other servers can be long; the stack of a panic is needed.
func short(err error) string {
	const most = 4000
	text := err.Error()
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}
