package dashboards

import (
	"errors"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// ListDashboards returns a numbered page of dashboards, most recently changed first.
func (h *Handlers) ListDashboards(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, err := endpoint.ReadPage(c)
	if err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.Dashboards, wire.FromDashboard)
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
	created, err := h.Catalog.Dashboards.Create(c.Context(), scope, n, c.Actor())
	return endpoint.Show(created, dashboardError(err), wire.FromDashboard)
}

// GetDashboard serves GET /api/public/unstable/dashboards/{dashboardId}.
func (h *Handlers) GetDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.Catalog.Dashboards.Get(c.Context(), scope, c.Path("dashboardId"))
	return endpoint.Show(d, dashboardError(err), wire.FromDashboard)
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
	d, err := h.Catalog.Dashboards.Change(c.Context(), scope, c.Path("dashboardId"), func(d domain.Dashboard) (domain.Dashboard, error) {
		decode.Set(&d.Name, name)
		decode.Set(&d.Description, description)
		decode.Set(&d.Placements, placements)
		decode.Set(&d.Filters, filters)
		return d, nil
	}, c.Actor())
	return endpoint.Show(d, dashboardError(err), wire.FromDashboard)
}

// DeleteDashboard serves DELETE /api/public/unstable/dashboards/{dashboardId}.
func (h *Handlers) DeleteDashboard(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.Dashboards.Delete(c.Context(), scope, c.Path("dashboardId"), c.Actor())
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
