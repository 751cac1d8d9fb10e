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
			&w.ID, &w.Name, &w.Description, &w.View, tables.AsJSON(&w.Dimensions), tables.AsJSON(&w.Metrics), tables.AsJSON(&w.Filters),
			&w.ChartType, tables.AsJSON(&w.Chart),
			tables.AsTime(&w.CreatedAt), tables.AsTime(&w.UpdatedAt),
		}
	},
	State: func(w *domain.Widget) map[string]any {
		return map[string]any{
			"name": w.Name, "description": w.Description, "view": w.View, "dimensions": w.Dimensions, "metrics": w.Metrics,
			"filters": w.Filters, "chartType": w.ChartType, "chartConfig": w.Chart,
		}
	},
	Deleting: func(ctx context.Context, s tables.Session, _ domain.ProjectScope, id string) error {
		uses, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM dashboard_widget_uses WHERE widget_id = ?", id)
		if err == nil && uses > 0 {
			err = fmt.Errorf("dashboard widget %q is on %d dashboards: %w", id, uses, domain.ErrConflict)
		}
		return err
	},
}
