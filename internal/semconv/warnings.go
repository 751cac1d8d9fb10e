package semconv

import "strconv"

// warningsKey is the key of a row's metadata that says what of a span was left out.
const warningsKey = "almanac.warnings"

const (
	mostWarnings = 8
	longestKind  = 64 // bytes of a name that a client chose
)

// leftOut notes a count or an amount that is less than nothing: it would take away from sums what others add.
func (m *Mapper) leftOut(what, kind string, number float64) {
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
