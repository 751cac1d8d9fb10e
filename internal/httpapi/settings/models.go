package settings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// ListModels returns a numbered page of the built-in models and the project's own.
func (h *Handlers) ListModels(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	own, err := h.Catalog.Models(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	models := append(h.Prices.Defaults().Models(), own...)
	slices.SortFunc(models, compareModels)
	from := min(page.Offset(), len(models))
	return endpoint.PageOf(c, page, len(models), models[from:min(from+page.Limit, len(models))], wire.FromModel)
}

// compareModels orders by name, unit and descending start date. Models without a unit or a start date come last.
func compareModels(a, b domain.Model) int {
	return cmp.Or(
		cmp.Compare(a.Name, b.Name), compareUnits(a.Unit, b.Unit), b.StartDate.Compare(a.StartDate),
		cmp.Compare(b.ProjectID, a.ProjectID), cmp.Compare(a.ID, b.ID),
	)
}

func compareUnits(a, b domain.ModelUnit) int {
	switch {
	case a == b:
		return 0
	case a == "":
		return 1
	case b == "":
		return -1
	}
	return cmp.Compare(a, b)
}

// GetModel serves GET /api/public/models/{modelId}.
func (h *Handlers) GetModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	id := c.Path("modelId")
	m, err := h.Catalog.ModelDefinitions.Get(c.Context(), scope, id)
	if errors.Is(err, domain.ErrNotFound) {
		if builtIn, ok := h.Prices.Defaults().Model(id); ok {
			return wire.FromModel(builtIn), nil
		}
		return nil, respond.NotFound("Model not found within authorized project")
	}
	if err != nil {
		return nil, err
	}
	return wire.FromModel(m), nil
}

// CreateModel serves POST /api/public/models.
func (h *Handlers) CreateModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readModel(c.Body())
	if err != nil {
		return nil, err
	}
	m, err := h.Catalog.ModelDefinitions.Create(c.Context(), scope, n, c.Actor())
	return changedModel(n.Name, m, err)
}

// ReplaceModel replaces one of the project's own definitions.
func (h *Handlers) ReplaceModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readModel(c.Body())
	if err != nil {
		return nil, err
	}
	m, err := h.Catalog.ModelDefinitions.Change(c.Context(), scope, c.Path("modelId"), func(domain.Model) (domain.Model, error) {
		return n, nil
	}, c.Actor())
	return changedModel(n.Name, m, err)
}

// changedModel returns the response to a change.
func changedModel(name string, m domain.Model, err error) (any, error) {
	switch {
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.InvalidRequest(fmt.Sprintf("Model name '%s' already exists in project", name))
	case errors.Is(err, domain.ErrTooMany):
		return nil, respond.InvalidRequest(fmt.Sprintf("A project has at most %d model definitions of its own", catalog.MaxModels))
	case err != nil:
		return nil, ownModelError(err)
	}
	return wire.FromModel(m), nil
}

// DeleteModel serves DELETE /api/public/models/{modelId}.
func (h *Handlers) DeleteModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.ModelDefinitions.Delete(c.Context(), scope, c.Path("modelId"), c.Actor())
	return endpoint.Confirm(ownModelError(err), respond.Message{Message: "Model successfully deleted"})
}

func ownModelError(err error) error {
	return endpoint.NotFoundAs(err,
		"No model with this id found. Built-in models cannot be changed: override them with a model of the same name.")
}
