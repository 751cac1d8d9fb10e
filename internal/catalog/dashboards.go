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
		return []any{
			&d.ID, &d.Name, &d.Description, tables.AsJSON(&d.Placements), tables.AsJSON(&d.Filters), tables.AsTime(&d.CreatedAt),
			tables.AsTime(&d.UpdatedAt),
		}
	},
	State: func(d *domain.Dashboard) map[string]any {
		return map[string]any{"name": d.Name, "description": d.Description, "placements": d.Placements, "filters": d.Filters}
	},
	Stored: func(ctx context.Context, s tables.Session, scope domain.ProjectScope, _ *domain.Dashboard, n domain.Dashboard) error {
		return useWidgets(ctx, s, scope, n)
	},
}

// useWidgets records which widgets a dashboard shows. It returns a *MissingWidgetError if the project lacks one of them.
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
		found, err := s.Exec(ctx, "UPDATE dashboard_widgets SET updated_at = updated_at WHERE id = ? AND project_id = ?", widget,
			scope.ProjectID())
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
