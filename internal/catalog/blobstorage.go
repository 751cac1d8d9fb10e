package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/internal/domain"
)

const blobStorageColumns = `b.project_id, b.type, b.bucket_name, b.endpoint, b.region, b.access_key_id, b.sealed_secret, b.prefix, b.export_frequency,
	b.enabled, b.force_path_style, b.file_type, b.export_mode, b.export_start_date, b.compressed, b.export_source, b.field_groups,
	b.run_started_at, b.next_sync_at, b.last_sync_at, b.last_error, b.last_error_at, b.created_at, b.updated_at`

const selectBlobStorage = "SELECT " + blobStorageColumns + `
	FROM blob_storage_integrations b JOIN projects p ON p.id = b.project_id WHERE p.organization_id = ?`

func scanBlobStorage(r row) (domain.BlobStorageIntegration, error) {
	var (
		b                                              domain.BlobStorageIntegration
		endpoint, accessKey, secret, groups, lastError sql.Null[string]
		start, run, next, last, lastErrorAt            sql.Null[int64]
		created, updated                               int64
	)
	if err := r.Scan(&b.ProjectID, &b.Type, &b.BucketName, &endpoint, &b.Region, &accessKey, &secret, &b.Prefix, &b.ExportFrequency,
		&b.Enabled, &b.ForcePathStyle, &b.FileType, &b.ExportMode, &start, &b.Compressed, &b.ExportSource, &groups,
		&run, &next, &last, &lastError, &lastErrorAt, &created, &updated); err != nil {
		return b, err
	}
	b.Endpoint, b.AccessKeyID, b.SealedSecret, b.LastError = optional(endpoint), optional(accessKey), optional(secret), optional(lastError)
	b.ExportStartDate, b.RunStartedAt, b.NextSyncAt = fromOptionalMillis(start), fromOptionalMillis(run), fromOptionalMillis(next)
	b.LastSyncAt, b.LastErrorAt = fromOptionalMillis(last), fromOptionalMillis(lastErrorAt)
	b.CreatedAt, b.UpdatedAt = fromMillis(created), fromMillis(updated)
	if groups.Valid {
		if err := json.Unmarshal([]byte(groups.V), &b.FieldGroups); err != nil {
			return b, fmt.Errorf("cannot read the field groups of the blob storage integration of project %s: %w", b.ProjectID, err)
		}
	}
	return b, nil
}

// BlobStorageIntegrations returns the integrations of all projects of the organization, oldest first.
func (c *Catalog) BlobStorageIntegrations(ctx context.Context, scope domain.OrganizationScope) ([]domain.BlobStorageIntegration, error) {
	return queryAll(ctx, c.reader(), scanBlobStorage, selectBlobStorage+" ORDER BY b.created_at, b.project_id", scope.OrganizationID())
}

// BlobStorageIntegration returns the integration of a project of the organization.
func (c *Catalog) BlobStorageIntegration(ctx context.Context, scope domain.OrganizationScope, projectID string) (domain.BlobStorageIntegration, error) {
	return c.reader().blobStorage(ctx, scope, projectID)
}

// PutBlobStorageIntegration stores the integration of a project of the organization in place of the one that it has. Before it is
// stored, check is called with it as it will be. An error of check is returned as it is.
func (c *Catalog) PutBlobStorageIntegration(
	ctx context.Context, scope domain.OrganizationScope, n domain.BlobStorageIntegration, check func(domain.BlobStorageIntegration) error, actor domain.Actor,
) (domain.BlobStorageIntegration, error) {
	var after domain.BlobStorageIntegration
	err := c.update(ctx, func(s session) error {
		// Writing to the project locks it, so that of two changes at once one sees the other.
		found, err := s.exec(ctx, "UPDATE projects SET updated_at = updated_at WHERE id = ? AND organization_id = ?", n.ProjectID, scope.OrganizationID())
		if err != nil {
			return err
		}
		if found == 0 {
			return named(domain.ErrNotFound, "project", n.ProjectID)
		}
		before, err := s.blobStorage(ctx, scope, n.ProjectID)
		var earlier *domain.BlobStorageIntegration
		switch {
		case err == nil:
			earlier = &before
		case !errors.Is(err, domain.ErrNotFound):
			return err
		}
		now := fromMillis(millis(c.now()))
		n.CreatedAt, n.UpdatedAt = now, now
		if earlier != nil {
			n.CreatedAt = earlier.CreatedAt
		}
		n.Replaces(earlier, now)
		if err := check(n); err != nil {
			return err
		}
		if err := s.writeBlobStorage(ctx, n); err != nil {
			return err
		}
		if after, err = s.blobStorage(ctx, scope, n.ProjectID); err != nil {
			return err
		}
		return s.auditBlobStorage(ctx, scope, actor, earlier, &after)
	})
	return after, err
}

func (s session) writeBlobStorage(ctx context.Context, n domain.BlobStorageIntegration) error {
	if _, err := s.exec(ctx, "DELETE FROM blob_storage_integrations WHERE project_id = ?", n.ProjectID); err != nil {
		return err
	}
	var groups *string
	if n.FieldGroups != nil {
		groups = new(textOf(n.FieldGroups))
	}
	_, err := s.exec(ctx, `INSERT INTO blob_storage_integrations (project_id, type, bucket_name, endpoint, region, access_key_id, sealed_secret, prefix, export_frequency,
		enabled, force_path_style, file_type, export_mode, export_start_date, compressed, export_source, field_groups,
		run_started_at, next_sync_at, last_sync_at, last_error, last_error_at, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		n.ProjectID, n.Type, n.BucketName, n.Endpoint, n.Region, n.AccessKeyID, n.SealedSecret, n.Prefix, n.ExportFrequency,
		n.Enabled, n.ForcePathStyle, n.FileType, n.ExportMode, optionalMillis(n.ExportStartDate), n.Compressed, n.ExportSource, groups,
		optionalMillis(n.RunStartedAt), optionalMillis(n.NextSyncAt), optionalMillis(n.LastSyncAt), n.LastError, optionalMillis(n.LastErrorAt),
		millis(n.CreatedAt), millis(n.UpdatedAt))
	return err
}

// DeleteBlobStorageIntegration removes the integration of a project of the organization.
func (c *Catalog) DeleteBlobStorageIntegration(ctx context.Context, scope domain.OrganizationScope, projectID string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		before, err := s.blobStorage(ctx, scope, projectID)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM blob_storage_integrations WHERE project_id = ?", projectID); err != nil {
			return err
		}
		return s.auditBlobStorage(ctx, scope, actor, &before, nil)
	})
}

func (s session) blobStorage(ctx context.Context, scope domain.OrganizationScope, projectID string) (domain.BlobStorageIntegration, error) {
	b, err := queryOne(ctx, s, scanBlobStorage, selectBlobStorage+" AND b.project_id = ?", scope.OrganizationID(), projectID)
	return b, named(err, "blob storage integration", projectID)
}

func (s session) auditBlobStorage(ctx context.Context, scope domain.OrganizationScope, actor domain.Actor, before, after *domain.BlobStorageIntegration) error {
	state := func(b *domain.BlobStorageIntegration) json.RawMessage {
		if b == nil {
			return nil
		}
		state := map[string]any{
			"type": b.Type, "bucketName": b.BucketName, "endpoint": b.Endpoint, "region": b.Region, "prefix": b.Prefix,
			"exportFrequency": b.ExportFrequency, "enabled": b.Enabled, "forcePathStyle": b.ForcePathStyle, "fileType": b.FileType,
			"exportMode": b.ExportMode, "exportStartDate": b.ExportStartDate, "compressed": b.Compressed, "exportSource": b.ExportSource,
			"exportFieldGroups": b.FieldGroups,
		}
		if before != nil && b == after && textOf(before.SealedSecret) != textOf(b.SealedSecret) {
			state[secretReplaced] = true
		}
		return stateOf(state)
	}
	action, which := "update", after
	switch {
	case before == nil:
		action = "create"
	case after == nil:
		action, which = "delete", before
	}
	return s.audit(ctx, domain.AuditEntry{
		OrganizationID: scope.OrganizationID(), ProjectID: which.ProjectID, Actor: actor, Action: action,
		ResourceKind: "blobStorageIntegration", ResourceID: which.ProjectID, Before: state(before), After: state(after),
	})
}
