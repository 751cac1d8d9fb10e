package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/domain"
)

const dashboardColumns = "id, name, description, placements, filters, created_at, updated_at"

// MissingWidgetError says that a dashboard should show a widget that the project does not have.
type MissingWidgetError struct{ ID string }

func (e *MissingWidgetError) Error() string {
	return fmt.Sprintf("dashboard widget %q: not found", e.ID)
}

// Unwrap makes it an error of things that are not found.
func (e *MissingWidgetError) Unwrap() error { return domain.ErrNotFound }

func scanDashboard(r row) (domain.Dashboard, error) {
	var (
		d                   domain.Dashboard
		placements, filters string
		created, updated    int64
	)
	if err := r.Scan(&d.ID, &d.Name, &d.Description, &placements, &filters, &created, &updated); err != nil {
		return d, err
	}
	d.CreatedAt, d.UpdatedAt = fromMillis(created), fromMillis(updated)
	if err := errors.Join(json.Unmarshal([]byte(placements), &d.Placements), json.Unmarshal([]byte(filters), &d.Filters)); err != nil {
		return d, fmt.Errorf("cannot read dashboard %s: %w", d.ID, err)
	}
	return d, nil
}

// Dashboard returns a dashboard of the project.
func (c *Catalog) Dashboard(ctx context.Context, scope domain.ProjectScope, id string) (domain.Dashboard, error) {
	return c.reader().dashboard(ctx, scope, id)
}

// Dashboards returns a page of the project's dashboards, the last changed first, and how many there are in all.
func (c *Catalog) Dashboards(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.Dashboard, int, error) {
	return queryPage(ctx, c.reader(), scanDashboard, dashboardColumns,
		"FROM dashboards WHERE project_id = ?", "updated_at DESC, id DESC", page, scope.ProjectID())
}

// CreateDashboard stores a new dashboard of the project; its id and its times are made here. A widget that the project does not
// have is a *MissingWidgetError.
func (c *Catalog) CreateDashboard(ctx context.Context, scope domain.ProjectScope, n domain.Dashboard, actor domain.Actor) (domain.Dashboard, error) {
	var created domain.Dashboard
	err := c.update(ctx, func(s session) error {
		id, err := orderedID()
		if err != nil {
			return err
		}
		now := millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO dashboards (project_id, "+dashboardColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			scope.ProjectID(), id, n.Name, n.Description, textOf(n.Placements), textOf(n.Filters), now, now); err != nil {
			return err
		}
		if err := s.useWidgets(ctx, scope, id, n.Placements); err != nil {
			return err
		}
		if created, err = s.dashboard(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "dashboard", id, nil, dashboardState(created))
	})
	return created, err
}

// UpdateDashboard gives change the dashboard as it is and stores what it returns; the id and the time of creation stay. Other
// changes of the dashboard wait meanwhile. An error of change is returned as it is; widgets are checked as by CreateDashboard.
func (c *Catalog) UpdateDashboard(ctx context.Context, scope domain.ProjectScope, id string, change func(domain.Dashboard) (domain.Dashboard, error), actor domain.Actor) (domain.Dashboard, error) {
	var after domain.Dashboard
	err := c.update(ctx, func(s session) error {
		// Writing first locks the row, so that of two changes at once neither overwrites the other.
		if _, err := s.exec(ctx, "UPDATE dashboards SET updated_at = ? WHERE id = ? AND project_id = ?", millis(c.now()), id, scope.ProjectID()); err != nil {
			return err
		}
		before, err := s.dashboard(ctx, scope, id)
		if err != nil {
			return err
		}
		n, err := change(before)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, "UPDATE dashboards SET name = ?, description = ?, placements = ?, filters = ? WHERE id = ? AND project_id = ?",
			n.Name, n.Description, textOf(n.Placements), textOf(n.Filters), id, scope.ProjectID()); err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM dashboard_widget_uses WHERE dashboard_id = ?", id); err != nil {
			return err
		}
		if err := s.useWidgets(ctx, scope, id, n.Placements); err != nil {
			return err
		}
		if after, err = s.dashboard(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", "dashboard", id, dashboardState(before), dashboardState(after))
	})
	return after, err
}

// useWidgets notes that a dashboard shows the widgets of these placements.
func (s session) useWidgets(ctx context.Context, scope domain.ProjectScope, id string, placements []domain.Placement) error {
	var widgets []string
	for _, p := range placements {
		if p.Type == domain.PlacedWidget {
			widgets = append(widgets, p.WidgetID)
		}
	}
	slices.Sort(widgets) // one order for all, so that two dashboards do not wait for each other
	for _, widget := range slices.Compact(widgets) {
		// Writing the widget keeps it from being deleted until the use of it is stored.
		found, err := s.exec(ctx, "UPDATE dashboard_widgets SET updated_at = updated_at WHERE id = ? AND project_id = ?", widget, scope.ProjectID())
		if err != nil {
			return err
		}
		if found == 0 {
			return &MissingWidgetError{ID: widget}
		}
		if _, err := s.exec(ctx, "INSERT INTO dashboard_widget_uses (dashboard_id, widget_id) VALUES (?, ?)", id, widget); err != nil {
			return err
		}
	}
	return nil
}

// DeleteDashboard deletes a dashboard of the project. Its widgets stay.
func (c *Catalog) DeleteDashboard(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		before, err := s.dashboard(ctx, scope, id)
		if err != nil {
			return err
		}
		deleted, err := s.exec(ctx, "DELETE FROM dashboards WHERE id = ? AND project_id = ?", id, scope.ProjectID())
		if err != nil {
			return err
		}
		if deleted == 0 {
			return named(domain.ErrNotFound, "dashboard", id)
		}
		return s.auditInProject(ctx, scope, actor, "delete", "dashboard", id, dashboardState(before), nil)
	})
}

func (s session) dashboard(ctx context.Context, scope domain.ProjectScope, id string) (domain.Dashboard, error) {
	d, err := queryOne(ctx, s, scanDashboard, "SELECT "+dashboardColumns+" FROM dashboards WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	return d, named(err, "dashboard", id)
}

func dashboardState(d domain.Dashboard) json.RawMessage {
	return stateOf(map[string]any{"name": d.Name, "description": d.Description, "placements": d.Placements, "filters": d.Filters})
}
