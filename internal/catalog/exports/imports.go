package exports

import (
	"context"

	"almanac/internal/catalog/rows"
	"almanac/internal/domain"
)

// ImportBlobStorage stores the blob storage integration of a project, unless it already has one.
func ImportBlobStorage(ctx context.Context, s rows.Session, n domain.BlobStorageIntegration, actor domain.Actor) (rows.ImportOutcome, error) {
	organization, err := rows.Optional(rows.QueryOne(ctx, s, rows.ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?", n.ProjectID))
	if err != nil || organization == nil {
		return rows.ImportSkipped(rows.SkippedProject), err
	}
	there, err := s.Exists(ctx, "SELECT project_id FROM blob_storage_integrations WHERE project_id = ?", n.ProjectID)
	if err != nil || there { // the existing one takes precedence
		return rows.ImportUnchanged, err
	}
	if err := s.Insert(ctx, "blob_storage_integrations ("+blobStorageColumns+")", blobStorageFields(&n)...); err != nil {
		return rows.Imported, err
	}
	return rows.Imported, auditBlobStorage(ctx, s, domain.OfOrganization(*organization), actor, nil, &n) //nolint:forbidigo // the operator acts
}
