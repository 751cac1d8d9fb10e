package httpapi

import (
	"encoding/json"
	"slices"
	"testing"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/pricing"
)

func TestCompareModels(t *testing.T) {
	at := october.Time()
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

// FuzzModel checks that no body makes the reader panic, and that what it accepts can be priced with.
func FuzzModel(f *testing.F) {
	for _, seed := range []string{
		tiered(defaultTierIn, largeTierIn), `{"modelName":"m","matchPattern":"(?i)^m$","unit":"IMAGES","totalPrice":1e308,"tokenizerConfig":[1]}`,
		`{"modelName":"m","matchPattern":"[","pricingTiers":[{"prices":{"":[]}}]}`, `[]`, `"x"`,
	} {
		f.Add([]byte(seed))
	}
	prices, err := defaultPrices()
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
		if _, err := json.Marshal(newModelBody(m)); err != nil {
			t.Error(err)
		}
	})
}
