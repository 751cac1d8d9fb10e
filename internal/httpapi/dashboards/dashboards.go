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

// ListDashboards returns a numbered page of dashboards, the last changed first.
func (h *Handlers) ListDashboards(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, err := endpoint.ReadPage(c)
	if err != nil {
		return nil, err
	}
	found, total, err := h.Catalog.Dashboards(c.Context(), scope, endpoint.CatalogPage(page))
	if err != nil {
		return nil, err
	}
	return endpoint.PageOf(c, page, total, found, newDashboardBody)
}

// CreateDashboard serves POST /api/public/unstable/dashboards.
func (h *Handlers) CreateDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	n := domain.Dashboard{
		Name:        readDashboardName(b.Field("name")),
		Description: endpoint.ValueOr(decode.Nullish(b.Field("description"), readDashboardDescription), ""),
		Placements:  endpoint.ValueOr(decode.Nullish(b.Field("definition"), readDefinition), []domain.Placement{}),
		Filters:     endpoint.ValueOr(decode.Nullish(b.Field("filters"), endpoint.ReadStoredFilters), []domain.StoredFilter{}),
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	created, err := h.Catalog.CreateDashboard(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, dashboardError(err)
	}
	return newDashboardBody(created), nil
}

// GetDashboard serves GET /api/public/unstable/dashboards/{dashboardId}.
func (h *Handlers) GetDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.Catalog.Dashboard(c.Context(), scope, c.Path("dashboardId"))
	if err != nil {
		return nil, dashboardError(err)
	}
	return newDashboardBody(d), nil
}

// UpdateDashboard changes the members that the body has. A definition replaces all placements.
func (h *Handlers) UpdateDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	name := decode.Nullish(b.Field("name"), readDashboardName)
	description := decode.Nullish(b.Field("description"), readDashboardDescription)
	placements := decode.Nullish(b.Field("definition"), readDefinition)
	filters := decode.Nullish(b.Field("filters"), endpoint.ReadStoredFilters)
	b.Strict()
	endpoint.RejectNoChange(body, name == nil && description == nil && placements == nil && filters == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	d, err := h.Catalog.UpdateDashboard(c.Context(), scope, c.Path("dashboardId"), func(d domain.Dashboard) (domain.Dashboard, error) {
		endpoint.Set(&d.Name, name)
		endpoint.Set(&d.Description, description)
		endpoint.Set(&d.Placements, placements)
		endpoint.Set(&d.Filters, filters)
		return d, nil
	}, c.Actor())
	if err != nil {
		return nil, dashboardError(err)
	}
	return newDashboardBody(d), nil
}

// DeleteDashboard serves DELETE /api/public/unstable/dashboards/{dashboardId}.
func (h *Handlers) DeleteDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := h.Catalog.DeleteDashboard(c.Context(), scope, c.Path("dashboardId"), c.Actor()); err != nil {
		return nil, dashboardError(err)
	}
	return respond.Message{Message: "Dashboard successfully deleted"}, nil
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
