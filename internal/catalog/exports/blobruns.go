package exports

import (
	"context"
	"fmt"
	"time"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// KindBlobStorage is the kind of changes to blob storage integrations.
const KindBlobStorage = "blobStorageIntegration"

// BlobRun is a run of an integration that is leased to a server.
type BlobRun struct {
	domain.BlobStorageIntegration
	// Attempts is the number of failed runs since the last success.
	Attempts int
	// Done is the mark up to which everything is exported, and Planned the one up to which this run exports; PlannedAt
	// is nil until that is known.
	Done, Planned domain.Mark
	PlannedAt     *time.Time
	Rows, Bytes   int64
	lease         *leases.Lease
}

func scanBlobRun(r tables.Row) (b BlobRun, err error) {
	var observations, scores *int64
	err = r.Scan(append(blobStorageFields(&b.BlobStorageIntegration), &b.Attempts, &b.Done.Observations, &b.Done.Scores,
		&observations, &scores, tables.AsOptionalTime(&b.PlannedAt))...)
	if observations != nil && scores != nil {
		b.Planned = domain.Mark{Observations: *observations, Scores: *scores}
	}
	return b, err
}

// unfinishedRun is the error of an integration that waits for a person.
const unfinishedRun = "The server was stopped twice during this export, perhaps because of it. Enable the export again to retry; " +
	"the operator of the server finds the reason in its log."

// maxRunsOfOrganization is the maximum number of integrations of an organization that run at the same time, so that slow
// storage of one does not delay the exports of others.
const maxRunsOfOrganization = 2

// blobRunLeases are the leases of integrations. Of those of the organizations with the fewest running, the one that has
// been due longest is next. Progress is stored from the first run on.
var blobRunLeases = leases.Table{
	Name: "blob_storage_runs", Key: "project_id", ID: "b.project_id",
	From: "blob_storage_integrations b JOIN projects p ON p.id = b.project_id LEFT JOIN blob_storage_runs r ON r.project_id = " +
		"b.project_id",
	Tenant: "p.organization_id", MaxOfTenant: maxRunsOfOrganization, Since: "COALESCE(b.next_sync_at, 0)",
	Create: func(ctx context.Context, s tables.Session, project string) error {
		_, err := s.Exec(ctx, `INSERT INTO blob_storage_runs (project_id, attempts, done_observations, done_scores, row_count, byte_count)
			VALUES (?, 0, ?, ?, 0, 0) ON CONFLICT (project_id) DO NOTHING`, project, domain.NoMark.Observations, domain.NoMark.Scores)
		return err
	},
	GiveUp: func(ctx context.Context, s tables.Session, project string) error {
		s.Note(tables.Change{Kind: KindBlobStorage, ProjectID: project})
		return failBlobRun(ctx, s, project, unfinishedRun, nil)
	},
}

// longestPause is more than the longest time after which a failed run is tried again.
const longestPause = 2 * time.Hour

// dueBlobRun returns the condition that an integration is due. One that is due later than its frequency allows was planned
// by a clock that was wrong.
func dueBlobRun(at int64) tables.Condition {
	due := tables.SQL("b.next_sync_at IS NULL OR b.next_sync_at <= ?", at)
	for _, frequency := range domain.ExportFrequencies() {
		interval := (&domain.BlobStorageIntegration{ExportFrequency: frequency}).ExportInterval()
		due.Text += " OR b.export_frequency = ? AND b.next_sync_at > ?"
		due.Args = append(due.Args, frequency, at+(interval+longestPause).Milliseconds())
	}
	return tables.SQL("b.enabled AND ("+due.Text+")", due.Args...)
}

// ClaimBlobRun leases an integration that is due to a server; it returns nil if none is. A run whose server was killed is
// repeated.
func (c *Catalog) ClaimBlobRun(ctx context.Context, by leases.Server) (*BlobRun, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (*BlobRun, error) {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return nil, err
		}
		at := tables.Millis(s.Now())
		l, err := blobRunLeases.Claim(ctx, s, by, now, dueBlobRun(at), tables.SQL("row_count = 0, byte_count = 0"))
		if err != nil || l == nil {
			return nil, err
		}
		if _, err := s.Exec(ctx, "UPDATE blob_storage_integrations SET run_started_at = ? WHERE project_id = ?", at, l.ID); err != nil {
			return nil, err
		}
		run, err := tables.QueryOne(ctx, s, scanBlobRun,
			`SELECT b.*, r.attempts, r.done_observations, r.done_scores, r.planned_observations,
			r.planned_scores, r.planned_at FROM (SELECT `+blobStorageColumns+` FROM blob_storage_integrations) b
			JOIN blob_storage_runs r ON r.project_id = b.project_id WHERE b.project_id = ?`, l.ID)
		run.lease = l
		return &run, err
	})
}

// progress returns the changes that store the progress of a run.
func (r *BlobRun) progress() tables.Query {
	return tables.SQL("row_count = ?, byte_count = ?", r.Rows, r.Bytes)
}

// RenewBlobRun stores the progress of a run and extends its lease.
func (c *Catalog) RenewBlobRun(ctx context.Context, r *BlobRun) error {
	return r.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error { return r.lease.Renew(ctx, s, r.progress()) }))
}

// uncertainDeletion is how long a deletion may be in progress before it is exported regardless, assuming that its
// server was stopped in the middle of it.
const uncertainDeletion = 10 * time.Minute

// PlanBlobRun stores the mark up to which a run exports, and selects the deletions that it exports. The plan stays in
// place until the run has succeeded.
func (c *Catalog) PlanBlobRun(ctx context.Context, r *BlobRun, upTo domain.Mark) error {
	return r.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := r.lease.Renew(ctx, s, r.progress()); err != nil {
			return err
		}
		at := tables.FromMillis(tables.Millis(s.Now()))
		if _, err := s.Exec(ctx,
			"UPDATE blob_storage_runs SET planned_observations = ?, planned_scores = ?, planned_at = ? WHERE project_id = ?",
			upTo.Observations, upTo.Scores, tables.Millis(at), r.ProjectID); err != nil {
			return err
		}
		r.Planned, r.PlannedAt = upTo, &at
		if r.Done == domain.NoMark { // no file contains rows that were deleted before the first run
			if _, err := s.Exec(ctx, "DELETE FROM export_deletions WHERE project_id = ? AND deleted_at IS NOT NULL",
				r.ProjectID); err != nil {
				return err
			}
		}
		if _, err := s.Exec(ctx, "UPDATE export_marks SET planned = ? WHERE project_id = ?", true, r.ProjectID); err != nil {
			return err
		}
		_, err := s.Exec(ctx, "UPDATE export_deletions SET planned = ? WHERE project_id = ? AND (deleted_at IS NOT NULL OR created_at < ?)",
			true, r.ProjectID, tables.Millis(at.Add(-uncertainDeletion)))
		return err
	}))
}

// FinishBlobRun records that the planned rows and deletions are exported, and when the next run is due.
func (c *Catalog) FinishBlobRun(ctx context.Context, r *BlobRun, next time.Time) error {
	return r.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := r.lease.End(ctx, s,
			tables.SQL(`done_observations = planned_observations, done_scores = planned_scores, planned_observations = NULL,
			planned_scores = NULL, planned_at = NULL, attempts = 0, row_count = ?, byte_count = ?`, r.Rows, r.Bytes)); err != nil {
			return err
		}
		for _, table := range []string{"export_deletions", "export_marks"} {
			if _, err := s.Exec(ctx, "DELETE FROM "+table+" WHERE project_id = ? AND planned", r.ProjectID); err != nil {
				return err
			}
		}
		// A run requested since this one started takes precedence: this one may have exported an older plan, from
		// an attempt that failed.
		_, err := s.Exec(ctx,
			`UPDATE blob_storage_integrations SET run_started_at = NULL, last_sync_at = ?, last_error = NULL, last_error_at = NULL,
			next_sync_at = CASE WHEN next_sync_at > run_started_at THEN next_sync_at ELSE ? END WHERE project_id = ?`,
			tables.Millis(*r.PlannedAt), tables.Millis(next), r.ProjectID)
		return err
	}))
}

// FailBlobRun records why a run failed, and when to retry. If again is nil, the integration is disabled until somebody
// fixes it.
func (c *Catalog) FailBlobRun(ctx context.Context, r *BlobRun, failure string, again *time.Time) error {
	return r.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := r.lease.End(ctx, s, tables.SQL("attempts = attempts + 1, row_count = ?, byte_count = ?", r.Rows, r.Bytes)); err != nil {
			return err
		}
		return failBlobRun(ctx, s, r.ProjectID, failure, again)
	}))
}

func failBlobRun(ctx context.Context, s tables.Session, project, failure string, again *time.Time) error {
	_, err := s.Exec(ctx,
		`UPDATE blob_storage_integrations SET run_started_at = NULL, last_error = ?, last_error_at = ?, next_sync_at = ?, enabled = enabled AND ?
		WHERE project_id = ?`, failure, tables.Millis(s.Now()), tables.AsOptionalTime(&again), again != nil, project)
	return err
}

// ReleaseBlobRun releases the lease of a run that a server abandons because it is shutting down.
func (c *Catalog) ReleaseBlobRun(ctx context.Context, r *BlobRun) error {
	return leases.Released(r.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := r.lease.End(ctx, s, tables.Query{}); err != nil {
			return err
		}
		_, err := s.Exec(ctx, "UPDATE blob_storage_integrations SET run_started_at = NULL WHERE project_id = ?", r.ProjectID)
		return err
	})))
}

// forgetBlobRun makes the exports of a project start over. A run in progress loses its lease.
func forgetBlobRun(ctx context.Context, s tables.Session, projectID string) error {
	for _, table := range []string{"blob_storage_runs", "export_deletions", "export_marks"} {
		if _, err := s.Exec(ctx, "DELETE FROM "+table+" WHERE project_id = ?", projectID); err != nil {
			return fmt.Errorf("cannot reset the export progress of project %s: %w", projectID, err)
		}
	}
	return nil
}

// BlobRunNow makes an integration due immediately, regardless of its frequency. It returns domain.ErrConflict if the
// integration is not enabled.
func (c *Catalog) BlobRunNow(
	ctx context.Context, scope domain.OrganizationScope, projectID string, actor domain.Actor,
) (domain.BlobStorageIntegration, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.BlobStorageIntegration, err error) {
		before, err := readBlobStorage(ctx, s, scope, projectID)
		if err != nil {
			return before, err
		}
		if !before.Enabled {
			return before, fmt.Errorf("the exports of project %s are not enabled: %w", projectID, domain.ErrConflict)
		}
		if _, err := s.Exec(ctx,
			"UPDATE blob_storage_integrations SET next_sync_at = ?, last_error = NULL, last_error_at = NULL WHERE project_id = ?",
			tables.Millis(s.Now()), projectID); err != nil {
			return before, err
		}
		if after, err = readBlobStorage(ctx, s, scope, projectID); err != nil {
			return after, err
		}
		return after, auditBlobStorage(ctx, s, scope, actor, &before, &after)
	})
}

// BlobProgress is the progress of the current run of an integration.
type BlobProgress struct{ Rows, Bytes int64 }

// BlobProgress returns the progress of the current run of an integration, or nil if none is in progress.
func (c *Catalog) BlobProgress(ctx context.Context, scope domain.OrganizationScope, projectID string) (*BlobProgress, error) {
	p, err := tables.QueryOne(ctx, c.db.Reader(), func(r tables.Row) (p BlobProgress, err error) {
		err = r.Scan(&p.Rows, &p.Bytes)
		return p, err
	}, `SELECT row_count, byte_count FROM blob_storage_runs WHERE project_id = ? AND leased_by IS NOT NULL
		AND project_id IN (SELECT p.id FROM projects p WHERE p.organization_id = ?)`, projectID, scope.OrganizationID())
	return tables.Optional(p, err)
}

// BlobMark returns the highest mark up to which any run has exported or is about to.
func (c *Catalog) BlobMark(ctx context.Context) (domain.Mark, error) {
	return tables.QueryOne(ctx, c.db.Reader(), func(r tables.Row) (m domain.Mark, err error) {
		err = r.Scan(&m.Observations, &m.Scores)
		return m, err
	},
		`SELECT COALESCE(MAX(COALESCE(planned_observations, done_observations)), -1), COALESCE(MAX(COALESCE(planned_scores, done_scores)), -1)
		FROM blob_storage_runs`)
}

// LimitBlobRuns lowers the marks of all runs that are ahead of the event store.
func (c *Catalog) LimitBlobRuns(ctx context.Context, to domain.Mark) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		for column, most := range map[string]int64{
			"done_observations": to.Observations, "planned_observations": to.Observations, "done_scores": to.Scores,
			"planned_scores": to.Scores,
		} {
			if _, err := s.Exec(ctx, "UPDATE blob_storage_runs SET "+column+" = ? WHERE "+column+" > ?", most, most); err != nil {
				return fmt.Errorf("cannot rewind exports: %w", err)
			}
		}
		return nil
	})
}
