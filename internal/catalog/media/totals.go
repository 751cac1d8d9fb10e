package media

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MediaTotals returns the totals of the stored media of an organization's projects, by project. Projects without media are
// left out.
func (c *Catalog) MediaTotals(ctx context.Context, scope domain.OrganizationScope) (map[string]domain.MediaTotals, error) {
	return tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (project string, t domain.MediaTotals, err error) {
		err = r.Scan(&project, &t.Files, &t.Bytes)
		return project, t, err
	}, `SELECT project_id, COUNT(*), CAST(SUM(content_length) AS BIGINT) FROM media WHERE blob_key IS NOT NULL
		AND project_id IN (SELECT id FROM projects WHERE organization_id = ?) GROUP BY project_id`, scope.OrganizationID())
}
