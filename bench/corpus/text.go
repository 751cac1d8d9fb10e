package corpus

import (
	"strings"

	"almanac/internal/domain"
)

// textRows is the number of rows in a trace of the text mode.
const textRows = 8

// textRow makes the next row of the text mode.
func (g *Generator) textRow(s *stream, o *domain.Observation) {
	kind := pick(g.rng, g.values.types)
	if s.trace.left == 0 {
		g.beginTrace(s, textRows)
		kind = pick(g.rng, []string{"SPAN", "AGENT"})
	}
	g.row(s, o, kind)
	if o.ParentID == "" {
		o.EndTime = o.StartTime + textRows*domain.Micros(300_000+g.rng.Int64N(500_000))
	}
	o.Input = g.text.cut(g.rng, size(g.rng, 300, 1200))
	o.Output = g.text.cut(g.rng, size(g.rng, 200, 800))
	if g.plant.word(s, g.rows) {
		o.Input = planted(o.Input)
	}
	g.metadata(s, o)
	switch kind {
	case "GENERATION":
		m := &g.values.models[g.rng.IntN(len(g.values.models)-1)]
		g.usage(o, m, int64(len(o.Input)/4), int64(len(o.Output)/4+1))
	case "EMBEDDING":
		g.usage(o, &g.values.models[len(g.values.models)-1], int64(len(o.Input)/4), 0)
	}
	g.arrive(s, o)
}

// planted returns the text with the rare word in its middle.
func planted(text string) string {
	at := len(text)/2 + strings.IndexByte(text[len(text)/2:], ' ') + 1
	return text[:at] + RareWord + " " + text[at:]
}
