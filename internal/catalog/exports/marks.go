package exports

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// NoteMark records that people changed a mark of a trace, so that the next run of a scheduled export writes the rows of
// the trace again. Nothing is recorded before the first run has begun.
func NoteMark(ctx context.Context, s tables.Session, scope domain.ProjectScope, traceID string) error {
	_, err := s.Exec(ctx,
		`INSERT INTO export_marks (project_id, trace_id, planned) SELECT project_id, ?, ? FROM blob_storage_runs WHERE project_id = ?
		ON CONFLICT (project_id, trace_id) DO UPDATE SET planned = excluded.planned`, traceID, false, scope.ProjectID())
	return err
}

// PlannedMarks returns at most limit ids, in order and starting after the given one, of traces whose marks were changed
// and whose rows a run therefore writes again.
func (c *Catalog) PlannedMarks(ctx context.Context, r *BlobRun, after string, limit int) ([]string, error) {
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], `SELECT trace_id FROM export_marks
		WHERE project_id = ? AND planned AND trace_id > ? ORDER BY trace_id LIMIT ?`, r.ProjectID, after, limit)
}
