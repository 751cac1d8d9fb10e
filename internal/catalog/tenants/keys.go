package tenants

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const keyColumns = "id, organization_id, project_id, public_key, secret_hash, display_secret, note, permissions, created_at, expires_at, " +
	"last_used_at"

func scanKey(r tables.Row) (k domain.StoredKey, err error) {
	var permissions string
	if err := r.Scan(&k.ID, &k.OrganizationID, tables.AsOptional(&k.ProjectID), &k.PublicKey, &k.SecretHash, &k.DisplaySecret, &k.Note,
		&permissions,
		tables.AsTime(&k.CreatedAt), tables.AsOptionalTime(&k.ExpiresAt), tables.AsOptionalTime(&k.LastUsedAt)); err != nil {
		return k, err
	}
	if k.Permissions, err = domain.ParsePermissions(permissions); err != nil {
		return k, fmt.Errorf("key %s: %w", k.PublicKey, err)
	}
	return k, nil
}

// KeyByPublic returns a key by its public half, for checking a credential.
func (c *Catalog) KeyByPublic(ctx context.Context, publicKey string) (domain.StoredKey, error) {
	k, err := tables.QueryOne(ctx, c.db.Reader(), scanKey, "SELECT "+keyColumns+" FROM api_keys WHERE public_key = ?", publicKey)
	return k, tables.WithSubject(err, "key", publicKey)
}

// KeyOfProject returns a key of a project by its id.
func (c *Catalog) KeyOfProject(ctx context.Context, scope domain.ProjectScope, id string) (domain.APIKey, error) {
	k, err := tables.QueryOne(ctx, c.db.Reader(), scanPlainKey, "SELECT "+keyColumns+" FROM api_keys WHERE project_id = ? AND id = ?",
		scope.ProjectID(), id)
	return k, tables.WithSubject(err, "key", id)
}

// Keys returns the keys of an organization and of all its projects, oldest first.
func (c *Catalog) Keys(ctx context.Context, scope domain.OrganizationScope) ([]domain.APIKey, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanPlainKey,
		"SELECT "+keyColumns+" FROM api_keys WHERE organization_id = ? ORDER BY created_at, id", scope.OrganizationID())
}

// ProjectKeys returns the keys of one project of the organization, oldest first.
func (c *Catalog) ProjectKeys(ctx context.Context, scope domain.OrganizationScope, projectID string) ([]domain.APIKey, error) {
	if _, err := ProjectOf(ctx, c.db.Reader(), scope, projectID); err != nil {
		return nil, err
	}
	return tables.QueryAll(ctx, c.db.Reader(), scanPlainKey,
		"SELECT "+keyColumns+" FROM api_keys WHERE organization_id = ? AND project_id = ? ORDER BY created_at, id",
		scope.OrganizationID(), projectID)
}

// OrganizationKeys returns the keys of an organization itself, oldest first.
func (c *Catalog) OrganizationKeys(ctx context.Context, scope domain.OrganizationScope) ([]domain.APIKey, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanPlainKey,
		"SELECT "+keyColumns+" FROM api_keys WHERE organization_id = ? AND project_id IS NULL ORDER BY created_at, id",
		scope.OrganizationID())
}

func scanPlainKey(r tables.Row) (domain.APIKey, error) {
	k, err := scanKey(r)
	return k.APIKey, err
}

// NewKey is the input of CreateKey. It does not contain the secret itself.
type NewKey struct {
	ProjectID     string // empty for an organization key
	PublicKey     string
	SecretHash    string
	DisplaySecret string
	Note          *string
	Permissions   domain.PermissionSet
	ExpiresAt     *time.Time
}

// CreateKey stores a key of the organization or of one of its projects. It returns domain.ErrConflict if the public key
// is taken.
func (c *Catalog) CreateKey(ctx context.Context, scope domain.OrganizationScope, n NewKey, actor domain.Actor) (domain.APIKey, error) {
	k := domain.APIKey{
		ID: domain.NewID(), OrganizationID: scope.OrganizationID(), ProjectID: n.ProjectID,
		PublicKey: n.PublicKey, DisplaySecret: n.DisplaySecret, Note: n.Note, Permissions: n.Permissions,
		CreatedAt: tables.FromMillis(tables.Millis(c.db.Now())), ExpiresAt: n.ExpiresAt,
	}
	err := c.db.Update(ctx, func(s tables.Session) error {
		if n.ProjectID != "" {
			if _, err := ProjectOf(ctx, s, scope, n.ProjectID); err != nil {
				return err
			}
		} else if err := LockOrganization(ctx, s, scope); err != nil {
			return err
		}
		if err := s.Insert(ctx, "api_keys ("+keyColumns+")",
			k.ID, k.OrganizationID, tables.AsOptional(&k.ProjectID), k.PublicKey, n.SecretHash, k.DisplaySecret, k.Note,
			k.Permissions.String(),
			tables.AsTime(&k.CreatedAt), tables.AsOptionalTime(&k.ExpiresAt), tables.AsOptionalTime(&k.LastUsedAt)); err != nil {
			return err
		}
		return auditKey(ctx, s, actor, nil, &k)
	})
	return k, tables.NamedConflict(err, "key", n.PublicKey)
}

// DeleteProjectKey removes a key of one project of the organization and returns it.
func (c *Catalog) DeleteProjectKey(
	ctx context.Context, scope domain.OrganizationScope, projectID, keyID string, actor domain.Actor,
) (domain.APIKey, error) {
	return c.deleteKey(ctx, actor, keyID, "organization_id = ? AND project_id = ? AND id = ?",
		scope.OrganizationID(), projectID, keyID)
}

// DeleteOrganizationKey removes a key of the organization itself and returns it.
func (c *Catalog) DeleteOrganizationKey(
	ctx context.Context, scope domain.OrganizationScope, keyID string, actor domain.Actor,
) (domain.APIKey, error) {
	return c.deleteKey(ctx, actor, keyID, "organization_id = ? AND project_id IS NULL AND id = ?", scope.OrganizationID(), keyID)
}

// DeleteKeysOf deletes all keys of the given projects, in any organization. It is for the operator, who is not bound to
// an organization. It returns the number of deleted keys, and the ids that are not projects.
func (c *Catalog) DeleteKeysOf(ctx context.Context, projectIDs []string, actor domain.Actor) (deleted int, unknown []string, err error) {
	err = c.db.Update(ctx, func(s tables.Session) error {
		deleted, unknown = 0, nil
		for _, id := range projectIDs {
			known, err := s.Exists(ctx, "SELECT id FROM projects WHERE id = ?", id)
			if err != nil {
				return err
			}
			if !known {
				unknown = append(unknown, id)
				continue
			}
			keys, err := tables.QueryAll(ctx, s, scanPlainKey, "DELETE FROM api_keys WHERE project_id = ? RETURNING "+keyColumns, id)
			if err != nil {
				return fmt.Errorf("cannot delete the keys of project %q: %w", id, err)
			}
			for _, key := range keys {
				if err := auditKey(ctx, s, actor, &key, nil); err != nil {
					return err
				}
			}
			deleted += len(keys)
		}
		return nil
	})
	return deleted, unknown, err
}

// RevokeKey deletes a key by its public half, whatever it belongs to. It is for the operator and for headless
// initialisation, which are not bound to an organization.
func (c *Catalog) RevokeKey(ctx context.Context, publicKey string, actor domain.Actor) (domain.APIKey, error) {
	return c.deleteKey(ctx, actor, publicKey, "public_key = ?", publicKey)
}

func (c *Catalog) deleteKey(ctx context.Context, actor domain.Actor, id, where string, args ...any) (domain.APIKey, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.APIKey, error) {
		deleted, err := tables.QueryOne(ctx, s, scanPlainKey, "SELECT "+keyColumns+" FROM api_keys WHERE "+where, args...)
		if err != nil {
			return deleted, tables.WithSubject(err, "key", id)
		}
		if _, err := s.Exec(ctx, "DELETE FROM api_keys WHERE id = ?", deleted.ID); err != nil {
			return deleted, err
		}
		return deleted, auditKey(ctx, s, actor, &deleted, nil)
	})
}

// RecordKeyUse stores when keys were last used. Deleted keys are ignored.
func (c *Catalog) RecordKeyUse(ctx context.Context, lastUsed map[string]time.Time) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		future := tables.Millis(c.db.Now().Add(tables.MaxAhead))
		for id, at := range lastUsed {
			if _, err := s.Exec(ctx,
				"UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ? OR last_used_at > ?)",
				tables.Millis(at), id, tables.Millis(at), future); err != nil {
				return fmt.Errorf("cannot record the use of %d keys: %w", len(lastUsed), err)
			}
		}
		return nil
	})
}

// ReplaceKeyHash replaces the hash of a key's secret, if it is still the one in before. It reports whether it did: the
// hash may have been replaced concurrently, or the key deleted. It is not audited, since nothing visible changes.
func (c *Catalog) ReplaceKeyHash(ctx context.Context, id, before, after string) (replaced bool, err error) {
	err = c.db.Update(ctx, func(s tables.Session) error {
		affected, err := s.Exec(ctx, "UPDATE api_keys SET secret_hash = ? WHERE id = ? AND secret_hash = ?", after, id, before)
		replaced = affected > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("cannot replace the hash of a key: %w", err)
	}
	return replaced, nil
}

func auditKey(ctx context.Context, s tables.Session, actor domain.Actor, before, after *domain.APIKey) error {
	state := func(k *domain.APIKey) map[string]any {
		state := map[string]any{"publicKey": k.PublicKey, "displaySecretKey": k.DisplaySecret, "note": k.Note, "expiresAt": k.ExpiresAt}
		if k.ProjectID != "" { // an organization key has all permissions there, and none in its projects
			state["permissions"] = k.Permissions.Names()
		}
		return state
	}
	which := cmp.Or(after, before)
	return s.Audit(ctx, domain.AuditEntry{
		OrganizationID: which.OrganizationID, ProjectID: which.ProjectID, Actor: actor, ResourceKind: tables.KindKey, ResourceID: which.ID,
		Before: tables.StateIf(before, state), After: tables.StateIf(after, state),
	})
}
