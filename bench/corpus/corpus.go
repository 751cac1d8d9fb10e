package corpus

import (
	"math/rand/v2"
	"time"

	"almanac/internal/domain"
)

// Values planted in a few rows of the first project, to be searched for. They occur nowhere else.
const (
	// RareWord is a word in some inputs.
	RareWord = "zyxquorvane"
	// Apart are words that most inputs contain, but not next to each other in this order.
	Apart = "the of to and a in is that"
	// RareKey is a metadata key of every row, RareValue its value in some rows.
	RareKey   = "request_id"
	RareValue = "req_zyxneedle000000000000"
)

// TenantKey is a metadata key of every row. Its value is LargeTenant in one of fifty rows, SmallTenant in one of a
// thousand.
const (
	TenantKey   = "tenant"
	LargeTenant = "tenant-0001"
	SmallTenant = "tenant-0400"
)

// Options say what to generate. Zero values stand for defaults.
type Options struct {
	Mode Mode
	Seed uint64
	// Rows is the number of rows spread over the days; 1,000,000 by default. More can be generated: they continue at
	// the same rate after the last day.
	Rows int
	// Start is the time of the first row; 1 June 2026 by default.
	Start time.Time
	// Days is the time range of the rows; 10 by default.
	Days int
	// PlantEvery is the number of rows per planted word and per planted value; by default there are 9 of each in a
	// million rows.
	PlantEvery int
	// TextBytes is the size of the text that all strings are cut from; 32 MB by default.
	TextBytes int
}

func (o Options) withDefaults() Options {
	if o.Rows <= 0 {
		o.Rows = 1_000_000
	}
	if o.Start.IsZero() {
		o.Start = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	}
	if o.Days <= 0 {
		o.Days = 10
	}
	if o.PlantEvery <= 0 {
		o.PlantEvery = 111_111
	}
	if o.TextBytes <= 0 {
		o.TextBytes = 32 << 20
	}
	return o
}

// Generator makes rows in the order of their arrival. It is not safe for concurrent use.
type Generator struct {
	options Options
	text    prose
	values  *values

	rng      *rand.Rand
	rows     int
	streams  []stream
	first    domain.Micros // earliest and latest start time so far
	last     domain.Micros
	plant    planter
	fields   fields
	fillRows func(*Generator, *stream, *domain.Observation)
}

// New returns a generator. It takes about half a second, most of it to make the text.
func New(o Options) *Generator {
	o = o.withDefaults()
	g := &Generator{options: o, text: newProse(o.Seed, o.TextBytes), fillRows: (*Generator).textRow}
	g.values = newValues(o.Seed)
	switch o.Mode {
	case Conversations:
		g.fillRows = (*Generator).conversationRow
	case Chats:
		g.fillRows = (*Generator).chatRow
	case Threads:
		g.fillRows = (*Generator).threadRow
	}
	g.Restart()
	return g
}

// Restart starts over with the first row.
func (g *Generator) Restart() {
	g.rng = rand.New(rand.NewPCG(g.options.Seed, 0)) //nolint:gosec // repeatable on purpose, and nothing secret depends on it
	g.rows, g.first, g.last = 0, 0, 0
	g.streams = newStreams(g.options)
	g.plant = newPlanter(g.options.PlantEvery)
}

// Fill overwrites the batch with the next rows, all of one project, and returns the project's id. Their strings and
// lists are never modified afterwards. A batch goes to the project that is furthest behind its share, so that small
// projects send rarely and cover more time with each batch.
func (g *Generator) Fill(batch []domain.Observation) (project string) {
	s := g.due(len(batch))
	for i := range batch {
		g.fillRows(g, s, &batch[i])
		start := batch[i].StartTime
		if g.first == 0 || start < g.first {
			g.first = start
		}
		g.last = max(g.last, start)
		g.rows++
		s.rows++
	}
	return s.project
}

// Rows returns the number of rows generated so far.
func (g *Generator) Rows() int { return g.rows }

// TextBytes returns the size of the text that all strings are cut from.
func (g *Generator) TextBytes() int { return len(g.text) }

// Projects returns the ids of the projects, the largest first.
func (g *Generator) Projects() []string {
	ids := make([]string, len(g.streams))
	for i := range g.streams {
		ids[i] = g.streams[i].project
	}
	return ids
}

// Bounds returns the range of the start times of all rows so far: from <= time < to.
func (g *Generator) Bounds() (from, to domain.Micros) { return g.first, g.last + 1 }

// Traces returns the number of complete traces of a project.
func (g *Generator) Traces(project string) int {
	s := g.stream(project)
	if s.trace.left > 0 {
		return s.traces - 1
	}
	return s.traces
}

// TraceID returns the id of a project's trace number n, counted from 0 in the order of arrival.
func (g *Generator) TraceID(project string, n int) string {
	return g.stream(project).traceID(n)
}

// Planted returns the number of rows so far with the rare word, and with the rare value.
func (g *Generator) Planted() (words, values int) { return g.plant.words, g.plant.values }

// Models returns the names of all models that generations use.
func (g *Generator) Models() []string {
	names := make([]string, len(g.values.models))
	for i, m := range g.values.models {
		names[i] = m.name
	}
	return names
}

// Tags returns all tags.
func (g *Generator) Tags() []string { return g.values.tags }
