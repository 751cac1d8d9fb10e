package people

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

const userColumns = "id, email, name, created_at, updated_at, disabled_at"

func userFields(u *domain.User) []any {
	return []any{&u.ID, &u.Email, &u.Name, tables.AsTime(&u.CreatedAt), tables.AsTime(&u.UpdatedAt), tables.AsOptionalTime(&u.DisabledAt)}
}

// User returns a user of the instance, who need not be a member of anything.
func (c *Catalog) User(ctx context.Context, id string) (domain.User, error) {
	return ReadUser(ctx, c.db.Reader(), "id", id)
}

// ReadUser finds a user of the instance by id or by email.
func ReadUser(ctx context.Context, s tables.Session, column, value string) (domain.User, error) {
	u, err := tables.QueryOne(ctx, s, tables.ScanInto(userFields), "SELECT "+userColumns+" FROM users WHERE "+column+" = ?", value)
	return u, tables.WithSubject(err, "user", value)
}

// ensureUser returns the user with an email address, creating one if there is none.
func ensureUser(
	ctx context.Context, s tables.Session, email, name, passwordHash string, actor domain.Actor,
) (user domain.User, created bool, err error) {
	user, err = ReadUser(ctx, s, "email", domain.NormalEmail(email))
	if !errors.Is(err, domain.ErrNotFound) {
		return user, false, err
	}
	user, err = createUser(ctx, s, email, name, passwordHash, actor)
	return user, true, err
}

// createUser stores a new user and records that. The entry belongs to no organization, or an organization could tell
// from it that an address had no account before.
func createUser(ctx context.Context, s tables.Session, email, name, passwordHash string, actor domain.Actor) (domain.User, error) {
	u, err := storeUser(ctx, s, email, name, passwordHash)
	if err != nil {
		return u, err
	}
	return u, s.Audit(ctx, domain.AuditEntry{
		Actor: actor, ResourceKind: tables.KindUser, ResourceID: u.ID,
		After: tables.StateOf(map[string]any{"email": u.Email, "name": u.Name}),
	})
}

func storeUser(ctx context.Context, s tables.Session, email, name, passwordHash string) (domain.User, error) {
	now := tables.FromMillis(tables.Millis(s.Now()))
	u := domain.User{ID: domain.NewID(), Email: domain.NormalEmail(email), Name: name, CreatedAt: now, UpdatedAt: now}
	return u, s.Insert(ctx, "users ("+userColumns+", password_hash)", append(userFields(&u), passwordHash)...)
}

// ProvisionUser makes the person with this email address a member of the organization with a role or, if role is nil,
// only ensures that they have an account. If nobody has the address yet, a user with this name is created, who cannot
// sign in with a password, and whose role takes effect when they first sign in. An existing user must agree first. The
// result is the same in both cases. It returns domain.ErrConflict if the person is already a member.
func (c *Catalog) ProvisionUser(
	ctx context.Context, scope domain.OrganizationScope, email, name string, role *domain.Role, actor domain.Actor,
) (domain.User, error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (user domain.User, err error) {
		user, created, err := ensureUser(ctx, s, email, name, noPassword, actor)
		if err != nil {
			return user, err
		}
		known, err := tables.Optional(readMember(ctx, s, scope, user.ID))
		if err == nil && known != nil {
			err = fmt.Errorf("member %q: %w", user.ID, domain.ErrConflict)
		}
		if err != nil {
			return user, err
		}
		k := knowledge{address: true, name: name, since: s.Now()}
		if created {
			k.since = user.CreatedAt
		}
		if role == nil {
			err = know(ctx, s, scope, user.ID, k)
		} else {
			_, err = setMember(ctx, s, scope, user, *role, k, actor)
		}
		if err != nil {
			return user, err
		}
		return readKnown(ctx, s, scope, user.ID)
	})
}

// noPassword is the hash stored for users without a password.
const noPassword = ""

// EnsureOwner makes the person with this email address an owner of the organization, on behalf of the operator. If
// nobody has the address yet, a user with this name and password hash is created. An existing user keeps both, but a
// password set by somebody who has not proven that the address is theirs is replaced. It reports whether a user was
// created.
func (c *Catalog) EnsureOwner(
	ctx context.Context, scope domain.OrganizationScope, email, name, passwordHash string, actor domain.Actor,
) (created bool, err error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (bool, error) {
		user, created, err := ensureUser(ctx, s, email, name, passwordHash, actor)
		if err != nil {
			return false, err
		}
		account, err := readAccount(ctx, s, "id", user.ID)
		if err == nil && !created && !account.EmailVerified && account.PasswordHash != noPassword {
			err = setPassword(ctx, s, user.ID, passwordHash, "", actor)
		}
		if err != nil {
			return created, err
		}
		if err := verifyEmail(ctx, s, user.ID); err != nil {
			return created, err
		}
		_, err = appoint(ctx, s, scope, user, domain.RoleOwner, actor)
		return created, err
	})
}

// UserExists reports whether there is a user with this email address.
func (c *Catalog) UserExists(ctx context.Context, email string) (bool, error) {
	return c.db.Reader().Exists(ctx, "SELECT id FROM users WHERE email = ?", domain.NormalEmail(email))
}

// UserNames returns the display names of members of the project's organization, by user id.
func (c *Catalog) UserNames(ctx context.Context, scope domain.ProjectScope, ids []string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	for some := range slices.Chunk(ids, tables.MaxListed) {
		q := tables.SQL(`SELECT u.id, COALESCE(NULLIF(u.name, ''), u.email) FROM users u
			JOIN organization_memberships m ON m.user_id = u.id`+inEffect+`
			JOIN projects p ON p.organization_id = m.organization_id WHERE p.id = ?`, scope.ProjectID()).And(tables.In("u.id", some))
		found, err := tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (id, name string, err error) {
			err = r.Scan(&id, &name)
			return id, name, err
		}, q.Text, q.Args...)
		if err != nil {
			return nil, fmt.Errorf("cannot read the names of %d people for project %s: %w", len(ids), scope.ProjectID(), err)
		}
		maps.Copy(names, found)
	}
	return names, nil
}
