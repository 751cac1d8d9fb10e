package tracing

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// unitPrices returns the prices of models as the rows of one answer show them. What it returns is for one goroutine.
func (h *Handlers) unitPrices(ctx context.Context, scope domain.ProjectScope) (respond.Prices, error) {
	list, err := h.Prices.Of(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("cannot read the models of project %s: %w", scope.ProjectID(), err)
	}
	known := make(map[string]*respond.UnitPrices) // an answer has few models and many rows
	return func(modelID string) *respond.UnitPrices {
		prices, ok := known[modelID]
		if !ok {
			if m, found := list.Model(modelID); found {
				prices = respond.UnitPricesOf(&m)
			}
			known[strings.Clone(modelID)] = prices // the row's memory is used again
		}
		return prices
	}, nil
}
