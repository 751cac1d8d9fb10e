package wire

import "almanac/internal/domain"

// Widget is a dashboard widget.
type Widget struct {
	ID string `json:"id"`
	Stamps
	domain.Widget
}

// FromWidget converts a widget.
func FromWidget(w domain.Widget) Widget { return Widget{w.ID, stamps(w.CreatedAt, w.UpdatedAt), w} }

// Domain returns the widget.
func (w *Widget) Domain() domain.Widget {
	widget := w.Widget
	widget.ID = w.ID
	widget.CreatedAt, widget.UpdatedAt = w.times()
	return widget
}

// Dashboard is a dashboard.
type Dashboard struct {
	ID string `json:"id"`
	Stamps
	Name        string                `json:"name"`
	Description string                `json:"description"`
	Definition  DashboardDefinition   `json:"definition"`
	Filters     []domain.StoredFilter `json:"filters"`
}

// DashboardDefinition is what a dashboard shows.
type DashboardDefinition struct {
	Widgets []domain.Placement `json:"widgets"`
}

// FromDashboard converts a dashboard.
func FromDashboard(d domain.Dashboard) Dashboard {
	return Dashboard{d.ID, stamps(d.CreatedAt, d.UpdatedAt), d.Name, d.Description, DashboardDefinition{d.Placements}, d.Filters}
}

// Domain returns the dashboard.
func (d *Dashboard) Domain() domain.Dashboard {
	created, updated := d.times()
	return domain.Dashboard{
		ID: d.ID, Name: d.Name, Description: d.Description, Placements: d.Definition.Widgets, Filters: d.Filters,
		CreatedAt: created, UpdatedAt: updated,
	}
}
