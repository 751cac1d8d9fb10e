package people

import (
	"context"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// The reasons for skipping people.
const (
	SkippedUser    = "there is no account with this email address"
	SkippedAddress = "another account here has its email address: memberships are added to that account"
	SkippedMember  = "the user is already a member here and keeps the existing role"
)

// ImportedMember is a membership of an organization or, if ProjectID is set, of a project. People are matched by email
// address, and existing accounts are kept.
type ImportedMember struct {
	OrganizationID string
	ProjectID      string
	Email          string
	Role           domain.Role
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// ImportAccount stores an account without its password.
func ImportAccount(ctx context.Context, s tables.Session, n domain.Account, actor domain.Actor) (tables.ImportOutcome, error) {
	n.Email = domain.NormalEmail(n.Email)
	known, err := s.Exists(ctx, "SELECT id FROM users WHERE id = ?", n.ID)
	if err != nil || known {
		return tables.ImportUnchanged, err
	}
	taken, err := s.Exists(ctx, "SELECT id FROM users WHERE email = ?", n.Email)
	if err != nil || taken {
		return tables.ImportSkipped(SkippedAddress), err
	}
	var verified *int64
	if n.EmailVerified {
		verified = new(tables.Millis(n.UpdatedAt))
	}
	if err := s.Insert(ctx, "users ("+accountColumns+")", append(userFields(&n.User), noPassword, verified)...); err != nil {
		return tables.Imported, err
	}
	return tables.Imported, s.Audit(ctx, domain.AuditEntry{
		Actor: actor, ResourceKind: tables.KindUser, ResourceID: n.ID,
		After: tables.StateOf(map[string]any{"email": n.Email, "name": n.Name}),
	})
}

// ImportMember stores a membership, which has no effect before somebody proves that the address of the account is
// theirs. Existing members keep their role, so that an import cannot be used to get a stronger one.
func ImportMember(ctx context.Context, s tables.Session, n ImportedMember, actor domain.Actor) (tables.ImportOutcome, error) {
	user, err := tables.Optional(readAccount(ctx, s, "email", domain.NormalEmail(n.Email)))
	if err != nil || user == nil {
		return tables.ImportSkipped(SkippedUser), err
	}
	organization := domain.OfOrganization(n.OrganizationID) //nolint:forbidigo // the operator acts
	of, owner, missing := organizationRoster(organization), "organizations", tables.SkippedOrganization
	if n.ProjectID != "" {
		of, owner, missing = projectRoster(organization, n.ProjectID), "projects", tables.SkippedProject
	}
	there, err := s.Exists(ctx, "SELECT id FROM "+owner+" WHERE id = ?", of.id)
	if err != nil || !there {
		return tables.ImportSkipped(missing), err
	}
	before, err := tables.Optional(memberOf(ctx, s, of, user.ID))
	switch {
	case err != nil:
		return tables.Imported, err
	case before != nil && before.Role == n.Role:
		return tables.ImportUnchanged, nil
	case before != nil:
		return tables.ImportSkipped(SkippedMember), nil
	}
	if err := s.Insert(ctx, of.table+" ("+of.owner+", user_id, role, created_at, updated_at)",
		of.id, user.ID, n.Role, tables.Millis(n.CreatedAt), tables.Millis(n.UpdatedAt)); err != nil {
		return tables.Imported, err
	}
	if user.EmailVerified {
		err = agree(ctx, s, organization, user.ID)
	} else { // the account may be held by somebody who does not own the address
		err = know(ctx, s, organization, user.ID, knowledge{address: true, name: user.Name, since: n.CreatedAt})
	}
	if err != nil {
		return tables.Imported, err
	}
	return tables.Imported, auditMember(ctx, s, of, user.ID, nil, &domain.Member{User: user.User, Role: n.Role}, actor)
}
