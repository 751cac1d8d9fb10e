package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/internal/catalog/rows"
	"almanac/internal/domain"
)

// ImportedMember says that somebody is a member of an organization or, if it has the id of one, of a project. People are found by
// their address: whoever had an account here keeps it.
type ImportedMember struct {
	OrganizationID string
	ProjectID      string
	Email          string
	Role           domain.Role
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// ImportedAssignment says that somebody works on an annotation queue.
type ImportedAssignment struct {
	QueueID   string
	Email     string
	CreatedAt time.Time
}

// The reasons why things of the instance are left out.
const (
	skippedOrganization = "its organization is not there"
	skippedProject      = "its project is not there"
	skippedUser         = "there is no account with the address"
	skippedAddress      = "another account has the address here: memberships go to that one"
	skippedPublicKey    = "another key has the public key here"
	skippedMember       = "is a member here already, with a role that stays"
	skippedMoved        = "it belongs to another organization here"
)

// ImportInstance is Import for what belongs to no project, or says what projects there are. It is for the operator, who is bound to no
// organization. Changes are audited as if the actor had made them.
//
// Things are of these types: domain.Organization, domain.Project, domain.Account (whose password stays behind), ImportedMember,
// domain.StoredKey (whose hash may be one that the key was imported with), domain.BlobStorageIntegration, ImportedAssignment,
// domain.AuditEntry.
func (c *Catalog) ImportInstance(
	ctx context.Context, things []any, state func([]rows.ImportOutcome) (ImportState, error), actor domain.Actor,
) error {
	return c.importAll(ctx, things, state, func(s rows.Session, thing any) (rows.ImportOutcome, error) {
		return importInstanceThing(ctx, s, thing, actor)
	})
}

func importInstanceThing(ctx context.Context, s rows.Session, thing any, actor domain.Actor) (rows.ImportOutcome, error) {
	switch t := thing.(type) {
	case domain.Organization:
		return importOrganization(ctx, s, t, actor)
	case domain.Project:
		return importProject(ctx, s, t, actor)
	case domain.Account:
		return importAccount(ctx, s, t, actor)
	case ImportedMember:
		return importMember(ctx, s, t, actor)
	case domain.StoredKey:
		return importKey(ctx, s, t, actor)
	case domain.BlobStorageIntegration:
		return importBlobStorage(ctx, s, t, actor)
	case ImportedAssignment:
		return importAssignment(ctx, s, t)
	case domain.AuditEntry:
		return importAuditEntry(ctx, s, t)
	}
	panic(fmt.Sprintf("BUG: things of type %T cannot be imported", thing))
}

func importOrganization(ctx context.Context, s rows.Session, n domain.Organization, actor domain.Actor) (rows.ImportOutcome, error) {
	before, err := rows.Optional(rows.QueryOne(ctx, s, rows.ScanInto(organizationFields), "SELECT "+organizationColumns+" FROM organizations WHERE id = ?", n.ID))
	switch {
	case err != nil:
		return rows.Imported, err
	case before == nil:
		err = s.Insert(ctx, "organizations ("+organizationColumns+")", organizationFields(&n)...)
	case rows.Millis(before.UpdatedAt) >= rows.Millis(n.UpdatedAt):
		return rows.ImportUnchanged, nil
	default:
		_, err = s.Exec(ctx, "UPDATE organizations SET name = ?, metadata = ?, updated_at = ? WHERE id = ?", n.Name, string(n.Metadata), rows.Millis(n.UpdatedAt), n.ID)
	}
	if err != nil {
		return rows.Imported, err
	}
	return rows.Imported, auditOrganization(ctx, s, actor, before, &n)
}

func importProject(ctx context.Context, s rows.Session, n domain.Project, actor domain.Actor) (rows.ImportOutcome, error) {
	owned, err := s.Exists(ctx, "SELECT id FROM organizations WHERE id = ?", n.OrganizationID)
	if err != nil || !owned {
		return rows.ImportSkipped(skippedOrganization), err
	}
	taken, err := s.Exists(ctx, "SELECT id FROM projects WHERE organization_id = ? AND name = ? AND id <> ?", n.OrganizationID, n.Name, n.ID)
	if err != nil || taken {
		return rows.ImportSkipped(rows.SkippedNameTaken), err
	}
	before, err := rows.Optional(rows.QueryOne(ctx, s, scanProject, selectProject+" WHERE p.id = ?", n.ID))
	switch {
	case err != nil:
		return rows.Imported, err
	case before == nil:
		err = s.Insert(ctx, "projects (id, organization_id, name, metadata, retention_days, created_at, updated_at)",
			n.ID, n.OrganizationID, n.Name, string(n.Metadata), n.RetentionDays, rows.Millis(n.CreatedAt), rows.Millis(n.UpdatedAt))
	case before.OrganizationID != n.OrganizationID:
		return rows.ImportSkipped(skippedMoved), nil
	case rows.Millis(before.UpdatedAt) >= rows.Millis(n.UpdatedAt):
		return rows.ImportUnchanged, nil
	default:
		_, err = s.Exec(ctx, "UPDATE projects SET name = ?, metadata = ?, retention_days = ?, updated_at = ? WHERE id = ?",
			n.Name, string(n.Metadata), n.RetentionDays, rows.Millis(n.UpdatedAt), n.ID)
	}
	if err != nil {
		return rows.Imported, err
	}
	return rows.Imported, auditProject(ctx, s, actor, before, &n)
}

func importAccount(ctx context.Context, s rows.Session, n domain.Account, actor domain.Actor) (rows.ImportOutcome, error) {
	n.Email = normalEmail(n.Email)
	known, err := s.Exists(ctx, "SELECT id FROM users WHERE id = ?", n.ID)
	if err != nil || known {
		return rows.ImportUnchanged, err
	}
	taken, err := s.Exists(ctx, "SELECT id FROM users WHERE email = ?", n.Email)
	if err != nil || taken {
		return rows.ImportSkipped(skippedAddress), err
	}
	var verified *int64
	if n.EmailVerified {
		verified = new(rows.Millis(n.UpdatedAt))
	}
	if err := s.Insert(ctx, "users ("+accountColumns+")", append(userFields(&n.User), noPassword, verified)...); err != nil {
		return rows.Imported, err
	}
	return rows.Imported, s.Audit(ctx, domain.AuditEntry{
		Actor: actor, ResourceKind: rows.KindUser, ResourceID: n.ID, After: rows.StateOf(map[string]any{"email": n.Email, "name": n.Name}),
	})
}

// importMember keeps a membership. Whoever is a member already keeps the role: an import is no way to get a stronger one.
func importMember(ctx context.Context, s rows.Session, n ImportedMember, actor domain.Actor) (rows.ImportOutcome, error) {
	user, err := rows.Optional(readUser(ctx, s, "email", normalEmail(n.Email)))
	if err != nil || user == nil {
		return rows.ImportSkipped(skippedUser), err
	}
	of := roster{
		"organization_memberships", "organization_id", n.OrganizationID,
		domain.AuditEntry{OrganizationID: n.OrganizationID, ResourceKind: rows.KindMembership},
	}
	owner, missing := "organizations", skippedOrganization
	if n.ProjectID != "" {
		of = roster{
			"project_memberships", "project_id", n.ProjectID,
			domain.AuditEntry{OrganizationID: n.OrganizationID, ProjectID: n.ProjectID, ResourceKind: rows.KindProjectMembership},
		}
		owner, missing = "projects", skippedProject
	}
	there, err := s.Exists(ctx, "SELECT id FROM "+owner+" WHERE id = ?", of.id)
	if err != nil || !there {
		return rows.ImportSkipped(missing), err
	}
	before, err := rows.Optional(memberOf(ctx, s, of, user.ID))
	switch {
	case err != nil:
		return rows.Imported, err
	case before != nil && before.Role == n.Role:
		return rows.ImportUnchanged, nil
	case before != nil:
		return rows.ImportSkipped(skippedMember), nil
	}
	if err := s.Insert(ctx, of.table+" ("+of.owner+", user_id, role, created_at, updated_at)",
		of.id, user.ID, n.Role, rows.Millis(n.CreatedAt), rows.Millis(n.UpdatedAt)); err != nil {
		return rows.Imported, err
	}
	return rows.Imported, auditMember(ctx, s, of, user.ID, nil, &domain.Member{User: *user, Role: n.Role}, actor)
}

// importKey keeps a key. One that is there and was not used since gets the hash again: it may have been made with another salt.
func importKey(ctx context.Context, s rows.Session, n domain.StoredKey, actor domain.Actor) (rows.ImportOutcome, error) {
	before, err := rows.Optional(rows.QueryOne(ctx, s, scanKey, "SELECT "+keyColumns+" FROM api_keys WHERE id = ?", n.ID))
	switch {
	case err != nil:
		return rows.Imported, err
	case before != nil && (before.PublicKey != n.PublicKey || before.ProjectID != n.ProjectID || before.OrganizationID != n.OrganizationID):
		return rows.ImportSkipped(rows.SkippedElsewhere), nil
	case before != nil:
		if strings.HasPrefix(before.SecretHash, domain.ImportedKeyPrefix) {
			_, err = s.Exec(ctx, "UPDATE api_keys SET secret_hash = ? WHERE id = ?", n.SecretHash, n.ID)
			s.Note(rows.Change{Kind: rows.KindKey, OrganizationID: n.OrganizationID, ProjectID: n.ProjectID})
		}
		return rows.ImportUnchanged, err
	}
	taken, err := s.Exists(ctx, "SELECT id FROM api_keys WHERE public_key = ?", n.PublicKey)
	if err != nil || taken {
		return rows.ImportSkipped(skippedPublicKey), err
	}
	where, args, missing := "SELECT id FROM organizations WHERE id = ?", []any{n.OrganizationID}, skippedOrganization
	if n.ProjectID != "" {
		where, args, missing = "SELECT id FROM projects WHERE organization_id = ? AND id = ?", []any{n.OrganizationID, n.ProjectID}, skippedProject
	}
	owned, err := s.Exists(ctx, where, args...)
	if err != nil || !owned {
		return rows.ImportSkipped(missing), err
	}
	if err := s.Insert(ctx, "api_keys ("+keyColumns+")",
		n.ID, n.OrganizationID, rows.AsOptional(&n.ProjectID), n.PublicKey, n.SecretHash, n.DisplaySecret, n.Note, n.Permissions.String(),
		rows.AsTime(&n.CreatedAt), rows.AsOptionalTime(&n.ExpiresAt), rows.AsOptionalTime(&n.LastUsedAt)); err != nil {
		return rows.Imported, err
	}
	return rows.Imported, auditKey(ctx, s, actor, nil, &n.APIKey)
}

func importBlobStorage(ctx context.Context, s rows.Session, n domain.BlobStorageIntegration, actor domain.Actor) (rows.ImportOutcome, error) {
	organization, err := rows.Optional(rows.QueryOne(ctx, s, rows.ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?", n.ProjectID))
	if err != nil || organization == nil {
		return rows.ImportSkipped(skippedProject), err
	}
	there, err := s.Exists(ctx, "SELECT project_id FROM blob_storage_integrations WHERE project_id = ?", n.ProjectID)
	if err != nil || there { // what is set up here counts
		return rows.ImportUnchanged, err
	}
	if err := s.Insert(ctx, "blob_storage_integrations ("+blobStorageColumns+")", blobStorageFields(&n)...); err != nil {
		return rows.Imported, err
	}
	return rows.Imported, auditBlobStorage(ctx, s, domain.OfOrganization(*organization), actor, nil, &n) //nolint:forbidigo // the operator acts
}

func importAssignment(ctx context.Context, s rows.Session, n ImportedAssignment) (rows.ImportOutcome, error) {
	user, err := rows.Optional(readUser(ctx, s, "email", normalEmail(n.Email)))
	if err != nil || user == nil {
		return rows.ImportSkipped(skippedUser), err
	}
	queue, err := s.Exists(ctx, "SELECT id FROM annotation_queues WHERE id = ?", n.QueueID)
	if err != nil || !queue {
		return rows.ImportSkipped(skippedQueue), err
	}
	added, err := s.Exec(ctx, `INSERT INTO annotation_queue_assignments (queue_id, user_id, created_at) VALUES (?, ?, ?)
		ON CONFLICT DO NOTHING`, n.QueueID, user.ID, rows.Millis(n.CreatedAt))
	return rows.ImportOutcome{Unchanged: added == 0}, err
}

// importAuditEntry keeps an entry as it is. What it tells of happened elsewhere: nothing changes here.
func importAuditEntry(ctx context.Context, s rows.Session, n domain.AuditEntry) (rows.ImportOutcome, error) {
	added, err := s.Exec(ctx, "INSERT INTO audit_log ("+rows.AuditColumns+") VALUES ("+rows.Placeholders(14)+") ON CONFLICT DO NOTHING",
		n.ID, rows.Millis(n.At), n.OrganizationID, n.ProjectID, n.Actor.Kind, n.Actor.ID, n.Action, n.ResourceKind, n.ResourceID,
		n.Origin.Address, n.Origin.RequestID, n.Origin.Client, rows.AsRaw(&n.Before), rows.AsRaw(&n.After))
	return rows.ImportOutcome{Unchanged: added == 0}, err
}
