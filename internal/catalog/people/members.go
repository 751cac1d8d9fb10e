package people

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog/inbox"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// memberColumns selects a user u joined with a membership m and the user's consent op.
const memberColumns = seenColumns + ", m.role"

func scanMember(r tables.Row) (m domain.Member, err error) {
	var user seenUser
	err = r.Scan(append(user.fields(), &m.Role)...)
	m.User, m.Pending = user.seen(), user.accepted == nil
	return m, err
}

// roster identifies the memberships of an organization or of one of its projects.
type roster struct {
	table, owner string // the table, and its column with the id of the organization or project
	id           string // the value of that column
	audit        domain.AuditEntry
}

func organizationRoster(scope domain.OrganizationScope) roster {
	return roster{
		"organization_memberships", "organization_id", scope.OrganizationID(),
		domain.AuditEntry{OrganizationID: scope.OrganizationID(), ResourceKind: tables.KindMembership},
	}
}

func projectRoster(scope domain.OrganizationScope, projectID string) roster {
	return roster{
		"project_memberships", "project_id", projectID,
		domain.AuditEntry{OrganizationID: scope.OrganizationID(), ProjectID: projectID, ResourceKind: tables.KindProjectMembership},
	}
}

func (r roster) from() tables.Query {
	return tables.SQL("FROM "+r.table+` m JOIN users u ON u.id = m.user_id
		LEFT JOIN organization_people op ON op.organization_id = ? AND op.user_id = m.user_id WHERE m.`+r.owner+" = ?",
		r.audit.OrganizationID, r.id)
}

// readMembers returns all members, oldest membership first.
func readMembers(ctx context.Context, s tables.Session, of roster) ([]domain.Member, error) {
	from := of.from()
	return tables.QueryAll(ctx, s, scanMember, "SELECT "+memberColumns+" "+from.Text+" ORDER BY m.created_at, u.id", from.Args...)
}

func memberOf(ctx context.Context, s tables.Session, of roster, userID string) (domain.Member, error) {
	from := of.from().And(tables.SQL("u.id = ?", userID))
	m, err := tables.QueryOne(ctx, s, scanMember, "SELECT "+memberColumns+" "+from.Text, from.Args...)
	return m, tables.WithSubject(err, "member", userID)
}

// putMember stores the role of a user, whose previous membership is nil if there was none, and records the change. The
// user's sessions go on: roles are looked up for every request, and no organization may sign people out of others.
func putMember(ctx context.Context, s tables.Session, of roster, before *domain.Member, after domain.Member, actor domain.Actor) error {
	if before != nil && before.Role == after.Role {
		return nil
	}
	now := tables.Millis(s.Now())
	if _, err := s.Exec(ctx, "INSERT INTO "+of.table+" ("+of.owner+`, user_id, role, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (`+of.owner+", user_id) DO UPDATE SET role = excluded.role, updated_at = excluded.updated_at",
		of.id, after.ID, after.Role, now, now); err != nil {
		return err
	}
	return auditMember(ctx, s, of, after.ID, before, &after, actor)
}

// removeMember deletes a membership and records that.
func removeMember(ctx context.Context, s tables.Session, of roster, before domain.Member, actor domain.Actor) error {
	if _, err := s.Exec(ctx, "DELETE FROM "+of.table+" WHERE "+of.owner+" = ? AND user_id = ?", of.id, before.ID); err != nil {
		return err
	}
	return auditMember(ctx, s, of, before.ID, &before, nil, actor)
}

func auditMember(ctx context.Context, s tables.Session, of roster, userID string, before, after *domain.Member, actor domain.Actor) error {
	state := func(m *domain.Member) map[string]any { return map[string]any{"role": m.Role} }
	e := of.audit
	e.Actor, e.ResourceID, e.Before, e.After = actor, userID, tables.StateIf(before, state), tables.StateIf(after, state)
	return s.Audit(ctx, e)
}

// Members returns the members of an organization, oldest membership first.
func (c *Catalog) Members(ctx context.Context, scope domain.OrganizationScope) ([]domain.Member, error) {
	return readMembers(ctx, c.db.Reader(), organizationRoster(scope))
}

// MemberPage returns a page of the members of an organization and the total count. If email is set, only the member
// with that address is selected.
func (c *Catalog) MemberPage(
	ctx context.Context, scope domain.OrganizationScope, email *string, page tables.Page,
) ([]domain.Member, int, error) {
	from := organizationRoster(scope).from()
	if email != nil {
		from = from.And(tables.SQL("u.email = ? AND (op.accepted_at IS NOT NULL OR op.knows_address = 1)", domain.NormalEmail(*email)))
	}
	return tables.QueryPage(ctx, c.db.Reader(), scanMember, memberColumns, from, "m.created_at, u.id", page)
}

// Member returns a member of an organization.
func (c *Catalog) Member(ctx context.Context, scope domain.OrganizationScope, userID string) (domain.Member, error) {
	return readMember(ctx, c.db.Reader(), scope, userID)
}

func readMember(ctx context.Context, s tables.Session, scope domain.OrganizationScope, userID string) (domain.Member, error) {
	return memberOf(ctx, s, organizationRoster(scope), userID)
}

// SetMember gives a user of the instance a role in the organization. It takes effect when they agree, if they have not
// yet. It returns domain.ErrLastOwner for the last owner, who keeps their role.
func (c *Catalog) SetMember(
	ctx context.Context, scope domain.OrganizationScope, userID string, role domain.Role, actor domain.Actor,
) (domain.Member, error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (member domain.Member, err error) {
		user, err := ReadUser(ctx, s, "id", userID)
		if err != nil {
			return member, err
		}
		return setMember(ctx, s, scope, user, role, knowledge{since: s.Now()}, actor)
	})
}

// EnsureMember makes a user of the instance a member of the organization with no role, unless they are already a
// member.
func (c *Catalog) EnsureMember(
	ctx context.Context, scope domain.OrganizationScope, userID string, actor domain.Actor,
) (domain.Member, error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (member domain.Member, err error) {
		if member, err = readMember(ctx, s, scope, userID); !errors.Is(err, domain.ErrNotFound) {
			return member, err
		}
		user, err := ReadUser(ctx, s, "id", userID)
		if err != nil {
			return member, err
		}
		return setMember(ctx, s, scope, user, domain.RoleNone, knowledge{since: s.Now()}, actor)
	})
}

// setMember stores a role, which has no effect until the user agrees. It requires that the organization is locked.
func setMember(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, user domain.User, role domain.Role, k knowledge,
	actor domain.Actor,
) (domain.Member, error) {
	before, err := tables.Optional(readMember(ctx, s, scope, user.ID))
	if err != nil {
		return domain.Member{}, err
	}
	if before != nil && before.Role != role {
		if err := keepsOwner(ctx, s, scope, *before); err != nil {
			return domain.Member{}, err
		}
	}
	if before == nil {
		if err := know(ctx, s, scope, user.ID, k); err != nil {
			return domain.Member{}, err
		}
	}
	if err := putMember(ctx, s, organizationRoster(scope), before, domain.Member{User: user, Role: role}, actor); err != nil {
		return domain.Member{}, err
	}
	return readMember(ctx, s, scope, user.ID)
}

// RemoveMember deletes a membership and the user's roles in projects of the organization. It returns the former member,
// domain.ErrNotFound if there is none, or domain.ErrLastOwner for the last owner, who cannot be removed.
func (c *Catalog) RemoveMember(
	ctx context.Context, scope domain.OrganizationScope, userID string, actor domain.Actor,
) (domain.Member, error) {
	return tenants.TransactLocked(ctx, c.db, scope, func(s tables.Session) (domain.Member, error) {
		return removeFromOrganization(ctx, s, scope, userID, actor)
	})
}

// removeFromOrganization requires that the organization is locked.
func removeFromOrganization(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, userID string, actor domain.Actor,
) (domain.Member, error) {
	removed, err := readMember(ctx, s, scope, userID)
	if err != nil {
		return removed, err
	}
	if err := keepsOwner(ctx, s, scope, removed); err != nil {
		return removed, err
	}
	projects, err := tables.QueryAll(ctx, s, tables.ScanValue[string],
		`SELECT p.id FROM project_memberships m JOIN projects p ON p.id = m.project_id
		WHERE p.organization_id = ? AND m.user_id = ? ORDER BY p.id`, scope.OrganizationID(), userID)
	if err != nil {
		return removed, err
	}
	for _, project := range projects {
		if err := removeProjectMember(ctx, s, scope, project, userID, actor); err != nil {
			return removed, err
		}
	}
	if err := inbox.Left(ctx, s, scope, userID); err != nil {
		return removed, err
	}
	return removed, removeMember(ctx, s, organizationRoster(scope), removed, actor)
}

// keepsOwner returns domain.ErrLastOwner if the organization would be left without an owner who can act. If the member
// cannot act either, any other owner is enough. It requires that the organization is locked.
func keepsOwner(ctx context.Context, s tables.Session, scope domain.OrganizationScope, member domain.Member) error {
	if member.Role != domain.RoleOwner {
		return nil
	}
	type owner struct {
		id    string
		ready bool
	}
	owners, err := tables.QueryAll(ctx, s, func(r tables.Row) (o owner, err error) {
		var ready int
		err = r.Scan(&o.id, &ready)
		o.ready = ready == 1
		return o, err
	}, `SELECT m.user_id, CASE WHEN u.disabled_at IS NULL AND op.accepted_at IS NOT NULL THEN 1 ELSE 0 END FROM organization_memberships m
		JOIN users u ON u.id = m.user_id LEFT JOIN organization_people op ON op.organization_id = m.organization_id AND op.user_id = m.user_id
		WHERE m.organization_id = ? AND m.role = ?`, scope.OrganizationID(), domain.RoleOwner)
	if err != nil {
		return err
	}
	needsReady := slices.Contains(owners, owner{member.ID, true})
	if !slices.ContainsFunc(owners, func(o owner) bool { return o.id != member.ID && (o.ready || !needsReady) }) {
		return fmt.Errorf("user %q: %w", member.ID, domain.ErrLastOwner)
	}
	return nil
}

// ProjectMembers returns the users who have their own role in a project of the organization, oldest membership first.
func (c *Catalog) ProjectMembers(ctx context.Context, scope domain.OrganizationScope, projectID string) ([]domain.Member, error) {
	s := c.db.Reader()
	if _, err := tenants.ProjectOf(ctx, s, scope, projectID); err != nil {
		return nil, err
	}
	return readMembers(ctx, s, projectRoster(scope, projectID))
}

// SetProjectMember gives a member of the organization a role in one of its projects, which overrides their role in the
// organization. It returns domain.ErrNotFound if the project is unknown or the user is not a member, and in the latter
// case also domain.ErrNoMember.
func (c *Catalog) SetProjectMember(
	ctx context.Context, scope domain.OrganizationScope, projectID, userID string, role domain.Role, actor domain.Actor,
) (domain.Member, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (member domain.Member, err error) {
		if err := lockForMembers(ctx, s, scope, projectID); err != nil {
			return member, err
		}
		if member, err = readMember(ctx, s, scope, userID); err != nil {
			return member, noMember(err)
		}
		member.Role = role
		return member, setProjectMember(ctx, s, scope, projectID, member, actor)
	})
}

// setProjectMember gives a member of the organization a role in a project. It requires that the organization is locked.
func setProjectMember(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, projectID string, member domain.Member, actor domain.Actor,
) error {
	of := projectRoster(scope, projectID)
	before, err := tables.Optional(memberOf(ctx, s, of, member.ID))
	if err != nil {
		return err
	}
	return putMember(ctx, s, of, before, member, actor)
}

// RemoveProjectMember removes a user's own role in a project. It returns domain.ErrNotFound if the project is unknown
// or the user has no such role, and in the latter case also domain.ErrNoMember.
func (c *Catalog) RemoveProjectMember(
	ctx context.Context, scope domain.OrganizationScope, projectID, userID string, actor domain.Actor,
) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if err := lockForMembers(ctx, s, scope, projectID); err != nil {
			return err
		}
		return noMember(removeProjectMember(ctx, s, scope, projectID, userID, actor))
	})
}

// lockForMembers locks the organization of a project, so that no membership ends concurrently and leaves a role in the
// project behind.
func lockForMembers(ctx context.Context, s tables.Session, scope domain.OrganizationScope, projectID string) error {
	if err := tenants.LockOrganization(ctx, s, scope); err != nil {
		return err
	}
	_, err := tenants.ProjectOf(ctx, s, scope, projectID)
	return err
}

func removeProjectMember(
	ctx context.Context, s tables.Session, scope domain.OrganizationScope, projectID, userID string, actor domain.Actor,
) error {
	of := projectRoster(scope, projectID)
	before, err := memberOf(ctx, s, of, userID)
	if err != nil {
		return err
	}
	return removeMember(ctx, s, of, before, actor)
}

// noMember adds domain.ErrNoMember to a not-found error.
func noMember(err error) error {
	if errors.Is(err, domain.ErrNotFound) {
		return fmt.Errorf("%w: %w", domain.ErrNoMember, err)
	}
	return err
}

// IsMember reports whether a user is a member of the organization that owns the project, and agreed to be.
func (c *Catalog) IsMember(ctx context.Context, scope domain.ProjectScope, userID string) (bool, error) {
	return c.db.Reader().Exists(ctx, `SELECT m.user_id FROM organization_memberships m`+inEffect+`
		JOIN projects p ON p.organization_id = m.organization_id WHERE p.id = ? AND m.user_id = ?`, scope.ProjectID(), userID)
}

// HasAccess returns domain.ErrNotFound unless a user can see the project, or could if they agreed to belong to its
// organization, by their role there or by a role in the project, which overrides it.
func HasAccess(ctx context.Context, s tables.Session, scope domain.ProjectScope, userID string) error {
	role, err := tables.QueryOne(ctx, s, tables.ScanValue[string], `SELECT COALESCE(pm.role, om.role) FROM organization_memberships om
		JOIN projects p ON p.organization_id = om.organization_id
		LEFT JOIN project_memberships pm ON pm.project_id = p.id AND pm.user_id = om.user_id
		WHERE p.id = ? AND om.user_id = ?`, scope.ProjectID(), userID)
	if err == nil && domain.Role(role) == domain.RoleNone {
		err = domain.ErrNotFound
	}
	return tables.WithSubject(err, "user", userID)
}

// RoleInProject returns the role in effect of a user in a project. It returns domain.ErrNotFound if they have none, or
// if the account is disabled.
func (c *Catalog) RoleInProject(ctx context.Context, scope domain.ProjectScope, userID string) (domain.Role, error) {
	role, err := tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[string],
		`SELECT COALESCE(pm.role, m.role) FROM organization_memberships m`+inEffect+`
		JOIN projects p ON p.organization_id = m.organization_id JOIN users u ON u.id = m.user_id
		LEFT JOIN project_memberships pm ON pm.project_id = p.id AND pm.user_id = m.user_id
		WHERE p.id = ? AND m.user_id = ? AND u.disabled_at IS NULL`, scope.ProjectID(), userID)
	return domain.Role(role), tables.WithSubject(err, "user", userID)
}

// CreateOwned stores a new organization that is owned by a user.
func (c *Catalog) CreateOwned(ctx context.Context, name, userID string, actor domain.Actor) (domain.Organization, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Organization, error) {
		o, err := tenants.StoreOrganization(ctx, s, tenants.NewOrganization{Name: name}, actor)
		if err != nil {
			return o, err
		}
		user, err := ReadUser(ctx, s, "id", userID)
		if err != nil {
			return o, err
		}
		_, err = appoint(ctx, s, domain.OfOrganization(o.ID), user, domain.RoleOwner, actor) //nolint:forbidigo // it was just made
		return o, err
	})
}
