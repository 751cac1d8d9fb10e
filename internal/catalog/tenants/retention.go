package tenants

import (
	"context"
	"fmt"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/rows"
)

// Retention says how long and how much a project keeps of its events.
type Retention struct {
	ProjectID string
	Days      int   // 0 keeps them for ever
	MaxBytes  int64 // 0 is no limit
}

// Retentions returns the projects of the instance.
func (c *Catalog) Retentions(ctx context.Context) ([]Retention, error) {
	return rows.QueryAll(ctx, c.db.Reader(), func(r rows.Row) (found Retention, err error) {
		err = r.Scan(&found.ProjectID, &found.Days, &found.MaxBytes)
		return found, err
	}, "SELECT id, retention_days, max_bytes FROM projects ORDER BY id")
}

// DeletedProjects returns the ids of projects that were deleted and whose events may still be there.
func (c *Catalog) DeletedProjects(ctx context.Context) ([]string, error) {
	return rows.QueryAll(ctx, c.db.Reader(), rows.ScanValue[string], "SELECT project_id FROM project_deletions ORDER BY at, project_id")
}

// EventsDeleted notes that no event of a deleted project is left.
func (c *Catalog) EventsDeleted(ctx context.Context, projectID string) error {
	return c.db.Update(ctx, func(s rows.Session) error {
		_, err := s.Exec(ctx, "DELETE FROM project_deletions WHERE project_id = ?", projectID)
		return err
	})
}

// oweDeletion notes that the events of a project are to be deleted.
func oweDeletion(ctx context.Context, s rows.Session, projectID string) error {
	if _, err := s.Exec(ctx, `INSERT INTO project_deletions (project_id, at) VALUES (?, ?)
		ON CONFLICT (project_id) DO UPDATE SET at = excluded.at`, projectID, rows.Millis(s.Now())); err != nil {
		return fmt.Errorf("cannot note that the events of project %s are to be deleted: %w", projectID, err)
	}
	return exports.ForgetExports(ctx, s, projectID)
}
