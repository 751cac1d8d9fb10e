package settings

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/ingest/pricing"
)

func TestCompareModels(t *testing.T) {
	at := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	sorted := []domain.Model{
		{ID: "1", Name: "a", Unit: "TOKENS"},
		{ID: "2", Name: "b", Unit: "IMAGES"},
		{ID: "3", Name: "b", Unit: "TOKENS", StartDate: at.AddDate(1, 0, 0)},
		{ID: "4", Name: "b", Unit: "TOKENS", StartDate: at},
		{ID: "6", Name: "b", Unit: "TOKENS", ProjectID: "p"},
		{ID: "5", Name: "b", Unit: "TOKENS"},
		{ID: "0", Name: "b", StartDate: at},
	}
	got := slices.Clone(sorted)
	slices.Reverse(got)
	slices.SortFunc(got, compareModels)
	for n := range got {
		if got[n].ID != sorted[n].ID {
			t.Errorf("at %d is %s, want %s", n, got[n].ID, sorted[n].ID)
		}
	}
}

// FuzzModel checks that no body makes the reader panic, and that accepted definitions can be used for pricing.
func FuzzModel(f *testing.F) {
	for _, seed := range []string{
		`{"modelName":"m","matchPattern":"m","unit":"TOKENS","pricingTiers":[{"name":"Standard","isDefault":true,"priority":0,"conditions":[],"prices":{"input":1}},` +
			`{"name":"Large","isDefault":false,"priority":1,"conditions":[{"usageDetailPattern":"input","operator":"gt","value":200000,"caseSensitive":false}],"prices":{"input":2}}]}`,
		`{"modelName":"m","matchPattern":"(?i)^m$","unit":"IMAGES","totalPrice":1e308,"tokenizerConfig":[1]}`,
		`{"modelName":"m","matchPattern":"[","pricingTiers":[{"prices":{"":[]}}]}`, `[]`, `"x"`,
	} {
		f.Add([]byte(seed))
	}
	prices, err := pricing.Default()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if decode.CheckJSON(text) != nil {
			return
		}
		m, err := readModel(decode.NewBody(text))
		if err != nil {
			return
		}
		m.ID = "own"
		if _, ok := pricing.New([]domain.Model{m}, prices).Model("own"); !ok || m.DefaultTier() == nil {
			t.Errorf("accepted %s, which cannot be priced with", text)
		}
		if _, err := json.Marshal(wire.FromModel(m)); err != nil {
			t.Error(err)
		}
	})
}
