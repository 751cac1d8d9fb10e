package catalog

import (
	"cmp"
	"context"
	"errors"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Limits of saved views.
const (
	MaxOwnViews    = 100 // per user and project
	MaxSharedViews = 200 // per project
)

// ErrTooManyViews means that the limit of saved views is reached.
var ErrTooManyViews = errors.New("too many views are kept")

var savedViews = tables.Table[domain.SavedView]{
	Name: "saved_views", Kind: "view", Audited: "savedView", Order: "name, id",
	Columns: "id, owner_id, table_name, name, state, is_default, created_at, updated_at",
	Fields: func(v *domain.SavedView) []any {
		return []any{
			&v.ID, &v.OwnerID, &v.Table, &v.Name, tables.AsJSON(&v.State), &v.IsDefault, tables.AsTime(&v.CreatedAt),
			tables.AsTime(&v.UpdatedAt),
		}
	},
	State: func(v *domain.SavedView) map[string]any {
		return map[string]any{"name": v.Name, "table": v.Table, "shared": v.OwnerID == nil, "default": v.IsDefault, "state": v.State}
	},
}

// SavedViews returns the views that a user sees in a project, their own and the shared ones, by name.
func (c *Catalog) SavedViews(ctx context.Context, scope domain.ProjectScope, userID string) ([]domain.SavedView, error) {
	return visibleViews(ctx, c.db.Reader(), scope, userID, "")
}

// SavedView returns one of the views that a user sees.
func (c *Catalog) SavedView(ctx context.Context, scope domain.ProjectScope, userID, id string) (domain.SavedView, error) {
	return visibleView(ctx, c.db.Reader(), scope, userID, id)
}

func visibleViews(ctx context.Context, s tables.Session, scope domain.ProjectScope, userID, id string) ([]domain.SavedView, error) {
	scan := func(r tables.Row) (v domain.SavedView, err error) {
		err = r.Scan(append(savedViews.Fields(&v), &v.IsMine)...)
		return v, err
	}
	q := tables.SQL(`SELECT `+savedViews.Columns+
		`, EXISTS (SELECT 1 FROM default_views d WHERE d.view_id = saved_views.id AND d.user_id = ?)
		FROM saved_views WHERE project_id = ? AND (owner_id IS NULL OR owner_id = ?)`, userID, scope.ProjectID(), userID)
	q = q.And(tables.If(id != "", "id = ?", id))
	return tables.QueryAll(ctx, s, scan, q.Text+" ORDER BY "+savedViews.Order, q.Args...)
}

func visibleView(ctx context.Context, s tables.Session, scope domain.ProjectScope, userID, id string) (domain.SavedView, error) {
	if id == "" || tables.Unstorable(id) {
		return domain.SavedView{}, tables.WithSubject(domain.ErrNotFound, savedViews.Kind, id)
	}
	found, err := visibleViews(ctx, s, scope, userID, id)
	if err == nil && len(found) == 0 {
		err = tables.WithSubject(domain.ErrNotFound, savedViews.Kind, id)
	}
	if err != nil {
		return domain.SavedView{}, err
	}
	return found[0], nil
}

// CreateSavedView stores a new view; its id and timestamps are assigned here. Shared views are recorded in the audit
// log.
func (c *Catalog) CreateSavedView(
	ctx context.Context, scope domain.ProjectScope, userID string, n domain.SavedView, actor domain.Actor,
) (domain.SavedView, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.SavedView, error) {
		id := tables.OrderedID()
		if err := savedViews.Insert(ctx, s, scope, id, n); err != nil {
			return n, err
		}
		if err := countViews(ctx, s, scope, n.OwnerID); err != nil {
			return n, err
		}
		created, err := visibleView(ctx, s, scope, userID, id)
		if err != nil {
			return n, err
		}
		return created, auditView(ctx, s, scope, nil, &created, actor)
	})
}

// countViews returns ErrTooManyViews if the view just stored exceeds the limit.
func countViews(ctx context.Context, s tables.Session, scope domain.ProjectScope, owner *string) error {
	limit := MaxSharedViews
	q := tables.SQL("SELECT COUNT(*) FROM saved_views WHERE project_id = ?", scope.ProjectID())
	if owner == nil {
		q.Text += " AND owner_id IS NULL"
	} else {
		q, limit = q.And(tables.If(true, "owner_id = ?", *owner)), MaxOwnViews
	}
	count, err := tables.QueryOne(ctx, s, tables.ScanValue[int], q.Text, q.Args...)
	if err == nil && count > limit {
		err = ErrTooManyViews
	}
	return err
}

// ChangeSavedView passes a view that the user sees to edit and stores the result. Errors from edit are returned
// unchanged. A shared view that becomes private is no longer the default of the project or of other users.
func (c *Catalog) ChangeSavedView(
	ctx context.Context, scope domain.ProjectScope, userID, id string, edit func(domain.SavedView) (domain.SavedView, error),
	actor domain.Actor,
) (domain.SavedView, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.SavedView, err error) {
		// Writing first locks the row, so that concurrent changes do not overwrite each other.
		if _, err := s.Exec(ctx, "UPDATE saved_views SET updated_at = updated_at WHERE id = ? AND project_id = ?", id,
			scope.ProjectID()); err != nil {
			return after, err
		}
		before, err := visibleView(ctx, s, scope, userID, id)
		if err != nil {
			return after, err
		}
		n, err := edit(before)
		if err != nil {
			return after, err
		}
		if n.OwnerID != nil {
			n.IsDefault = false
		}
		if err := savedViews.Replace(ctx, s, scope, id, n); err != nil {
			return after, err
		}
		if (n.OwnerID == nil) != (before.OwnerID == nil) {
			if err := countViews(ctx, s, scope, n.OwnerID); err != nil {
				return after, err
			}
			if _, err := s.Exec(ctx, "DELETE FROM default_views WHERE view_id = ? AND user_id <> ?", id, userID); err != nil {
				return after, err
			}
		}
		if after, err = visibleView(ctx, s, scope, userID, id); err != nil {
			return after, err
		}
		return after, auditView(ctx, s, scope, &before, &after, actor)
	})
}

// DeleteSavedView deletes a view that the user sees, if check allows it.
func (c *Catalog) DeleteSavedView(
	ctx context.Context, scope domain.ProjectScope, userID, id string, check func(domain.SavedView) error, actor domain.Actor,
) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := visibleView(ctx, s, scope, userID, id)
		if err != nil {
			return err
		}
		if err := check(before); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM saved_views WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return auditView(ctx, s, scope, &before, nil, actor)
	})
}

// SetOwnDefaultView sets the default view of a user for a table; an empty id unsets it.
func (c *Catalog) SetOwnDefaultView(ctx context.Context, scope domain.ProjectScope, userID, table, id string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := s.Exec(ctx, "DELETE FROM default_views WHERE project_id = ? AND user_id = ? AND table_name = ?", scope.ProjectID(),
			userID, table); err != nil || id == "" {
			return err
		}
		if err := viewOf(ctx, s, scope, userID, table, id, false); err != nil {
			return err
		}
		return s.Insert(ctx, "default_views (project_id, user_id, table_name, view_id)", scope.ProjectID(), userID, table, id)
	})
}

// SetDefaultView sets the shared view that is the default of a table for users without their own; an empty id unsets
// it.
func (c *Catalog) SetDefaultView(ctx context.Context, scope domain.ProjectScope, userID, table, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if id != "" {
			if err := viewOf(ctx, s, scope, userID, table, id, true); err != nil {
				return err
			}
		}
		if _, err := s.Exec(ctx,
			"UPDATE saved_views SET is_default = (id = ?) WHERE project_id = ? AND table_name = ? AND owner_id IS NULL", id,
			scope.ProjectID(), table); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, "defaultView", table, nil, tables.StateOf(map[string]any{"view": id}))
	})
}

// viewOf checks that the user sees the view and that it is a view of the table.
func viewOf(ctx context.Context, s tables.Session, scope domain.ProjectScope, userID, table, id string, shared bool) error {
	v, err := visibleView(ctx, s, scope, userID, id)
	if err == nil && (v.Table != table || shared && v.OwnerID != nil) {
		err = tables.WithSubject(domain.ErrNotFound, savedViews.Kind, id)
	}
	return err
}

// auditView records a change of a view that is or was shared. Changes of private views are not recorded.
func auditView(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, before, after *domain.SavedView, actor domain.Actor,
) error {
	shared := func(v *domain.SavedView) *domain.SavedView {
		if v == nil || v.OwnerID != nil {
			return nil
		}
		return v
	}
	was, is := shared(before), shared(after)
	view := cmp.Or(was, is)
	if view == nil {
		return nil
	}
	return s.AuditInProject(ctx, scope, actor, savedViews.Audited, view.ID, tables.StateIf(was, savedViews.State),
		tables.StateIf(is, savedViews.State))
}
