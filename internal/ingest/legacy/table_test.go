package legacy

import (
	"context"
	"iter"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/store"
)

func decodeCheck(body []byte) error { return decode.CheckJSON(body) }

// memoryTable is an unordered table of one project, for tests that examine all rows.
type memoryTable struct {
	rows map[[2]string]domain.Observation
}

func newTable() *memoryTable { return &memoryTable{map[[2]string]domain.Observation{}} }

func (m *memoryTable) all() map[[2]string]domain.Observation { return m.rows }

func (m *memoryTable) Append(_ context.Context, _ domain.ProjectScope, rows []domain.Observation) error {
	for n := range rows {
		m.rows[[2]string{rows[n].TraceID, rows[n].ID}] = rows[n].Clone()
	}
	return nil
}

func (m *memoryTable) Lookup(_ context.Context, _ domain.ProjectScope, l store.Lookup) iter.Seq2[*domain.Observation, error] {
	return func(yield func(*domain.Observation, error) bool) {
		for key, row := range m.rows {
			if (slices.Contains(l.TraceIDs, key[0]) || slices.Contains(l.IDs, key[1])) && !yield(&row, nil) {
				return
			}
		}
	}
}
