package respond

import (
	"testing"

	"almanac/internal/domain"
)

func TestUnitPricesOf(t *testing.T) {
	m := &domain.Model{Tiers: []domain.PricingTier{
		{Name: "large", Prices: []domain.Price{{Kind: "input", PerUnit: 9}}},
		{Name: "Standard", Default: true, Prices: []domain.Price{
			{Kind: "input", PerUnit: 0.0000025}, {Kind: "input_cached", PerUnit: 1}, {Kind: "output", PerUnit: 1.5e-7},
		}},
	}}
	if got, want := *UnitPricesOf(m), (UnitPrices{input: "0.0000025", output: "1.5e-7"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	m.Tiers[1].Prices = []domain.Price{{Kind: "total", PerUnit: 0}, {Kind: "input", PerUnit: 3}}
	if got, want := *UnitPricesOf(m), (UnitPrices{input: "3", total: "0"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := *UnitPricesOf(&domain.Model{}); got != (UnitPrices{}) {
		t.Errorf("a model without tiers has prices %+v", got)
	}
}
