package respond

import (
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Prices returns the unit prices of the model definition with an id, or nil if there is none. It is called once per
// row, so it should be a mere lookup.
type Prices func(modelID string) *UnitPrices

// UnitPrices holds the prices per unit of input, output and total usage, each as a JSON number. A missing price is
// empty.
type UnitPrices struct{ input, output, total string }

// UnitPricesOf returns the prices of the default tier of a model.
func UnitPricesOf(m *domain.Model) *UnitPrices {
	tier := m.DefaultTier()
	if tier == nil {
		return &UnitPrices{}
	}
	return &UnitPrices{input: priceText(tier, "input"), output: priceText(tier, "output"), total: priceText(tier, "total")}
}

func priceText(tier *domain.PricingTier, kind string) string {
	price, ok := tier.Price(kind)
	if !ok {
		return ""
	}
	return string(jsontext.AppendNumber(nil, price))
}

// of returns the prices of a row's model, or empty prices if it has none.
func (p Prices) of(o *domain.Observation) UnitPrices {
	if p == nil || o.ModelID == "" {
		return UnitPrices{}
	}
	if found := p(o.ModelID); found != nil {
		return *found
	}
	return UnitPrices{}
}
