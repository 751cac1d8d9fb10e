package catalog

import (
	"context"

	"almanac/internal/domain"
)

// IsMember says whether a user is a member of the organization that owns the project.
func (c *Catalog) IsMember(ctx context.Context, scope domain.ProjectScope, userID string) (bool, error) {
	found, err := queryOne(ctx, c.reader(), scanCount, `SELECT COUNT(*) FROM organization_memberships m
		JOIN projects p ON p.organization_id = m.organization_id WHERE p.id = ? AND m.user_id = ?`, scope.ProjectID(), userID)
	return found > 0, err
}

// hasAccess returns domain.ErrNotFound unless a user may look into the project: as a member of its organization, by the role
// there, or by a role in the project, which outweighs it.
func (s session) hasAccess(ctx context.Context, scope domain.ProjectScope, userID string) error {
	role, err := queryOne(ctx, s, scanText, `SELECT COALESCE(pm.role, om.role) FROM organization_memberships om
		JOIN projects p ON p.organization_id = om.organization_id
		LEFT JOIN project_memberships pm ON pm.project_id = p.id AND pm.user_id = om.user_id
		WHERE p.id = ? AND om.user_id = ?`, scope.ProjectID(), userID)
	if err == nil && domain.Role(role) == domain.RoleNone {
		err = domain.ErrNotFound
	}
	return named(err, "user", userID)
}
