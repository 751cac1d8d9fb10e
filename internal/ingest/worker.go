package ingest

import (
	"unsafe"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/semconv"
)

// worker holds the reusable memory for processing one export.
type worker struct {
	export otlp.Export
	mapper semconv.Mapper
	rows   []domain.Observation
	files  extraction
}

// maxKeptRows is the maximum row capacity that a worker keeps, so that one giant export does not cost memory forever.
const maxKeptRows = 4096

// prepare returns a slice of the given number of rows.
func (w *worker) prepare(rows int) []domain.Observation {
	if cap(w.rows) < rows {
		w.rows = make([]domain.Observation, rows)
	}
	w.rows = w.rows[:rows]
	return w.rows
}

// reset drops everything that belongs to the last export.
func (w *worker) reset() {
	clear(w.rows)
	if cap(w.rows) > maxKeptRows {
		w.rows = nil
	}
	w.files.reset()
	w.mapper.End()
	w.export.Reset()
}

// rowMemory is the approximate memory of one span besides its strings: decoded, as a row, and as a row of the store.
const rowMemory = int64(unsafe.Sizeof(otlp.Span{}) + 2*unsafe.Sizeof(domain.Observation{}) + 512)

// rowGrowth estimates how large the strings of a large span can become in its row, escaped and stored twice; 0 for
// smaller spans, which fit into what is reserved anyway.
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
