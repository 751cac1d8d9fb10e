package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/internal/domain"
)

const widgetColumns = "id, name, description, data_view, dimensions, metrics, filters, chart_type, chart_config, created_at, updated_at"

func scanWidget(r row) (domain.Widget, error) {
	var (
		w                                   domain.Widget
		dimensions, metrics, filters, chart string
		created, updated                    int64
	)
	if err := r.Scan(&w.ID, &w.Name, &w.Description, &w.View, &dimensions, &metrics, &filters, &w.ChartType, &chart, &created, &updated); err != nil {
		return w, err
	}
	w.CreatedAt, w.UpdatedAt = fromMillis(created), fromMillis(updated)
	if err := errors.Join(json.Unmarshal([]byte(dimensions), &w.Dimensions), json.Unmarshal([]byte(metrics), &w.Metrics),
		json.Unmarshal([]byte(filters), &w.Filters), json.Unmarshal([]byte(chart), &w.Chart)); err != nil {
		return w, fmt.Errorf("cannot read dashboard widget %s: %w", w.ID, err)
	}
	return w, nil
}

// Widget returns a dashboard widget of the project.
func (c *Catalog) Widget(ctx context.Context, scope domain.ProjectScope, id string) (domain.Widget, error) {
	return c.reader().widget(ctx, scope, id)
}

// Widgets returns a page of the project's dashboard widgets, the last changed first, and how many there are in all.
func (c *Catalog) Widgets(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.Widget, int, error) {
	return queryPage(ctx, c.reader(), scanWidget, widgetColumns,
		"FROM dashboard_widgets WHERE project_id = ?", "updated_at DESC, id DESC", page, scope.ProjectID())
}

// CreateWidget stores a new dashboard widget of the project; its id and its times are made here.
func (c *Catalog) CreateWidget(ctx context.Context, scope domain.ProjectScope, n domain.Widget, actor domain.Actor) (domain.Widget, error) {
	var created domain.Widget
	err := c.update(ctx, func(s session) error {
		id, err := orderedID()
		if err != nil {
			return err
		}
		now := millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO dashboard_widgets (project_id, "+widgetColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			scope.ProjectID(), id, n.Name, n.Description, n.View, textOf(n.Dimensions), textOf(n.Metrics), textOf(n.Filters),
			n.ChartType, textOf(n.Chart), now, now); err != nil {
			return err
		}
		if created, err = s.widget(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "dashboardWidget", id, nil, widgetState(created))
	})
	return created, err
}

// UpdateWidget gives change the widget as it is and stores what it returns; the id and the time of creation stay. Other changes
// of the widget wait meanwhile. An error of change is returned as it is.
func (c *Catalog) UpdateWidget(ctx context.Context, scope domain.ProjectScope, id string, change func(domain.Widget) (domain.Widget, error), actor domain.Actor) (domain.Widget, error) {
	var after domain.Widget
	err := c.update(ctx, func(s session) error {
		// Writing first locks the row, so that of two changes at once neither overwrites the other.
		if _, err := s.exec(ctx, "UPDATE dashboard_widgets SET updated_at = ? WHERE id = ? AND project_id = ?", millis(c.now()), id, scope.ProjectID()); err != nil {
			return err
		}
		before, err := s.widget(ctx, scope, id)
		if err != nil {
			return err
		}
		n, err := change(before)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, `UPDATE dashboard_widgets SET name = ?, description = ?, data_view = ?, dimensions = ?, metrics = ?, filters = ?,
			chart_type = ?, chart_config = ? WHERE id = ? AND project_id = ?`,
			n.Name, n.Description, n.View, textOf(n.Dimensions), textOf(n.Metrics), textOf(n.Filters), n.ChartType, textOf(n.Chart),
			id, scope.ProjectID()); err != nil {
			return err
		}
		if after, err = s.widget(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", "dashboardWidget", id, widgetState(before), widgetState(after))
	})
	return after, err
}

// DeleteWidget deletes a dashboard widget of the project. One that a dashboard shows is a conflict.
func (c *Catalog) DeleteWidget(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		before, err := s.widget(ctx, scope, id)
		if err != nil {
			return err
		}
		// The deletion comes first: it waits for dashboards that are taking the widget in, and those that come later do not find it.
		deleted, err := s.exec(ctx, "DELETE FROM dashboard_widgets WHERE id = ? AND project_id = ?", id, scope.ProjectID())
		if err != nil {
			return err
		}
		if deleted == 0 {
			return named(domain.ErrNotFound, "dashboard widget", id)
		}
		uses, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM dashboard_widget_uses WHERE widget_id = ?", id)
		if err != nil {
			return err
		}
		if uses > 0 {
			return fmt.Errorf("dashboard widget %q is on %d dashboards: %w", id, uses, domain.ErrConflict)
		}
		return s.auditInProject(ctx, scope, actor, "delete", "dashboardWidget", id, widgetState(before), nil)
	})
}

func (s session) widget(ctx context.Context, scope domain.ProjectScope, id string) (domain.Widget, error) {
	w, err := queryOne(ctx, s, scanWidget, "SELECT "+widgetColumns+" FROM dashboard_widgets WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	return w, named(err, "dashboard widget", id)
}

func widgetState(w domain.Widget) json.RawMessage {
	return stateOf(map[string]any{
		"name": w.Name, "description": w.Description, "view": w.View, "dimensions": w.Dimensions, "metrics": w.Metrics,
		"filters": w.Filters, "chartType": w.ChartType, "chartConfig": w.Chart,
	})
}
