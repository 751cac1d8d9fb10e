package tenants

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const organizationColumns = "id, name, metadata, created_at, updated_at"

func organizationFields(o *domain.Organization) []any {
	return []any{&o.ID, &o.Name, tables.AsRaw(&o.Metadata), tables.AsTime(&o.CreatedAt), tables.AsTime(&o.UpdatedAt)}
}

// Organizations returns all organizations, oldest first. It is for the operator, who is not bound to an organization.
func (c *Catalog) Organizations(ctx context.Context) ([]domain.Organization, error) {
	return ReadOrganizations(ctx, c.db.Reader())
}

// ReadOrganizations returns all organizations, oldest first.
func ReadOrganizations(ctx context.Context, s tables.Session) ([]domain.Organization, error) {
	return tables.QueryAll(ctx, s, tables.ScanInto(organizationFields), "SELECT "+organizationColumns+
		" FROM organizations ORDER BY created_at, id")
}

// Organization returns one organization.
func (c *Catalog) Organization(ctx context.Context, scope domain.OrganizationScope) (domain.Organization, error) {
	return readOrganization(ctx, c.db.Reader(), scope)
}

// CreateOrganization stores a new organization without metadata. It returns domain.ErrConflict if the id is taken.
func (c *Catalog) CreateOrganization(ctx context.Context, id, name string, actor domain.Actor) (domain.Organization, error) {
	return c.AddOrganization(ctx, NewOrganization{ID: id, Name: name}, actor)
}

// NewOrganization is the input of AddOrganization. An empty id is replaced by a random one.
type NewOrganization struct {
	ID       string
	Name     string
	Metadata json.RawMessage // nil means an empty object
}

// AddOrganization stores a new organization. It returns domain.ErrConflict if the id is taken; names need not be
// unique.
func (c *Catalog) AddOrganization(ctx context.Context, n NewOrganization, actor domain.Actor) (domain.Organization, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Organization, error) { return StoreOrganization(ctx, s, n, actor) })
}

// StoreOrganization stores a new organization and records that.
func StoreOrganization(ctx context.Context, s tables.Session, n NewOrganization, actor domain.Actor) (domain.Organization, error) {
	n.ID = cmp.Or(n.ID, domain.NewID())
	if n.Metadata == nil {
		n.Metadata = json.RawMessage("{}")
	}
	now := tables.FromMillis(tables.Millis(s.Now()))
	o := domain.Organization{ID: n.ID, Name: n.Name, Metadata: n.Metadata, CreatedAt: now, UpdatedAt: now}
	if err := s.Insert(ctx, "organizations ("+organizationColumns+")", organizationFields(&o)...); err != nil {
		return o, err
	}
	return o, auditOrganization(ctx, s, actor, nil, &o)
}

// OrganizationChange is the input of UpdateOrganization; nil metadata is left unchanged.
type OrganizationChange struct {
	Name     string
	Metadata json.RawMessage
}

// UpdateOrganization changes an organization.
func (c *Catalog) UpdateOrganization(
	ctx context.Context, scope domain.OrganizationScope, change OrganizationChange, actor domain.Actor,
) (domain.Organization, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.Organization, err error) {
		before, err := lockedOrganization(ctx, s, scope)
		if err != nil {
			return after, err
		}
		metadata := before.Metadata
		if change.Metadata != nil {
			metadata = change.Metadata
		}
		if _, err := s.Exec(ctx, "UPDATE organizations SET name = ?, metadata = ?, updated_at = ? WHERE id = ?",
			change.Name, string(metadata), tables.Millis(c.db.Now()), scope.OrganizationID()); err != nil {
			return after, err
		}
		if after, err = readOrganization(ctx, s, scope); err != nil {
			return after, err
		}
		return after, auditOrganization(ctx, s, actor, &before, &after)
	})
}

// DeleteOrganization deletes an organization with its keys and memberships. It returns domain.ErrConflict if the
// organization has projects: they hold data, and must be deleted one by one.
func (c *Catalog) DeleteOrganization(ctx context.Context, scope domain.OrganizationScope, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := lockedOrganization(ctx, s, scope)
		if err != nil {
			return err
		}
		projects, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM projects WHERE organization_id = ?",
			scope.OrganizationID())
		if err != nil {
			return err
		}
		if projects > 0 {
			return fmt.Errorf("organization %q has %d projects: %w", scope.OrganizationID(), projects, domain.ErrConflict)
		}
		if _, err := s.Exec(ctx, "DELETE FROM organizations WHERE id = ?", scope.OrganizationID()); err != nil {
			return err
		}
		return auditOrganization(ctx, s, actor, &before, nil)
	})
}

func readOrganization(ctx context.Context, s tables.Session, scope domain.OrganizationScope) (domain.Organization, error) {
	o, err := tables.QueryOne(ctx, s, tables.ScanInto(organizationFields),
		"SELECT "+organizationColumns+" FROM organizations WHERE id = ?", scope.OrganizationID())
	return o, tables.WithSubject(err, "organization", scope.OrganizationID())
}

// LockOrganization makes changes of an organization's members and projects wait for each other, since each reads the
// existing ones before it writes. An update that changes nothing locks the row on both databases.
func LockOrganization(ctx context.Context, s tables.Session, scope domain.OrganizationScope) error {
	found, err := s.Exec(ctx, "UPDATE organizations SET updated_at = updated_at WHERE id = ?", scope.OrganizationID())
	return tables.WithSubject(tables.OrNotFound(found, err), "organization", scope.OrganizationID())
}

// TransactLocked is like rows.Transact, with the organization locked.
func TransactLocked[T any](
	ctx context.Context, db *tables.DB, scope domain.OrganizationScope, f func(tables.Session) (T, error),
) (T, error) {
	return tables.Transact(ctx, db, func(s tables.Session) (result T, err error) {
		if err := LockOrganization(ctx, s, scope); err != nil {
			return result, err
		}
		return f(s)
	})
}

func lockedOrganization(ctx context.Context, s tables.Session, scope domain.OrganizationScope) (domain.Organization, error) {
	if err := LockOrganization(ctx, s, scope); err != nil {
		return domain.Organization{}, err
	}
	return readOrganization(ctx, s, scope)
}

func auditOrganization(ctx context.Context, s tables.Session, actor domain.Actor, before, after *domain.Organization) error {
	state := func(o *domain.Organization) map[string]any {
		return map[string]any{"name": o.Name, "metadata": o.Metadata}
	}
	id := cmp.Or(after, before).ID
	return s.Audit(ctx, domain.AuditEntry{
		OrganizationID: id, Actor: actor, ResourceKind: tables.KindOrganization, ResourceID: id, Before: tables.StateIf(before, state),
		After: tables.StateIf(after, state),
	})
}
