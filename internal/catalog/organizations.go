package catalog

import (
	"context"
	"encoding/json"

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
	o, err := queryOne(ctx, c.reader(), scanOrganization,
		"SELECT "+organizationColumns+" FROM organizations WHERE id = ?", scope.OrganizationID())
	return o, named(err, "organization", scope.OrganizationID())
}

// CreateOrganization stores a new organization. An id that is taken is a conflict.
func (c *Catalog) CreateOrganization(ctx context.Context, id, name string, actor domain.Actor) (domain.Organization, error) {
	now := fromMillis(millis(c.now()))
	o := domain.Organization{ID: id, Name: name, Metadata: json.RawMessage("{}"), CreatedAt: now, UpdatedAt: now}
	err := c.update(ctx, func(s session) error {
		if _, err := s.exec(ctx, "INSERT INTO organizations ("+organizationColumns+") VALUES (?, ?, ?, ?, ?)",
			o.ID, o.Name, string(o.Metadata), millis(now), millis(now)); err != nil {
			return err
		}
		return s.audit(ctx, domain.AuditEntry{
			OrganizationID: o.ID, Actor: actor,
			Action: "create", ResourceKind: "organization", ResourceID: o.ID, After: stateOf(map[string]any{"name": name}),
		})
	})
	return o, err
}
