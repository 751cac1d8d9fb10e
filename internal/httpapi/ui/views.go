package ui

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of a view's state, in characters.
const (
	maxViewName    = 100
	maxViewFilter  = 16 << 10
	maxViewColumns = 8 << 10
	maxViewText    = 1000
	maxViewRange   = 200
)

type viewBody struct {
	ID               string           `json:"id"`
	Name             string           `json:"name"`
	Table            string           `json:"table"`
	Shared           bool             `json:"shared"`
	State            domain.ViewState `json:"state"`
	IsMyDefault      bool             `json:"isMyDefault"`
	IsProjectDefault bool             `json:"isProjectDefault"`
	CreatedAt        respond.Time     `json:"createdAt"`
	UpdatedAt        respond.Time     `json:"updatedAt"`
}

func newViewBody(v domain.SavedView) viewBody {
	return viewBody{
		v.ID, v.Name, v.Table, v.OwnerID == nil, v.State, v.IsMine, v.IsDefault, respond.Time(v.CreatedAt), respond.Time(v.UpdatedAt),
	}
}

// ListViews returns the caller's own views and those shared with the project.
func (h *Handlers) ListViews(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	views, err := h.Catalog.SavedViews(c.Context(), scope, c.Person().User.ID)
	if err != nil {
		return nil, err
	}
	return map[string]any{"views": endpoint.Map(views, newViewBody)}, nil
}

// GetView returns one of those views.
func (h *Handlers) GetView(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	v, err := h.Catalog.SavedView(c.Context(), scope, c.Person().User.ID, c.Path("viewId"))
	return endpoint.Show(v, viewError(err), newViewBody)
}

// CreateView saves a new view.
func (h *Handlers) CreateView(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	n := domain.SavedView{
		Name: readViewName(b.Field("name")), Table: b.Field("table").Enum(domain.ViewTables()...),
		OwnerID: ownerOf(c, decode.NullishOr(b.Field("shared"), decode.Value.Bool, false)), State: readViewState(b.Field("state")),
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := mayChange(c, n); err != nil {
		return nil, err
	}
	created, err := h.Catalog.CreateSavedView(c.Context(), scope, c.Person().User.ID, n, c.Actor())
	if err != nil {
		return nil, viewError(err)
	}
	return respond.Status{Code: http.StatusCreated, Body: newViewBody(created)}, nil
}

// UpdateView changes the members of a view that are present in the body.
func (h *Handlers) UpdateView(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	name, shared := decode.Nullish(b.Field("name"), readViewName), decode.Nullish(b.Field("shared"), decode.Value.Bool)
	state := decode.Nullish(b.Field("state"), readViewState)
	b.Strict()
	body.RejectNoChange(name == nil && shared == nil && state == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	v, err := h.Catalog.ChangeSavedView(c.Context(), scope, c.Person().User.ID, c.Path("viewId"),
		func(v domain.SavedView) (domain.SavedView, error) {
			if err := mayChange(c, v); err != nil {
				return v, err
			}
			decode.Set(&v.Name, name)
			decode.Set(&v.State, state)
			if shared != nil {
				v.OwnerID = ownerOf(c, *shared)
			}
			return v, mayChange(c, v)
		}, c.Actor())
	return endpoint.Show(v, viewError(err), newViewBody)
}

// DeleteView deletes a view.
func (h *Handlers) DeleteView(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.DeleteSavedView(c.Context(), scope, c.Person().User.ID, c.Path("viewId"),
		func(v domain.SavedView) error { return mayChange(c, v) }, c.Actor())
	return endpoint.Confirm(viewError(err), respond.NoContent{})
}

// SetDefaultView sets the default view of a table, for the caller or for the project.
func (h *Handlers) SetDefaultView(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	table, whose := b.Field("table").Enum(domain.ViewTables()...), b.Field("for").Enum("me", "project")
	id := ""
	if v := b.Field("viewId"); v.Kind() != "null" {
		id = v.TextLen(1, maxViewText)
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if whose == "me" {
		return endpoint.Confirm(viewError(h.Catalog.SetOwnDefaultView(c.Context(), scope, c.Person().User.ID, table, id)),
			respond.NoContent{})
	}
	if err := mayChange(c, domain.SavedView{}); err != nil {
		return nil, err
	}
	return endpoint.Confirm(viewError(h.Catalog.SetDefaultView(c.Context(), scope, c.Person().User.ID, table, id, c.Actor())),
		respond.NoContent{})
}

// ownerOf returns the owner of a view: the caller, or nil if it is shared.
func ownerOf(c *endpoint.Call, shared bool) *string {
	if shared {
		return nil
	}
	return &c.Person().User.ID
}

// mayChange returns an error if a view is shared and the caller may not change shared views.
func mayChange(c *endpoint.Call, v domain.SavedView) error {
	if v.OwnerID != nil {
		return nil
	}
	_, _, _, err := c.Person().Project(c.Path("projectId"), domain.ViewsShare)
	return err
}

func readViewName(v decode.Value) string { return v.TrimmedLen(1, maxViewName) }

func readViewState(v decode.Value) domain.ViewState {
	o := v.Object()
	text := func(name string, longest int) string {
		return decode.NullishOr(o.Field(name), func(v decode.Value) string { return v.TextLen(0, longest) }, "")
	}
	s := domain.ViewState{
		Filter: text("filter", maxViewFilter), Search: text("search", maxViewText), Sort: text("sort", maxViewText),
		Columns: text("cols", maxViewColumns),
		Hidden:  text("hide", maxViewColumns), Shown: text("show", maxViewColumns), Pinned: text("pin", maxViewColumns),
		Widths: text("w", maxViewColumns),
		Group:  text("group", maxViewText), DateRange: text("dateRange", maxViewRange),
		Environment: decode.NullishOr(o.Field("environment"), readEnvironments, nil),
	}
	o.Strict()
	return s
}

func viewError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("There is no such view, or it is somebody else's.")
	case errors.Is(err, catalog.ErrTooManyViews):
		return respond.Conflict(fmt.Sprintf("There are as many views as there may be: %d of your own, and %d of the project. Delete some "+
			"first.", catalog.MaxOwnViews, catalog.MaxSharedViews))
	}
	return err
}
