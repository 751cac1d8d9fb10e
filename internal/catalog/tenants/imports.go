package tenants

import (
	"context"
	"strings"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// The reasons for skipping tenants.
const (
	SkippedPublicKey = "another key here has its public key"
	skippedMoved     = "it already belongs to another organization here"
)

// ImportOrganization stores an organization, or updates an older one.
func ImportOrganization(ctx context.Context, s tables.Session, n domain.Organization, actor domain.Actor) (tables.ImportOutcome, error) {
	before, err := tables.Optional(tables.QueryOne(ctx, s, tables.ScanInto(organizationFields), "SELECT "+organizationColumns+
		" FROM organizations WHERE id = ?", n.ID))
	switch {
	case err != nil:
		return tables.Imported, err
	case before == nil:
		err = s.Insert(ctx, "organizations ("+organizationColumns+")", organizationFields(&n)...)
	case tables.Millis(before.UpdatedAt) >= tables.Millis(n.UpdatedAt):
		return tables.ImportUnchanged, nil
	default:
		_, err = s.Exec(ctx, "UPDATE organizations SET name = ?, metadata = ?, updated_at = ? WHERE id = ?", n.Name, string(n.Metadata),
			tables.Millis(n.UpdatedAt), n.ID)
	}
	if err != nil {
		return tables.Imported, err
	}
	return tables.Imported, auditOrganization(ctx, s, actor, before, &n)
}

// ImportProject stores a project of an existing organization, or updates an older one.
func ImportProject(ctx context.Context, s tables.Session, n domain.Project, actor domain.Actor) (tables.ImportOutcome, error) {
	owned, err := s.Exists(ctx, "SELECT id FROM organizations WHERE id = ?", n.OrganizationID)
	if err != nil || !owned {
		return tables.ImportSkipped(tables.SkippedOrganization), err
	}
	taken, err := s.Exists(ctx, "SELECT id FROM projects WHERE organization_id = ? AND name = ? AND id <> ?", n.OrganizationID,
		n.Name, n.ID)
	if err != nil || taken {
		return tables.ImportSkipped(tables.SkippedNameTaken), err
	}
	before, err := tables.Optional(tables.QueryOne(ctx, s, scanProject, selectProject+" WHERE p.id = ?", n.ID))
	switch {
	case err != nil:
		return tables.Imported, err
	case before == nil:
		err = s.Insert(ctx, "projects (id, organization_id, name, metadata, retention_days, created_at, updated_at)",
			n.ID, n.OrganizationID, n.Name, string(n.Metadata), n.RetentionDays, tables.Millis(n.CreatedAt), tables.Millis(n.UpdatedAt))
	case before.OrganizationID != n.OrganizationID:
		return tables.ImportSkipped(skippedMoved), nil
	case tables.Millis(before.UpdatedAt) >= tables.Millis(n.UpdatedAt):
		return tables.ImportUnchanged, nil
	default:
		_, err = s.Exec(ctx, "UPDATE projects SET name = ?, metadata = ?, retention_days = ?, updated_at = ? WHERE id = ?",
			n.Name, string(n.Metadata), n.RetentionDays, tables.Millis(n.UpdatedAt), n.ID)
	}
	if err != nil {
		return tables.Imported, err
	}
	return tables.Imported, auditProject(ctx, s, actor, before, &n)
}

// ImportKey stores a key. The hash of a stored key that was not used since its import is replaced: the old one may have
// been made with another salt.
func ImportKey(ctx context.Context, s tables.Session, n domain.StoredKey, actor domain.Actor) (tables.ImportOutcome, error) {
	before, err := tables.Optional(tables.QueryOne(ctx, s, scanKey, "SELECT "+keyColumns+" FROM api_keys WHERE id = ?", n.ID))
	switch {
	case err != nil:
		return tables.Imported, err
	case before != nil && (before.PublicKey != n.PublicKey || before.ProjectID != n.ProjectID || before.OrganizationID != n.OrganizationID):
		return tables.ImportSkipped(tables.SkippedElsewhere), nil
	case before != nil:
		if strings.HasPrefix(before.SecretHash, domain.ImportedKeyPrefix) {
			_, err = s.Exec(ctx, "UPDATE api_keys SET secret_hash = ? WHERE id = ?", n.SecretHash, n.ID)
			s.Note(tables.Change{Kind: tables.KindKey, OrganizationID: n.OrganizationID, ProjectID: n.ProjectID})
		}
		return tables.ImportUnchanged, err
	}
	taken, err := s.Exists(ctx, "SELECT id FROM api_keys WHERE public_key = ?", n.PublicKey)
	if err != nil || taken {
		return tables.ImportSkipped(SkippedPublicKey), err
	}
	where, args, missing := "SELECT id FROM organizations WHERE id = ?", []any{n.OrganizationID}, tables.SkippedOrganization
	if n.ProjectID != "" {
		where, args, missing = "SELECT id FROM projects WHERE organization_id = ? AND id = ?", []any{n.OrganizationID, n.ProjectID},
			tables.SkippedProject
	}
	owned, err := s.Exists(ctx, where, args...)
	if err != nil || !owned {
		return tables.ImportSkipped(missing), err
	}
	if err := s.Insert(ctx, "api_keys ("+keyColumns+")",
		n.ID, n.OrganizationID, tables.AsOptional(&n.ProjectID), n.PublicKey, n.SecretHash, n.DisplaySecret, n.Note, n.Permissions.String(),
		tables.AsTime(&n.CreatedAt), tables.AsOptionalTime(&n.ExpiresAt), tables.AsOptionalTime(&n.LastUsedAt)); err != nil {
		return tables.Imported, err
	}
	return tables.Imported, auditKey(ctx, s, actor, nil, &n.APIKey)
}
