package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// AtOnce is the number of exports that a server runs concurrently: more than one project may have. Others wait; the
// project with the fewest running exports is next.
const AtOnce = exports.MaxRunningExports + 1

// idle is how long a server waits before it looks for exports that it was not notified of.
const idle = 10 * time.Second

// Runner writes the files of the exports listed in the catalog. An export holds the rows that its table has when the
// export begins. If its server is stopped or killed, the next one removes what was written and starts over with the
// current rows.
type Runner struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Blobs   blob.Store
	Log     *slog.Logger
	// Memory is the budget from which each export takes a lease.
	Memory *memory.Budget
	// Room, if not nil, returns blob.ErrNoSpace if the disk has no room for this many more bytes.
	Room func(bytes int64) error

	maxOwned int // of readers, in tests
	server   string
	wake     chan struct{}
	mu       sync.Mutex
	jobs     map[*job]bool
}

// NewRunner returns a runner with a unique server name.
func NewRunner(c *catalog.Catalog, s store.Store, blobs blob.Store, budget *memory.Budget, room func(int64) error, log *slog.Logger) *Runner {
	return &Runner{
		Catalog: c, Store: s, Blobs: blobs, Memory: budget, Room: room, Log: log,
		server: domain.NewID(), wake: make(chan struct{}, AtOnce), jobs: make(map[*job]bool),
	}
}

// Notice is called on catalog changes: there may be work, or running work may have become unwanted.
func (r *Runner) Notice(change tables.Change) {
	if change.Kind != exports.KindExport && change.Kind != tables.KindProject && change.Kind != "" {
		return
	}
	for range AtOnce {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for j := range r.jobs {
		select {
		case j.changed <- struct{}{}:
		default:
		}
	}
}

// Run works until ctx is done.
func (r *Runner) Run(ctx context.Context) {
	var workers sync.WaitGroup
	for range AtOnce {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
}

func (r *Runner) work(ctx context.Context) {
	tick := time.NewTicker(idle)
	defer tick.Stop()
	for ctx.Err() == nil {
		lease, err := r.Catalog.ClaimExport(ctx, r.server, LeaseLife)
		if err != nil && ctx.Err() == nil {
			r.Log.Error("cannot check for exports", "error", err)
		}
		if lease != nil && err == nil {
			r.export(ctx, lease)
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-r.wake:
		}
	}
}

// job is a running export.
type job struct {
	mu      sync.Mutex
	lease   *exports.ExportLease
	rows    atomic.Int64
	changed chan struct{}
}

// update applies a change to the lease, with the current number of rows, one change at a time.
func (j *job) update(change func(*exports.ExportLease) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lease.Rows = j.rows.Load()
	return change(j.lease)
}

// export writes a file and records the outcome.
func (r *Runner) export(ctx context.Context, lease *exports.ExportLease) {
	j := &job{lease: lease, changed: make(chan struct{}, 1)}
	r.mu.Lock()
	r.jobs[j] = true
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.jobs, j)
		r.mu.Unlock()
	}()
	began := time.Now()
	log := r.Log.With("export", lease.ID, "project", lease.ProjectID, "table", lease.Table, "format", lease.Format)
	log.Info("exporting")
	err := WorkLeased(ctx, j.changed,
		func(ctx context.Context) error {
			return j.update(func(l *exports.ExportLease) error { return r.Catalog.RenewExport(ctx, l) })
		},
		func(err error) { log.Warn("cannot renew the lease of an export", "error", err) },
		func(ctx context.Context) error { return r.write(ctx, j) })

	switch {
	case errors.Is(err, exports.ErrLeaseLost):
		log.Info("export ended: it was cancelled, deleted or taken over")
		return
	case err != nil && ctx.Err() != nil:
		_ = EndLeased(ctx, log, func(ctx context.Context) error {
			return r.Catalog.ReleaseExport(ctx, lease)
		})
		return
	case err != nil:
		log.Warn("export failed", "error", err)
	}
	ended := EndLeased(ctx, log, func(ctx context.Context) error {
		return j.update(func(l *exports.ExportLease) error { return r.Catalog.FinishExport(ctx, l, failureText(err)) })
	})
	if err == nil && ended == nil {
		log.Info("exported", "rows", lease.Rows, "bytes", lease.Bytes, "took", time.Since(began).Round(time.Millisecond))
	}
}

// write writes the file.
func (r *Runner) write(ctx context.Context, j *job) error {
	var request Request
	if err := json.Unmarshal(j.lease.Request, &request); err != nil {
		return fmt.Errorf("cannot read the export request: %w", err)
	}
	ctx, release := r.Memory.Work(ctx, j.lease.ProjectID)
	defer release()
	part := partFor(memory.Of(ctx))
	if err := memory.Of(ctx).Grow(ctx, int64(part)+FileBytes(&request)); err != nil {
		return err
	}
	reader := &Reader{Catalog: r.Catalog, Store: r.Store, Scope: domain.OfProject(j.lease.ProjectID), maxOwned: r.maxOwned}
	table, err := reader.Open(ctx, &request)
	if err != nil {
		return err
	}
	if err := j.update(func(l *exports.ExportLease) error {
		l.Total = table.Total
		return r.Catalog.RenewExport(ctx, l)
	}); err != nil {
		return err
	}
	parts := &partWriter{ctx: ctx, runner: r, job: j, buffer: make([]byte, 0, part)}
	w, err := NewFileWriter(&request, parts, table.Columns)
	if err != nil {
		return err
	}
	if err := table.Write(ctx, w, j.rows.Store); err != nil {
		return err
	}
	return parts.flush()
}

// failureText returns the message shown to users for a failed export, or "" if it did not fail.
func failureText(err error) string {
	var many *traces.TooMany
	switch {
	case err == nil:
		return ""
	case errors.Is(err, blob.ErrNoSpace):
		return "The server has too little disk space left for the file. Delete exports that are not needed, or export less."
	case errors.As(err, &many):
		return fmt.Sprintf("More than %d %s would have to be looked at. Export a shorter time range.", many.Limit, many.Things)
	case errors.Is(err, store.ErrTooLarge):
		return "One of the sessions or users has too many traces to count them. Export a shorter time range."
	case errors.Is(err, memory.ErrTooLarge):
		return "The file takes more memory than the server has for one export. Export a shorter time range, or rows with shorter texts; " +
			"the operator can allow more with --memory and --request-memory."
	case errors.Is(err, store.ErrBusy):
		return "The event store was too busy. Try again."
	}
	return "The server could not make the file. Its log says why. Try again, or export less."
}
