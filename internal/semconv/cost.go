package semconv

import (
	"strings"

	"almanac/internal/domain"
)

// readCost finds the cost that the client provides: explicit amounts, or a total of a convention.
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
		if amount, ok := numberOf(a.at(k)); ok {
			m.setCost(domain.CostEntry{Kind: "total", Amount: amount})
			return
		}
	}
}

// explicitCost reads a JSON object of amounts. Text that is a number is one; null and the rest say nothing.
func (m *Mapper) explicitCost(j jsonText) {
	seen := 0
	for c := j.members(); c.next() && seen < maxSeenKinds; seen++ {
		amount, ok := c.value.number()
		if c.value.isString() {
			amount, ok = parseNumber(strings.TrimSpace(c.value.str()))
		}
		if ok {
			m.setCost(domain.CostEntry{Kind: c.name, Amount: amount})
		}
	}
}

func (m *Mapper) setCost(x domain.CostEntry) {
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
