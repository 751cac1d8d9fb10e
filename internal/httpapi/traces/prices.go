package traces

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// unitPrices returns a lookup of model prices for the rows of one response. The lookup is not safe for concurrent use.
func (h *Handlers) unitPrices(ctx context.Context, scope domain.ProjectScope) (respond.Prices, error) {
	list, err := h.Prices.Of(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("cannot read the models of project %s: %w", scope.ProjectID(), err)
	}
	known := make(map[string]*respond.UnitPrices) // a response has few models and many rows
	return func(modelID string) *respond.UnitPrices {
		prices, ok := known[modelID]
		if !ok {
			if m, found := list.Model(modelID); found {
				prices = respond.UnitPricesOf(&m)
			}
			known[strings.Clone(modelID)] = prices // the row's memory is reused
		}
		return prices
	}, nil
}
