package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// atOnce is the number of files that a server makes concurrently: more than one project may have.
const atOnce = exports.MaxRunningExports + 1

// Files makes the files of the exports listed in the catalog. An export holds the rows that its table has when the
// export begins. If its server is stopped or killed, the next one removes what was written and starts over with the
// current rows.
type Files struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Blobs   blob.Store
	// Room, if not nil, returns blob.ErrNoSpace if the disk has no room for this many more bytes.
	Room func(bytes int64) error

	maxOwned int // of readers, in tests
}

// Kind returns the jobs that make files.
func (f *Files) Kind() jobs.Kind {
	return jobs.Kind{
		Name: catalog.JobExport, AtOnce: atOnce, Poll: jobs.Poll,
		Concerns: func(change tables.Change) bool {
			return change.Kind == exports.KindExport || change.Kind == tables.KindProject
		},
		Claim: func(ctx context.Context, by leases.Server) (jobs.Job, error) {
			lease, err := f.Catalog.ClaimExport(ctx, by)
			if err != nil || lease == nil {
				return nil, err
			}
			return &job{Files: f, lease: lease}, nil
		},
	}
}

// job is a running export.
type job struct {
	*Files
	mu    sync.Mutex
	lease *exports.ExportLease
	rows  atomic.Int64
}

// update applies a change to the lease, with the current number of rows, one change at a time.
func (j *job) update(change func(*exports.ExportLease) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lease.Rows = j.rows.Load()
	return change(j.lease)
}

// Project implements jobs.Job.
func (j *job) Project() string { return j.lease.ProjectID }

// Attributes implements jobs.Job.
func (j *job) Attributes() []any {
	return []any{"export", j.lease.ID, "project", j.lease.ProjectID, "table", j.lease.Table, "format", j.lease.Format}
}

// Result implements jobs.Job.
func (j *job) Result() []any { return []any{"rows", j.lease.Rows, "bytes", j.lease.Bytes} }

// Renew implements jobs.Job.
func (j *job) Renew(ctx context.Context) error {
	return j.update(func(l *exports.ExportLease) error { return j.Catalog.RenewExport(ctx, l) })
}

// Finish implements jobs.Job.
func (j *job) Finish(ctx context.Context, failure error) error {
	return j.update(func(l *exports.ExportLease) error { return j.Catalog.FinishExport(ctx, l, failureText(failure)) })
}

// Release implements jobs.Job.
func (j *job) Release(ctx context.Context) error { return j.Catalog.ReleaseExport(ctx, j.lease) }

// Work writes the file.
func (j *job) Work(ctx context.Context) error {
	var request Request
	if err := json.Unmarshal(j.lease.Request, &request); err != nil {
		return fmt.Errorf("cannot read the export request: %w", err)
	}
	part := partFor(memory.Of(ctx))
	if err := memory.Of(ctx).Grow(ctx, int64(part)+FileBytes(&request)); err != nil {
		return err
	}
	reader := &Reader{Catalog: j.Catalog, Store: j.Store, Scope: domain.OfProject(j.lease.ProjectID), maxOwned: j.maxOwned}
	table, err := reader.Open(ctx, &request)
	if err != nil {
		return err
	}
	if err := j.update(func(l *exports.ExportLease) error {
		l.Total = table.Total
		return j.Catalog.RenewExport(ctx, l)
	}); err != nil {
		return err
	}
	parts := &partWriter{ctx: ctx, job: j, buffer: make([]byte, 0, part)}
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
