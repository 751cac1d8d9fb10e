// Package pricing finds the definition of a model by its name and computes the cost of its usage.
package pricing

import (
	"almanac/internal/domain"
)

// Apply fills in the model, usage and cost of the row, and their sums. Usage and cost are provided by the client, with
// distinct kinds; they are not retained. Rows without a model, usage and cost are left unchanged.
func (l *List) Apply(row *domain.Observation, usage []domain.UsageEntry, cost []domain.CostEntry) {
	if row.Model == "" && len(usage) == 0 && len(cost) == 0 {
		return
	}
	cost = usable(cost)
	m := l.match(row.Model)
	if m != nil {
		row.ModelID = m.definition.ID
	}

	// The arrays avoid allocations for rows with a typical number of kinds.
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

// writeTexts writes the four JSON fields of the row with a single allocation.
func writeTexts(row *domain.Observation, usage, full []domain.UsageEntry, provided, lines []costLine) {
	var scratch [640]byte
	buf := appendUsage(scratch[:0], usage)
	endOfUsage := len(buf)
	startOfFull := 0 // the same text if the client provided a total
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
