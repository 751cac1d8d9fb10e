package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"almanac/internal/domain"
)

const organizationColumns = "id, name, metadata, created_at, updated_at"

func scanOrganization(r row) (domain.Organization, error) {
	var (
		o                domain.Organization
		metadata         string
		created, updated int64
	)
	err := r.Scan(&o.ID, &o.Name, &metadata, &created, &updated)
	o.Metadata, o.CreatedAt, o.UpdatedAt = json.RawMessage(metadata), fromMillis(created), fromMillis(updated)
	return o, err
}

// Organizations returns all organizations, oldest first. It is for the operator, who is bound to none of them.
func (c *Catalog) Organizations(ctx context.Context) ([]domain.Organization, error) {
	return queryAll(ctx, c.reader(), scanOrganization,
		"SELECT "+organizationColumns+" FROM organizations ORDER BY created_at, id")
}

// Organization returns one organization.
func (c *Catalog) Organization(ctx context.Context, scope domain.OrganizationScope) (domain.Organization, error) {
	return c.reader().organization(ctx, scope)
}

// CreateOrganization stores a new organization without metadata. An id that is taken is a conflict.
func (c *Catalog) CreateOrganization(ctx context.Context, id, name string, actor domain.Actor) (domain.Organization, error) {
	return c.AddOrganization(ctx, NewOrganization{ID: id, Name: name}, actor)
}

// NewOrganization is what AddOrganization needs to know. An empty id is replaced by a random one.
type NewOrganization struct {
	ID       string
	Name     string
	Metadata json.RawMessage // nil: an empty object
}

// AddOrganization stores a new organization. An id that is taken is a conflict; names need not differ.
func (c *Catalog) AddOrganization(ctx context.Context, n NewOrganization, actor domain.Actor) (domain.Organization, error) {
	if n.ID == "" {
		n.ID = domain.NewID()
	}
	if n.Metadata == nil {
		n.Metadata = json.RawMessage("{}")
	}
	now := fromMillis(millis(c.now()))
	o := domain.Organization{ID: n.ID, Name: n.Name, Metadata: n.Metadata, CreatedAt: now, UpdatedAt: now}
	err := c.update(ctx, func(s session) error {
		if _, err := s.exec(ctx, "INSERT INTO organizations ("+organizationColumns+") VALUES (?, ?, ?, ?, ?)",
			o.ID, o.Name, string(o.Metadata), millis(now), millis(now)); err != nil {
			return err
		}
		return s.auditOrganization(ctx, "create", actor, nil, &o)
	})
	return o, err
}

// OrganizationChange is what UpdateOrganization changes; nil metadata are kept.
type OrganizationChange struct {
	Name     string
	Metadata json.RawMessage
}

// UpdateOrganization changes an organization.
func (c *Catalog) UpdateOrganization(ctx context.Context, scope domain.OrganizationScope, change OrganizationChange, actor domain.Actor) (domain.Organization, error) {
	var after domain.Organization
	err := c.update(ctx, func(s session) error {
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		before, err := s.organization(ctx, scope)
		if err != nil {
			return err
		}
		metadata := before.Metadata
		if change.Metadata != nil {
			metadata = change.Metadata
		}
		if _, err := s.exec(ctx, "UPDATE organizations SET name = ?, metadata = ?, updated_at = ? WHERE id = ?",
			change.Name, string(metadata), millis(c.now()), scope.OrganizationID()); err != nil {
			return err
		}
		if after, err = s.organization(ctx, scope); err != nil {
			return err
		}
		return s.auditOrganization(ctx, "update", actor, &before, &after)
	})
	return after, err
}

// DeleteOrganization removes an organization with its keys and memberships. One that has projects is a conflict: they hold
// data, and are deleted one by one.
func (c *Catalog) DeleteOrganization(ctx context.Context, scope domain.OrganizationScope, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		before, err := s.organization(ctx, scope)
		if err != nil {
			return err
		}
		projects, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM projects WHERE organization_id = ?", scope.OrganizationID())
		if err != nil {
			return err
		}
		if projects > 0 {
			return fmt.Errorf("organization %q has %d projects: %w", scope.OrganizationID(), projects, domain.ErrConflict)
		}
		if _, err := s.exec(ctx, "DELETE FROM organizations WHERE id = ?", scope.OrganizationID()); err != nil {
			return err
		}
		return s.auditOrganization(ctx, "delete", actor, &before, nil)
	})
}

func (s session) organization(ctx context.Context, scope domain.OrganizationScope) (domain.Organization, error) {
	o, err := queryOne(ctx, s, scanOrganization,
		"SELECT "+organizationColumns+" FROM organizations WHERE id = ?", scope.OrganizationID())
	return o, named(err, "organization", scope.OrganizationID())
}

// lockOrganization makes changes of an organization's members and projects wait for each other: each looks at what is there
// before it writes. An update that changes nothing locks the row on both databases.
func (s session) lockOrganization(ctx context.Context, scope domain.OrganizationScope) error {
	found, err := s.exec(ctx, "UPDATE organizations SET updated_at = updated_at WHERE id = ?", scope.OrganizationID())
	if err == nil && found == 0 {
		err = named(domain.ErrNotFound, "organization", scope.OrganizationID())
	}
	return err
}

func (s session) auditOrganization(ctx context.Context, action string, actor domain.Actor, before, after *domain.Organization) error {
	state := func(o *domain.Organization) json.RawMessage {
		if o == nil {
			return nil
		}
		return stateOf(map[string]any{"name": o.Name, "metadata": o.Metadata})
	}
	which := after
	if which == nil {
		which = before
	}
	return s.audit(ctx, domain.AuditEntry{
		OrganizationID: which.ID, Actor: actor,
		Action: action, ResourceKind: KindOrganization, ResourceID: which.ID, Before: state(before), After: state(after),
	})
}
