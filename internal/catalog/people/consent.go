package people

import (
	"context"
	"errors"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// Organizations give roles to any account of the instance, by its address or id. Such a role has no effect until the
// person agrees: the account may be held by somebody who does not own the address, and its owner may want nothing to do
// with the organization.

// inEffect joins memberships m with the consent of their holders.
const inEffect = ` JOIN organization_people op ON op.organization_id = m.organization_id AND op.user_id = m.user_id AND op.accepted_at ` +
	`IS NOT NULL `

// ErrUnproven means that the holder of an account has not proven that its address is theirs.
var ErrUnproven = errors.New("the address of the account is not proven")

// knowledge is what an organization knows of a person when it adds them.
type knowledge struct {
	address bool // it named the person by their address
	name    string
	since   time.Time
}

// know stores that an organization has added a person. What it knew before stays.
func know(ctx context.Context, s tables.Session, scope domain.OrganizationScope, userID string, k knowledge) error {
	unused, err := s.Exists(ctx, `SELECT u.id FROM users u WHERE u.id = ? AND u.password_hash = '' AND u.email_verified_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id)`, userID)
	if err != nil {
		return err
	}
	_, err = s.Exec(ctx,
		`INSERT INTO organization_people (organization_id, user_id, at_first_use, knows_address, name, created_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (organization_id, user_id) DO UPDATE SET
			knows_address = CASE WHEN excluded.knows_address = 1 THEN 1 ELSE organization_people.knows_address END,
			name = CASE WHEN excluded.knows_address = 1 THEN excluded.name ELSE organization_people.name END`,
		scope.OrganizationID(), userID, asInteger(unused), asInteger(k.address), k.name, tables.Millis(k.since))
	return err
}

func asInteger(is bool) int {
	if is {
		return 1
	}
	return 0
}

// agree makes a person's roles in an organization take effect.
func agree(ctx context.Context, s tables.Session, scope domain.OrganizationScope, userID string) error {
	s.Note(tables.Change{Kind: tables.KindMembership})
	now := tables.Millis(s.Now())
	_, err := s.Exec(ctx,
		`INSERT INTO organization_people (organization_id, user_id, accepted_at, knows_address, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (organization_id, user_id) DO UPDATE
		SET accepted_at = COALESCE(organization_people.accepted_at, excluded.accepted_at), knows_address = 1`,
		scope.OrganizationID(), userID, now, now)
	return err
}

// agreeAtFirstUse makes the roles take effect that an account got before anybody used it.
func agreeAtFirstUse(ctx context.Context, s tables.Session, userID string) error {
	s.Note(tables.Change{Kind: tables.KindMembership})
	_, err := s.Exec(ctx, "UPDATE organization_people SET accepted_at = ? WHERE user_id = ? AND at_first_use = 1 AND accepted_at IS NULL",
		tables.Millis(s.Now()), userID)
	return err
}

// appoint gives a role that takes effect at once: the person agreed, or the operator decides. It requires that the
// organization is locked.
func appoint(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, user domain.User, role domain.Role, actor domain.Actor,
) (domain.Member, error) {
	if err := agree(ctx, s, scope, user.ID); err != nil {
		return domain.Member{}, err
	}
	return setMember(ctx, s, scope, user, role, knowledge{}, actor)
}

// AppointMember gives a user a role on behalf of the operator. Other than with SetMember, it takes effect at once.
func (c *Catalog) AppointMember(
	ctx context.Context, scope domain.OrganizationScope, userID string, role domain.Role, actor domain.Actor,
) (domain.Member, error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (member domain.Member, err error) {
		user, err := ReadUser(ctx, s, "id", userID)
		if err != nil {
			return member, err
		}
		return appoint(ctx, s, scope, user, role, actor)
	})
}

// maxOffered is the maximum number of memberships that a person is asked about at a time.
const maxOffered = 50

// Offered returns the memberships of a user that wait for their consent, oldest first.
func (c *Catalog) Offered(ctx context.Context, userID string) ([]domain.OfferedMembership, error) {
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (o domain.OfferedMembership, err error) {
		err = r.Scan(&o.OrganizationID, &o.OrganizationName, &o.Role)
		return o, err
	}, `SELECT o.id, o.name, m.role FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
		LEFT JOIN organization_people op ON op.organization_id = m.organization_id AND op.user_id = m.user_id
		WHERE m.user_id = ? AND op.accepted_at IS NULL ORDER BY m.created_at, o.id LIMIT ?`, userID, maxOffered)
}

// AcceptMembership makes the roles that an organization gave a user take effect. It returns domain.ErrNotFound if it
// gave none, and ErrUnproven if the address of the account is not known to belong to its holder: the organization meant
// the owner of the address.
func (c *Catalog) AcceptMembership(ctx context.Context, scope domain.OrganizationScope, userID string) error {
	_, err := tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (domain.Member, error) {
		member, err := readMember(ctx, s, scope, userID)
		if err != nil || !member.Pending {
			return member, err
		}
		account, err := readAccount(ctx, s, "id", userID)
		if err == nil && !account.EmailVerified {
			err = ErrUnproven
		}
		if err != nil {
			return member, err
		}
		if err := agree(ctx, s, scope, userID); err != nil {
			return member, err
		}
		e := organizationRoster(scope).audit
		e.Actor, e.ResourceID = userActor(userID), userID
		e.Before, e.After = tables.StateOf(map[string]any{"accepted": false}), tables.StateOf(map[string]any{"accepted": true})
		return member, s.Audit(ctx, e)
	})
	return err
}

// Leave ends a membership on behalf of the member, or declines one that waits for their consent. The organization needs
// their consent to add them again. The errors are those of RemoveMember.
func (c *Catalog) Leave(ctx context.Context, scope domain.OrganizationScope, userID string) error {
	_, err := tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (domain.Member, error) {
		left, err := readMember(ctx, s, scope, userID)
		if err != nil {
			return left, err
		}
		actor := userActor(userID)
		if left.Pending { // an organization to which they never belonged learns neither who they are nor where
			actor.ID, ctx = "", domain.WithOrigin(ctx, domain.Origin{RequestID: domain.OriginOf(ctx).RequestID})
		}
		if _, err := removeFromOrganization(ctx, s, scope, userID, actor); err != nil {
			return left, err
		}
		_, err = s.Exec(ctx,
			"UPDATE organization_people SET accepted_at = NULL, at_first_use = 0 WHERE organization_id = ? AND user_id = ?",
			scope.OrganizationID(), userID)
		return left, err
	})
	return err
}

// Known returns what an organization knows of a person whom it has added, member or not. It returns domain.ErrNotFound
// for everybody else.
func (c *Catalog) Known(ctx context.Context, scope domain.OrganizationScope, userID string) (domain.User, error) {
	return readKnown(ctx, c.db.Reader(), scope, userID)
}

func readKnown(ctx context.Context, s tables.Session, scope domain.OrganizationScope, userID string) (domain.User, error) {
	u, err := tables.QueryOne(ctx, s, func(r tables.Row) (domain.User, error) {
		var known seenUser
		err := r.Scan(known.fields()...)
		return known.seen(), err
	},
		"SELECT "+seenColumns+
			" FROM organization_people op JOIN users u ON u.id = op.user_id WHERE op.organization_id = ? AND op.user_id = ?",
		scope.OrganizationID(), userID)
	return u, tables.WithSubject(err, "user", userID)
}

// seenColumns selects a user u with the consent op of an organization, for seenUser.
const seenColumns = `u.id, u.email, u.name, u.created_at, u.updated_at, u.disabled_at,
	op.accepted_at, COALESCE(op.knows_address, 0), COALESCE(op.name, ''), COALESCE(op.created_at, 0)`

// seenUser is a user as an organization may see them.
type seenUser struct {
	user         domain.User
	accepted     *time.Time
	knowsAddress int
	name         string
	since        time.Time
}

func (u *seenUser) fields() []any {
	return append(userFields(&u.user), tables.AsOptionalTime(&u.accepted), &u.knowsAddress, &u.name, tables.AsTime(&u.since))
}

// seen returns the user or, until they agree, only what the organization itself said of them: it must not learn from an
// address or an id whether there is an account, and whose.
func (u *seenUser) seen() domain.User {
	if u.accepted != nil {
		return u.user
	}
	seen := domain.User{ID: u.user.ID, Name: u.name, CreatedAt: u.since, UpdatedAt: u.since}
	if u.knowsAddress == 1 {
		seen.Email = u.user.Email
	}
	return seen
}
