package analytics

import (
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// plan is a query resolved against its view.
type plan[S, R any] struct {
	query      *Query
	view       *view[S, R]
	dimensions []*dimension[S, R]
	metrics    []plannedMetric[S, R]
	cut        *cut // nil if time is not cut
	order      []orderKey
	// stored are the conditions that the store can check, joined are the others.
	stored []filter.Condition[S]
	joined []filter.Condition[R]
	// needs is what rows must be joined with; expands is the part of it that yields a separate row for each value.
	needs, expands need
}

// plannedMetric is a metric with its measure.
type plannedMetric[S, R any] struct {
	Metric
	measure *measure[S, R]
}

// orderKey is a position in rows to order them by.
type orderKey struct {
	at         int
	descending bool
}

// expanding are the needs that can give a row several values.
const expanding = needCost | needUsage | needTools | needCalls

// newPlan resolves a query against a view. The error is a *Refused.
func newPlan[S, R any](v *view[S, R], q *Query) (*plan[S, R], error) {
	p := &plan[S, R]{query: q, view: v, cut: cutOf(q)}
	if q.Version != V1 {
		if err := p.checkCardinality(); err != nil {
			return nil, err
		}
	}
	for _, step := range []func() error{p.planDimensions, p.planMetrics, p.planFilters, p.planOrder} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, p.checkExpansion()
}

// checkExpansion refuses to expand rows by both cost and usage.
func (p *plan[S, R]) checkExpansion() error {
	if p.needs&needCost != 0 && p.needs&needUsage != 0 {
		return refuse("costType and usageType cannot be used in the same query.")
	}
	return nil
}

// CheckFields checks that the view has the dimensions and measures of the query and that they can be combined. It is
// for saved queries: time, order and conditions are not checked. The error is a *Refused.
func (q *Query) CheckFields() error {
	switch q.View {
	case "traces":
		return checkFields(tracesV1(), q)
	case "observations":
		return checkFields(observationsOf(q.Version), q)
	}
	return checkFields(scoresOf(q.Version, q.View), q)
}

func checkFields[S, R any](v *view[S, R], q *Query) error {
	p := &plan[S, R]{query: q, view: v}
	for _, step := range []func() error{p.planDimensions, p.planMetrics, p.checkExpansion} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checkCardinality refuses dimensions with very many values unless the query asks for the top few.
func (p *plan[S, R]) checkCardinality() error {
	q := p.query
	var high []string
	for _, name := range q.Dimensions {
		if d := p.view.dimension(name); d != nil && d.highCardinality {
			high = append(high, name)
		}
	}
	if len(high) == 0 {
		return nil
	}
	names := strings.Join(high, ", ")
	if q.Granularity != "" {
		return refuse("High cardinality dimension(s) '%s' cannot be used with timeDimension. "+
			"Time series queries with high cardinality dimensions produce unbounded result sets.", names)
	}
	descending, wrong := 0, []string(nil)
	for _, o := range q.Order {
		if !o.Descending {
			continue
		}
		descending++
		if !slices.ContainsFunc(q.Metrics, func(m Metric) bool {
			return o.Field == m.Measure || strings.HasSuffix(o.Field, "_"+m.Measure)
		}) {
			wrong = append(wrong, o.Field)
		}
	}
	switch {
	case q.RowLimit == 0 || descending == 0:
		return refuse("High cardinality dimension(s) '%s' require both 'config.row_limit' and 'orderBy' with direction 'desc' on a "+
			"measure field.", names)
	case len(wrong) > 0:
		return refuse("High cardinality dimension(s) '%s' require 'orderBy' with direction 'desc' on a measure field. "+
			"'%s' is not a measure in this query.", names, strings.Join(wrong, ", "))
	}
	return nil
}

func (p *plan[S, R]) planDimensions() error {
	for _, name := range p.query.Dimensions {
		d := p.view.dimension(name)
		if d == nil {
			return refuse("Invalid dimension %s. Must be one of %s", name, p.view.dimensionNames())
		}
		p.addDimension(d)
	}
	return nil
}

func (p *plan[S, R]) addDimension(d *dimension[S, R]) {
	if slices.Contains(p.dimensions, d) {
		return
	}
	p.dimensions = append(p.dimensions, d)
	p.expands |= d.needs & expanding
	if d.key.stored == nil {
		p.needs |= d.needs
	}
}

func (p *plan[S, R]) planMetrics() error {
	for _, asked := range p.query.Metrics {
		m := p.view.measure(asked.Measure)
		if m == nil {
			return refuse("Invalid metric %s. Must be one of %s", asked.Measure, p.view.measureNames())
		}
		if m.text && asked.Aggregation != "count" && asked.Aggregation != "uniq" {
			return refuse("Aggregation \"%s\" is not valid for measure \"%s\" (type: string). Valid aggregations: count, uniq",
				asked.Aggregation, asked.Measure)
		}
		p.metrics = append(p.metrics, plannedMetric[S, R]{asked, m})
		p.needs |= m.needs
		if m.adds != "" {
			p.addDimension(p.view.dimension(m.adds))
		}
	}
	return nil
}

// planOrder finds the positions that rows are ordered by.
func (p *plan[S, R]) planOrder() error {
	for _, o := range p.query.Order {
		at := p.placeOf(o.Field)
		if at < 0 {
			return refuse("Invalid orderBy field: %s. Must be one of the dimension or metric fields.", o.Field)
		}
		p.order = append(p.order, orderKey{at, o.Descending})
	}
	if len(p.order) > 0 {
		return nil
	}
	firstMetric := slices.IndexFunc(p.metrics, func(m plannedMetric[S, R]) bool { return m.Aggregation != "histogram" })
	switch {
	case p.cut != nil:
		p.order = []orderKey{{at: len(p.dimensions)}}
	case firstMetric >= 0:
		p.order = []orderKey{{at: p.metricPlace() + firstMetric, descending: true}}
	case len(p.dimensions) > 0:
		p.order = []orderKey{{at: 0}}
	}
	return nil
}

// metricPlace is the position of the first metric in a row: after the dimensions and the time.
func (p *plan[S, R]) metricPlace() int {
	if p.cut != nil {
		return len(p.dimensions) + 1
	}
	return len(p.dimensions)
}

// timeKey is the name of the time in the rows of a result.
const timeKey = "time_dimension"

// placeOf returns the position of a field in rows, or -1 if rows cannot be ordered by it.
func (p *plan[S, R]) placeOf(field string) int {
	if at := slices.IndexFunc(p.dimensions, func(d *dimension[S, R]) bool { return d.name == field }); at >= 0 {
		return at
	}
	if field == timeKey && p.cut != nil {
		return len(p.dimensions)
	}
	at := slices.IndexFunc(p.metrics, func(m plannedMetric[S, R]) bool { return m.Key() == field && m.Aggregation != "histogram" })
	if at < 0 {
		return -1
	}
	return p.metricPlace() + at
}

// byStore reports whether the store can answer the query by itself.
func (p *plan[S, R]) byStore() bool {
	return p.needs == 0 && len(p.joined) == 0 &&
		!slices.ContainsFunc(p.dimensions, func(d *dimension[S, R]) bool { return d.key.stored == nil }) &&
		!slices.ContainsFunc(p.metrics, func(m plannedMetric[S, R]) bool { return m.measure.column.stored == nil })
}

// countMeasure is the number of rows.
const countMeasure = "count"

// rowLimit is the maximum number of rows in the result; 0 for no limit.
func (p *plan[S, R]) rowLimit() int {
	if p.query.RowLimit == 0 && p.query.Version != V1 {
		return defaultRowLimit
	}
	return p.query.RowLimit
}

// window returns the time range of the query with an exclusive end, as the store expects. Clients see times in
// milliseconds, so the last millisecond is included as a whole.
func (q *Query) window() (from, to domain.Micros) {
	from, to = domain.Micros(q.From.UnixMicro()), domain.Micros(q.To.UnixMilli()*1000+1000)
	if to == 0 { // 0 would mean no bound
		to = -1
	}
	return from, to
}
