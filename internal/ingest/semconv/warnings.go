package semconv

import "strconv"

// warningsKey is the metadata key for what was dropped from a span.
const warningsKey = "almanac.warnings"

const (
	mostWarnings = 8
	longestKind  = 64 // bytes of a name chosen by the client
)

// warnNegative records that a negative count or amount was dropped, because it would reduce sums.
func (m *Mapper) warnNegative(what, kind string, number float64) {
	if m.warned++; m.warned > mostWarnings {
		return
	}
	b := m.warnings
	if len(b) > 0 {
		b = append(b, "; "...)
	}
	b = append(append(b, "negative "...), what...)
	b = append(append(b, " left out: "...), kind[:min(len(kind), longestKind)]...)
	b = append(b, ' ')
	m.warnings = strconv.AppendFloat(b, number, 'g', -1, 64)
}
