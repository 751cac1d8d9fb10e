package catalog

import (
	"maps"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// storedTier is the JSON form of a stored pricing tier.
type storedTier struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	Default    bool               `json:"isDefault"`
	Priority   int                `json:"priority"`
	Conditions []storedCondition  `json:"conditions"`
	Prices     map[string]float64 `json:"prices"`
}

// storedCondition has exactly one of its fields set.
type storedCondition struct {
	Usage     *domain.UsageCondition     `json:"usage,omitempty"`
	Attribute *domain.AttributeCondition `json:"attribute,omitempty"`
}

func storedTiers(tiers []domain.PricingTier) []storedTier {
	stored := make([]storedTier, len(tiers))
	for n, t := range tiers {
		stored[n] = storedTier{
			ID: t.ID, Name: t.Name, Default: t.Default, Priority: t.Priority,
			Conditions: make([]storedCondition, len(t.Conditions)), Prices: make(map[string]float64, len(t.Prices)),
		}
		for k, condition := range t.Conditions {
			stored[n].Conditions[k] = storedCondition(condition)
		}
		for _, p := range t.Prices {
			stored[n].Prices[p.Kind] = p.PerUnit
		}
	}
	return stored
}

func (t storedTier) tier() domain.PricingTier {
	tier := domain.PricingTier{ID: t.ID, Name: t.Name, Default: t.Default, Priority: t.Priority}
	for _, condition := range t.Conditions {
		tier.Conditions = append(tier.Conditions, domain.TierCondition(condition))
	}
	for _, kind := range slices.Sorted(maps.Keys(t.Prices)) {
		tier.Prices = append(tier.Prices, domain.Price{Kind: kind, PerUnit: t.Prices[kind]})
	}
	return tier
}

// asTiers stores the tiers of a model as JSON.
func asTiers(tiers *[]domain.PricingTier) *tables.Column {
	var stored []storedTier
	c := tables.AsJSON(&stored)
	read, write := c.Read, c.Write
	c.Read = func(from any) error {
		err := read(from)
		*tiers = nil
		for _, t := range stored {
			*tiers = append(*tiers, t.tier())
		}
		return err
	}
	c.Write = func() any {
		stored = storedTiers(*tiers)
		return write()
	}
	return c
}

// withTierIDs returns the tiers of a model with their ids. The id of the default tier is derived from the model's; the
// others keep the id of the earlier tier with the same name, or get a new one.
func withTierIDs(model string, tiers, before []domain.PricingTier) []domain.PricingTier {
	known := make(map[string]string, len(before))
	for _, t := range before {
		if !t.Default {
			known[t.Name] = t.ID
		}
	}
	tiers = slices.Clone(tiers)
	for n := range tiers {
		t := &tiers[n]
		switch id, ok := known[t.Name]; {
		case t.Default:
			t.ID = model + "_tier_default"
		case ok:
			t.ID = id
		default:
			t.ID = model + "_tier_" + domain.NewID()
		}
	}
	return tiers
}
