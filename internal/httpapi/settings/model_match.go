package settings

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

const (
	// maxTriedName is the maximum length of a model name, in characters.
	maxTriedName = 1000
	// maxTriedKinds is the maximum number of usage kinds.
	maxTriedKinds = 100
	// maxTriedUnits is the maximum number of units of one kind.
	maxTriedUnits = 1 << 40
)

type modelMatchBody struct {
	Model *wire.Model `json:"model"`
	Tier  *string     `json:"tier"`
	Cost  *float64    `json:"cost"`
}

// MatchModel returns the definition that a model name matches, and the cost of the given usage.
func (h *Handlers) MatchModel(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	name := b.Field("modelName").TextLen(1, maxTriedName)
	var usage []domain.UsageEntry
	decode.Set(&usage, decode.Nullish(b.Field("usage"), readTriedUsage))
	if err := b.Err(); err != nil {
		return nil, err
	}
	list, err := h.Prices.Of(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	m, found := list.Match(name)
	if !found {
		return modelMatchBody{}, nil
	}
	answer := modelMatchBody{Model: new(wire.FromModel(m))}
	if t := m.DefaultTier(); t != nil {
		answer.Tier = &t.Name
	}
	if len(usage) > 0 {
		row := domain.Observation{Model: name}
		list.Apply(&row, usage, nil)
		if row.PricingTierName != "" {
			answer.Tier = &row.PricingTierName
		}
		if row.TotalCost.Set {
			answer.Cost = &row.TotalCost.Value
		}
	}
	return answer, nil
}

func readTriedUsage(v decode.Value) []domain.UsageEntry {
	object := v.Object()
	names := object.Names()
	if len(names) > maxTriedKinds {
		v.Reject(decode.TooLong(v.Path(), "object", maxTriedKinds))
		return nil
	}
	usage := make([]domain.UsageEntry, len(names))
	for n, name := range names {
		usage[n] = domain.UsageEntry{Kind: name, Units: int64(object.Field(name).IntWithin(0, maxTriedUnits))}
	}
	return usage
}

const (
	// unpricedSince is how far back to look for models without a price.
	unpricedSince = 7 * 24 * time.Hour
	// maxModelNames is the maximum number of model names considered, and maxUnpriced the maximum number listed.
	maxModelNames = 10_000
	maxUnpriced   = 100
)

type unpricedBody struct {
	Name         string `json:"name"`
	Observations int64  `json:"observations"`
}

// ListUnpricedModels returns recently used model names that no definition matches, most observations first.
func (h *Handlers) ListUnpricedModels(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	since := time.Now().Add(-unpricedSince)
	noDefinition, err := filter.NewText(filter.ObservationColumn("modelId"), filter.Equal, "")
	if err != nil {
		return nil, err
	}
	noCost, err := filter.NewNull(filter.ObservationColumn("totalCost"), true)
	if err != nil {
		return nil, err
	}
	groups, err := h.Store.Observations().Aggregate(c.Context(), scope, store.AggregateQuery[domain.Observation]{
		From: domain.MicrosOf(since), Where: []filter.Condition[domain.Observation]{noDefinition, noCost}, MaxGroups: maxModelNames,
		GroupBy:  []*filter.Column[domain.Observation]{filter.ObservationColumn("model")},
		Measures: []store.Measure[domain.Observation]{{Function: store.Count}},
	})
	if errors.Is(err, store.ErrTooLarge) {
		return nil, endpoint.TooMany("names of models", maxModelNames, "Applications seem to make names up: look at a few observations.")
	}
	if err != nil {
		return nil, err
	}
	list, err := h.Prices.Of(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	models := []unpricedBody{}
	for _, g := range groups.Rows {
		name := g.Keys[0]
		if _, priced := list.Match(name); name != "" && !priced { // a definition may have been created since
			models = append(models, unpricedBody{name, int64(g.Values[0].Value)})
		}
	}
	slices.SortFunc(models, func(a, b unpricedBody) int {
		return cmp.Or(cmp.Compare(b.Observations, a.Observations), cmp.Compare(a.Name, b.Name))
	})
	return struct {
		Since  respond.Time   `json:"since"`
		Models []unpricedBody `json:"models"`
	}{respond.Time(since), models[:min(len(models), maxUnpriced)]}, nil
}
