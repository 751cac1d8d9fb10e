package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// The kinds of background jobs that have their own tables. Those of recurring jobs are in theirs.
const (
	JobExport          = "export"
	JobScheduledExport = "scheduled-export"
)

// JobFilter selects background jobs. Empty fields select all.
type JobFilter struct {
	Kind, ID string
	// States are the states that jobs may have.
	States []string
	Limit  int // 0 for tables.MaxListed
}

// allJobs returns the statement that selects all background jobs, at a time in milliseconds.
func allJobs(now int64) tables.Query {
	recurring := tables.SQL(`SELECT kind, id, '' AS project_id, '' AS subject,
		CASE WHEN leased_by IS NOT NULL THEN 'running' WHEN due_at <= ? THEN 'queued'
		WHEN error <> '' THEN 'failed' ELSE 'waiting' END AS state, due_at, started_at, finished_at, leased_by, failures, error, 0 AS row_count,
		CAST(NULL AS BIGINT) AS total_rows FROM jobs`, now)
	all, experiments := exports.Jobs(JobExport, JobScheduledExport, now), experimentJobs()
	return tables.SQL("SELECT * FROM ("+recurring.Text+" UNION ALL "+all.Text+" UNION ALL "+experiments.Text+") every",
		slices.Concat(recurring.Args, all.Args, experiments.Args)...)
}

// JobsOf returns the background jobs of a project, in the order of Jobs.
func (c *Catalog) JobsOf(ctx context.Context, scope domain.ProjectScope, filter JobFilter) ([]domain.Job, error) {
	return c.jobs(ctx, tables.SQL("project_id = ?", scope.ProjectID()), filter)
}

// Jobs returns the background jobs of all projects, for operators: running ones first, then queued, failed and waiting
// ones, then those that have ended, newest first.
func (c *Catalog) Jobs(ctx context.Context, filter JobFilter) ([]domain.Job, error) {
	return c.jobs(ctx, tables.SQL("TRUE"), filter)
}

func (c *Catalog) jobs(ctx context.Context, of tables.Condition, filter JobFilter) ([]domain.Job, error) {
	limit := cmp.Or(filter.Limit, tables.MaxListed)
	all := allJobs(tables.Millis(c.db.Now()))
	all.Text += " WHERE TRUE"
	all = all.And(of).And(tables.If(filter.Kind != "", "kind = ?", filter.Kind)).And(tables.If(filter.ID != "", "id = ?", filter.ID))
	if filter.States != nil {
		all = all.And(tables.In("state", filter.States))
	}
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (j domain.Job, err error) {
		err = r.Scan(&j.Kind, &j.ID, &j.ProjectID, &j.Subject, &j.State, tables.AsOptionalTime(&j.DueAt),
			tables.AsOptionalTime(&j.StartedAt), tables.AsOptionalTime(&j.FinishedAt), tables.AsOptional(&j.Server),
			&j.Failures, &j.Error, &j.Rows, &j.Total)
		j.Server = leases.ServerOf(j.Server)
		return j, err
	}, all.Text+` ORDER BY CASE state WHEN 'running' THEN 0 WHEN 'queued' THEN 1 WHEN 'failed' THEN 2 WHEN 'waiting' THEN 3 ELSE 4 END,
		CASE WHEN state IN ('queued', 'waiting') THEN due_at ELSE -COALESCE(finished_at, started_at, 0) END, kind, id LIMIT ?`,
		append(all.Args, limit)...)
}

// JobCount is the number of jobs of a kind in a state, and since when the oldest has been due.
type JobCount struct {
	Kind, State string
	Jobs        int64
	Oldest      time.Time
}

// CountJobs counts the jobs that are queued or running.
func (c *Catalog) CountJobs(ctx context.Context) ([]JobCount, error) {
	all := allJobs(tables.Millis(c.db.Now()))
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (n JobCount, err error) {
		err = r.Scan(&n.Kind, &n.State, &n.Jobs, tables.AsTime(&n.Oldest))
		return n, err
	}, "SELECT kind, state, COUNT(*), MIN(due_at) FROM ("+all.Text+") open WHERE state IN ('queued', 'running') GROUP BY kind, state",
		all.Args...)
}

// CancelJob cancels a job that is queued or running. One that recurs is due again an hour later. It returns
// domain.ErrConflict if there is nothing to cancel.
func (c *Catalog) CancelJob(ctx context.Context, j *domain.Job, actor domain.Actor) error {
	return c.changeJob(ctx, j, actor, c.CancelBlobRun,
		func(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
			_, err := c.CancelExport(ctx, scope, id, actor)
			return err
		}, c.cancelExperimentJob, c.cancelRecurring)
}

// RetryJob makes a job that has failed or was cancelled, or that is due later, due now. It returns domain.ErrConflict if
// that makes no sense.
func (c *Catalog) RetryJob(ctx context.Context, j *domain.Job, actor domain.Actor) error {
	return c.changeJob(ctx, j, actor, c.RetryBlobRun, c.RetryExport, c.retryExperimentJob, c.retryRecurring)
}

func (c *Catalog) changeJob(
	ctx context.Context, j *domain.Job, actor domain.Actor,
	ofBucket func(context.Context, domain.ProjectScope, domain.Actor) error,
	ofFile, ofExperiment func(context.Context, domain.ProjectScope, string, domain.Actor) error,
	recurring func(context.Context, string) error,
) error {
	scope := domain.OfProject(j.ProjectID) //nolint:forbidigo // the caller has found the job
	switch j.Kind {
	case JobExport:
		return ofFile(ctx, scope, j.ID, actor)
	case JobScheduledExport:
		return ofBucket(ctx, scope, actor)
	case JobExperiment:
		return ofExperiment(ctx, scope, j.ID, actor)
	}
	return recurring(ctx, j.ID)
}

func (c *Catalog) cancelRecurring(ctx context.Context, id string) error {
	return c.changeRecurring(ctx, id, "UPDATE jobs SET due_at = ? WHERE id = ? AND (leased_by IS NOT NULL OR due_at <= ?)",
		func(now int64) []any { return []any{now + maxWait.Milliseconds(), id, now} })
}

func (c *Catalog) retryRecurring(ctx context.Context, id string) error {
	return c.changeRecurring(ctx, id, "UPDATE jobs SET due_at = ? WHERE id = ? AND leased_by IS NULL",
		func(now int64) []any { return []any{now, id} })
}

func (c *Catalog) changeRecurring(ctx context.Context, id, statement string, args func(now int64) []any) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return err
		}
		changed, err := s.Exec(ctx, statement, args(now)...)
		if err != nil {
			return err
		}
		if changed == 0 {
			return fmt.Errorf("job %q: %w", id, domain.ErrConflict)
		}
		s.Note(tables.Change{Kind: KindJob})
		return recurringLeases.Free(ctx, s, id)
	})
}

// FindJob returns the job with an id. It returns domain.ErrNotFound if there is none, and an error if there are jobs of
// several kinds with this id, unless the kind is given.
func (c *Catalog) FindJob(ctx context.Context, kind, id string) (domain.Job, error) {
	found, err := c.Jobs(ctx, JobFilter{Kind: kind, ID: id, Limit: 2})
	switch {
	case err != nil:
		return domain.Job{}, err
	case len(found) == 0:
		return domain.Job{}, tables.WithSubject(domain.ErrNotFound, "job", id)
	case len(found) > 1:
		return domain.Job{}, errors.New("there is more than one job with this id: choose one with its kind")
	}
	return found[0], nil
}
