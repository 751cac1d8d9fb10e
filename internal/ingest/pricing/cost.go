package pricing

import (
	"math"
	"slices"

	"almanac/internal/domain"
)

// costLine is the cost of one kind of usage.
type costLine struct {
	kind   string
	amount amount
}

// usable returns the valid costs: entries that are NaN, infinite or negative are dropped.
func usable(cost []domain.CostEntry) []domain.CostEntry {
	if !slices.ContainsFunc(cost, isNoCost) {
		return cost
	}
	return slices.DeleteFunc(slices.Clone(cost), isNoCost)
}

func isNoCost(c domain.CostEntry) bool { return !(c.Amount >= 0) || math.IsInf(c.Amount, 1) }

// providedCost appends the costs provided by the client.
func providedCost(lines []costLine, cost []domain.CostEntry) []costLine {
	for i := range cost {
		lines = append(lines, costLine{cost[i].Kind, amountOf(cost[i].Amount)})
	}
	return lines
}

// withProvidedTotal adds a total if the client did not provide one, but only if input and output are the only kinds:
// for other kinds, only the client knows what they mean and whether they are included in those two.
func withProvidedTotal(lines []costLine) []costLine {
	for i := range lines {
		if kind := lines[i].kind; kind != "input" && kind != "output" {
			return lines
		}
	}
	return withSum(lines)
}

// withSum adds a total that is the sum of the rounded lines, so that adding up the stored costs gives the same total.
func withSum(lines []costLine) []costLine {
	var sum amount
	for i := range lines {
		sum = sum.plus(lines[i].amount)
	}
	return append(lines, costLine{totalKind, sum.capped()})
}

// priced appends a line for every kind of usage that has a price, and their sum unless the total has a price itself.
func priced(lines []costLine, prices map[string]price, usage []domain.UsageEntry) []costLine {
	hasTotal := false
	for i := range usage {
		p, ok := prices[usage[i].Kind]
		if !ok {
			continue
		}
		lines = append(lines, costLine{usage[i].Kind, p.times(usage[i].Units)})
		hasTotal = hasTotal || usage[i].Kind == totalKind
	}
	if len(lines) == 0 || hasTotal {
		return lines
	}
	return withSum(lines)
}

// sumCost sets the cost fields of the row.
func sumCost(row *domain.Observation, lines []costLine) {
	var inputs, outputs amount
	row.TotalCost = domain.OptFloat{}
	for i := range lines {
		input, output, total := rolesOf(lines[i].kind)
		if input {
			inputs = inputs.plus(lines[i].amount)
		}
		if output {
			outputs = outputs.plus(lines[i].amount)
		}
		if total {
			row.TotalCost = domain.FloatOf(lines[i].amount.dollars())
		}
	}
	row.InputCost, row.OutputCost = inputs.dollars(), outputs.dollars()
}

// appendCost appends the lines as a JSON object, or nothing if there are none.
func appendCost(dst []byte, lines []costLine) []byte {
	for i := range lines {
		dst = appendName(dst, i, lines[i].kind)
		dst = lines[i].amount.appendTo(dst)
	}
	return appendEnd(dst, len(lines))
}
