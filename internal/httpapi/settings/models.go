package settings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// modelBody is a model definition as clients see it.
type modelBody struct {
	ID              string               `json:"id"`
	CreatedAt       respond.Time         `json:"createdAt"`
	ModelName       string               `json:"modelName"`
	MatchPattern    string               `json:"matchPattern"`
	StartDate       *respond.Time        `json:"startDate"`
	TokenizerID     *string              `json:"tokenizerId"`
	TokenizerConfig json.RawMessage      `json:"tokenizerConfig"`
	Unit            *domain.ModelUnit    `json:"unit"`
	InputPrice      *float64             `json:"inputPrice"`
	OutputPrice     *float64             `json:"outputPrice"`
	TotalPrice      *float64             `json:"totalPrice"`
	Prices          map[string]priceBody `json:"prices"`
	BuiltIn         bool                 `json:"isLangfuseManaged"`
	PricingTiers    []tierBody           `json:"pricingTiers"`
}

type priceBody struct {
	Price float64 `json:"price"`
}

type tierBody struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	IsDefault  bool               `json:"isDefault"`
	Priority   int                `json:"priority"`
	Conditions []any              `json:"conditions"` // of usageConditionBody and attributeConditionBody
	Prices     map[string]float64 `json:"prices"`
}

type usageConditionBody struct {
	UsageDetailPattern string  `json:"usageDetailPattern"`
	Operator           string  `json:"operator"`
	Value              float64 `json:"value"`
	CaseSensitive      bool    `json:"caseSensitive"`
}

type attributeConditionBody struct {
	Source   string   `json:"source"`
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

func newModelBody(m domain.Model) modelBody {
	body := modelBody{
		ID: m.ID, CreatedAt: respond.Time(m.CreatedAt), ModelName: m.Name, MatchPattern: m.MatchPattern, TokenizerConfig: m.TokenizerConfig,
		Prices: make(map[string]priceBody), BuiltIn: m.BuiltIn(), PricingTiers: make([]tierBody, len(m.Tiers)),
	}
	if m.CreatedAt.IsZero() {
		body.CreatedAt = respond.Time(time.Unix(0, 0)) // built-in models have no date, and clients require one
	}
	if !m.StartDate.IsZero() {
		body.StartDate = new(respond.Time(m.StartDate))
	}
	if m.TokenizerID != "" {
		body.TokenizerID = &m.TokenizerID
	}
	if m.Unit != "" {
		body.Unit = &m.Unit
	}
	for n, t := range m.Tiers {
		body.PricingTiers[n] = newTierBody(t)
	}
	if t := m.DefaultTier(); t != nil {
		for _, p := range t.Prices {
			body.Prices[p.Kind] = priceBody{p.PerUnit}
		}
		body.InputPrice, body.OutputPrice, body.TotalPrice = flatPrice(t, "input"), flatPrice(t, "output"), flatPrice(t, "total")
	}
	return body
}

func flatPrice(t *domain.PricingTier, kind string) *float64 {
	if price, ok := t.Price(kind); ok {
		return &price
	}
	return nil
}

func newTierBody(t domain.PricingTier) tierBody {
	body := tierBody{
		ID: t.ID, Name: t.Name, IsDefault: t.Default, Priority: t.Priority, Conditions: []any{}, Prices: make(map[string]float64, len(t.Prices)),
	}
	for _, condition := range t.Conditions {
		switch {
		case condition.Usage != nil:
			body.Conditions = append(body.Conditions, usageConditionBody{
				condition.Usage.KindPattern, condition.Usage.Operator, condition.Usage.Value, condition.Usage.CaseSensitive,
			})
		case condition.Attribute != nil:
			body.Conditions = append(body.Conditions, attributeConditionBody{
				condition.Attribute.Source, condition.Attribute.Key, "in", condition.Attribute.Values,
			})
		}
	}
	for _, p := range t.Prices {
		body.Prices[p.Kind] = p.PerUnit
	}
	return body
}

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
	return endpoint.PageOf(c, page, len(models), models[from:min(from+page.Limit, len(models))], newModelBody)
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
	m, err := h.Catalog.Model(c.Context(), scope, id)
	if errors.Is(err, domain.ErrNotFound) {
		if builtIn, ok := h.Prices.Defaults().Model(id); ok {
			return newModelBody(builtIn), nil
		}
		return nil, respond.NotFound("Model not found within authorized project")
	}
	if err != nil {
		return nil, err
	}
	return newModelBody(m), nil
}

// CreateModel serves POST /api/public/models.
func (h *Handlers) CreateModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readModel(c.Body())
	if err != nil {
		return nil, err
	}
	m, err := h.Catalog.CreateModel(c.Context(), scope, n, c.Actor())
	return changedModel(n.Name, m, err)
}

// ReplaceModel replaces one of the project's own definitions.
func (h *Handlers) ReplaceModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readModel(c.Body())
	if err != nil {
		return nil, err
	}
	m, err := h.Catalog.ReplaceModel(c.Context(), scope, c.Path("modelId"), n, c.Actor())
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
	return newModelBody(m), nil
}

// DeleteModel serves DELETE /api/public/models/{modelId}.
func (h *Handlers) DeleteModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.DeleteModel(c.Context(), scope, c.Path("modelId"), c.Actor())
	return endpoint.Confirm(ownModelError(err), respond.Message{Message: "Model successfully deleted"})
}

func ownModelError(err error) error {
	return endpoint.NotFoundAs(err, "No model with this id found. Built-in models cannot be changed: override them with a model of the same name.")
}
