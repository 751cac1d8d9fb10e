package llm

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
)

// usageOf returns the counts that are not zero, with at least those of input and output.
func usageOf(counts map[string]int64) map[string]int64 {
	for kind, units := range counts {
		if units <= 0 && kind != "input" && kind != "output" {
			delete(counts, kind)
		} else if units < 0 {
			counts[kind] = 0
		}
	}
	return counts
}

// UsageEntries returns a usage as price lists take it, in the order of the names.
func UsageEntries(usage map[string]int64) []domain.UsageEntry {
	entries := make([]domain.UsageEntry, 0, len(usage))
	for kind, units := range usage {
		entries = append(entries, domain.UsageEntry{Kind: kind, Units: units})
	}
	slices.SortFunc(entries, func(a, b domain.UsageEntry) int { return strings.Compare(a.Kind, b.Kind) })
	return entries
}

// Priced returns a row with the model, the usage and the cost of a call; everything else of it is empty.
func Priced(list *pricing.List, model string, usage map[string]int64, started time.Time) domain.Observation {
	row := domain.Observation{Model: model, StartTime: domain.Micros(started.UnixMicro())}
	list.Apply(&row, UsageEntries(usage), nil)
	return row
}
