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
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/access/secretbox"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
)

const (
	// atOnce is the number of integrations that a server runs concurrently.
	atOnce = 4
	// longestRun is the time limit of a run. Storage that is too slow is given up much earlier.
	longestRun = 24 * time.Hour
	// maxMessage is the maximum length of an error message, in characters.
	maxMessage = 1000
)

// Exports runs the integrations that are due.
type Exports struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Secrets *secretbox.Box
	Prices  *pricing.Lists
	Log     *slog.Logger
	Now     func() time.Time
	// Open returns the bucket of an integration.
	Open func(b *domain.BlobStorageIntegration, secret string) (Bucket, error)

	backoff   jobs.Backoff // after a failed run
	fileBytes int64        // see the constant
}

// New returns the exports to buckets that the operator allows.
func New(c *catalog.Catalog, s store.Store, secrets *secretbox.Box, prices *pricing.Lists, allowed Allowed, log *slog.Logger) *Exports {
	return &Exports{
		Catalog: c, Store: s, Secrets: secrets, Prices: prices, Log: log, Now: time.Now, fileBytes: fileBytes,
		backoff: jobs.Backoff{Shortest: time.Minute, Longest: time.Hour},
		Open: func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
			return OpenBucket(b, secret, allowed)
		},
	}
}

// Reconcile reconciles the catalog with the event store on how far exports have got. It must be called before rows are
// appended: a store restored from a backup may be behind.
func (r *Exports) Reconcile(ctx context.Context) error {
	read, err := r.Catalog.BlobMark(ctx)
	if err != nil {
		return err
	}
	if from := r.Store.Resume(read); from != read {
		r.Log.Warn("the event store is behind its scheduled exports: they resume from the state of the store", "exported", read,
			"stored", from)
		return r.Catalog.LimitBlobRuns(ctx, from)
	}
	return nil
}

// Kind returns the jobs that run integrations.
func (r *Exports) Kind() jobs.Kind {
	return jobs.Kind{
		Name: catalog.JobScheduledExport, AtOnce: atOnce, Poll: jobs.Poll,
		Concerns: func(change tables.Change) bool { return change.Kind == exports.KindBlobStorage },
		Claim:    r.claim,
	}
}

func (r *Exports) claim(ctx context.Context, by leases.Server) (jobs.Job, error) {
	if r.Store.VisibilityDelay() > 0 { // other servers may export what this one appends
		read, err := r.Catalog.BlobMark(ctx)
		if err != nil {
			return nil, err
		}
		r.Store.Resume(read)
	}
	run, err := r.Catalog.ClaimBlobRun(ctx, by)
	if err != nil || run == nil {
		return nil, err
	}
	return &job{Exports: r, run: run}, nil
}

// job is a run in progress.
type job struct {
	*Exports
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

// Project implements jobs.Job.
func (j *job) Project() string { return j.run.ProjectID }

// Attributes implements jobs.Job.
func (j *job) Attributes() []any {
	return []any{"project", j.run.ProjectID, "bucket", j.run.BucketName, "attempt", j.run.Attempts + 1}
}

// Result implements jobs.Job.
func (j *job) Result() []any { return []any{"rows", j.run.Rows, "bytes", j.run.Bytes} }

// Renew implements jobs.Job.
func (j *job) Renew(ctx context.Context) error {
	return j.update(func(run *exports.BlobRun) error { return j.Catalog.RenewBlobRun(ctx, run) })
}

// Release implements jobs.Job.
func (j *job) Release(ctx context.Context) error { return j.Catalog.ReleaseBlobRun(ctx, j.run) }

// Finish implements jobs.Job. A failure that only people can fix disables the integration.
func (j *job) Finish(ctx context.Context, failure error) error {
	return j.update(func(run *exports.BlobRun) error {
		if failure == nil {
			return j.Catalog.FinishBlobRun(ctx, run, run.PlannedAt.Add(run.ExportInterval()))
		}
		message, mend := explain(failure)
		var again *time.Time
		if !mend {
			again = new(j.Now().Add(j.backoff.After(run.Attempts)))
		}
		return j.Catalog.FailBlobRun(ctx, run, shortened(message), again)
	})
}

// Work plans the run, unless that was done before, and writes its objects.
func (j *job) Work(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, longestRun)
	defer cancel()
	bucket, err := j.openBucket(&j.run.BlobStorageIntegration)
	if err != nil {
		return err
	}
	defer bucket.Close()
	if j.run.PlannedAt == nil {
		if err := j.update(func(run *exports.BlobRun) error { return j.Catalog.PlanBlobRun(ctx, run, j.Store.Mark()) }); err != nil {
			return err
		}
	}
	if settling := j.Store.VisibilityDelay(); settling > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settling + 2*jobs.Poll): // until every server knows the plan, and pending writes are visible
		}
	}
	if err := memory.Of(ctx).Grow(ctx, export.WriterBytes(strings.ToLower(j.run.FileType))); err != nil {
		return err
	}
	w := &window{job: j, bucket: bucket, scope: domain.OfProject(j.run.ProjectID)}
	return w.write(ctx)
}
