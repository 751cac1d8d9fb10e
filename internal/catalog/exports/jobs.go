package exports

import (
	"context"
	"fmt"

	"almanac/internal/catalog/inbox"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Jobs returns the statement that selects exports and integrations as background jobs of the given kinds, at a time in
// milliseconds. Integrations that somebody has disabled are none.
func Jobs(ofFiles, ofBuckets string, now int64) tables.Query {
	return tables.SQL(`SELECT CAST(? AS TEXT), id, project_id, source, state, CASE WHEN `+openExport+
		` THEN updated_at END, as_of, finished_at, leased_by,
			CASE WHEN error = '' THEN 0 ELSE 1 END, error, row_count, total_rows FROM exports
		UNION ALL SELECT CAST(? AS TEXT), b.project_id, b.project_id, b.bucket_name,
			CASE WHEN r.leased_by IS NOT NULL THEN 'running' WHEN NOT b.enabled THEN 'failed'
			WHEN COALESCE(b.next_sync_at, 0) <= ? THEN 'queued' WHEN b.last_error IS NOT NULL THEN 'failed' ELSE 'waiting' END,
			CASE WHEN b.enabled THEN COALESCE(b.next_sync_at, b.updated_at) END, COALESCE(b.run_started_at, b.last_sync_at),
			CASE WHEN r.leased_by IS NULL THEN b.last_error_at END, r.leased_by,
			COALESCE(r.attempts, 0), COALESCE(b.last_error, ''), COALESCE(r.row_count, 0), CAST(NULL AS BIGINT)
			FROM blob_storage_integrations b LEFT JOIN blob_storage_runs r ON r.project_id = b.project_id
			WHERE b.enabled OR b.last_error IS NOT NULL`,
		ofFiles, ofBuckets, now)
}

// RetryExport queues an export again that has failed or was cancelled. It returns domain.ErrConflict for others.
func (c *Catalog) RetryExport(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if err := s.LockProject(ctx, scope); err != nil { // so that concurrent new exports are counted
			return err
		}
		before, err := readExport(ctx, s, scope, id)
		if err != nil {
			return err
		}
		if err := checkOpenExports(ctx, s, scope); err != nil {
			return err
		}
		changed, err := s.Exec(ctx, `UPDATE exports SET state = 'queued', error = '', finished_at = NULL, updated_at = ?, unfinished = 0
			WHERE id = ? AND state IN ('failed', 'cancelled')`, tables.Millis(s.Now()), id)
		if err != nil {
			return err
		}
		if changed == 0 {
			return fmt.Errorf("export %s has neither failed nor was it cancelled: %w", id, domain.ErrConflict)
		}
		if err := inbox.Forgotten(ctx, s, id); err != nil {
			return err
		}
		after, err := readExport(ctx, s, scope, id)
		if err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, KindExport, id, tables.StateOf(exportState(&before)),
			tables.StateOf(exportState(&after)))
	})
}

// checkOpenExports returns domain.ErrConflict if a project has as many queued and running exports as it may have.
func checkOpenExports(ctx context.Context, s tables.Session, scope domain.ProjectScope) error {
	open, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM exports WHERE project_id = ? AND "+openExport,
		scope.ProjectID())
	if err == nil && open >= MaxOpenExports {
		err = fmt.Errorf("%d exports are waiting: %w", open, domain.ErrConflict)
	}
	return err
}

// RetryBlobRun makes the integration of a project due immediately. It returns domain.ErrConflict if it is not enabled.
func (c *Catalog) RetryBlobRun(ctx context.Context, scope domain.ProjectScope, actor domain.Actor) error {
	owner, err := c.ownerOf(ctx, scope)
	if err == nil {
		_, err = c.BlobRunNow(ctx, owner, scope.ProjectID(), actor)
	}
	return err
}

// CancelBlobRun ends the run of a project's integration that is due or in progress. The next run, at the usual time,
// exports what this one has not. It returns domain.ErrConflict if there is none.
func (c *Catalog) CancelBlobRun(ctx context.Context, scope domain.ProjectScope, actor domain.Actor) error {
	owner, err := c.ownerOf(ctx, scope)
	if err != nil {
		return err
	}
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := readBlobStorage(ctx, s, owner, scope.ProjectID())
		if err != nil {
			return err
		}
		now := s.Now()
		if !before.Enabled || before.RunStartedAt == nil && before.NextSyncAt != nil && before.NextSyncAt.After(now) {
			return fmt.Errorf("the export of project %s neither runs nor is it due: %w", scope.ProjectID(), domain.ErrConflict)
		}
		if err := blobRunLeases.Free(ctx, s, scope.ProjectID()); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "UPDATE blob_storage_integrations SET run_started_at = NULL, next_sync_at = ? WHERE project_id = ?",
			tables.Millis(now.Add(before.ExportInterval())), scope.ProjectID()); err != nil {
			return err
		}
		after, err := readBlobStorage(ctx, s, owner, scope.ProjectID())
		if err != nil {
			return err
		}
		return auditBlobStorage(ctx, s, owner, actor, &before, &after)
	})
}

// ownerOf returns the organization of a project.
func (c *Catalog) ownerOf(ctx context.Context, scope domain.ProjectScope) (domain.OrganizationScope, error) {
	id, err := tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?",
		scope.ProjectID())
	return domain.OfOrganization(id), tables.WithSubject(err, "project", scope.ProjectID()) //nolint:forbidigo // the owner of the project in scope
}
