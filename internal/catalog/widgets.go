package catalog

import (
	"context"
	"fmt"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

var widgets = tables.Table[domain.Widget]{
	Name: "dashboard_widgets", Kind: "dashboard widget", Audited: "dashboardWidget", Order: "updated_at DESC, id DESC",
	Columns: "id, name, description, data_view, dimensions, metrics, filters, chart_type, chart_config, created_at, updated_at",
	Fields: func(w *domain.Widget) []any {
		return []any{
			&w.ID, &w.Name, &w.Description, &w.View, tables.AsJSON(&w.Dimensions), tables.AsJSON(&w.Metrics), tables.AsJSON(&w.Filters), &w.ChartType, tables.AsJSON(&w.Chart),
			tables.AsTime(&w.CreatedAt), tables.AsTime(&w.UpdatedAt),
		}
	},
	State: func(w *domain.Widget) map[string]any {
		return map[string]any{
			"name": w.Name, "description": w.Description, "view": w.View, "dimensions": w.Dimensions, "metrics": w.Metrics,
			"filters": w.Filters, "chartType": w.ChartType, "chartConfig": w.Chart,
		}
	},
}

// Widget returns one of the project's dashboard widgets.
func (c *Catalog) Widget(ctx context.Context, scope domain.ProjectScope, id string) (domain.Widget, error) {
	return widgets.Get(ctx, c.db.Reader(), scope, id)
}

// Widgets returns a page of the project's dashboard widgets, the most recently changed first, and the total count.
func (c *Catalog) Widgets(ctx context.Context, scope domain.ProjectScope, page tables.Page) ([]domain.Widget, int, error) {
	return widgets.Page(ctx, c.db.Reader(), scope, page)
}

// CreateWidget stores a new dashboard widget; its id and timestamps are assigned here.
func (c *Catalog) CreateWidget(ctx context.Context, scope domain.ProjectScope, n domain.Widget, actor domain.Actor) (domain.Widget, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Widget, error) {
		return widgets.Create(ctx, s, scope, tables.OrderedID(), n, actor)
	})
}

// UpdateWidget passes the current widget to edit and stores the result; the id and the creation time do not change.
// Concurrent changes of the widget wait. Errors from edit are returned unchanged.
func (c *Catalog) UpdateWidget(
	ctx context.Context, scope domain.ProjectScope, id string, edit func(domain.Widget) (domain.Widget, error), actor domain.Actor,
) (domain.Widget, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Widget, error) { return widgets.Change(ctx, s, scope, id, edit, actor) })
}

// DeleteWidget deletes one of the project's dashboard widgets. It returns domain.ErrConflict if a dashboard shows it.
func (c *Catalog) DeleteWidget(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		// Delete first: this waits for dashboards that are adding the widget, and later ones do not find it.
		if err := widgets.Delete(ctx, s, scope, id, actor); err != nil {
			return err
		}
		uses, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM dashboard_widget_uses WHERE widget_id = ?", id)
		if err == nil && uses > 0 {
			err = fmt.Errorf("dashboard widget %q is on %d dashboards: %w", id, uses, domain.ErrConflict)
		}
		return err
	})
}
