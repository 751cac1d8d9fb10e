package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// A password reset link gives access to an account. It is bound to what the account was when the link was made, and to
// the right of whoever made it: both are checked again when it is used.

// ErrBeyondRole means that an account has more access than the person who wants a reset link for it.
var ErrBeyondRole = errors.New("the account has more access than the maker of the link")

// NewReset is the input of AddReset.
type NewReset struct {
	UserID, TokenHash string
	ExpiresAt         time.Time
	// MadeBy is the member of the organization who made the link; empty if somebody who knows the address asked for it.
	MadeBy         string
	OrganizationID string
	// Mailed is set if the link is mailed and shown to nobody, so that using it proves ownership of the address.
	Mailed bool
}

// Credentials are the ways in which a user can sign in.
type Credentials struct {
	domain.Account
	// Linked is set if the account is linked to an identity provider.
	Linked bool
}

// CredentialsOf returns how a user signs in.
func (c *Catalog) CredentialsOf(ctx context.Context, userID string) (Credentials, error) {
	return credentialsOf(ctx, c.db.Reader(), userID)
}

func credentialsOf(ctx context.Context, s tables.Session, userID string) (Credentials, error) {
	account, err := readAccount(ctx, s, "id", userID)
	if err != nil {
		return Credentials{}, err
	}
	linked, err := s.Exists(ctx, "SELECT subject FROM identities WHERE user_id = ? LIMIT 1", userID)
	return Credentials{account, linked}, err
}

// MayReset returns ErrBeyondRole unless a member of an organization may make a password reset link for a user.
func (c *Catalog) MayReset(ctx context.Context, n NewReset) error {
	return mayReset(ctx, c.db.Reader(), n)
}

// AddReset stores a password reset link, which replaces earlier ones. It returns the errors of MayReset, and
// ErrBeyondRole for a link that its maker is shown if the account has become more than what organizations gave.
func (c *Catalog) AddReset(ctx context.Context, n NewReset) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if err := mayReset(ctx, s, n); err != nil {
			return err
		}
		if who, err := credentialsOf(ctx, s, n.UserID); err != nil {
			return err
		} else if n.MadeBy != "" && !n.Mailed && (who.EmailVerified || who.Linked) {
			return fmt.Errorf("user %q: %w", n.UserID, ErrBeyondRole)
		}
		state, err := accountState(ctx, s, n)
		if err != nil {
			return err
		}
		now := tables.Millis(s.Now())
		if _, err := s.Exec(ctx, "DELETE FROM password_resets WHERE user_id = ? OR expires_at <= ?", n.UserID, now); err != nil {
			return err
		}
		if err := s.Insert(ctx,
			"password_resets (token_hash, user_id, made_by, organization_id, mailed, account_state, created_at, expires_at)",
			n.TokenHash, n.UserID, tables.AsOptional(&n.MadeBy), tables.AsOptional(&n.OrganizationID), asInteger(n.Mailed), state, now,
			tables.Millis(n.ExpiresAt)); err != nil {
			return err
		}
		actor := domain.Actor{Kind: "anonymous"}
		if n.MadeBy != "" {
			actor = userActor(n.MadeBy)
		}
		return auditUser(ctx, s, n.UserID, domain.AuditEntry{
			Actor: actor, ResourceKind: "passwordReset", ResourceID: n.UserID,
			After: tables.StateOf(map[string]any{"expiresAt": n.ExpiresAt}),
		})
	})
}

// CheckReset returns domain.ErrNotFound if a reset link is unknown, used, expired or no longer valid.
func (c *Catalog) CheckReset(ctx context.Context, tokenHash string) error {
	_, err := openReset(ctx, c.db.Reader(), tokenHash)
	return err
}

// UseReset sets the password of the user of a reset link. The errors are those of CheckReset.
func (c *Catalog) UseReset(ctx context.Context, tokenHash, passwordHash string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		n, err := openReset(ctx, s, tokenHash)
		if err != nil {
			return err
		}
		// The statement also acts as a lock: the second of two requests with the same token does not find it.
		used, err := s.Exec(ctx, "DELETE FROM password_resets WHERE token_hash = ?", tokenHash)
		if err := tables.OrNotFound(used, err); err != nil {
			return tables.WithSubject(err, "password reset", "")
		}
		if err := setPassword(ctx, s, n.UserID, passwordHash, "", userActor(n.UserID)); err != nil {
			return err
		}
		if n.Mailed {
			return verifyEmail(ctx, s, n.UserID)
		}
		if n.OrganizationID == "" {
			return nil
		}
		// As with an invitation, whoever uses a link from an organization agrees to belong to it.
		return agree(ctx, s, domain.OfOrganization(n.OrganizationID), n.UserID) //nolint:forbidigo // the token was checked
	})
}

func openReset(ctx context.Context, s tables.Session, tokenHash string) (NewReset, error) {
	var state string
	n, err := tables.QueryOne(ctx, s, func(r tables.Row) (n NewReset, err error) {
		var mailed int
		err = r.Scan(&n.UserID, tables.AsOptional(&n.MadeBy), tables.AsOptional(&n.OrganizationID), &mailed, &state)
		n.Mailed = mailed == 1
		return n, err
	}, "SELECT user_id, made_by, organization_id, mailed, account_state FROM password_resets WHERE token_hash = ? AND expires_at > ?",
		tokenHash, tables.Millis(s.Now()))
	if err == nil {
		err = mayReset(ctx, s, n)
	}
	var now string
	if err == nil {
		now, err = accountState(ctx, s, n)
	}
	if errors.Is(err, ErrBeyondRole) || err == nil && now != state {
		err = domain.ErrNotFound
	}
	return n, tables.WithSubject(err, "password reset", "")
}

// mayReset returns ErrBeyondRole unless the maker of a link has all the access of the account, in every organization
// that gave it a role, whether that is in effect or not.
func mayReset(ctx context.Context, s tables.Session, n NewReset) error {
	if n.MadeBy == "" {
		return nil
	}
	maker, err := readAccount(ctx, s, "id", n.MadeBy)
	if err != nil {
		return err
	}
	own, err := givenRoles(ctx, s, n.MadeBy)
	if err != nil {
		return err
	}
	theirs, err := givenRoles(ctx, s, n.UserID)
	if err != nil {
		return err
	}
	here, below := false, maker.DisabledAt == nil
	for id, g := range theirs {
		by := own[id]
		here = here || id == n.OrganizationID && (g.Accepted || g.atFirstUse)
		below = below && by.Accepted && by.Role.InOrganization().Has(domain.MembersWrite) && !by.Role.Weaker(g.Role)
		for _, projects := range []map[string]domain.Role{g.Projects, by.Projects} {
			for project := range projects {
				below = below && !by.in(project).Weaker(g.in(project))
			}
		}
	}
	if !here || !below {
		return fmt.Errorf("user %q: %w", n.UserID, ErrBeyondRole)
	}
	return nil
}

// given is what an organization gave to a user.
type given struct {
	Role       domain.Role
	Accepted   bool
	Projects   map[string]domain.Role
	atFirstUse bool
}

// in returns the role in a project of the organization: its own overrides the one in the organization.
func (g given) in(project string) domain.Role {
	if role, ok := g.Projects[project]; ok {
		return role
	}
	return g.Role
}

// givenRoles returns the roles of a user by organization, in effect or not.
func givenRoles(ctx context.Context, s tables.Session, userID string) (map[string]given, error) {
	roles, err := tables.QueryMap(ctx, s, func(r tables.Row) (id string, g given, err error) {
		var accepted *time.Time
		var first int
		err = r.Scan(&id, &g.Role, tables.AsOptionalTime(&accepted), &first)
		g.Accepted, g.atFirstUse, g.Projects = accepted != nil, first == 1, make(map[string]domain.Role)
		return id, g, err
	}, `SELECT m.organization_id, m.role, op.accepted_at, COALESCE(op.at_first_use, 0) FROM organization_memberships m
		LEFT JOIN organization_people op ON op.organization_id = m.organization_id AND op.user_id = m.user_id WHERE m.user_id = ?`, userID)
	if err != nil {
		return nil, err
	}
	_, err = tables.QueryAll(ctx, s, func(r tables.Row) (_ struct{}, err error) {
		var organization, project string
		var role domain.Role
		if err = r.Scan(&organization, &project, &role); err == nil && roles[organization].Projects != nil {
			roles[organization].Projects[project] = role
		}
		return struct{}{}, err
	}, "SELECT p.organization_id, p.id, m.role FROM project_memberships m JOIN projects p ON p.id = m.project_id WHERE m.user_id = ?",
		userID)
	return roles, err
}

// accountState returns a digest of everything that a reset link depends on: how its user signs in and, if a member of
// an organization made it, all that the user was given. A request by the owner of the address does not depend on what
// others give.
func accountState(ctx context.Context, s tables.Session, n NewReset) (string, error) {
	account, err := readAccount(ctx, s, "id", n.UserID)
	if err == nil && account.DisabledAt != nil {
		err = tables.WithSubject(domain.ErrNotFound, "user", n.UserID)
	}
	if err != nil {
		return "", err
	}
	identities, err := tables.QueryAll(ctx, s, func(r tables.Row) (i [2]string, err error) {
		err = r.Scan(&i[0], &i[1])
		return i, err
	}, "SELECT issuer, subject FROM identities WHERE user_id = ? ORDER BY issuer, subject", n.UserID)
	if err != nil {
		return "", err
	}
	var roles map[string]given
	if n.MadeBy != "" {
		if roles, err = givenRoles(ctx, s, n.UserID); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal([]any{account.Email, account.EmailVerified, account.PasswordHash, identities, roles})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
