package catalog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"almanac/internal/domain"
)

// actorName is what the person who made a change is called. Accounts stay when people leave.
const actorName = `COALESCE((SELECT COALESCE(NULLIF(u.name, ''), u.email) FROM users u
	WHERE audit_log.actor_kind = 'user' AND u.id = audit_log.actor_id), '')`

// View is something of a project that somebody opened.
type View struct {
	Scope    domain.ProjectScope
	UserID   string
	Kind, ID string // of what was opened, as the log names it
	Origin   domain.Origin
}

// RecordViews writes an entry for each view, but for those of which there is one since a time, also by another server. A project
// that is gone has none.
func (c *Catalog) RecordViews(ctx context.Context, views []View, since time.Time) error {
	return c.db.Update(ctx, func(s session) error {
		for _, v := range views {
			organization, err := queryOne(ctx, s, scanValue[string], "SELECT organization_id FROM projects WHERE id = ?", v.Scope.ProjectID())
			if errors.Is(err, domain.ErrNotFound) || err == nil && cannotExist(v.ID) {
				continue
			}
			if err != nil {
				return err
			}
			known, err := queryOne(ctx, s, scanValue[int], `SELECT COUNT(*) FROM audit_log WHERE organization_id = ? AND at >= ? AND project_id = ?
				AND actor_kind = 'user' AND actor_id = ? AND action = ? AND resource_kind = ? AND resource_id = ?`,
				organization, millis(since), v.Scope.ProjectID(), v.UserID, actionView, v.Kind, v.ID)
			if err != nil {
				return err
			}
			if known > 0 {
				continue
			}
			if err := s.audit(domain.WithOrigin(ctx, v.Origin), domain.AuditEntry{
				OrganizationID: organization, ProjectID: v.Scope.ProjectID(), Actor: domain.Actor{Kind: "user", ID: v.UserID},
				Action: actionView, ResourceKind: v.Kind, ResourceID: v.ID,
			}); err != nil {
				return fmt.Errorf("cannot record %d views: %w", len(views), err)
			}
		}
		return nil
	})
}

// RecordDeletion writes an audit entry for each of these things of a project, which are kept elsewhere: it is called before
// they are deleted there, so that nothing disappears without an entry.
func (c *Catalog) RecordDeletion(ctx context.Context, scope domain.ProjectScope, kind string, ids []string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s session) error {
		p, err := queryOne(ctx, s, scanProject, selectProject+" WHERE p.id = ?", scope.ProjectID())
		if err != nil {
			return named(err, "project", scope.ProjectID())
		}
		for _, id := range ids {
			if err := s.audit(ctx, domain.AuditEntry{
				OrganizationID: p.OrganizationID, ProjectID: p.ID, Actor: actor, ResourceKind: kind, ResourceID: id,
			}); err != nil {
				return fmt.Errorf("cannot record the deletion of %d things of kind %s: %w", len(ids), kind, err)
			}
		}
		return nil
	})
}

// AuditFilter selects entries of the audit log; zero members select all.
type AuditFilter struct {
	From, To                 time.Time // To itself is left out
	ProjectID                string
	Actor                    domain.Actor
	Action                   string
	ResourceKind, ResourceID string
	After                    Position // where a reading before this one ended
	Limit                    int      // the most entries that are read; 0: all of them
}

// AuditLog returns entries about an organization, newest first. What is recorded meanwhile is not among them.
func (c *Catalog) AuditLog(ctx context.Context, scope domain.OrganizationScope, f AuditFilter) iter.Seq2[*domain.AuditEntry, error] {
	return c.AuditLogOfInstance(ctx, scope.OrganizationID(), f)
}

// AuditLogOfInstance is AuditLog of all organizations, or of the one with an id, which need not exist any more. It is for the
// operator, who is bound to none of them.
func (c *Catalog) AuditLogOfInstance(ctx context.Context, organizationID string, f AuditFilter) iter.Seq2[*domain.AuditEntry, error] {
	if cannotExist(organizationID, f.ProjectID, f.Actor.Kind, f.Actor.ID, f.Action, f.ResourceKind, f.ResourceID, f.After.ID) {
		return func(func(*domain.AuditEntry, error) bool) {}
	}
	q := query{text: "SELECT " + auditColumns + ", " + actorName + " FROM audit_log WHERE TRUE"}.
		and(when(organizationID != "", "organization_id = ?", organizationID)).
		and(when(f.ProjectID != "", "project_id = ?", f.ProjectID)).
		and(when(f.Actor.Kind != "", "actor_kind = ?", f.Actor.Kind)).
		and(when(f.Actor.ID != "", "actor_id = ?", f.Actor.ID)).
		and(when(f.Action != "", "action = ?", f.Action)).
		and(when(f.ResourceKind != "", "resource_kind = ?", f.ResourceKind)).
		and(when(f.ResourceID != "", "resource_id = ?", f.ResourceID)).
		and(when(!f.From.IsZero(), "at >= ?", millis(f.From))).
		and(when(!f.To.IsZero(), "at < ?", millis(f.To)))
	list := newestFirst[domain.AuditEntry]{
		session: c.db.Reader(), scan: scanAuditEntry, query: q, at: "at", id: "id", lastIDFirst: true,
		position: func(e *domain.AuditEntry) Position { return Position{e.At, e.ID} },
	}
	if f.After != (Position{}) {
		list.after = &f.After
	}
	limit := f.Limit
	if limit == 0 {
		limit = unlimited
	}
	return list.read(ctx, 0, limit)
}

func scanAuditEntry(r row) (e domain.AuditEntry, err error) {
	err = r.Scan(&e.ID, asTime(&e.At), &e.OrganizationID, &e.ProjectID, &e.Actor.Kind, &e.Actor.ID, &e.Action, &e.ResourceKind, &e.ResourceID,
		&e.Origin.Address, &e.Origin.RequestID, &e.Origin.Client, asRaw(&e.Before), asRaw(&e.After), &e.ActorName)
	return e, err
}
