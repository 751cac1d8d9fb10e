package pricing

import (
	"math"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// totalKind is the kind of usage and cost that is the total of all others.
const totalKind = "total"

// withTotal returns the usage with its total: the given one, which is never corrected, or else the sum of all entries.
// The result may use the memory of room.
func withTotal(room, usage []domain.UsageEntry) []domain.UsageEntry {
	var sum int64
	for i := range usage {
		if usage[i].Kind == totalKind {
			return usage
		}
		sum = plus(sum, usage[i].Units)
	}
	if len(usage) == 0 {
		return nil
	}
	return append(append(room, usage...), domain.UsageEntry{Kind: totalKind, Units: sum})
}

// plus adds with saturation instead of overflow.
func plus(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// sumUsage sets the token counts of the row.
func sumUsage(row *domain.Observation, usage []domain.UsageEntry) {
	row.InputTokens, row.OutputTokens, row.TotalTokens = 0, 0, domain.OptInt{}
	for i := range usage {
		input, output, total := rolesOf(usage[i].Kind)
		if input {
			row.InputTokens = plus(row.InputTokens, usage[i].Units)
		}
		if output {
			row.OutputTokens = plus(row.OutputTokens, usage[i].Units)
		}
		if total {
			row.TotalTokens = domain.IntOf(usage[i].Units)
		}
	}
}

// rolesOf reports which sums a kind of usage or cost is part of: kinds whose name contains input or output, ignoring
// case, or the total.
func rolesOf(kind string) (input, output, total bool) {
	switch kind {
	case "input":
		return true, false, false
	case "output":
		return false, true, false
	case totalKind:
		return false, false, true
	}
	if !plainLower(kind) {
		kind = strings.ToLower(kind)
	}
	return strings.Contains(kind, "input"), strings.Contains(kind, "output"), false
}

// appendUsage appends the usage as a JSON object, or nothing if there is none.
func appendUsage(dst []byte, usage []domain.UsageEntry) []byte {
	for i := range usage {
		dst = appendName(dst, i, usage[i].Kind)
		dst = strconv.AppendInt(dst, usage[i].Units, 10)
	}
	return appendEnd(dst, len(usage))
}

// appendName appends the name of a member of a JSON object with all preceding punctuation; i is its index.
func appendName(dst []byte, i int, name string) []byte {
	if i == 0 {
		dst = append(dst, '{')
	} else {
		dst = append(dst, ',')
	}
	return append(jsontext.AppendString(dst, name), ':')
}

// appendEnd closes an object of n members. An empty object was never opened.
func appendEnd(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, '}')
}
