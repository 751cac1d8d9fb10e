package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// unitPrices are the prices of models by their ids, as rows show them.
type unitPrices map[string]*respond.UnitPrices

func newUnitPrices(models []domain.Model) unitPrices {
	prices := make(unitPrices, len(models))
	for n := range models {
		prices[models[n].ID] = respond.UnitPricesOf(&models[n])
	}
	return prices
}

func (p unitPrices) of(modelID string) *respond.UnitPrices { return p[modelID] }
