package catalog

import (
	"context"
	"errors"

	"almanac/internal/domain"
)

// EnsureOwner makes the person with this email address an owner of the organization. If nobody has the address yet,
// a user with this name and password hash is created; an existing user keeps both. It reports whether it created one.
func (c *Catalog) EnsureOwner(ctx context.Context, scope domain.OrganizationScope, email, name, passwordHash string, actor domain.Actor) (created bool, err error) {
	err = c.update(ctx, func(s session) error {
		now := millis(c.now())
		user, err := queryOne(ctx, s, scanText, "SELECT id FROM users WHERE email = ?", email)
		switch {
		case errors.Is(err, domain.ErrNotFound):
			created, user = true, domain.NewID()
			if _, err := s.exec(ctx, "INSERT INTO users (id, email, name, password_hash, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
				user, email, name, passwordHash, now, now); err != nil {
				return err
			}
			if err := s.audit(ctx, domain.AuditEntry{
				OrganizationID: scope.OrganizationID(), Actor: actor, Action: "create", ResourceKind: "user", ResourceID: user,
				After: stateOf(map[string]any{"email": email, "name": name}),
			}); err != nil {
				return err
			}
		case err != nil:
			return err
		}
		changed, err := s.exec(ctx, `INSERT INTO organization_memberships (organization_id, user_id, role, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role, updated_at = excluded.updated_at
			WHERE organization_memberships.role <> excluded.role`,
			scope.OrganizationID(), user, string(domain.RoleOwner), now, now)
		if err != nil || changed == 0 {
			return err
		}
		return s.audit(ctx, domain.AuditEntry{
			OrganizationID: scope.OrganizationID(), Actor: actor, Action: "update", ResourceKind: "membership", ResourceID: user,
			After: stateOf(map[string]any{"role": domain.RoleOwner}),
		})
	})
	return created, err
}

// UserExists says whether somebody has this email address.
func (c *Catalog) UserExists(ctx context.Context, email string) (bool, error) {
	found, err := queryAll(ctx, c.reader(), scanText, "SELECT id FROM users WHERE email = ?", email)
	return len(found) > 0, err
}
