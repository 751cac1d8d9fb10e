package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// View records that a user opened something in a project.
type View struct {
	Scope    domain.ProjectScope
	UserID   string
	Kind, ID string // of what was opened, as named in the audit log
	Origin   domain.Origin
}

// RecordViews writes an audit entry for each view, unless there is one since the given time, possibly written by
// another server. Views of deleted projects are dropped.
func (c *Catalog) RecordViews(ctx context.Context, views []View, since time.Time) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		for _, v := range views {
			organization, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?",
				v.Scope.ProjectID())
			if errors.Is(err, domain.ErrNotFound) || err == nil && tables.Unstorable(v.ID) {
				continue
			}
			if err != nil {
				return err
			}
			known, err := tables.QueryOne(ctx, s, tables.ScanValue[int],
				`SELECT COUNT(*) FROM audit_log WHERE organization_id = ? AND at >= ? AND project_id = ?
				AND actor_kind = 'user' AND actor_id = ? AND action = ? AND resource_kind = ? AND resource_id = ?`,
				organization, tables.Millis(since), v.Scope.ProjectID(), v.UserID, tables.ActionView, v.Kind, v.ID)
			if err != nil {
				return err
			}
			if known > 0 {
				continue
			}
			if err := s.Audit(domain.WithOrigin(ctx, v.Origin), domain.AuditEntry{
				OrganizationID: organization, ProjectID: v.Scope.ProjectID(), Actor: domain.Actor{Kind: "user", ID: v.UserID},
				Action: tables.ActionView, ResourceKind: v.Kind, ResourceID: v.ID,
			}); err != nil {
				return fmt.Errorf("cannot record %d views: %w", len(views), err)
			}
		}
		return nil
	})
}

// RecordDeletion writes an audit entry for each of the given objects, which are stored outside the catalog. It is
// called before they are deleted there, so that nothing disappears without an entry.
func (c *Catalog) RecordDeletion(ctx context.Context, scope domain.ProjectScope, kind string, ids []string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		organization, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?",
			scope.ProjectID())
		if err != nil {
			return tables.WithSubject(err, "project", scope.ProjectID())
		}
		for _, id := range ids {
			if err := s.Audit(ctx, domain.AuditEntry{
				OrganizationID: organization, ProjectID: scope.ProjectID(), Actor: actor, ResourceKind: kind, ResourceID: id,
			}); err != nil {
				return fmt.Errorf("cannot record the deletion of %d resources of type %s: %w", len(ids), kind, err)
			}
		}
		return nil
	})
}

// AuditFilter selects entries of the audit log; zero fields match everything.
type AuditFilter struct {
	From, To                 time.Time // To is exclusive
	ProjectID                string
	Actor                    domain.Actor
	Action                   string
	ResourceKind, ResourceID string
	After                    tables.Position // where the previous page ended
	Limit                    int             // maximum number of entries; 0 means all
}

// AuditLog returns the audit entries of an organization, newest first, without those recorded while it reads.
func (c *Catalog) AuditLog(ctx context.Context, scope domain.OrganizationScope, f AuditFilter) iter.Seq2[*domain.AuditEntry, error] {
	return c.AuditLogOfInstance(ctx, scope.OrganizationID(), f)
}

// AuditLogOfInstance is like AuditLog for all organizations, or for the one with the given id, which may have been
// deleted. It is for the operator, who is not bound to an organization.
func (c *Catalog) AuditLogOfInstance(ctx context.Context, organizationID string, f AuditFilter) iter.Seq2[*domain.AuditEntry, error] {
	if tables.Unstorable(organizationID, f.ProjectID, f.Actor.Kind, f.Actor.ID, f.Action, f.ResourceKind, f.ResourceID, f.After.ID) {
		return func(func(*domain.AuditEntry, error) bool) {}
	}
	q := tables.SQL("SELECT " + tables.AuditColumns + ", " + tables.ActorName + " FROM audit_log WHERE TRUE").
		And(tables.If(organizationID != "", "organization_id = ?", organizationID)).
		And(tables.If(f.ProjectID != "", "project_id = ?", f.ProjectID)).
		And(tables.If(f.Actor.Kind != "", "actor_kind = ?", f.Actor.Kind)).
		And(tables.If(f.Actor.ID != "", "actor_id = ?", f.Actor.ID)).
		And(tables.If(f.Action != "", "action = ?", f.Action)).
		And(tables.If(f.ResourceKind != "", "resource_kind = ?", f.ResourceKind)).
		And(tables.If(f.ResourceID != "", "resource_id = ?", f.ResourceID)).
		And(tables.If(!f.From.IsZero(), "at >= ?", tables.Millis(f.From))).
		And(tables.If(!f.To.IsZero(), "at < ?", tables.Millis(f.To)))
	list := tables.NewestFirst[domain.AuditEntry]{
		Session: c.db.Reader(), Scan: scanAuditEntry, Query: q, At: "at", ID: "id", LastIDFirst: true,
		Position: func(e *domain.AuditEntry) tables.Position { return tables.Position{At: e.At, ID: e.ID} },
	}
	if f.After != (tables.Position{}) {
		list.After = &f.After
	}
	return list.Read(ctx, 0, cmp.Or(f.Limit, tables.Unlimited))
}

func scanAuditEntry(r tables.Row) (e domain.AuditEntry, err error) {
	err = r.Scan(&e.ID, tables.AsTime(&e.At), &e.OrganizationID, &e.ProjectID, &e.Actor.Kind, &e.Actor.ID, &e.Action, &e.ResourceKind,
		&e.ResourceID,
		&e.Origin.Address, &e.Origin.RequestID, &e.Origin.Client, tables.AsRaw(&e.Before), tables.AsRaw(&e.After), &e.ActorName)
	return e, err
}
