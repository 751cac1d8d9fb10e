package catalog

import (
	"context"
	"fmt"

	"almanac/internal/catalog/rows"
	"almanac/internal/domain"
)

var widgets = rows.Table[domain.Widget]{
	Name: "dashboard_widgets", Kind: "dashboard widget", Audited: "dashboardWidget", Order: "updated_at DESC, id DESC",
	Columns: "id, name, description, data_view, dimensions, metrics, filters, chart_type, chart_config, created_at, updated_at",
	Fields: func(w *domain.Widget) []any {
		return []any{
			&w.ID, &w.Name, &w.Description, &w.View, rows.AsJSON(&w.Dimensions), rows.AsJSON(&w.Metrics), rows.AsJSON(&w.Filters), &w.ChartType, rows.AsJSON(&w.Chart),
			rows.AsTime(&w.CreatedAt), rows.AsTime(&w.UpdatedAt),
		}
	},
	State: func(w *domain.Widget) map[string]any {
		return map[string]any{
			"name": w.Name, "description": w.Description, "view": w.View, "dimensions": w.Dimensions, "metrics": w.Metrics,
			"filters": w.Filters, "chartType": w.ChartType, "chartConfig": w.Chart,
		}
	},
}

// Widget returns a dashboard widget of the project.
func (c *Catalog) Widget(ctx context.Context, scope domain.ProjectScope, id string) (domain.Widget, error) {
	return widgets.Get(ctx, c.db.Reader(), scope, id)
}

// Widgets returns a page of the project's dashboard widgets, the last changed first, and how many there are in all.
func (c *Catalog) Widgets(ctx context.Context, scope domain.ProjectScope, page rows.Page) ([]domain.Widget, int, error) {
	return widgets.Page(ctx, c.db.Reader(), scope, page)
}

// CreateWidget stores a new dashboard widget of the project; its id and its times are made here.
func (c *Catalog) CreateWidget(ctx context.Context, scope domain.ProjectScope, n domain.Widget, actor domain.Actor) (domain.Widget, error) {
	return rows.Transact(ctx, c.db, func(s rows.Session) (domain.Widget, error) {
		return widgets.Create(ctx, s, scope, rows.OrderedID(), n, actor)
	})
}

// UpdateWidget passes the widget as it is to edit and stores what that returns; the id and the time of creation stay. Other changes
// of the widget wait. An error of edit is returned as it is.
func (c *Catalog) UpdateWidget(
	ctx context.Context, scope domain.ProjectScope, id string, edit func(domain.Widget) (domain.Widget, error), actor domain.Actor,
) (domain.Widget, error) {
	return rows.Transact(ctx, c.db, func(s rows.Session) (domain.Widget, error) { return widgets.Change(ctx, s, scope, id, edit, actor) })
}

// DeleteWidget deletes a dashboard widget of the project. One that a dashboard shows is a conflict.
func (c *Catalog) DeleteWidget(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s rows.Session) error {
		// The deletion comes first: it waits for dashboards that are taking the widget in, and those that come later do not find it.
		if err := widgets.Delete(ctx, s, scope, id, actor); err != nil {
			return err
		}
		uses, err := rows.QueryOne(ctx, s, rows.ScanValue[int], "SELECT COUNT(*) FROM dashboard_widget_uses WHERE widget_id = ?", id)
		if err == nil && uses > 0 {
			err = fmt.Errorf("dashboard widget %q is on %d dashboards: %w", id, uses, domain.ErrConflict)
		}
		return err
	})
}
