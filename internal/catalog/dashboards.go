package catalog

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MissingWidgetError is returned for a dashboard with a widget that the project does not have.
type MissingWidgetError struct{ ID string }

func (e *MissingWidgetError) Error() string {
	return fmt.Sprintf("dashboard widget %q: not found", e.ID)
}

// Unwrap makes the error match domain.ErrNotFound.
func (e *MissingWidgetError) Unwrap() error { return domain.ErrNotFound }

var dashboards = tables.Table[domain.Dashboard]{
	Name: "dashboards", Kind: "dashboard", Audited: "dashboard", Order: "updated_at DESC, id DESC",
	Columns: "id, name, description, placements, filters, created_at, updated_at",
	Fields: func(d *domain.Dashboard) []any {
		return []any{&d.ID, &d.Name, &d.Description, tables.AsJSON(&d.Placements), tables.AsJSON(&d.Filters), tables.AsTime(&d.CreatedAt), tables.AsTime(&d.UpdatedAt)}
	},
	State: func(d *domain.Dashboard) map[string]any {
		return map[string]any{"name": d.Name, "description": d.Description, "placements": d.Placements, "filters": d.Filters}
	},
}

// Dashboard returns one of the project's dashboards.
func (c *Catalog) Dashboard(ctx context.Context, scope domain.ProjectScope, id string) (domain.Dashboard, error) {
	return dashboards.Get(ctx, c.db.Reader(), scope, id)
}

// Dashboards returns a page of the project's dashboards, the most recently changed first, and the total count.
func (c *Catalog) Dashboards(ctx context.Context, scope domain.ProjectScope, page tables.Page) ([]domain.Dashboard, int, error) {
	return dashboards.Page(ctx, c.db.Reader(), scope, page)
}

// CreateDashboard stores a new dashboard; its id and timestamps are assigned here. It returns a *MissingWidgetError if
// the project lacks one of the widgets.
func (c *Catalog) CreateDashboard(ctx context.Context, scope domain.ProjectScope, n domain.Dashboard, actor domain.Actor) (domain.Dashboard, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Dashboard, error) {
		created, err := dashboards.Create(ctx, s, scope, tables.OrderedID(), n, actor)
		if err != nil {
			return created, err
		}
		return created, useWidgets(ctx, s, scope, created)
	})
}

// UpdateDashboard passes the current dashboard to edit and stores the result; the id and the creation time do not
// change. Concurrent changes of the dashboard wait. Errors from edit are returned unchanged; widgets are checked as in
// CreateDashboard.
func (c *Catalog) UpdateDashboard(
	ctx context.Context, scope domain.ProjectScope, id string, edit func(domain.Dashboard) (domain.Dashboard, error), actor domain.Actor,
) (domain.Dashboard, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Dashboard, error) {
		after, err := dashboards.Change(ctx, s, scope, id, edit, actor)
		if err != nil {
			return after, err
		}
		return after, useWidgets(ctx, s, scope, after)
	})
}

// useWidgets records which widgets a dashboard shows.
func useWidgets(ctx context.Context, s tables.Session, scope domain.ProjectScope, d domain.Dashboard) error {
	if _, err := s.Exec(ctx, "DELETE FROM dashboard_widget_uses WHERE dashboard_id = ?", d.ID); err != nil {
		return err
	}
	var shown []string
	for _, p := range d.Placements {
		if p.Type == domain.PlacedWidget {
			shown = append(shown, p.WidgetID)
		}
	}
	slices.Sort(shown) // a fixed order avoids deadlocks between dashboards
	for _, widget := range slices.Compact(shown) {
		// Updating the widget locks it, so that it cannot be deleted before its use is stored.
		found, err := s.Exec(ctx, "UPDATE dashboard_widgets SET updated_at = updated_at WHERE id = ? AND project_id = ?", widget, scope.ProjectID())
		if err != nil {
			return err
		}
		if found == 0 {
			return &MissingWidgetError{ID: widget}
		}
		if err := s.Insert(ctx, "dashboard_widget_uses (dashboard_id, widget_id)", d.ID, widget); err != nil {
			return err
		}
	}
	return nil
}

// DeleteDashboard deletes one of the project's dashboards. Its widgets are kept.
func (c *Catalog) DeleteDashboard(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error { return dashboards.Delete(ctx, s, scope, id, actor) })
}
