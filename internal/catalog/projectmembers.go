package catalog

import (
	"context"
	"errors"
	"fmt"

	"almanac/internal/domain"
)

const projectMembers = "FROM project_memberships m JOIN users u ON u.id = m.user_id WHERE m.project_id = ?"

// ProjectMembers returns who has a role of their own in a project of the organization, oldest first.
func (c *Catalog) ProjectMembers(ctx context.Context, scope domain.OrganizationScope, projectID string) ([]domain.Member, error) {
	if _, err := c.reader().projectOf(ctx, scope, projectID); err != nil {
		return nil, err
	}
	return queryAll(ctx, c.reader(), scanMember, "SELECT "+memberColumns+" "+projectMembers+" ORDER BY m.created_at, u.id", projectID)
}

// SetProjectMember gives a member of the organization a role in one of its projects, which outweighs the one that they have in
// the organization. Both an unknown project and somebody who is no member are domain.ErrNotFound; the latter is domain.ErrNoMember.
func (c *Catalog) SetProjectMember(ctx context.Context, scope domain.OrganizationScope, projectID, userID string, role domain.Role, actor domain.Actor) (domain.Member, error) {
	var member domain.Member
	err := c.update(ctx, func(s session) error {
		// Locked, so that the membership does not end meanwhile and leave a role behind.
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		if _, err := s.projectOf(ctx, scope, projectID); err != nil {
			return err
		}
		var err error
		if member, err = s.member(ctx, scope, userID); err != nil {
			return noMember(err)
		}
		member.Role = role
		entry := domain.AuditEntry{Action: "create", After: roleState(role)}
		before, err := s.projectMember(ctx, projectID, userID)
		switch {
		case err == nil && before.Role == role:
			return nil
		case err == nil:
			entry.Action, entry.Before = "update", roleState(before.Role)
		case !errors.Is(err, domain.ErrNotFound):
			return err
		}
		now := millis(s.now())
		if _, err := s.exec(ctx, `INSERT INTO project_memberships (project_id, user_id, role, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, updated_at = excluded.updated_at`,
			projectID, userID, string(role), now, now); err != nil {
			return err
		}
		return s.auditMembership(ctx, scope, projectID, userID, actor, entry)
	})
	return member, err
}

// RemoveProjectMember takes a user's own role in a project away. An unknown project and somebody without such a role are
// domain.ErrNotFound; the latter is domain.ErrNoMember.
func (c *Catalog) RemoveProjectMember(ctx context.Context, scope domain.OrganizationScope, projectID, userID string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if err := s.lockOrganization(ctx, scope); err != nil {
			return err
		}
		if _, err := s.projectOf(ctx, scope, projectID); err != nil {
			return err
		}
		return noMember(s.removeProjectMember(ctx, scope, projectID, userID, actor))
	})
}

func (s session) removeProjectMember(ctx context.Context, scope domain.OrganizationScope, projectID, userID string, actor domain.Actor) error {
	before, err := s.projectMember(ctx, projectID, userID)
	if err != nil {
		return err
	}
	if _, err := s.exec(ctx, "DELETE FROM project_memberships WHERE project_id = ? AND user_id = ?", projectID, userID); err != nil {
		return err
	}
	return s.auditMembership(ctx, scope, projectID, userID, actor, domain.AuditEntry{Action: "delete", Before: roleState(before.Role)})
}

func (s session) projectMember(ctx context.Context, projectID, userID string) (domain.Member, error) {
	m, err := queryOne(ctx, s, scanMember, "SELECT "+memberColumns+" "+projectMembers+" AND u.id = ?", projectID, userID)
	return m, named(err, "member", userID)
}

// noMember says of a user who was not found that a membership is missing.
func noMember(err error) error {
	if errors.Is(err, domain.ErrNotFound) {
		return fmt.Errorf("%w: %w", domain.ErrNoMember, err)
	}
	return err
}
