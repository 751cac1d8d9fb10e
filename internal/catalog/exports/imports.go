package exports

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ImportBlobStorage stores the blob storage integration of a project, unless it already has one.
func ImportBlobStorage(
	ctx context.Context, s tables.Session, n domain.BlobStorageIntegration, actor domain.Actor,
) (tables.ImportOutcome, error) {
	organization, err := tables.Optional(tables.QueryOne(ctx, s, tables.ScanValue[string],
		"SELECT organization_id FROM projects WHERE id = ?", n.ProjectID))
	if err != nil || organization == nil {
		return tables.ImportSkipped(tables.SkippedProject), err
	}
	there, err := s.Exists(ctx, "SELECT project_id FROM blob_storage_integrations WHERE project_id = ?", n.ProjectID)
	if err != nil || there { // the existing one takes precedence
		return tables.ImportUnchanged, err
	}
	if err := s.Insert(ctx, "blob_storage_integrations ("+blobStorageColumns+")", blobStorageFields(&n)...); err != nil {
		return tables.Imported, err
	}
	return tables.Imported, auditBlobStorage(ctx, s, domain.OfOrganization(*organization), actor, nil, &n) //nolint:forbidigo // the operator acts
}
