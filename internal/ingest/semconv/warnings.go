package semconv

import (
	"strconv"

	"almanac/internal/domain"
)

// warningsKey is the metadata key for what was changed or left out of a span.
const warningsKey = "almanac.warnings"

const (
	mostWarnings = 8
	longestKind  = 64 // bytes of a name chosen by the client
)

// warn begins a warning. It returns false if there are too many.
func (m *Mapper) warn(parts ...string) bool {
	if m.warned++; m.warned > mostWarnings {
		return false
	}
	if len(m.warnings) > 0 {
		m.warnings = append(m.warnings, "; "...)
	}
	for _, part := range parts {
		m.warnings = append(m.warnings, part...)
	}
	return true
}

// warnNegative records that a negative count or amount was dropped, because it would reduce sums.
func (m *Mapper) warnNegative(what, kind string, number float64) {
	if m.warn("negative ", what, " left out: ", kind[:min(len(kind), longestKind)], " ") {
		m.warnings = strconv.AppendFloat(m.warnings, number, 'g', -1, 64)
	}
}

// warnCapped records that a cost is stored as the largest one.
func (m *Mapper) warnCapped(kind string, amount float64) {
	if m.warn("cost above the maximum stored as ") {
		m.warnings = strconv.AppendFloat(m.warnings, domain.MaxCost, 'f', -1, 64)
		m.warnings = append(append(m.warnings, ": "...), kind[:min(len(kind), longestKind)]...)
		m.warnings = strconv.AppendFloat(append(m.warnings, ' '), amount, 'f', -1, 64)
	}
}

// warnBackwards records that a span ends before it starts, so that its latency is negative.
func (m *Mapper) warnBackwards(start, end domain.Micros) {
	if m.warn("ends before it starts, by ") {
		m.warnings = append(strconv.AppendInt(m.warnings, start.Millis()-end.Millis(), 10), " ms"...)
	}
}
