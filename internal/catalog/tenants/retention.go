package tenants

import (
	"context"
	"fmt"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/tables"
)

// Retention is how long a project keeps its events, and how many bytes of them.
type Retention struct {
	ProjectID string
	Days      int   // 0 means forever
	MaxBytes  int64 // 0 means no limit
}

// Retentions returns the retention of every project of the instance.
func (c *Catalog) Retentions(ctx context.Context) ([]Retention, error) {
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (found Retention, err error) {
		err = r.Scan(&found.ProjectID, &found.Days, &found.MaxBytes)
		return found, err
	}, "SELECT id, retention_days, max_bytes FROM projects ORDER BY id")
}

// DeletedProjects returns the ids of deleted projects whose events may still exist.
func (c *Catalog) DeletedProjects(ctx context.Context) ([]string, error) {
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], "SELECT project_id FROM project_deletions ORDER BY at, project_id")
}

// EventsDeleted records that a deleted project has no events left.
func (c *Catalog) EventsDeleted(ctx context.Context, projectID string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM project_deletions WHERE project_id = ?", projectID)
		return err
	})
}

// scheduleDeletion records that the events of a project must be deleted.
func scheduleDeletion(ctx context.Context, s tables.Session, projectID string) error {
	if _, err := s.Exec(ctx, `INSERT INTO project_deletions (project_id, at) VALUES (?, ?)
		ON CONFLICT (project_id) DO UPDATE SET at = excluded.at`, projectID, tables.Millis(s.Now())); err != nil {
		return fmt.Errorf("cannot mark the events of project %s for deletion: %w", projectID, err)
	}
	return exports.ForgetExports(ctx, s, projectID)
}
