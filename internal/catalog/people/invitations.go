package people

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

const selectInvitation = `SELECT i.id, i.organization_id, o.name, i.email, i.role, i.project_id, i.project_role, i.invited_by, u.name,
	i.created_at, i.expires_at
	FROM invitations i JOIN organizations o ON o.id = i.organization_id LEFT JOIN users u ON u.id = i.invited_by`

func scanInvitation(r tables.Row) (i domain.Invitation, err error) {
	err = r.Scan(&i.ID, &i.OrganizationID, &i.OrganizationName, &i.Email, &i.Role, tables.AsOptional(&i.ProjectID),
		tables.AsOptional(&i.ProjectRole),
		tables.AsOptional(&i.InvitedBy), tables.AsOptional(&i.InvitedByName), tables.AsTime(&i.CreatedAt), tables.AsTime(&i.ExpiresAt))
	return i, err
}

// maxInvitations is the maximum number of open invitations of an organization.
const maxInvitations = 1000

// Invitations returns the open invitations of an organization, newest first.
func (c *Catalog) Invitations(ctx context.Context, scope domain.OrganizationScope) ([]domain.Invitation, error) {
	s := c.db.Reader()
	found, err := tables.QueryAll(ctx, s, scanInvitation,
		selectInvitation+" WHERE i.organization_id = ? AND i.expires_at > ? ORDER BY i.created_at DESC, i.id",
		scope.OrganizationID(), tables.Millis(c.db.Now()))
	if err != nil {
		return nil, err
	}
	may := make(map[string]domain.Role) // by inviter
	open := slices.DeleteFunc(found, func(i domain.Invitation) bool {
		role, known := may[i.InvitedBy]
		if !known {
			var failed error
			if role, failed = inviterRole(ctx, s, i); failed != nil {
				err = failed
			}
			may[i.InvitedBy] = role
		}
		return !mayInvite(role, i)
	})
	return open, err
}

// inviterRole returns the present role of the person who made an invitation, in its organization; none if they have
// left or are disabled.
func inviterRole(ctx context.Context, s tables.Session, i domain.Invitation) (domain.Role, error) {
	role, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT m.role FROM organization_memberships m"+inEffect+
		"JOIN users u ON u.id = m.user_id WHERE m.organization_id = ? AND m.user_id = ? AND u.disabled_at IS NULL", i.OrganizationID,
		i.InvitedBy)
	if errors.Is(err, domain.ErrNotFound) {
		return domain.RoleNone, nil
	}
	return domain.Role(role), err
}

// mayInvite reports whether somebody with this role in the organization may make an invitation.
func mayInvite(role domain.Role, i domain.Invitation) bool {
	return role.InOrganization().Has(domain.MembersWrite) && !role.Weaker(i.Role) && !role.Weaker(i.ProjectRole)
}

// InvitationByToken returns an open invitation by the hash of its token. It ends when the person who made it may no
// longer give its roles.
func (c *Catalog) InvitationByToken(ctx context.Context, tokenHash string) (domain.Invitation, error) {
	return readInvitation(ctx, c.db.Reader(), tokenHash)
}

func readInvitation(ctx context.Context, s tables.Session, tokenHash string) (domain.Invitation, error) {
	i, err := tables.QueryOne(ctx, s, scanInvitation, selectInvitation+" WHERE i.token_hash = ? AND i.expires_at > ?", tokenHash,
		tables.Millis(s.Now()))
	if err == nil {
		err = stillInvited(ctx, s, i)
	}
	return i, tables.WithSubject(err, "invitation", "")
}

// stillInvited returns domain.ErrNotFound if the person who made an invitation could not make it now.
func stillInvited(ctx context.Context, s tables.Session, i domain.Invitation) error {
	role, err := inviterRole(ctx, s, i)
	if err == nil && !mayInvite(role, i) {
		err = domain.ErrNotFound
	}
	return err
}

// isInvited reports whether an address has an open invitation to any organization.
func isInvited(ctx context.Context, s tables.Session, email string) (bool, error) {
	found, err := tables.QueryAll(ctx, s, scanInvitation, selectInvitation+" WHERE i.email = ? AND i.expires_at > ?", email,
		tables.Millis(s.Now()))
	if err != nil {
		return false, err
	}
	for _, i := range found {
		if err := stillInvited(ctx, s, i); !errors.Is(err, domain.ErrNotFound) {
			return err == nil, err
		}
	}
	return false, nil
}

// Invite stores an invitation to an organization, replacing an existing one for the same email address. It returns
// domain.ErrConflict if the person is already a member, and domain.ErrNotFound if the project is unknown.
func (c *Catalog) Invite(
	ctx context.Context, scope domain.OrganizationScope, n domain.Invitation, tokenHash string, actor domain.Actor,
) (domain.Invitation, error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (stored domain.Invitation, err error) {
		n.ID, n.Email, n.CreatedAt = domain.NewID(), domain.NormalEmail(n.Email), tables.FromMillis(tables.Millis(s.Now()))
		if n.ProjectID != "" {
			if _, err := tenants.ProjectOf(ctx, s, scope, n.ProjectID); err != nil {
				return stored, err
			}
		}
		member, err := s.Exists(ctx, "SELECT u.id FROM users u JOIN organization_memberships m ON m.user_id = u.id"+inEffect+
			"WHERE u.email = ? AND m.organization_id = ?",
			n.Email, scope.OrganizationID())
		if err != nil {
			return stored, err
		}
		if member {
			return stored, fmt.Errorf("member %q: %w", n.Email, domain.ErrConflict)
		}
		if _, err := s.Exec(ctx, "DELETE FROM invitations WHERE organization_id = ? AND (email = ? OR expires_at <= ?)",
			scope.OrganizationID(), n.Email, tables.Millis(n.CreatedAt)); err != nil {
			return stored, err
		}
		open, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM invitations WHERE organization_id = ?",
			scope.OrganizationID())
		if err != nil {
			return stored, err
		}
		if open >= maxInvitations {
			return stored, fmt.Errorf("%d open invitations: %w", open, domain.ErrTooMany)
		}
		if err := s.Insert(ctx,
			"invitations (id, token_hash, organization_id, project_id, email, role, project_role, invited_by, created_at, expires_at)",
			n.ID, tokenHash, scope.OrganizationID(), tables.AsOptional(&n.ProjectID), n.Email, n.Role, tables.AsOptional(&n.ProjectRole),
			tables.AsOptional(&n.InvitedBy),
			tables.AsTime(&n.CreatedAt), tables.AsTime(&n.ExpiresAt)); err != nil {
			return stored, err
		}
		if stored, err = readInvitation(ctx, s, tokenHash); err != nil {
			return stored, err
		}
		return stored, auditInvitation(ctx, s, actor, nil, &stored)
	})
}

// Uninvite revokes an invitation.
func (c *Catalog) Uninvite(ctx context.Context, scope domain.OrganizationScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := tables.QueryOne(ctx, s, scanInvitation, selectInvitation+" WHERE i.organization_id = ? AND i.id = ?",
			scope.OrganizationID(), id)
		if err != nil {
			return tables.WithSubject(err, "invitation", id)
		}
		if _, err := s.Exec(ctx, "DELETE FROM invitations WHERE id = ?", id); err != nil {
			return err
		}
		return auditInvitation(ctx, s, actor, &before, nil)
	})
}

// Accept makes a user a member as the invitation says, and consumes it. An existing member keeps their roles.
func (c *Catalog) Accept(ctx context.Context, tokenHash, userID string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		user, err := ReadUser(ctx, s, "id", userID)
		if err != nil {
			return err
		}
		return acceptInvitation(ctx, s, tokenHash, user)
	})
}

// AcceptAsNew creates an account for an invited person and makes them a member. It returns domain.ErrConflict if the
// email address is taken.
func (c *Catalog) AcceptAsNew(ctx context.Context, tokenHash, name, passwordHash string) (domain.User, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (user domain.User, err error) {
		invitation, err := readInvitation(ctx, s, tokenHash)
		if err != nil {
			return user, err
		}
		if user, err = storeUser(ctx, s, invitation.Email, name, passwordHash); err != nil {
			return user, err
		}
		if err := s.Audit(ctx, domain.AuditEntry{
			OrganizationID: invitation.OrganizationID, Actor: userActor(user.ID), ResourceKind: tables.KindUser, ResourceID: user.ID,
			After: tables.StateOf(map[string]any{"email": user.Email, "name": user.Name}),
		}); err != nil {
			return user, err
		}
		return user, acceptInvitation(ctx, s, tokenHash, user)
	})
}

func acceptInvitation(ctx context.Context, s tables.Session, tokenHash string, user domain.User) error {
	i, err := readInvitation(ctx, s, tokenHash)
	if err != nil {
		return err
	}
	scope := domain.OfOrganization(i.OrganizationID) //nolint:forbidigo // the token was checked
	if err := tenants.LockOrganization(ctx, s, scope); err != nil {
		return err
	}
	// Somebody else may have used it before the lock was acquired.
	used, err := s.Exec(ctx, "DELETE FROM invitations WHERE id = ?", i.ID)
	if err := tables.OrNotFound(used, err); err != nil {
		return tables.WithSubject(err, "invitation", i.ID)
	}
	actor := userActor(user.ID)
	member, err := readMember(ctx, s, scope, user.ID)
	if err == nil && member.Pending || errors.Is(err, domain.ErrNotFound) {
		_, err = appoint(ctx, s, scope, user, i.Role, actor)
	}
	if err != nil {
		return err
	}
	if i.ProjectID != "" {
		own, err := tables.Optional(memberOf(ctx, s, projectRoster(scope, i.ProjectID), user.ID))
		if err != nil {
			return err
		}
		if own == nil {
			err = setProjectMember(ctx, s, scope, i.ProjectID, domain.Member{User: user, Role: i.ProjectRole}, actor)
		}
		if err != nil {
			return err
		}
	}
	return auditInvitation(ctx, s, actor, &i, nil)
}

func auditInvitation(ctx context.Context, s tables.Session, actor domain.Actor, before, after *domain.Invitation) error {
	state := func(i *domain.Invitation) map[string]any {
		return map[string]any{
			"email": i.Email, "role": i.Role, "projectId": i.ProjectID, "projectRole": i.ProjectRole, "expiresAt": i.ExpiresAt,
		}
	}
	which := after
	if which == nil {
		which = before
	}
	return s.Audit(ctx, domain.AuditEntry{
		OrganizationID: which.OrganizationID, Actor: actor, ResourceKind: "invitation", ResourceID: which.ID,
		Before: tables.StateIf(before, state), After: tables.StateIf(after, state),
	})
}
