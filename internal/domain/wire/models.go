package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// Model is a model definition.
type Model struct {
	ID              string            `json:"id"`
	CreatedAt       Time              `json:"createdAt"`
	ModelName       string            `json:"modelName"`
	MatchPattern    string            `json:"matchPattern"`
	StartDate       *Time             `json:"startDate"`
	TokenizerID     *string           `json:"tokenizerId"`
	TokenizerConfig json.RawMessage   `json:"tokenizerConfig"`
	Unit            *domain.ModelUnit `json:"unit"`
	InputPrice      *flatPrice        `json:"inputPrice"`
	OutputPrice     *flatPrice        `json:"outputPrice"`
	TotalPrice      *flatPrice        `json:"totalPrice"`
	Prices          map[string]Price  `json:"prices"`
	BuiltIn         bool              `json:"isLangfuseManaged"`
	PricingTiers    []Tier            `json:"pricingTiers"`
}

// flatPrice is a price that the default tier has as well.
type flatPrice float64

// UnmarshalJSON ignores the price: sources write it in several ways.
func (*flatPrice) UnmarshalJSON([]byte) error { return nil }

// Price is a price of a model without tiers.
type Price struct {
	Price float64 `json:"price"`
}

// Tier is a pricing tier of a model.
type Tier struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	IsDefault  bool               `json:"isDefault"`
	Priority   int                `json:"priority"`
	Conditions []Condition        `json:"conditions"`
	Prices     map[string]float64 `json:"prices"`
}

// Condition is a condition of a tier.
type Condition domain.TierCondition

type usageCondition struct {
	Pattern       string  `json:"usageDetailPattern"`
	Operator      string  `json:"operator"`
	Value         float64 `json:"value"`
	CaseSensitive bool    `json:"caseSensitive"`
}

type attributeCondition struct {
	Source   string   `json:"source"`
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

// MarshalJSON writes a condition of one of two kinds, which have different members.
func (c Condition) MarshalJSON() ([]byte, error) {
	if c.Usage != nil {
		return jsontext.Marshal(usageCondition{c.Usage.KindPattern, c.Usage.Operator, c.Usage.Value, c.Usage.CaseSensitive})
	}
	return jsontext.Marshal(attributeCondition{c.Attribute.Source, c.Attribute.Key, "in", c.Attribute.Values})
}

// UnmarshalJSON reads a condition: one on an attribute has a source and a key.
func (c *Condition) UnmarshalJSON(raw []byte) error {
	var a attributeCondition
	if err := json.Unmarshal(raw, &a); err != nil {
		return err
	}
	if a.Source != "" || a.Key != "" {
		c.Attribute = &domain.AttributeCondition{Source: a.Source, Key: a.Key, Values: a.Values}
		return nil
	}
	var u usageCondition
	_ = json.Unmarshal(raw, &u) // its value is a number in every version
	c.Usage = &domain.UsageCondition{KindPattern: u.Pattern, Operator: u.Operator, Value: u.Value, CaseSensitive: u.CaseSensitive}
	return nil
}

// FromModel converts a model.
func FromModel(m domain.Model) Model {
	model := Model{
		ID: m.ID, CreatedAt: Time(m.CreatedAt), ModelName: m.Name, MatchPattern: m.MatchPattern, TokenizerConfig: m.TokenizerConfig,
		Prices: make(map[string]Price), BuiltIn: m.BuiltIn(), PricingTiers: make([]Tier, len(m.Tiers)),
	}
	if m.CreatedAt.IsZero() {
		model.CreatedAt = Time(time.Unix(0, 0)) // built-in models have no date, and clients require one
	}
	if !m.StartDate.IsZero() {
		model.StartDate = new(Time(m.StartDate))
	}
	if m.TokenizerID != "" {
		model.TokenizerID = &m.TokenizerID
	}
	if m.Unit != "" {
		model.Unit = &m.Unit
	}
	for n, t := range m.Tiers {
		tier := Tier{t.ID, t.Name, t.Default, t.Priority, make([]Condition, len(t.Conditions)), make(map[string]float64, len(t.Prices))}
		for k, condition := range t.Conditions {
			tier.Conditions[k] = Condition(condition)
		}
		for _, p := range t.Prices {
			tier.Prices[p.Kind] = p.PerUnit
		}
		model.PricingTiers[n] = tier
	}
	if t := m.DefaultTier(); t != nil {
		for _, p := range t.Prices {
			model.Prices[p.Kind] = Price{p.PerUnit}
		}
		model.InputPrice, model.OutputPrice, model.TotalPrice = flatPriceOf(t, "input"), flatPriceOf(t, "output"), flatPriceOf(t, "total")
	}
	return model
}

func flatPriceOf(t *domain.PricingTier, kind string) *flatPrice {
	if price, ok := t.Price(kind); ok {
		return new(flatPrice(price))
	}
	return nil
}

// Domain returns the model. Models from before tiers existed have one tier.
func (m *Model) Domain() domain.Model {
	created := time.Time(m.CreatedAt)
	model := domain.Model{
		ID: m.ID, Name: m.ModelName, MatchPattern: m.MatchPattern, TokenizerConfig: OptionalRaw(m.TokenizerConfig),
		CreatedAt: created, UpdatedAt: created,
	}
	if m.StartDate != nil {
		model.StartDate = time.Time(*m.StartDate)
	}
	if m.TokenizerID != nil {
		model.TokenizerID = *m.TokenizerID
	}
	if m.Unit != nil {
		model.Unit = *m.Unit
	}
	for _, t := range m.PricingTiers {
		tier := domain.PricingTier{ID: t.ID, Name: t.Name, Default: t.IsDefault, Priority: t.Priority, Prices: pricesOf(t.Prices)}
		for _, c := range t.Conditions {
			tier.Conditions = append(tier.Conditions, domain.TierCondition(c))
		}
		model.Tiers = append(model.Tiers, tier)
	}
	if len(model.Tiers) == 0 {
		flat := make(map[string]float64, len(m.Prices))
		for kind, price := range m.Prices {
			flat[kind] = price.Price
		}
		model.Tiers = []domain.PricingTier{{Name: "Standard", Default: true, Prices: pricesOf(flat)}}
	}
	return model
}

func pricesOf(prices map[string]float64) (list []domain.Price) {
	for _, kind := range slices.Sorted(maps.Keys(prices)) {
		list = append(list, domain.Price{Kind: kind, PerUnit: prices[kind]})
	}
	return list
}
