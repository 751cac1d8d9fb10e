package respond

import (
	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Prices finds what the units of a model cost by the id of its definition; nil if there is none of that id. It is called
// once per row, so it should only look things up.
type Prices func(modelID string) *UnitPrices

// UnitPrices are what a unit of input, of output and of anything costs, each as JSON writes the number. A price that
// there is not is empty.
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

// of returns the prices of a row's model; empty ones if it has none.
func (p Prices) of(o *domain.Observation) UnitPrices {
	if p == nil || o.ModelID == "" {
		return UnitPrices{}
	}
	if found := p(o.ModelID); found != nil {
		return *found
	}
	return UnitPrices{}
}
