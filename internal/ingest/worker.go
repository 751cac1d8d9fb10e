package ingest

import (
	"unsafe"

	"almanac/internal/domain"
	"almanac/internal/otlp"
	"almanac/internal/semconv"
)

// worker is the memory that one export is worked on with. Workers are reused.
type worker struct {
	export otlp.Export
	mapper semconv.Mapper
	rows   []domain.Observation
	files  extraction
}

// maxKeptRows is how many rows a worker keeps memory for: one giant export should not cost memory for ever.
const maxKeptRows = 4096

// prepare returns room for rows.
func (w *worker) prepare(rows int) []domain.Observation {
	if cap(w.rows) < rows {
		w.rows = make([]domain.Observation, rows)
	}
	w.rows = w.rows[:rows]
	return w.rows
}

// reset lets go of everything that belongs to the last export.
func (w *worker) reset() {
	clear(w.rows)
	if cap(w.rows) > maxKeptRows {
		w.rows = nil
	}
	w.files.reset()
	w.mapper.End()
	w.export.Reset()
}

// rowMemory is about what one span takes beside its texts: decoded, as a row, and as a row of the store.
const rowMemory = int64(unsafe.Sizeof(otlp.Span{}) + 2*unsafe.Sizeof(domain.Observation{}) + 512)

// rowGrowth returns about how long the texts of the row of a large span can become, escaped and said twice; 0 for others,
// for which there is room anyway.
func rowGrowth(s *otlp.Span) int64 {
	const large = 16 << 10
	bytes := 0
	for i := range s.Attributes {
		bytes += len(s.Attributes[i].Value.Text)
	}
	if bytes < large {
		return 0
	}
	growth := 2 * int64(bytes)
	for i := range s.Attributes {
		text := s.Attributes[i].Value.Text
		growth += escapeGrowth * int64(controlBytes(unsafe.Slice(unsafe.StringData(text), len(text)))) //nolint:gosec // only looked at
	}
	return growth
}
