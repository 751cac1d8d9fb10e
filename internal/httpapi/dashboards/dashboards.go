package dashboards

import (
	"errors"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// dashboardBody is a dashboard as clients see it.
type dashboardBody struct {
	ID          string                `json:"id"`
	CreatedAt   respond.Time          `json:"createdAt"`
	UpdatedAt   respond.Time          `json:"updatedAt"`
	Name        string                `json:"name"`
	Description string                `json:"description"`
	Definition  dashboardDefinition   `json:"definition"`
	Filters     []domain.StoredFilter `json:"filters"`
}

type dashboardDefinition struct {
	Widgets []domain.Placement `json:"widgets"`
}

func newDashboardBody(d domain.Dashboard) dashboardBody {
	return dashboardBody{
		ID: d.ID, CreatedAt: respond.Time(d.CreatedAt), UpdatedAt: respond.Time(d.UpdatedAt), Name: d.Name, Description: d.Description,
		Definition: dashboardDefinition{d.Placements}, Filters: d.Filters,
	}
}

// ListDashboards returns a numbered page of dashboards, most recently changed first.
func (h *Handlers) ListDashboards(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, err := endpoint.ReadPage(c)
	if err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.Dashboards, newDashboardBody)
}

// CreateDashboard serves POST /api/public/unstable/dashboards.
func (h *Handlers) CreateDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	n := domain.Dashboard{
		Name:        readDashboardName(b.Field("name")),
		Description: decode.NullishOr(b.Field("description"), readDashboardDescription, ""),
		Placements:  decode.NullishOr(b.Field("definition"), readDefinition, []domain.Placement{}),
		Filters:     decode.NullishOr(b.Field("filters"), endpoint.ReadStoredFilters, []domain.StoredFilter{}),
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	created, err := h.Catalog.CreateDashboard(c.Context(), scope, n, c.Actor())
	return endpoint.Show(created, dashboardError(err), newDashboardBody)
}

// GetDashboard serves GET /api/public/unstable/dashboards/{dashboardId}.
func (h *Handlers) GetDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.Catalog.Dashboard(c.Context(), scope, c.Path("dashboardId"))
	return endpoint.Show(d, dashboardError(err), newDashboardBody)
}

// UpdateDashboard changes the members that are present in the body. A definition replaces all placements.
func (h *Handlers) UpdateDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	name := decode.Nullish(b.Field("name"), readDashboardName)
	description := decode.Nullish(b.Field("description"), readDashboardDescription)
	placements := decode.Nullish(b.Field("definition"), readDefinition)
	filters := decode.Nullish(b.Field("filters"), endpoint.ReadStoredFilters)
	b.Strict()
	body.RejectNoChange(name == nil && description == nil && placements == nil && filters == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	d, err := h.Catalog.UpdateDashboard(c.Context(), scope, c.Path("dashboardId"), func(d domain.Dashboard) (domain.Dashboard, error) {
		decode.Set(&d.Name, name)
		decode.Set(&d.Description, description)
		decode.Set(&d.Placements, placements)
		decode.Set(&d.Filters, filters)
		return d, nil
	}, c.Actor())
	return endpoint.Show(d, dashboardError(err), newDashboardBody)
}

// DeleteDashboard serves DELETE /api/public/unstable/dashboards/{dashboardId}.
func (h *Handlers) DeleteDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.DeleteDashboard(c.Context(), scope, c.Path("dashboardId"), c.Actor())
	return endpoint.Confirm(dashboardError(err), respond.Message{Message: "Dashboard successfully deleted"})
}

func dashboardError(err error) error {
	var missing *catalog.MissingWidgetError
	switch {
	case errors.As(err, &missing):
		e := respond.NotFound("Dashboard widget not found within authorized project")
		e.Details = &respond.Details{Field: "widgetId", Value: missing.ID}
		return e
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Dashboard not found within authorized project")
	}
	return err
}
