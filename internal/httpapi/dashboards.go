package httpapi

import (
	"errors"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
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

// listDashboards returns a numbered page of dashboards, the last changed first.
func (a *API) listDashboards(c *Call, scope domain.ProjectScope) (any, error) {
	page, err := readPage(c)
	if err != nil {
		return nil, err
	}
	found, total, err := a.Catalog.Dashboards(c.Context(), scope, catalogPage(page))
	if err != nil {
		return nil, err
	}
	return pageOf(c, page, total, found, newDashboardBody)
}

func (a *API) createDashboard(c *Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	n := domain.Dashboard{
		Name:        readDashboardName(b.Field("name")),
		Description: valueOr(decode.Nullish(b.Field("description"), readDashboardDescription), ""),
		Placements:  valueOr(decode.Nullish(b.Field("definition"), readDefinition), []domain.Placement{}),
		Filters:     valueOr(decode.Nullish(b.Field("filters"), readStoredFilters), []domain.StoredFilter{}),
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	created, err := a.Catalog.CreateDashboard(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, dashboardError(err)
	}
	return newDashboardBody(created), nil
}

func (a *API) getDashboard(c *Call, scope domain.ProjectScope) (any, error) {
	d, err := a.Catalog.Dashboard(c.Context(), scope, c.Path("dashboardId"))
	if err != nil {
		return nil, dashboardError(err)
	}
	return newDashboardBody(d), nil
}

// updateDashboard changes the members that the body has. A definition replaces all placements.
func (a *API) updateDashboard(c *Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	name := decode.Nullish(b.Field("name"), readDashboardName)
	description := decode.Nullish(b.Field("description"), readDashboardDescription)
	placements := decode.Nullish(b.Field("definition"), readDefinition)
	filters := decode.Nullish(b.Field("filters"), readStoredFilters)
	b.Strict()
	rejectNoChange(body, name == nil && description == nil && placements == nil && filters == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	d, err := a.Catalog.UpdateDashboard(c.Context(), scope, c.Path("dashboardId"), func(d domain.Dashboard) (domain.Dashboard, error) {
		set(&d.Name, name)
		set(&d.Description, description)
		set(&d.Placements, placements)
		set(&d.Filters, filters)
		return d, nil
	}, c.Actor())
	if err != nil {
		return nil, dashboardError(err)
	}
	return newDashboardBody(d), nil
}

func (a *API) deleteDashboard(c *Call, scope domain.ProjectScope) (any, error) {
	if err := a.Catalog.DeleteDashboard(c.Context(), scope, c.Path("dashboardId"), c.Actor()); err != nil {
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
