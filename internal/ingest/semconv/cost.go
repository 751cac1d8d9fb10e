package semconv

import (
	"math"
	"strings"

	"almanac/internal/domain"
)

// readCost finds the cost provided by the client: explicit amounts, or the total of a convention.
func (m *Mapper) readCost() {
	m.cost = m.cost[:0]
	if m.summary {
		return
	}
	a := &m.span
	if v := a.at(keyCostDetails); truthy(v) {
		j, ok := jsonOf(v)
		if ok {
			m.explicitCost(j)
		}
		if ok || !isText(v) {
			return
		}
	}
	for _, k := range [...]key{keyGenAICost, keyLLMCost} {
		amount, ok := numberOf(a.at(k))
		if amount < 0 {
			m.warnNegative("cost", "total", amount)
			continue
		}
		if ok {
			m.setCost(domain.CostEntry{Kind: "total", Amount: amount})
			return
		}
	}
	// LiteLLM sends 0 for models whose prices it does not know.
	if amount, ok := numberOf(a.at(keyGenAITotalCost)); ok && amount > 0 {
		m.setCost(domain.CostEntry{Kind: "total", Amount: amount})
	}
}

// explicitCost reads a JSON object of amounts. Numeric strings count as numbers; other values are ignored.
func (m *Mapper) explicitCost(j jsonText) {
	seen := 0
	for c := j.members(); c.Next() && seen < maxSeenKinds; seen++ {
		amount, ok := c.value().number()
		if c.value().isString() {
			amount, ok = parseNumber(strings.TrimSpace(c.value().str()))
		}
		switch {
		case ok && amount < 0:
			m.warnNegative("cost", c.Key(), amount)
		case ok:
			m.setCost(domain.CostEntry{Kind: c.Key(), Amount: amount})
		}
	}
}

func (m *Mapper) setCost(x domain.CostEntry) {
	if x.Amount > domain.MaxCost && !math.IsInf(x.Amount, 1) { // infinite costs are left out
		m.warnCapped(x.Kind, x.Amount)
	}
	for i := range m.cost {
		if m.cost[i].Kind == x.Kind {
			m.cost[i] = x
			return
		}
	}
	if len(m.cost) < maxKinds {
		m.cost = append(m.cost, x)
	}
}
