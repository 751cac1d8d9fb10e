package explore

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// figureCondition is a condition on a figure of a session or user.
type figureCondition struct {
	of *figure
	filter.Condition[domain.TraceSummary]
}

// figure is a number or a time of a session or user that follows from its observations.
type figure struct {
	name string
	// compared is a column of traces whose values are compared in the same way.
	compared *filter.Column[domain.TraceSummary]
	// number is what it is in units of the API, moment what it is if that is a time.
	number func(*Entity) float64
	moment func(*Entity) domain.Micros
	// distinct is the column whose different values are counted, for figures that cannot be ranked by.
	distinct string
}

// value returns the figure as a number by which entities can be ordered.
func (f *figure) value(o *Entity) float64 {
	if f.moment != nil {
		return float64(f.moment(o))
	}
	return f.number(o)
}

// meets reports whether an entity meets the condition.
func (c *figureCondition) meets(o *Entity) bool {
	if c.of.moment != nil {
		return c.MatchTime(c.of.moment(o))
	}
	return c.MatchNumber(c.of.number(o), false)
}

// figures returns the figures of sessions and users.
func figures() []*figure {
	column := filter.TraceColumn
	return []*figure{
		{name: "lastSeen", compared: column("timestamp"), moment: func(o *Entity) domain.Micros { return o.LastSeen }},
		{name: "firstSeen", compared: column("timestamp"), moment: func(o *Entity) domain.Micros { return o.FirstSeen }},
		{name: "duration", compared: column("latency"), number: (*Entity).Duration},
		{name: "totalCost", compared: column("totalCost"), number: func(o *Entity) float64 { return o.TotalCost }},
		{name: "inputCost", compared: column("inputCost"), number: func(o *Entity) float64 { return o.InputCost }},
		{name: "outputCost", compared: column("outputCost"), number: func(o *Entity) float64 { return o.OutputCost }},
		{name: "totalTokens", compared: column("totalTokens"), number: func(o *Entity) float64 { return float64(o.TotalTokens) }},
		{name: "inputTokens", compared: column("inputTokens"), number: func(o *Entity) float64 { return float64(o.InputTokens) }},
		{name: "outputTokens", compared: column("outputTokens"), number: func(o *Entity) float64 { return float64(o.OutputTokens) }},
		{name: "observations", compared: filter.ObservationCount(), number: func(o *Entity) float64 { return float64(o.Observations) }},
		{name: "errors", compared: filter.ObservationCount(), number: func(o *Entity) float64 { return float64(o.Errors) }},
		{name: "traces", compared: filter.ObservationCount(), distinct: "traceId"},
		{name: "sessions", compared: filter.ObservationCount(), distinct: "sessionId"},
	}
}

// figureNames are the names of figures in conditions, where they differ.
var figureNames = map[string]string{
	"observationCount": "observations", "errorCount": "errors", "traceCount": "traces", "sessionCount": "sessions",
}

// figureNamed returns the figure with a name, if entities of the kind have it.
func (k *EntityKind) figureNamed(name string) *figure {
	for _, f := range figures() {
		if f.name == name && (k.hasSessions() || name != "sessions") {
			return f
		}
	}
	return nil
}

// clause returns a condition on sessions or users. Figures are those of the whole; anything else must be met by one of the
// observations or, if it excludes something, by all of them.
func (k *EntityKind) clause(d *filter.Draft) (*clause, error) {
	name := d.Column
	if other, ok := figureNames[name]; ok {
		name = other
	}
	if name == "id" {
		renamed := *d
		renamed.Column = k.column
		return ofObservations(&renamed, columnOf(k.column))
	}
	of, known := filter.Observations().Column(name)
	if known {
		name = of.ID()
	}
	f := k.figureNamed(name)
	switch {
	case f != nil && (!known || !d.IsNull()):
		c, err := figureClause(f, d)
		if err == nil && known {
			c.column = of
		}
		return c, err
	case known:
		return ofObservations(d, of)
	}
	_, err := filter.Build(filter.Observations(), []filter.Draft{*d}) // says that there is no such column
	return nil, err
}

func figureClause(f *figure, d *filter.Draft) (*clause, error) {
	expected := "number"
	if f.moment != nil {
		expected = "datetime"
	}
	if d.Type() != expected {
		return nil, refusedType(d, expected)
	}
	made, err := filter.Make(f.compared, d)
	return &clause{figure: &figureCondition{f, made}}, err
}
