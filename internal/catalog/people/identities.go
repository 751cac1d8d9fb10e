package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// Identity is a person authenticated by an identity provider, which also vouches for the email address.
type Identity struct {
	ProviderID      string
	Issuer, Subject string
	Email, Name     string
	// Create allows creating an account, with the role First if that is set. Invited people always get an account.
	Create bool
	First  *GrantedRole
	// Roles are those managed by the provider. An empty role removes the person's role there.
	Roles []GrantedRole
}

// GrantedRole is a role in an organization or in a project; one of the ids is empty.
type GrantedRole struct {
	OrganizationID, ProjectID string
	Role                      domain.Role
}

var (
	// ErrDisabled means that the account is disabled.
	ErrDisabled = errors.New("the account is disabled")
	// ErrOtherSubject means that the account is linked to another subject of the same identity provider.
	ErrOtherSubject = errors.New("the account belongs to another subject of the issuer")
)

// EnsureIdentity returns the user authenticated by an identity provider, with the roles applied. On the first sign-in
// that is the user with the email address, or a new one; it returns domain.ErrNotFound if there is none and none may be
// created. Other errors are ErrDisabled and ErrOtherSubject. The ids of organizations and projects in roles that do not
// exist are returned in missing.
func (c *Catalog) EnsureIdentity(ctx context.Context, who Identity) (user domain.User, missing []string, err error) {
	actor := domain.Actor{Kind: "sso", ID: who.ProviderID}
	user, err = tables.Transact(ctx, c.db, func(s tables.Session) (domain.User, error) {
		account, isNew, err := accountOf(ctx, s, who, actor)
		if err != nil {
			return account.User, err
		}
		if account.DisabledAt != nil {
			return account.User, fmt.Errorf("user %q: %w", account.ID, ErrDisabled)
		}
		if _, err := s.Exec(ctx, "UPDATE identities SET last_used_at = ? WHERE issuer = ? AND subject = ?", tables.Millis(s.Now()),
			who.Issuer, who.Subject); err != nil {
			return account.User, err
		}
		roles := slices.Clone(who.Roles)
		decided := func(g GrantedRole) bool { return who.First != nil && g.OrganizationID == who.First.OrganizationID }
		if isNew && who.First != nil && !slices.ContainsFunc(roles, decided) {
			roles = append(roles, *who.First)
		}
		missing, err = grantAll(ctx, s, account.User, roles, actor)
		return account.User, err
	})
	return user, missing, err
}

// accountOf finds the account of an identity, and links the two unless they already are.
func accountOf(ctx context.Context, s tables.Session, who Identity, actor domain.Actor) (account domain.Account, isNew bool, err error) {
	id, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT user_id FROM identities WHERE issuer = ? AND subject = ?",
		who.Issuer, who.Subject)
	if err == nil {
		account, err = readAccount(ctx, s, "id", id)
		return account, false, err
	}
	if !errors.Is(err, domain.ErrNotFound) {
		return account, false, err
	}
	account, err = readAccount(ctx, s, "email", domain.NormalEmail(who.Email))
	switch {
	case errors.Is(err, domain.ErrNotFound):
		isNew = true
		account.User, err = createIdentified(ctx, s, who, actor)
	case err == nil && account.DisabledAt == nil && !account.EmailVerified && account.PasswordHash != noPassword:
		// Whoever set the password may not own the address.
		err = setPassword(ctx, s, account.ID, noPassword, "", actor)
	}
	if err != nil || account.DisabledAt != nil {
		return account, isNew, err
	}
	taken, err := s.Exists(ctx, "SELECT subject FROM identities WHERE issuer = ? AND user_id = ?", who.Issuer, account.ID)
	if err == nil && taken {
		err = fmt.Errorf("user %q: %w", account.ID, ErrOtherSubject)
	}
	if err != nil {
		return account, isNew, err
	}
	now := tables.Millis(s.Now())
	if err := s.Insert(ctx, "identities (issuer, subject, user_id, created_at, last_used_at)", who.Issuer, who.Subject, account.ID, now,
		now); err != nil {
		return account, isNew, err
	}
	if err := verifyEmail(ctx, s, account.ID); err != nil {
		return account, isNew, err
	}
	return account, isNew, auditUser(ctx, s, account.ID, domain.AuditEntry{
		Actor: actor, ResourceKind: "identity", ResourceID: account.ID,
		After: tables.StateOf(map[string]any{"issuer": who.Issuer, "subject": who.Subject}),
	})
}

// createIdentified creates an account for an identity, if it may have one.
func createIdentified(ctx context.Context, s tables.Session, who Identity, actor domain.Actor) (domain.User, error) {
	if !who.Create {
		invited, err := isInvited(ctx, s, domain.NormalEmail(who.Email))
		if err == nil && !invited {
			err = tables.WithSubject(domain.ErrNotFound, "user", domain.NormalEmail(who.Email))
		}
		if err != nil {
			return domain.User{}, err
		}
	}
	user, err := storeUser(ctx, s, who.Email, who.Name, noPassword)
	if err != nil {
		return user, err
	}
	return user, s.Audit(ctx, domain.AuditEntry{
		Actor: actor, ResourceKind: tables.KindUser, ResourceID: user.ID,
		After: tables.StateOf(map[string]any{"email": user.Email, "name": user.Name}),
	})
}

// grantAll applies roles to a user and removes empty ones. It returns the ids of organizations and projects that do not
// exist.
func grantAll(
	ctx context.Context, s tables.Session, user domain.User, roles []GrantedRole, actor domain.Actor,
) (missing []string, err error) {
	for n, granted := range roles {
		if granted.ProjectID == "" {
			continue
		}
		roles[n].OrganizationID, err = tables.QueryOne(ctx, s, tables.ScanValue[string],
			"SELECT organization_id FROM projects WHERE id = ?", granted.ProjectID)
		if errors.Is(err, domain.ErrNotFound) {
			missing = append(missing, granted.ProjectID)
			continue
		}
		if err != nil {
			return missing, err
		}
	}
	// In a fixed order, since each organization is locked. Roles in an organization come before those in its projects.
	slices.SortStableFunc(roles, func(a, b GrantedRole) int {
		return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), cmp.Compare(a.ProjectID, b.ProjectID))
	})
	for _, granted := range roles {
		if granted.OrganizationID == "" {
			continue // the project does not exist
		}
		scope := domain.OfOrganization(granted.OrganizationID) //nolint:forbidigo // the operator configured which roles the provider gives
		err := tenants.LockOrganization(ctx, s, scope)
		if errors.Is(err, domain.ErrNotFound) {
			missing = append(missing, granted.OrganizationID)
			continue
		}
		if err != nil {
			return missing, err
		}
		if granted.ProjectID == "" {
			err = grantInOrganization(ctx, s, scope, user, granted.Role, actor)
		} else {
			err = grantInProject(ctx, s, scope, user, granted, actor)
		}
		if err != nil {
			return missing, err
		}
	}
	return missing, nil
}

// grantInOrganization sets a role. A member whose role is removed stays a member with no role, since roles in projects
// may depend on the membership; a non-member does not become a member that way. The last owner is left unchanged.
func grantInOrganization(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, user domain.User, role domain.Role, actor domain.Actor,
) error {
	if role == "" {
		if _, err := readMember(ctx, s, scope, user.ID); errors.Is(err, domain.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		_, err := setMember(ctx, s, scope, user, domain.RoleNone, knowledge{}, actor)
		if errors.Is(err, domain.ErrLastOwner) {
			return nil
		}
		return err
	}
	_, err := appoint(ctx, s, scope, user, role, actor)
	if errors.Is(err, domain.ErrLastOwner) {
		return nil
	}
	return err
}

func grantInProject(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, user domain.User, granted GrantedRole, actor domain.Actor,
) error {
	if granted.Role == "" {
		err := removeProjectMember(ctx, s, scope, granted.ProjectID, user.ID, actor)
		if errors.Is(err, domain.ErrNotFound) {
			return nil
		}
		return err
	}
	member, err := readMember(ctx, s, scope, user.ID)
	if err == nil && member.Pending || errors.Is(err, domain.ErrNotFound) {
		// Only the project is the provider's: what the organization offered is not accepted with it.
		_, err = appoint(ctx, s, scope, user, domain.RoleNone, actor)
	}
	if err != nil {
		return err
	}
	return setProjectMember(ctx, s, scope, granted.ProjectID, domain.Member{User: user, Role: granted.Role}, actor)
}

// Unlink removes the links between a user and identity providers, and ends their sessions. The next identity with the
// same email address is linked to the user.
func (c *Catalog) Unlink(ctx context.Context, userID string, actor domain.Actor) (unlinked int64, err error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (int64, error) {
		unlinked, err := s.Exec(ctx, "DELETE FROM identities WHERE user_id = ?", userID)
		if err != nil || unlinked == 0 {
			return unlinked, err
		}
		if err := endSessions(ctx, s, userID, ""); err != nil {
			return unlinked, err
		}
		return unlinked, auditUser(ctx, s, userID, domain.AuditEntry{
			Actor: actor, ResourceKind: "identity", ResourceID: userID, Before: tables.StateOf(map[string]any{"identities": unlinked}),
		})
	})
}
