// Package pricing finds the definition of a model by its name and computes what its usage costs.
package pricing

import (
	"almanac/internal/domain"
)

// Apply completes the row: model match, usage, cost and their sums. Usage and cost are what the client provided, each
// kind once; they are not kept. Rows without a model, usage and cost are left as they are.
func (l *List) Apply(row *domain.Observation, usage []domain.UsageEntry, cost []domain.CostEntry) {
	if row.Model == "" && len(usage) == 0 && len(cost) == 0 {
		return
	}
	cost = usable(cost)
	m := l.match(row.Model)
	if m != nil {
		row.ModelID = m.definition.ID
	}

	// The arrays keep rows with a usual number of kinds from allocating.
	var usageRoom [12]domain.UsageEntry
	var costRoom [12]costLine
	full := withTotal(usageRoom[:0], usage)
	if len(usage) == 0 && len(cost) == 0 && m != nil {
		full = withTotal(usageRoom[:0], l.count(m, row))
	}

	var t *tier
	if len(full) > 0 && m != nil {
		t = m.tierFor(row, full)
	}
	if t != nil {
		row.PricingTierID, row.PricingTierName = t.id, t.name
	}

	providedLines := providedCost(costRoom[:0], cost)
	lines := providedLines
	switch {
	case len(cost) > 0:
		lines = withProvidedTotal(providedLines)
	case t != nil:
		lines = priced(costRoom[:0], t.prices, full)
	}

	sumUsage(row, full)
	sumCost(row, lines)
	writeTexts(row, usage, full, providedLines, lines)
}

// writeTexts writes the four JSON texts of the row into one piece of memory.
func writeTexts(row *domain.Observation, usage, full []domain.UsageEntry, provided, lines []costLine) {
	var scratch [640]byte
	buf := appendUsage(scratch[:0], usage)
	endOfUsage := len(buf)
	startOfFull := 0 // the same text, when the client gave a total
	if len(full) != len(usage) {
		startOfFull = len(buf)
		buf = appendUsage(buf, full)
	}
	endOfFull := len(buf)
	buf = appendCost(buf, provided)
	endOfProvided := len(buf)
	startOfCost := endOfFull
	if len(lines) != len(provided) {
		startOfCost = len(buf)
		buf = appendCost(buf, lines)
	}
	text := string(buf)
	row.ProvidedUsage = text[:endOfUsage]
	row.Usage = text[startOfFull:endOfFull]
	row.ProvidedCost = text[endOfFull:endOfProvided]
	row.Cost = text[startOfCost:]
}
