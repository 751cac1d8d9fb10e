package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

const accountColumns = userColumns + ", password_hash, email_verified_at"

func scanAccount(r tables.Row) (a domain.Account, err error) {
	var verified *time.Time
	err = r.Scan(append(userFields(&a.User), &a.PasswordHash, tables.AsOptionalTime(&verified))...)
	a.EmailVerified = verified != nil
	return a, err
}

func readAccount(ctx context.Context, s tables.Session, column, value string) (domain.Account, error) {
	a, err := tables.QueryOne(ctx, s, scanAccount, "SELECT "+accountColumns+" FROM users WHERE "+column+" = ?", value)
	return a, tables.WithSubject(err, "user", value)
}

// Account returns the account with an email address.
func (c *Catalog) Account(ctx context.Context, email string) (domain.Account, error) {
	return readAccount(ctx, c.db.Reader(), "email", domain.NormalEmail(email))
}

// Accounts returns all accounts, oldest first. It is for the operator.
func (c *Catalog) Accounts(ctx context.Context) ([]domain.Account, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanAccount, "SELECT "+accountColumns+" FROM users ORDER BY created_at, id")
}

// CreateAccount stores a new account without memberships. It returns domain.ErrConflict if the email address is taken.
// The address counts as verified, since the operator vouches for it.
func (c *Catalog) CreateAccount(ctx context.Context, email, name, passwordHash string, actor domain.Actor) (domain.User, error) {
	user, err := tables.Transact(ctx, c.db, func(s tables.Session) (domain.User, error) {
		user, err := storeUser(ctx, s, email, name, passwordHash)
		if err != nil {
			return user, err
		}
		if err := verifyEmail(ctx, s, user.ID); err != nil {
			return user, err
		}
		return user, s.Audit(ctx, domain.AuditEntry{
			Actor: actor, ResourceKind: tables.KindUser, ResourceID: user.ID,
			After: tables.StateOf(map[string]any{"email": user.Email, "name": user.Name}),
		})
	})
	return user, tables.NamedConflict(err, "user", email)
}

// verifyEmail records that the address of an account belongs to its holder.
func verifyEmail(ctx context.Context, s tables.Session, userID string) error {
	verified, err := s.Exec(ctx, "UPDATE users SET email_verified_at = ? WHERE id = ? AND email_verified_at IS NULL",
		tables.Millis(s.Now()), userID)
	if err != nil || verified == 0 {
		return err
	}
	return agreeAtFirstUse(ctx, s, userID)
}

// RenameUser changes the name of a user.
func (c *Catalog) RenameUser(ctx context.Context, id, name string, actor domain.Actor) (domain.Account, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Account, error) {
		before, err := readAccount(ctx, s, "id", id)
		if err != nil || before.Name == name {
			return before, err
		}
		if _, err := s.Exec(ctx, "UPDATE users SET name = ?, updated_at = ? WHERE id = ?", name, tables.Millis(s.Now()), id); err != nil {
			return before, err
		}
		after, err := readAccount(ctx, s, "id", id)
		if err != nil {
			return after, err
		}
		return after, auditUser(ctx, s, id, domain.AuditEntry{
			Actor: actor, ResourceKind: tables.KindUser, ResourceID: id,
			Before: tables.StateOf(map[string]any{"name": before.Name}), After: tables.StateOf(map[string]any{"name": after.Name}),
		})
	})
}

// SetPassword changes a user's password, and ends all their sessions except one and invalidates all password reset
// links.
func (c *Catalog) SetPassword(ctx context.Context, id, passwordHash, but string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error { return setPassword(ctx, s, id, passwordHash, but, actor) })
}

// HandOver sets a user's password on behalf of the operator, who vouches for whoever gets it, and ends all their
// sessions.
func (c *Catalog) HandOver(ctx context.Context, id, passwordHash string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if err := setPassword(ctx, s, id, passwordHash, "", actor); err != nil {
			return err
		}
		return verifyEmail(ctx, s, id)
	})
}

func setPassword(ctx context.Context, s tables.Session, id, passwordHash, but string, actor domain.Actor) error {
	now := tables.Millis(s.Now())
	found, err := s.Exec(ctx, "UPDATE users SET password_hash = ?, password_changed_at = ?, updated_at = ? WHERE id = ?", passwordHash,
		now, now, id)
	if err := tables.OrNotFound(found, err); err != nil {
		return tables.WithSubject(err, "user", id)
	}
	if err := endSessions(ctx, s, id, but); err != nil {
		return err
	}
	if _, err := s.Exec(ctx, "DELETE FROM password_resets WHERE user_id = ?", id); err != nil {
		return err
	}
	return auditUser(ctx, s, id, domain.AuditEntry{
		Actor: actor, ResourceKind: tables.KindUser, ResourceID: id, Before: tables.StateOf(map[string]any{}),
		After: tables.StateOf(map[string]any{"passwordChanged": true}),
	})
}

// SetDisabled disables an account and ends its sessions, or enables it again.
func (c *Catalog) SetDisabled(ctx context.Context, id string, disabled bool, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := readAccount(ctx, s, "id", id)
		if err != nil {
			return err
		}
		if disabled == (before.DisabledAt != nil) {
			return nil
		}
		now := s.Now()
		var since *time.Time
		if disabled {
			since = &now
			if err := endSessions(ctx, s, id, ""); err != nil {
				return err
			}
		}
		if _, err := s.Exec(ctx, "UPDATE users SET disabled_at = ?, updated_at = ? WHERE id = ?", tables.AsOptionalTime(&since),
			tables.Millis(now), id); err != nil {
			return err
		}
		return auditUser(ctx, s, id, domain.AuditEntry{
			Actor: actor, ResourceKind: tables.KindUser, ResourceID: id,
			Before: tables.StateOf(map[string]any{"disabled": !disabled}), After: tables.StateOf(map[string]any{"disabled": disabled}),
		})
	})
}

// AnyoneHasPassword reports whether any enabled account has a password.
func (c *Catalog) AnyoneHasPassword(ctx context.Context) (bool, error) {
	return anyoneHasPassword(ctx, c.db.Reader())
}

func anyoneHasPassword(ctx context.Context, s tables.Session) (bool, error) {
	return s.Exists(ctx, "SELECT id FROM users WHERE password_hash <> '' AND disabled_at IS NULL LIMIT 1")
}

// setupOverlap is how long setup tokens of earlier starts remain valid: servers that start together each print one.
const setupOverlap = 10 * time.Minute

// AddSetupToken stores a token for the setup page, replacing those of earlier starts.
func (c *Catalog) AddSetupToken(ctx context.Context, tokenHash string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := s.Exec(ctx, "DELETE FROM setup_tokens WHERE created_at < ?", tables.Millis(s.Now().Add(-setupOverlap))); err != nil {
			return err
		}
		return s.Insert(ctx, "setup_tokens (token_hash, created_at)", tokenHash, tables.Millis(s.Now()))
	})
}

// CheckSetupToken returns domain.ErrNotFound if a token is not one that opens the setup page, and domain.ErrConflict if
// somebody can already sign in.
func (c *Catalog) CheckSetupToken(ctx context.Context, tokenHash string) error {
	s := c.db.Reader()
	known, err := s.Exists(ctx, "SELECT token_hash FROM setup_tokens WHERE token_hash = ?", tokenHash)
	if err == nil && !known {
		err = tables.WithSubject(domain.ErrNotFound, "set-up token", "")
	}
	if err != nil {
		return err
	}
	return nobodyHasPassword(ctx, s)
}

func nobodyHasPassword(ctx context.Context, s tables.Session) error {
	taken, err := anyoneHasPassword(ctx, s)
	if err == nil && taken {
		err = fmt.Errorf("%w: somebody can sign in already", domain.ErrConflict)
	}
	return err
}

// SetUp creates or finds a user, sets their password and makes them the owner of every organization. It consumes all
// tokens stored by AddSetupToken. It returns domain.ErrNotFound if the token is unknown, and domain.ErrConflict if
// somebody can already sign in.
func (c *Catalog) SetUp(ctx context.Context, tokenHash, email, name, passwordHash string) (domain.User, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (user domain.User, err error) {
		// The statement also acts as a lock: the second of two requests with the same token does not find it.
		used, err := s.Exec(ctx, "DELETE FROM setup_tokens WHERE token_hash = ?", tokenHash)
		if err := tables.OrNotFound(used, err); err != nil {
			return user, tables.WithSubject(err, "set-up token", "")
		}
		if err := nobodyHasPassword(ctx, s); err != nil {
			return user, err
		}
		if _, err := s.Exec(ctx, "DELETE FROM setup_tokens"); err != nil {
			return user, err
		}
		if user, err = ReadUser(ctx, s, "email", domain.NormalEmail(email)); errors.Is(err, domain.ErrNotFound) {
			user, err = storeUser(ctx, s, email, name, noPassword)
		}
		if err != nil {
			return user, err
		}
		actor := userActor(user.ID)
		organizations, err := tenants.ReadOrganizations(ctx, s)
		if err != nil {
			return user, err
		}
		for _, o := range organizations {
			scope := domain.OfOrganization(o.ID) //nolint:forbidigo // whoever has the token is the operator, who owns everything
			if err := tenants.LockOrganization(ctx, s, scope); err != nil {
				return user, err
			}
			if _, err := appoint(ctx, s, scope, user, domain.RoleOwner, actor); err != nil {
				return user, err
			}
		}
		if err := verifyEmail(ctx, s, user.ID); err != nil {
			return user, err
		}
		if _, err := s.Exec(ctx, "UPDATE users SET disabled_at = NULL WHERE id = ?", user.ID); err != nil {
			return user, err
		}
		return user, setPassword(ctx, s, user.ID, passwordHash, "", actor)
	})
}

// AccessOf returns the organizations in which a user has a role in effect, or has one in a project, with the projects
// that the user can see. Organizations and projects are ordered oldest first.
func (c *Catalog) AccessOf(ctx context.Context, userID string) ([]domain.OrganizationAccess, error) {
	s := c.db.Reader()
	organizations, err := tables.QueryAll(ctx, s, func(r tables.Row) (o domain.OrganizationAccess, err error) {
		err = r.Scan(&o.ID, &o.Name, &o.Role)
		return o, err
	}, `SELECT o.id, o.name, m.role FROM organization_memberships m`+inEffect+`JOIN organizations o ON o.id = m.organization_id
		WHERE m.user_id = ? ORDER BY o.created_at, o.id`, userID)
	if err != nil {
		return nil, err
	}
	type placed struct {
		organization string
		domain.ProjectAccess
	}
	projects, err := tables.QueryAll(ctx, s, func(r tables.Row) (p placed, err error) {
		err = r.Scan(&p.organization, &p.ID, &p.Name, &p.RetentionDays, &p.MaxBytes, &p.Role)
		return p, err
	}, `SELECT p.organization_id, p.id, p.name, p.retention_days, p.max_bytes, COALESCE(pm.role, m.role) FROM organization_memberships m`+
		inEffect+`
		JOIN projects p ON p.organization_id = m.organization_id
		LEFT JOIN project_memberships pm ON pm.project_id = p.id AND pm.user_id = m.user_id
		WHERE m.user_id = ? ORDER BY p.created_at, p.id`, userID)
	if err != nil {
		return nil, err
	}
	of := make(map[string][]domain.ProjectAccess)
	for _, p := range projects {
		if p.Role != domain.RoleNone {
			of[p.organization] = append(of[p.organization], p.ProjectAccess)
		}
	}
	var seen []domain.OrganizationAccess
	for _, o := range organizations {
		if o.Projects = of[o.ID]; o.Role != domain.RoleNone || len(o.Projects) > 0 {
			seen = append(seen, o)
		}
	}
	return seen, nil
}
