package exports

import (
	"context"
	"encoding/json"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ExportedUpTo returns the mark up to which exported files contain the rows of the store, or are about to. It returns
// nil if the project is not exported, and deletions need not be recorded. For rows after the mark, files may contain an
// earlier version.
func (c *Catalog) ExportedUpTo(ctx context.Context, scope domain.ProjectScope) (*domain.Mark, error) {
	// The first run has no earlier files, so its files contain the first version of each row. It can start at any time.
	return tables.Optional(tables.QueryOne(ctx, c.db.Reader(), func(r tables.Row) (m domain.Mark, err error) {
		err = r.Scan(&m.Observations, &m.Scores)
		return m, err
	}, `SELECT CASE WHEN done_observations >= 0 THEN done_observations ELSE COALESCE(planned_observations, 9223372036854775807) END,
		CASE WHEN done_scores >= 0 THEN done_scores ELSE COALESCE(planned_scores, 9223372036854775807) END
		FROM blob_storage_integrations b LEFT JOIN blob_storage_runs r ON r.project_id = b.project_id
		WHERE b.project_id = ? AND (b.enabled OR done_observations >= 0 OR planned_observations IS NOT NULL)`, scope.ProjectID()))
}

// BeginDeletion records a deletion before it is carried out.
func (c *Catalog) BeginDeletion(ctx context.Context, scope domain.ProjectScope, d *domain.ExportDeletion) error {
	d.ID = tables.OrderedID()
	return c.db.Update(ctx, func(s tables.Session) error { return insertDeletion(ctx, s, scope, d) })
}

func insertDeletion(ctx context.Context, s tables.Session, scope domain.ProjectScope, d *domain.ExportDeletion) error {
	return s.Insert(ctx, "export_deletions (id, project_id, table_name, row_keys, before_time, planned, deleted_at, created_at)",
		d.ID, scope.ProjectID(), d.Table, tables.TextOf(d.Keys), int64(d.Before), false, tables.AsOptionalTime(&d.DeletedAt),
		tables.Millis(s.Now()))
}

// EndDeletion records that a deletion was carried out. If it took so long that a run already exported it, that may have
// been too early, so the next run exports it again.
func (c *Catalog) EndDeletion(ctx context.Context, scope domain.ProjectScope, d *domain.ExportDeletion) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		d.DeletedAt = new(s.Now())
		changed, err := s.Exec(ctx, "UPDATE export_deletions SET deleted_at = ?, planned = ? WHERE id = ?", tables.Millis(*d.DeletedAt),
			false, d.ID)
		if err != nil || changed > 0 {
			return err
		}
		if told, err := s.Exists(ctx, "SELECT project_id FROM blob_storage_runs WHERE project_id = ?", scope.ProjectID()); err != nil ||
			!told {
			return err
		}
		return insertDeletion(ctx, s, scope, d)
	})
}

// DropDeletion removes the record of a deletion that found no rows.
func (c *Catalog) DropDeletion(ctx context.Context, id string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM export_deletions WHERE id = ?", id)
		return err
	})
}

// NotedDeletions returns the approximate size in bytes of a project's recorded deletions that have not been exported
// yet.
func (c *Catalog) NotedDeletions(ctx context.Context, scope domain.ProjectScope) (int64, error) {
	return tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int64], `SELECT CAST(COALESCE(SUM(LENGTH(row_keys) + 100), 0) AS BIGINT)
		FROM export_deletions WHERE project_id = ?`, scope.ProjectID())
}

// ResetBlobRuns discards the export progress and the recorded deletions of a project, so that the next run exports
// everything. A run in progress loses its lease.
func (c *Catalog) ResetBlobRuns(ctx context.Context, scope domain.ProjectScope) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		s.Note(tables.Change{Kind: KindBlobStorage, ProjectID: scope.ProjectID()})
		if err := forgetBlobRun(ctx, s, scope.ProjectID()); err != nil {
			return err
		}
		_, err := s.Exec(ctx,
			"UPDATE blob_storage_integrations SET run_started_at = NULL, next_sync_at = NULL, last_sync_at = NULL WHERE project_id = ?",
			scope.ProjectID())
		return err
	})
}

// PlannedDeletions returns at most limit deletions that a run exports, in the order in which they began, starting after
// the given id.
func (c *Catalog) PlannedDeletions(ctx context.Context, r *BlobRun, after string, limit int) ([]domain.ExportDeletion, error) {
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (d domain.ExportDeletion, err error) {
		var keys string
		if err := r.Scan(&d.ID, &d.Table, &keys, &d.Before, tables.AsOptionalTime(&d.DeletedAt)); err != nil {
			return d, err
		}
		return d, json.Unmarshal([]byte(keys), &d.Keys)
	}, `SELECT id, table_name, row_keys, before_time, deleted_at FROM export_deletions
		WHERE project_id = ? AND planned AND id > ? ORDER BY id LIMIT ?`, r.ProjectID, after, limit)
}
