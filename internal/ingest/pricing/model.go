package pricing

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/ingest/pricing/tokens"
)

// model is a compiled definition.
type model struct {
	definition  domain.Model
	pattern     *regexp.Regexp
	conditional []tier // in ascending order of priority
	standard    *tier  // applies if no other does; may be nil
	tokenizer   tokens.Method
}

// tier is a compiled pricing tier.
type tier struct {
	id         string
	name       string
	conditions []condition // never empty in a conditional tier
	prices     map[string]price
}

// compile compiles a definition. A tier that can never apply, because it has no conditions or an invalid one, is
// dropped.
func compile(definition domain.Model) (*model, error) {
	pattern, err := regexp.Compile(definition.MatchPattern)
	if err != nil {
		return nil, fmt.Errorf("compile the pattern %q of model %q: %w", definition.MatchPattern, definition.Name, err)
	}
	m := &model{definition: definition, pattern: pattern}
	m.tokenizer = tokens.MethodOf(definition.TokenizerID, definition.TokenizerConfig)
	byPriority := slices.SortedStableFunc(slices.Values(definition.Tiers), func(a, b domain.PricingTier) int {
		return cmp.Compare(a.Priority, b.Priority)
	})
	for _, d := range byPriority {
		t := tier{id: d.ID, name: d.Name, prices: compilePrices(d.Prices)}
		if d.Default {
			m.standard = &t
			continue
		}
		if t.conditions, err = compileConditions(d.Conditions); err == nil && len(t.conditions) > 0 {
			m.conditional = append(m.conditional, t)
		}
	}
	return m, nil
}

func compilePrices(prices []domain.Price) map[string]price {
	compiled := make(map[string]price, len(prices))
	for _, p := range prices {
		if exact, ok := newPrice(p.PerUnit); ok {
			compiled[p.Kind] = exact
		}
	}
	return compiled
}
