package pricing

import "almanac/internal/domain"

// tierFor returns the tier that applies to the row, nil if there is none.
func (m *model) tierFor(row *domain.Observation, usage []domain.UsageEntry) *tier {
	attributes := attributeReader{row: row}
	for i := range m.conditional {
		if m.conditional[i].applies(usage, &attributes) {
			return &m.conditional[i]
		}
	}
	return m.standard
}

// applies reports whether all conditions hold.
func (t *tier) applies(usage []domain.UsageEntry, attributes *attributeReader) bool {
	for i := range t.conditions {
		if !t.conditions[i].holds(usage, attributes) {
			return false
		}
	}
	return true
}
