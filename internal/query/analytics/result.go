package analytics

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Result is the result of a query: ordered rows of named values.
type Result struct {
	names []string
	rows  [][]value
	cut   *cut // of the times in the rows
}

// value is a value in a row. The zero value is null.
type value struct {
	kind   resultKind
	text   string
	number float64
	bins   *[]store.Bin
}

type resultKind uint8

const (
	isNull resultKind = iota
	isNumber
	isText
	isRaw // text is JSON
	isBins
	isTime // number is the start of a bucket
)

// numberValue returns a number; unset, NaN and infinite numbers are null.
func numberValue(n domain.OptFloat) value {
	if !n.Set || math.IsNaN(n.Value) || math.IsInf(n.Value, 0) {
		return value{}
	}
	return value{kind: isNumber, number: n.Value}
}

func histogramValue(bins []store.Bin) value { return value{kind: isBins, bins: &bins} }

// keyValue returns the value of a dimension in a group.
func (d *dimension[S, R]) keyValue(text string, null, nullable bool) value {
	switch {
	case null, d.nullable && text == "" && !nullable:
		return value{}
	case d.shows == showsNumber:
		number, err := strconv.ParseFloat(text, 64)
		return numberValue(domain.OptFloat{Value: number, Set: err == nil})
	case d.shows == showsBool, d.shows == showsList:
		return value{kind: isRaw, text: text}
	}
	return value{kind: isText, text: text}
}

// filledKey returns the value of a dimension in a row that was filled in.
func (d *dimension[S, R]) filledKey() value {
	switch {
	case d.nullable:
		return value{}
	case d.shows == showsNumber:
		return numberValue(domain.FloatOf(0))
	case d.shows == showsBool:
		return value{kind: isRaw, text: "false"}
	case d.shows == showsList:
		return value{kind: isRaw, text: "[]"}
	}
	return value{kind: isText}
}

// Approximate memory of a row in a result, and of each of its values.
const (
	rowBytes   = 100
	valueBytes = 56
)

// result builds the result from groups. Its memory is held until the request ends.
func (p *plan[S, R]) result(groups *store.Groups, nullable []bool, answers []metricAnswer, held *memory.Tally) (*Result, error) {
	r := &Result{names: p.names(), cut: p.cut}
	if err := held.Add(int64(len(groups.Rows)) * int64(rowBytes+2*valueBytes*len(r.names))); err != nil {
		return nil, err
	}
	values := make([]value, 0, len(groups.Rows)*len(r.names)) // backing array for all rows
	for n := range groups.Rows {
		first := len(values)
		values = p.appendRow(values, &groups.Rows[n], nullable, answers)
		r.rows = append(r.rows, values[first:len(values):len(values)])
	}
	if len(r.rows) == 0 && len(p.dimensions) == 0 && p.cut == nil {
		r.rows = append(r.rows, p.emptyRow())
	}
	p.sort(r.rows)
	limit := p.rowLimit()
	if p.cut != nil && len(p.query.Order) == 0 {
		var err error
		if r.rows, err = p.fill(r.rows, limit, held); err != nil {
			return nil, err
		}
	}
	if limit > 0 && len(r.rows) > limit {
		r.rows = r.rows[:limit]
	}
	return r, nil
}

// names returns the names of values in row order.
func (p *plan[S, R]) names() []string {
	var names []string
	for _, d := range p.dimensions {
		names = append(names, d.name)
	}
	if p.cut != nil {
		names = append(names, timeKey)
	}
	if len(p.metrics) == 0 {
		return append(names, countMeasure)
	}
	for n := range p.metrics {
		names = append(names, p.metrics[n].Key())
	}
	return names
}

// metricAnswer derives the value of a metric from some of the results of a group.
type metricAnswer struct {
	first, count int
	of           func([]domain.OptFloat, [][]store.Bin) value
}

// appendRow appends the values of a group.
func (p *plan[S, R]) appendRow(row []value, g *store.Group, nullable []bool, answers []metricAnswer) []value {
	for n, d := range p.dimensions {
		row = append(row, d.keyValue(g.Keys[n], g.Nulls[n], nullable[n]))
	}
	if p.cut != nil {
		row = append(row, timeValue(g.Bucket))
	}
	for _, a := range answers {
		var bins [][]store.Bin
		if len(g.Histograms) > 0 {
			bins = g.Histograms[a.first : a.first+a.count]
		}
		row = append(row, a.of(g.Values[a.first:a.first+a.count], bins))
	}
	return row
}

// timeValue returns the time of a bucket. It is formatted only when written, since most rows of a long series are cut
// off.
func timeValue(start int64) value { return value{kind: isTime, number: float64(start)} }

// emptyRow returns the only row of a result without groups if there are no rows.
func (p *plan[S, R]) emptyRow() []value {
	if len(p.metrics) == 0 {
		return []value{numberValue(domain.FloatOf(0))}
	}
	row := make([]value, len(p.metrics))
	for n := range p.metrics {
		row[n] = p.metrics[n].ofNothing(false)
	}
	return row
}

// sort orders rows. Ties are broken by dimensions and time, so that the same query always gives the same result.
func (p *plan[S, R]) sort(rows [][]value) {
	slices.SortFunc(rows, func(a, b []value) int {
		for _, key := range p.order {
			if c := compareValues(a[key.at], b[key.at], key.descending); c != 0 {
				return c
			}
		}
		for at := range p.metricPlace() {
			if c := compareValues(a[at], b[at], false); c != 0 {
				return c
			}
		}
		return 0
	})
}

// compareValues orders values; null is last in either direction.
func compareValues(a, b value, descending bool) int {
	if a.kind == isNull || b.kind == isNull {
		return cmp.Compare(boolRank(a.kind == isNull), boolRank(b.kind == isNull))
	}
	c := cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
	if descending {
		return -c
	}
	return c
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// maxFilledRows bounds a result without a limit.
const maxFilledRows = maxGroups

// fill adds rows for buckets that no row has, up to the limit; 0 means none. Rows must be ordered by time.
func (p *plan[S, R]) fill(rows [][]value, limit int, held *memory.Tally) ([][]value, error) {
	at := len(p.dimensions)
	limit = cmp.Or(limit, maxFilledRows)
	first, _ := p.cut.buckets(p.query.From.UnixMilli())
	last, _ := p.cut.buckets(p.query.To.UnixMilli())
	times := 0
	for start := first; start < last && times <= limit; _, start = p.cut.buckets(start) {
		times++
	}
	if times > limit && p.rowLimit() == 0 {
		return nil, tooManyRows(limit)
	}
	if err := held.Add(int64(times) * int64(rowBytes+valueBytes*(at+1+len(p.metrics)))); err != nil {
		return nil, err
	}
	filled := make([][]value, 0, len(rows))
	rest := rows
	for start := first; start < last; _, start = p.cut.buckets(start) {
		if len(filled) > limit {
			if p.rowLimit() == 0 {
				return nil, tooManyRows(limit)
			}
			return filled, nil // the caller truncates it
		}
		n := 0
		for n < len(rest) && rest[n][at].number <= float64(start) {
			n++
		}
		if n == 0 {
			filled = append(filled, p.filledRow(start))
		}
		filled, rest = append(filled, rest[:n]...), rest[n:]
	}
	return append(filled, rest...), nil
}

func (p *plan[S, R]) filledRow(start int64) []value {
	row := make([]value, 0, len(p.dimensions)+1+len(p.metrics))
	for _, d := range p.dimensions {
		row = append(row, d.filledKey())
	}
	row = append(row, timeValue(start))
	if len(p.metrics) == 0 {
		return append(row, numberValue(domain.FloatOf(0)))
	}
	for n := range p.metrics {
		row = append(row, p.metrics[n].ofNothing(true))
	}
	return row
}
