package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Aggregate implements store.Table. ClickHouse computes it, unless it needs something that only Go can compute.
func (t *table[R]) Aggregate(ctx context.Context, scope domain.ProjectScope, query store.AggregateQuery[R]) (*store.Groups, error) {
	project := scope.ProjectID()
	if err := query.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.store.closed(); err != nil {
		return nil, err
	}
	q := t.selection(project)
	q.between(query.From, query.To)
	q.arrived(query.Arrived)
	q.meeting(project, query.Where)
	groups, err := t.aggregate(ctx, q, query)
	if err != nil {
		return nil, fmt.Errorf("aggregating %s: %w", t.name, err)
	}
	return groups, nil
}

func (t *table[R]) aggregate(ctx context.Context, q *queryBuilder[R], query store.AggregateQuery[R]) (*store.Groups, error) {
	if len(q.residual) > 0 || usesDerived(query) {
		return t.aggregateLocally(ctx, q, query)
	}
	ctx, stop := t.store.withLifetime(ctx)
	defer stop()
	bucket := "toInt64(0)"
	switch {
	case query.Bucket != 0:
		bucket = "(-place - positiveModulo(-place, " + q.args.int(query.Bucket) + "))"
	case query.Calendar != nil:
		starts, err := t.starts(ctx, q, query.Calendar)
		if err != nil {
			return nil, classify(err)
		}
		if starts == nil {
			return t.aggregateLocally(ctx, q, query)
		}
		bucket = "roundDown(-place, " + q.args.ints(starts) + ")"
	}
	q.sql = t.aggregateStatement(q, query, bucket)
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return nil, tooLarge(classify(err))
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	groups, err := readGroups(d, query)
	if errors.Is(err, errInfinite) {
		return t.aggregateLocally(ctx, q, query)
	}
	if err != nil {
		return nil, tooLarge(asReadError(ctx, err))
	}
	return groups, nil
}

// tooLarge marks errors that mean that a result took more memory than ClickHouse or the request allows.
func tooLarge(err error) error {
	if hasCode(err, codeMemory, codeTooManyRowsOrBytes) || errors.Is(err, errTooMany) || errors.Is(err, memory.ErrTooLarge) {
		return fmt.Errorf("%w: %w", store.ErrTooLarge, err)
	}
	return err
}

func usesDerived[R any](query store.AggregateQuery[R]) bool {
	return slices.ContainsFunc(query.GroupBy, (*filter.Column[R]).Derived) ||
		slices.ContainsFunc(query.Measures, func(m store.Measure[R]) bool { return m.Column != nil && m.Column.Derived() })
}

// mostStarts is the maximum number of calendar buckets sent to ClickHouse.
const mostStarts = 2000

// starts returns the starts of the calendar buckets that rows can be in. Only Go knows the calendar, so ClickHouse is
// queried for the first and last time beforehand. Nil means that there are too many.
func (t *table[R]) starts(ctx context.Context, q *queryBuilder[R], calendar store.Buckets) ([]int64, error) {
	q.sql = "SELECT toUInt8(1), toInt64(count()), -max(place), -min(place) FROM " + t.name + " FINAL WHERE " +
		strings.Join(q.where, " AND ") +
		readSettings + " FORMAT RowBinary"
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return nil, err
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	d.next()
	count, first, last := d.int(), d.int(), d.int()
	if d.err != nil {
		return nil, asReadError(ctx, d.err)
	}
	if count == 0 {
		return []int64{0}, nil
	}
	var starts []int64
	for at := first; at <= last; {
		start, end := calendar(at)
		if end <= at || len(starts) == mostStarts {
			return nil, nil
		}
		starts = append(starts, start)
		at = end
	}
	return starts, nil
}

// aggregateStatement returns the query, which selects a bucket, for each GroupBy column its value and whether it is
// null, and for each measure the number of its values and its result.
func (t *table[R]) aggregateStatement(q *queryBuilder[R], query store.AggregateQuery[R], bucket string) string {
	selected := []string{"toUInt8(1)", bucket + " AS bucket"}
	keys := []string{"bucket"}
	for i, column := range query.GroupBy {
		n := strconv.Itoa(i)
		value, null := t.groupKey(column, i)
		selected = append(selected, value+" AS k"+n, "toBool("+null+") AS n"+n)
		keys = append(keys, "k"+n, "n"+n)
	}
	for i := range query.Measures {
		count, value := t.measure(&query.Measures[i])
		selected = append(selected, count, value)
	}
	return "SELECT " + strings.Join(selected, ", ") + " FROM " + t.name + " FINAL WHERE " + strings.Join(q.where, " AND ") +
		" GROUP BY " + strings.Join(keys, ", ") + " HAVING count() > 0 LIMIT " + strconv.Itoa(query.MaxGroups+1) + readSettings +
		" FORMAT RowBinary"
}

// groupKey returns the value of a column to group by, and whether it is null.
func (t *table[R]) groupKey(column *filter.Column[R], number int) (value, null string) {
	e := t.expressionOf(column.ID())
	null = cmp.Or(e.null, "0")
	switch column.Kind() {
	case filter.List:
		// The number makes two identical lists different, so that every element is combined with every other.
		return "arrayJoin(arraySlice(if(empty(" + e.value + "), [''], arrayDistinct(" + e.value + ")), 1, " + strconv.Itoa(1<<30+number) +
				"))",
			"empty(" + e.value + ")"
	case filter.Number:
		// -0 + 0 is 0.
		null = "(" + null + " OR isNaN(" + e.value + "))"
		return "if(" + null + ", 0., " + e.value + " + 0.)", null
	case filter.Bool:
		return "toBool(" + e.value + ")", null
	}
	value = "toString(" + e.value + ")"
	if e.null != "" {
		value = "if(" + e.null + ", '', " + value + ")"
	}
	return value, null
}

// measure returns the number of values of a measure and its result.
func (t *table[R]) measure(m *store.Measure[R]) (count, value string) {
	if m.Column == nil {
		return "toInt64(count())", "toFloat64(count())"
	}
	v, set := t.valueOf(m.Column)
	count = "toInt64(countIf(" + set + "))"
	// Over no values ClickHouse returns zero or NaN; readGroups checks the count.
	switch m.Function {
	case store.Count:
		value = "toFloat64(countIf(" + set + "))"
	case store.Sum:
		value = sum(v, set)
	case store.Average:
		value = sum(v, set) + " / countIf(" + set + ")"
	case store.Min:
		value = "minIf(" + v + ", " + set + ")"
	case store.Max:
		value = "maxIf(" + v + ", " + set + ")"
	case store.Quantile:
		value = "quantileExactInclusiveIf(" + strconv.FormatFloat(m.Quantile, 'g', -1, 64) + ")(" + v + ", " + set + ")"
	case store.Distinct:
		if m.Column.Kind() == filter.Number {
			v = "(" + v + " + 0.)"
		}
		value = "toFloat64(uniqExactIf(" + v + ", " + set + "))"
	case store.Histogram:
		value = "groupArrayIf(" + v + ", " + set + ")"
	}
	return count, value
}

// valueOf returns the value of a measured column, and whether it is set.
func (t *table[R]) valueOf(column *filter.Column[R]) (v, set string) {
	e := t.expressionOf(column.ID())
	v, set = e.value, "1"
	if e.null != "" {
		set = "NOT " + e.null
	}
	switch column.Kind() {
	case filter.Text:
		set = "(" + set + " AND " + v + " != '')"
	case filter.Time:
		v, set = "toFloat64("+v+")", v+" != 0"
	default:
		set = "(" + set + " AND NOT isNaN(" + v + "))"
	}
	return v, set
}

// sum adds numbers with compensated summation, like domain.Sum. That yields NaN for infinite values, where the plain
// sum is used.
func sum(value, set string) string {
	exact := "sumKahanIf(" + value + ", " + set + ")"
	return "if(isFinite(" + exact + "), " + exact + ", sumIf(" + value + ", " + set + "))"
}

// errInfinite means that a quantile was requested over values that include infinity. ClickHouse returns NaN for such
// neighbours, even where only one of them counts.
var errInfinite = errors.New("a quantile of infinite values")

// Approximate sizes of the parts of groups.
const (
	groupBytes    = 96
	perMeasure    = 16
	valueBytes    = 8
	distinctBytes = 24
)

// readGroups decodes the response to an aggregate.
func readGroups[R any](d *decoder, query store.AggregateQuery[R]) (groups *store.Groups, err error) {
	groups = new(store.Groups)
	left := query.MaxBytes
	held := memory.NewTally(d.ctx)
	defer func() {
		if err != nil {
			held.Release()
		}
	}()
	for d.next() {
		before := left
		g := store.Group{Bucket: d.int()}
		left -= groupBytes
		for _, column := range query.GroupBy {
			key := readKey(d, column.Kind())
			null := d.bool()
			if null {
				key = ""
			}
			g.Keys, g.Nulls = append(g.Keys, key), append(g.Nulls, null)
			left -= int64(len(key))
		}
		taken := before - left + perMeasure*int64(len(query.Measures))
		for i := range query.Measures {
			m := &query.Measures[i]
			count := d.int()
			var value domain.OptFloat
			switch m.Function {
			case store.Histogram:
				if g.Histograms == nil {
					g.Histograms = make([][]store.Bin, len(query.Measures))
				}
				left -= valueBytes * count
				taken += valueBytes * count
				if err := held.Add(taken); err != nil {
					return nil, err
				}
				taken = 0
				g.Histograms[i] = store.NewHistogram(d.floats(left/valueBytes+count), m.Bins)
				value = domain.FloatOf(float64(count))
			case store.Quantile:
				left -= valueBytes * count
				value = domain.FloatOf(d.float())
				if count > 0 && (math.IsNaN(value.Value) || math.IsInf(value.Value, 0)) {
					return nil, errInfinite
				}
			case store.Distinct:
				value = domain.FloatOf(d.float())
				left -= distinctBytes * int64(value.Value)
			default:
				value = store.NumberOrNull(d.float())
			}
			if count == 0 && !ofNothing(m.Function) {
				value = domain.OptFloat{}
			}
			g.Values = append(g.Values, value)
		}
		switch {
		case d.err != nil:
		case len(groups.Rows) == query.MaxGroups:
			return nil, fmt.Errorf("%w: more than %d groups", store.ErrTooLarge, query.MaxGroups)
		case left < 0:
			return nil, fmt.Errorf("%w: groups of more than %d bytes", store.ErrTooLarge, query.MaxBytes)
		}
		if err := held.Add(taken); err != nil {
			return nil, err
		}
		groups.Rows = append(groups.Rows, g)
	}
	if d.err != nil {
		return nil, d.err
	}
	groups.Held = held.Taken()
	return groups, nil
}

// readKey decodes a group key.
func readKey(d *decoder, kind filter.Kind) string {
	switch kind {
	case filter.Bool:
		return strconv.FormatBool(d.bool())
	case filter.Number:
		return strconv.FormatFloat(d.float(), 'g', -1, 64)
	}
	return strings.Clone(d.text())
}

// ofNothing reports whether a function yields a number for no values.
func ofNothing(f store.Function) bool {
	switch f {
	case store.Count, store.Sum, store.Distinct, store.Histogram:
		return true
	}
	return false
}
