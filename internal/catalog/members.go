package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/internal/domain"
)

// memberColumns are those of a user u with a membership m.
const memberColumns = "u.id, u.email, u.name, u.created_at, u.updated_at, m.role"

const organizationMembers = "FROM organization_memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ?"

func scanMember(r row) (domain.Member, error) {
	var (
		m                domain.Member
		role             string
		created, updated int64
	)
	err := r.Scan(&m.ID, &m.Email, &m.Name, &created, &updated, &role)
	m.CreatedAt, m.UpdatedAt, m.Role = fromMillis(created), fromMillis(updated), domain.Role(role)
	return m, err
}

// Members returns the members of an organization, oldest membership first.
func (c *Catalog) Members(ctx context.Context, scope domain.OrganizationScope) ([]domain.Member, error) {
	return queryAll(ctx, c.reader(), scanMember,
		"SELECT "+memberColumns+" "+organizationMembers+" ORDER BY m.created_at, u.id", scope.OrganizationID())
}

// MemberPage returns a page of the members of an organization and how many there are in all. Only the one with an email address
// is looked for if that is given.
func (c *Catalog) MemberPage(ctx context.Context, scope domain.OrganizationScope, email *string, page Page) ([]domain.Member, int, error) {
	from, args := organizationMembers, []any{scope.OrganizationID()}
	if email != nil {
		from, args = from+" AND u.email = ?", append(args, normalEmail(*email))
	}
	return queryPage(ctx, c.reader(), scanMember, memberColumns, from, "m.created_at, u.id", page, args...)
}

// Member returns a member of an organization.
func (c *Catalog) Member(ctx context.Context, scope domain.OrganizationScope, userID string) (domain.Member, error) {
	return c.reader().member(ctx, scope, userID)
}

func (s session) member(ctx context.Context, scope domain.OrganizationScope, userID string) (domain.Member, error) {
	m, err := queryOne(ctx, s, scanMember, "SELECT "+memberColumns+" "+organizationMembers+" AND u.id = ?", scope.OrganizationID(), userID)
	return m, named(err, "member", userID)
}

// SetMember gives a user of the instance a role in the organization. The only owner keeps theirs: domain.ErrLastOwner.
func (c *Catalog) SetMember(ctx context.Context, scope domain.OrganizationScope, userID string, role domain.Role, actor domain.Actor) (domain.Member, error) {
	var member domain.Member
	err := c.update(ctx, func(s session) error {
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		user, err := s.user(ctx, "id", userID)
		if err != nil {
			return err
		}
		member, err = s.setMember(ctx, scope, user, role, actor)
		return err
	})
	return member, err
}

// EnsureMember makes a user of the instance a member of the organization with no role, unless they are a member already.
func (c *Catalog) EnsureMember(ctx context.Context, scope domain.OrganizationScope, userID string, actor domain.Actor) (domain.Member, error) {
	var member domain.Member
	err := c.update(ctx, func(s session) error {
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		var err error
		if member, err = s.member(ctx, scope, userID); !errors.Is(err, domain.ErrNotFound) {
			return err
		}
		user, err := s.user(ctx, "id", userID)
		if err != nil {
			return err
		}
		member, err = s.setMember(ctx, scope, user, domain.RoleNone, actor)
		return err
	})
	return member, err
}

// setMember needs a locked organization.
func (s session) setMember(ctx context.Context, scope domain.OrganizationScope, user domain.User, role domain.Role, actor domain.Actor) (domain.Member, error) {
	after := domain.Member{User: user, Role: role}
	entry := domain.AuditEntry{Action: "create", After: roleState(role)}
	before, err := s.member(ctx, scope, user.ID)
	switch {
	case err == nil && before.Role == role:
		return after, nil
	case err == nil:
		if err := s.keepsOwner(ctx, scope, before); err != nil {
			return domain.Member{}, err
		}
		entry.Action, entry.Before = "update", roleState(before.Role)
	case !errors.Is(err, domain.ErrNotFound):
		return domain.Member{}, err
	}
	now := millis(s.now())
	if _, err := s.exec(ctx, `INSERT INTO organization_memberships (organization_id, user_id, role, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role, updated_at = excluded.updated_at`,
		scope.OrganizationID(), user.ID, string(role), now, now); err != nil {
		return domain.Member{}, err
	}
	return after, s.auditMembership(ctx, scope, "", user.ID, actor, entry)
}

// RemoveMember ends a membership, with the roles that the user has in projects of the organization. It returns the member, or
// domain.ErrNotFound. The only owner cannot be removed: domain.ErrLastOwner.
func (c *Catalog) RemoveMember(ctx context.Context, scope domain.OrganizationScope, userID string, actor domain.Actor) (domain.Member, error) {
	var removed domain.Member
	err := c.update(ctx, func(s session) error {
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		var err error
		if removed, err = s.member(ctx, scope, userID); err != nil {
			return err
		}
		if err := s.keepsOwner(ctx, scope, removed); err != nil {
			return err
		}
		projects, err := queryAll(ctx, s, scanText, `SELECT p.id FROM project_memberships m JOIN projects p ON p.id = m.project_id
			WHERE p.organization_id = ? AND m.user_id = ? ORDER BY p.id`, scope.OrganizationID(), userID)
		if err != nil {
			return err
		}
		for _, project := range projects {
			if err := s.removeProjectMember(ctx, scope, project, userID, actor); err != nil {
				return err
			}
		}
		if _, err := s.exec(ctx, "DELETE FROM organization_memberships WHERE organization_id = ? AND user_id = ?",
			scope.OrganizationID(), userID); err != nil {
			return err
		}
		return s.auditMembership(ctx, scope, "", userID, actor, domain.AuditEntry{Action: "delete", Before: roleState(removed.Role)})
	})
	return removed, err
}

// keepsOwner refuses to take the role from the only owner. It needs a locked organization.
func (s session) keepsOwner(ctx context.Context, scope domain.OrganizationScope, member domain.Member) error {
	if member.Role != domain.RoleOwner {
		return nil
	}
	others, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM organization_memberships WHERE organization_id = ? AND role = ? AND user_id <> ?",
		scope.OrganizationID(), string(domain.RoleOwner), member.ID)
	if err == nil && others == 0 {
		err = fmt.Errorf("user %q: %w", member.ID, domain.ErrLastOwner)
	}
	return err
}

func roleState(role domain.Role) json.RawMessage { return stateOf(map[string]any{"role": role}) }

// auditMembership writes an entry about a membership, of a project if one is named.
func (s session) auditMembership(ctx context.Context, scope domain.OrganizationScope, projectID, userID string, actor domain.Actor, e domain.AuditEntry) error {
	e.OrganizationID, e.ProjectID, e.Actor, e.ResourceKind, e.ResourceID = scope.OrganizationID(), projectID, actor, "membership", userID
	if projectID != "" {
		e.ResourceKind = "projectMembership"
	}
	return s.audit(ctx, e)
}

// IsMember reports whether a user is a member of the organization that owns the project.
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
