package catalog

import (
	"context"
	"encoding/json"

	"almanac/internal/domain"
)

// ToldUpTo returns up to where files have, or are about to have, what is in the store; nil if the project has not been exported, so that
// nobody has to be told what is deleted from it. Of rows that arrived later, files can have an earlier version.
func (c *Catalog) ToldUpTo(ctx context.Context, scope domain.ProjectScope) (*domain.Mark, error) {
	// A first run has no files before it: what it is about to have is the first version.
	return optional(queryOne(ctx, c.db.Reader(), func(r row) (m domain.Mark, err error) {
		err = r.Scan(&m.Observations, &m.Scores)
		return m, err
	}, `SELECT CASE WHEN done_observations >= 0 THEN done_observations ELSE planned_observations END,
		CASE WHEN done_scores >= 0 THEN done_scores ELSE planned_scores END
		FROM blob_storage_runs WHERE project_id = ? AND (done_observations >= 0 OR planned_observations IS NOT NULL)`, scope.ProjectID()))
}

// BeginDeletion notes a deletion before it is carried out.
func (c *Catalog) BeginDeletion(ctx context.Context, scope domain.ProjectScope, d *domain.ExportDeletion) error {
	d.ID = orderedID()
	return c.db.Update(ctx, func(s session) error { return insertDeletion(ctx, s, scope, d) })
}

func insertDeletion(ctx context.Context, s session, scope domain.ProjectScope, d *domain.ExportDeletion) error {
	return s.insert(ctx, "export_deletions (id, project_id, table_name, row_keys, before_time, planned, deleted_at, created_at)",
		d.ID, scope.ProjectID(), d.Table, textOf(d.Keys), int64(d.Before), false, asOptionalTime(&d.DeletedAt), millis(s.now()))
}

// EndDeletion notes that a deletion was carried out. A run that told of it already, since it took long, may have been too early: the
// next one tells it again.
func (c *Catalog) EndDeletion(ctx context.Context, scope domain.ProjectScope, d *domain.ExportDeletion) error {
	return c.db.Update(ctx, func(s session) error {
		d.DeletedAt = new(s.now())
		changed, err := s.exec(ctx, "UPDATE export_deletions SET deleted_at = ?, planned = ? WHERE id = ?", millis(*d.DeletedAt), false, d.ID)
		if err != nil || changed > 0 {
			return err
		}
		if told, err := s.exists(ctx, "SELECT project_id FROM blob_storage_runs WHERE project_id = ?", scope.ProjectID()); err != nil || !told {
			return err
		}
		return insertDeletion(ctx, s, scope, d)
	})
}

// DropDeletion forgets a deletion that found nothing.
func (c *Catalog) DropDeletion(ctx context.Context, id string) error {
	return c.db.Update(ctx, func(s session) error {
		_, err := s.exec(ctx, "DELETE FROM export_deletions WHERE id = ?", id)
		return err
	})
}

// PlannedDeletions returns deletions that a run tells of, in the order in which they were begun, after one with an id.
func (c *Catalog) PlannedDeletions(ctx context.Context, r *BlobRun, after string, limit int) ([]domain.ExportDeletion, error) {
	return queryAll(ctx, c.db.Reader(), func(r row) (d domain.ExportDeletion, err error) {
		var keys string
		if err := r.Scan(&d.ID, &d.Table, &keys, &d.Before, asOptionalTime(&d.DeletedAt)); err != nil {
			return d, err
		}
		return d, json.Unmarshal([]byte(keys), &d.Keys)
	}, `SELECT id, table_name, row_keys, before_time, deleted_at FROM export_deletions
		WHERE project_id = ? AND planned AND id > ? ORDER BY id LIMIT ?`, r.ProjectID, after, limit)
}
