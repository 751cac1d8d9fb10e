package pricing

import (
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// SumStored sets the sums of the usage and cost of a row. It is for rows whose cost was computed elsewhere: nothing is
// priced.
func SumStored(row *domain.Observation) {
	var usage []domain.UsageEntry
	for m := jsontext.CheckedMembersOf(row.Usage); m.Next(); {
		if units, err := strconv.ParseInt(m.Value, 10, 64); err == nil {
			usage = append(usage, domain.UsageEntry{Kind: m.Name, Units: units})
		}
	}
	sumUsage(row, usage)
	var inputs, outputs domain.Sum
	row.TotalCost = domain.OptFloat{}
	for m := jsontext.CheckedMembersOf(row.Cost); m.Next(); {
		amount, err := strconv.ParseFloat(m.Value, 64)
		if err != nil {
			continue
		}
		input, output, total := rolesOf(m.Name)
		if input {
			inputs.Add(amount)
		}
		if output {
			outputs.Add(amount)
		}
		if total {
			row.TotalCost = domain.FloatOf(amount)
		}
	}
	row.InputCost, row.OutputCost = inputs.Dollars(), outputs.Dollars()
}
