// Package scheduled runs the blob storage integrations of projects: periodic exports to a bucket of the rows that
// arrived in the event store since the last run, and of deletions.
//
// A run exports a window of the sequence numbers that rows get when they are appended, whatever their times are: a late
// row is in the next file, and no row is in two. The window is recorded in the catalog before anything is written, and
// objects are named after it. So an interrupted run is repeated with the same objects, and the position advances only
// once the manifest is written.
package scheduled

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

const (
	// atOnce is the number of integrations that a server runs concurrently, at most two of an organization.
	atOnce = 4
	// longestRun is the time limit of a run. Storage that is too slow is given up much earlier.
	longestRun = 24 * time.Hour
	// idle is how long a server waits before it looks for integrations that are due.
	idle = 10 * time.Second
	// maxMessage is the maximum length of an error message, in characters.
	maxMessage = 1000
	// shortestWait and longestWait bound the backoff after a failed run.
	shortestWait, longestWait = time.Minute, time.Hour
)

// Runner runs the integrations that are due.
type Runner struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Secrets *secretbox.Box
	Prices  *pricing.Lists
	// Memory is the budget from which each run takes a lease.
	Memory *memory.Budget
	Log    *slog.Logger
	Now    func() time.Time
	// Open returns the bucket of an integration.
	Open func(b *domain.BlobStorageIntegration, secret string) (Bucket, error)

	server    string
	wake      chan struct{}
	fileBytes int64 // see the constant
}

// NewRunner returns a runner with a unique server name.
func NewRunner(c *catalog.Catalog, s store.Store, secrets *secretbox.Box, prices *pricing.Lists, budget *memory.Budget, allowed Allowed, log *slog.Logger) *Runner {
	return &Runner{
		Catalog: c, Store: s, Secrets: secrets, Prices: prices, Memory: budget, Log: log, Now: time.Now, server: domain.NewID(), wake: make(chan struct{}, atOnce), fileBytes: fileBytes,
		Open: func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
			return OpenBucket(b, secret, allowed)
		},
	}
}

// Notice is called on catalog changes: an integration may be due.
func (r *Runner) Notice(change tables.Change) {
	if change.Kind != exports.KindBlobStorage && change.Kind != "" {
		return
	}
	for range atOnce {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}

// Reconcile reconciles the catalog with the event store on how far exports have got. It must be called before rows are
// appended: a store restored from a backup may be behind.
func (r *Runner) Reconcile(ctx context.Context) error {
	read, err := r.Catalog.BlobMark(ctx)
	if err != nil {
		return err
	}
	if from := r.Store.Resume(read); from != read {
		r.Log.Warn("the event store is behind its scheduled exports: they resume from the state of the store", "exported", read, "stored", from)
		return r.Catalog.LimitBlobRuns(ctx, from)
	}
	return nil
}

// Run works until ctx is done.
func (r *Runner) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
}

func (r *Runner) work(ctx context.Context) {
	tick := time.NewTicker(idle)
	defer tick.Stop()
	for ctx.Err() == nil {
		ran, err := r.Step(ctx)
		if err != nil && ctx.Err() == nil {
			r.Log.Error("cannot check for scheduled exports", "error", err)
		}
		if ran && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-r.wake:
		}
	}
}

// Step runs an integration that is due, and reports whether there was one.
func (r *Runner) Step(ctx context.Context) (bool, error) {
	if r.Store.VisibilityDelay() > 0 { // other servers may export what this one appends
		read, err := r.Catalog.BlobMark(ctx)
		if err != nil {
			return false, err
		}
		r.Store.Resume(read)
	}
	run, err := r.Catalog.ClaimBlobRun(ctx, r.server, export.LeaseLife)
	if err != nil || run == nil {
		return false, err
	}
	r.export(ctx, run)
	return true, nil
}

// job is a run in progress.
type job struct {
	mu          sync.Mutex
	run         *exports.BlobRun
	rows, bytes atomic.Int64
}

// update applies a change to the run, with the current counts, one change at a time.
func (j *job) update(change func(*exports.BlobRun) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.run.Rows, j.run.Bytes = j.rows.Load(), j.bytes.Load()
	return change(j.run)
}

// export runs an integration and records the outcome.
func (r *Runner) export(ctx context.Context, run *exports.BlobRun) {
	j := &job{run: run}
	began := time.Now()
	log := r.Log.With("project", run.ProjectID, "bucket", run.BucketName)
	err := export.WorkLeased(ctx, nil,
		func(ctx context.Context) error {
			return j.update(func(run *exports.BlobRun) error { return r.Catalog.RenewBlobRun(ctx, run) })
		},
		func(err error) { log.Warn("cannot renew the lease of a scheduled export", "error", err) },
		func(ctx context.Context) error { return r.write(ctx, j) })

	switch {
	case errors.Is(err, exports.ErrLeaseLost):
		log.Info("scheduled export ended: it was changed, deleted or taken over")
	case err != nil && ctx.Err() != nil:
		_ = export.EndLeased(ctx, log, func(ctx context.Context) error {
			return r.Catalog.ReleaseBlobRun(ctx, run)
		})
	case err != nil:
		message, mend := explain(err)
		log.Warn("scheduled export failed", "error", shortened(err.Error()), "attempt", run.Attempts+1, "disabled", mend)
		var again *time.Time
		if !mend {
			again = new(r.Now().Add(min(shortestWait<<min(run.Attempts, 10), longestWait)))
		}
		_ = j.end(ctx, log, func(ctx context.Context, run *exports.BlobRun) error {
			return r.Catalog.FailBlobRun(ctx, run, shortened(message), again)
		})
	default:
		next := run.PlannedAt.Add(run.ExportInterval())
		if j.end(ctx, log, func(ctx context.Context, run *exports.BlobRun) error { return r.Catalog.FinishBlobRun(ctx, run, next) }) == nil {
			log.Info("exported", "rows", run.Rows, "bytes", run.Bytes, "took", time.Since(began).Round(time.Millisecond))
		}
	}
}

// end records the outcome of the run.
func (j *job) end(ctx context.Context, log *slog.Logger, note func(context.Context, *exports.BlobRun) error) error {
	return export.EndLeased(ctx, log, func(ctx context.Context) error {
		return j.update(func(run *exports.BlobRun) error { return note(ctx, run) })
	})
}

// write plans the run, unless that was done before, and writes its objects.
func (r *Runner) write(ctx context.Context, j *job) error {
	ctx, cancel := context.WithTimeout(ctx, longestRun)
	defer cancel()
	bucket, err := r.openBucket(&j.run.BlobStorageIntegration)
	if err != nil {
		return err
	}
	defer bucket.Close()
	if j.run.PlannedAt == nil {
		if err := j.update(func(run *exports.BlobRun) error { return r.Catalog.PlanBlobRun(ctx, run, r.Store.Mark()) }); err != nil {
			return err
		}
	}
	if settling := r.Store.VisibilityDelay(); settling > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settling + 2*idle): // until every server knows the plan, and pending writes are visible
		}
	}
	ctx, release := r.Memory.Work(ctx, j.run.ProjectID)
	defer release()
	if err := memory.Of(ctx).Grow(ctx, export.WriterBytes(strings.ToLower(j.run.FileType))); err != nil {
		return err
	}
	w := &window{Runner: r, job: j, bucket: bucket, scope: domain.OfProject(j.run.ProjectID)}
	return w.write(ctx)
}
