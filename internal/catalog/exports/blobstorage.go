package exports

import (
	"cmp"
	"context"
	"encoding/json"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const blobStorageColumns = `project_id, type, bucket_name, endpoint, region, access_key_id, sealed_secret, prefix, export_frequency,
	enabled, force_path_style, file_type, export_mode, export_start_date, compressed, export_source, field_groups,
	run_started_at, next_sync_at, last_sync_at, last_error, last_error_at, created_at, updated_at`

const selectBlobStorage = "SELECT " + blobStorageColumns + ` FROM blob_storage_integrations
	WHERE project_id IN (SELECT p.id FROM projects p WHERE p.organization_id = ?)`

func blobStorageFields(b *domain.BlobStorageIntegration) []any {
	return []any{
		&b.ProjectID, &b.Type, &b.BucketName, &b.Endpoint, &b.Region, &b.AccessKeyID, &b.SealedSecret, &b.Prefix, &b.ExportFrequency,
		&b.Enabled, &b.ForcePathStyle, &b.FileType, &b.ExportMode, tables.AsOptionalTime(&b.ExportStartDate), &b.Compressed,
		&b.ExportSource,
		tables.AsOptionalJSON(&b.FieldGroups), tables.AsOptionalTime(&b.RunStartedAt), tables.AsOptionalTime(&b.NextSyncAt),
		tables.AsOptionalTime(&b.LastSyncAt),
		&b.LastError, tables.AsOptionalTime(&b.LastErrorAt), tables.AsTime(&b.CreatedAt), tables.AsTime(&b.UpdatedAt),
	}
}

// BlobStorageIntegrations returns the integrations of all projects of the organization, oldest first.
func (c *Catalog) BlobStorageIntegrations(ctx context.Context, scope domain.OrganizationScope) ([]domain.BlobStorageIntegration, error) {
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanInto(blobStorageFields), selectBlobStorage+" ORDER BY created_at, project_id",
		scope.OrganizationID())
}

// BlobStorageIntegration returns the integration of a project of the organization.
func (c *Catalog) BlobStorageIntegration(
	ctx context.Context, scope domain.OrganizationScope, projectID string,
) (domain.BlobStorageIntegration, error) {
	return readBlobStorage(ctx, c.db.Reader(), scope, projectID)
}

// PutBlobStorageIntegration stores the integration of a project of the organization, replacing any existing one. Before
// that, check is called with the integration to be stored. Errors from check are returned unchanged.
func (c *Catalog) PutBlobStorageIntegration(
	ctx context.Context, scope domain.OrganizationScope, n domain.BlobStorageIntegration, check func(domain.BlobStorageIntegration) error,
	actor domain.Actor,
) (domain.BlobStorageIntegration, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.BlobStorageIntegration, err error) {
		// Writing to the project locks it, so that concurrent changes see each other.
		found, err := s.Exec(ctx, "UPDATE projects SET updated_at = updated_at WHERE id = ? AND organization_id = ?", n.ProjectID,
			scope.OrganizationID())
		if err := tables.WithSubject(tables.OrNotFound(found, err), "project", n.ProjectID); err != nil {
			return after, err
		}
		before, err := tables.Optional(readBlobStorage(ctx, s, scope, n.ProjectID))
		if err != nil {
			return after, err
		}
		now := tables.FromMillis(tables.Millis(s.Now()))
		n.CreatedAt, n.UpdatedAt = now, now
		if before != nil {
			n.CreatedAt = before.CreatedAt
		}
		n.Replaces(before, now)
		stops := before != nil && (!n.Enabled || n.Destination() != before.Destination()) // a run in progress must not go on as before
		if stops {
			n.RunStartedAt = nil
		}
		if err := check(n); err != nil {
			return after, err
		}
		if before != nil && before.ExportMode != n.ExportMode {
			if err := forgetBlobRun(ctx, s, n.ProjectID); err != nil { // exports start over
				return after, err
			}
		}
		if stops {
			if err := blobRunLeases.Free(ctx, s, n.ProjectID); err != nil {
				return after, err
			}
		}
		if _, err := s.Exec(ctx, "DELETE FROM blob_storage_integrations WHERE project_id = ?", n.ProjectID); err != nil {
			return after, err
		}
		if err := s.Insert(ctx, "blob_storage_integrations ("+blobStorageColumns+")", blobStorageFields(&n)...); err != nil {
			return after, err
		}
		if after, err = readBlobStorage(ctx, s, scope, n.ProjectID); err != nil {
			return after, err
		}
		return after, auditBlobStorage(ctx, s, scope, actor, before, &after)
	})
}

// DisableBlobStorage disables all integrations that are enabled, with a reason that people see, and returns how many it
// were.
func DisableBlobStorage(ctx context.Context, s tables.Session, reason string, actor domain.Actor) (int, error) {
	const from = " FROM blob_storage_integrations b JOIN projects p ON p.id = b.project_id WHERE b.enabled ORDER BY b.project_id"
	type owned struct{ project, organization string }
	enabled, err := tables.QueryAll(ctx, s, func(r tables.Row) (o owned, err error) {
		err = r.Scan(&o.project, &o.organization)
		return o, err
	}, "SELECT b.project_id, p.organization_id"+from)
	if err != nil {
		return 0, err
	}
	for _, o := range enabled {
		now := tables.Millis(s.Now())
		if _, err := s.Exec(ctx,
			`UPDATE blob_storage_integrations SET enabled = ?, run_started_at = NULL, next_sync_at = NULL, last_error = ?,
			last_error_at = ? WHERE project_id = ?`, false, reason, now, o.project); err != nil {
			return 0, err
		}
		if err := s.Audit(ctx, domain.AuditEntry{
			OrganizationID: o.organization, ProjectID: o.project, Actor: actor, ResourceKind: KindBlobStorage, ResourceID: o.project,
			Before: json.RawMessage(`{"enabled":true}`), After: json.RawMessage(`{"enabled":false}`),
		}); err != nil {
			return 0, err
		}
	}
	return len(enabled), nil
}

// AuditBlobStorageTakeOver records that somebody made this installation the one that exports a project to its bucket.
func (c *Catalog) AuditBlobStorageTakeOver(
	ctx context.Context, scope domain.OrganizationScope, projectID string, actor domain.Actor,
) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := readBlobStorage(ctx, s, scope, projectID); err != nil {
			return err
		}
		return s.Audit(ctx, domain.AuditEntry{
			OrganizationID: scope.OrganizationID(), ProjectID: projectID, Actor: actor, ResourceKind: KindBlobStorage,
			ResourceID: projectID,
			After:      json.RawMessage(`{"tookOver":true}`),
		})
	})
}

// BlobStorageStates returns how many integrations are in which state of the metrics: ok, failing, disabled by a failure,
// or off.
func (c *Catalog) BlobStorageStates(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{"ok": 0, "failing": 0, "disabled": 0, "off": 0}
	type count struct {
		state string
		count int64
	}
	found, err := tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (n count, err error) {
		err = r.Scan(&n.state, &n.count)
		return n, err
	}, `SELECT state, COUNT(*) FROM (SELECT CASE WHEN enabled AND last_error IS NULL THEN 'ok' WHEN enabled THEN 'failing'
		WHEN last_error IS NOT NULL THEN 'disabled' ELSE 'off' END AS state FROM blob_storage_integrations) states GROUP BY state`)
	for _, n := range found {
		counts[n.state] = n.count
	}
	return counts, err
}

// DeleteBlobStorageIntegration removes the integration of a project of the organization.
func (c *Catalog) DeleteBlobStorageIntegration(
	ctx context.Context, scope domain.OrganizationScope, projectID string, actor domain.Actor,
) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := readBlobStorage(ctx, s, scope, projectID)
		if err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM blob_storage_integrations WHERE project_id = ?", projectID); err != nil {
			return err
		}
		if err := forgetBlobRun(ctx, s, projectID); err != nil {
			return err
		}
		return auditBlobStorage(ctx, s, scope, actor, &before, nil)
	})
}

func readBlobStorage(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, projectID string,
) (domain.BlobStorageIntegration, error) {
	b, err := tables.QueryOne(ctx, s, tables.ScanInto(blobStorageFields), selectBlobStorage+" AND project_id = ?",
		scope.OrganizationID(), projectID)
	return b, tables.WithSubject(err, "blob storage integration", projectID)
}

func auditBlobStorage(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, actor domain.Actor, before, after *domain.BlobStorageIntegration,
) error {
	state := func(b *domain.BlobStorageIntegration) map[string]any {
		state := map[string]any{
			"type": b.Type, "bucketName": b.BucketName, "endpoint": b.Endpoint, "region": b.Region, "prefix": b.Prefix,
			"exportFrequency": b.ExportFrequency, "enabled": b.Enabled, "forcePathStyle": b.ForcePathStyle, "fileType": b.FileType,
			"exportMode": b.ExportMode, "exportStartDate": b.ExportStartDate, "compressed": b.Compressed, "exportSource": b.ExportSource,
			"exportFieldGroups": b.FieldGroups,
		}
		if before != nil && b == after && tables.TextOf(before.SealedSecret) != tables.TextOf(b.SealedSecret) {
			state[tables.SecretReplaced] = true
		}
		return state
	}
	which := cmp.Or(after, before)
	return s.Audit(ctx, domain.AuditEntry{
		OrganizationID: scope.OrganizationID(), ProjectID: which.ProjectID, Actor: actor,
		ResourceKind: KindBlobStorage, ResourceID: which.ProjectID, Before: tables.StateIf(before, state),
		After: tables.StateIf(after, state),
	})
}
