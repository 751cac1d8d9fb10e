package analytics

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// History provides the daily totals of deleted observations.
type History interface {
	TotalsState(ctx context.Context, scope domain.ProjectScope) (domain.TotalsState, error)
	DailyTotals(ctx context.Context, scope domain.ProjectScope, by string, from, to int64, eachDay bool) ([]domain.DailyTotal, error)
}

// totalRow is a total in the form of an observation that stands for several.
type totalRow struct {
	domain.Observation
	total *domain.DailyTotal
}

// totalsOf lists the columns of each kind of totals, which cannot answer queries on other columns. The first kind that
// fits is used. Only the first two also have the number of traces.
var totalsOf = []struct {
	by      string
	columns []string
}{
	{domain.TotalsOfTraces, []string{"environment"}},
	{domain.TotalsByLevel, []string{"environment", "level"}},
	{domain.TotalsByModel, []string{"isRootObservation", "environment", "type", "level", "model"}},
	{domain.TotalsByName, []string{"isRootObservation", "environment", "type", "level", "name"}},
	{domain.TotalsByUser, []string{"isRootObservation", "environment", "level", "userId"}},
	{domain.TotalsByTrace, []string{"isRootObservation", "environment", "traceName"}},
}

// newTotalRow returns the row for a total.
func newTotalRow(t *domain.DailyTotal) *totalRow {
	r := &totalRow{total: t, Observation: domain.Observation{
		StartTime: max(1, domain.Micros(t.Day*dayMicros)), Environment: t.Environment, Type: t.Type, Level: t.Level,
	}}
	if !t.IsRoot {
		r.ParentID = "-"
	}
	switch t.By {
	case domain.TotalsByModel:
		r.Model = t.Value
	case domain.TotalsByName:
		r.Name = t.Value
	case domain.TotalsByUser:
		r.UserID = t.Value
	case domain.TotalsByTrace:
		r.TraceName = t.Value
	}
	return r
}

// withHistory is the table of observations together with the totals of those that were deleted.
type withHistory struct {
	store.Table[domain.Observation]
	history History
}

// Aggregate groups rows together with totals.
func (t withHistory) Aggregate(
	ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[domain.Observation],
) (*store.Groups, error) {
	return aggregateWithHistory(ctx, t.history, t.Table, scope, q)
}

const dayMicros = 24 * 60 * 60 * 1_000_000

// aggregateWithHistory is Aggregate including the totals of days whose rows were deleted, as far as totals can answer
// the query: a measure that they lack covers only the remaining rows. A concurrent deletion could make both miss some
// rows or both count them, in which case the query is repeated.
func aggregateWithHistory(
	ctx context.Context, h History, table store.Table[domain.Observation], scope domain.ProjectScope,
	q store.AggregateQuery[domain.Observation],
) (*store.Groups, error) {
	var groups *store.Groups
	var totals []domain.DailyTotal
	err := unchanged(ctx, h, scope, func(state domain.TotalsState) (err error) {
		part := q
		totals = nil
		if by, eachDay := kindFor(&q); state.Version != 0 && by != "" {
			from, to := wholeDays(q.From, q.To)
			if totals, err = h.DailyTotals(ctx, scope, by, from, to, eachDay); err != nil {
				return err
			}
			if slices.ContainsFunc(q.Where, leavesOutRecords) {
				totals = withoutRecords(totals)
			}
			part.From = min(max(q.From, state.Pending), q.To)
		}
		groups, err = table.Aggregate(ctx, scope, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	return addTotals(ctx, groups, totals, &q)
}

// unchanged repeats read until totals did not change meanwhile, at most five times.
func unchanged(ctx context.Context, h History, scope domain.ProjectScope, read func(domain.TotalsState) error) error {
	const attempts = 5
	for attempt := 1; ; attempt++ {
		before, err := h.TotalsState(ctx, scope)
		if err != nil {
			return err
		}
		if err := read(before); err != nil {
			return err
		}
		if after, err := h.TotalsState(ctx, scope); err != nil || after == before || attempt == attempts {
			return err
		}
	}
}

// wholeDays returns the days that lie entirely within a time range, since totals have no time of day.
func wholeDays(from, to domain.Micros) (first, end int64) {
	return (from + dayMicros - 1).Day(), to.Day()
}

// leavesOutRecords reports whether a condition is the one that withoutTraceRecords returns.
func leavesOutRecords(c filter.Condition[domain.Observation]) bool {
	return c.Column().ID() == "ingestionSource" && c.Operator() == filter.NoneOf &&
		slices.Equal(c.Texts(), []string{domain.SourceIngestionTrace})
}

// withoutRecords subtracts the rows that stand for a whole trace from totals. Such rows have neither tokens nor cost.
func withoutRecords(totals []domain.DailyTotal) []domain.DailyTotal {
	for n := range totals {
		totals[n].Observations -= totals[n].TraceRecords
	}
	return slices.DeleteFunc(totals, func(t domain.DailyTotal) bool { return t.Observations == 0 })
}

// kindFor returns the kind of totals that can answer a query, or "" if none can, and whether it needs the totals of
// each day.
func kindFor(q *store.AggregateQuery[domain.Observation]) (by string, eachDay bool) {
	const day = dayMicros / 1000
	if q.Bucket != 0 && q.Bucket%day != 0 {
		return "", false // buckets are not whole days
	}
	for _, kind := range totalsOf {
		fits := func(c *filter.Column[domain.Observation]) bool {
			return slices.Contains(kind.columns, c.ID()) && !c.Derived()
		}
		if slices.ContainsFunc(q.GroupBy, func(c *filter.Column[domain.Observation]) bool { return !fits(c) }) ||
			slices.ContainsFunc(q.Where, func(c filter.Condition[domain.Observation]) bool {
				return !fits(c.Column()) && !leavesOutRecords(c)
			}) {
			continue
		}
		return kind.by, q.Bucket != 0 || q.Calendar != nil
	}
	return "", false
}

// totalOf returns the column of totals for a measure, or nil if totals do not have it.
func totalOf(m *store.Measure[domain.Observation]) *filter.Column[totalRow] {
	number := func(get func(*domain.DailyTotal) float64) *filter.Column[totalRow] {
		return filter.DerivedNumber("total", func(r *totalRow) (float64, bool) { return get(r.total), false })
	}
	observations := number(func(t *domain.DailyTotal) float64 { return float64(t.Observations) })
	if m.Column == nil {
		return observations
	}
	if m.Column.Derived() {
		return nil
	}
	switch m.Function {
	case store.Count:
		if slices.Contains([]string{"inputTokens", "outputTokens", "inputCost", "outputCost"}, m.Column.ID()) { // set in every row
			return observations
		}
	case store.Distinct:
		if m.Column.ID() == "traceId" {
			return number(func(t *domain.DailyTotal) float64 { return float64(t.Traces) })
		}
	case store.Sum:
		switch m.Column.ID() {
		case "inputTokens":
			return number(func(t *domain.DailyTotal) float64 { return float64(t.InputTokens) })
		case "outputTokens":
			return number(func(t *domain.DailyTotal) float64 { return float64(t.OutputTokens) })
		case "totalTokens":
			return number(func(t *domain.DailyTotal) float64 { return float64(t.TotalTokens) })
		case "inputCost":
			return number(func(t *domain.DailyTotal) float64 { return t.InputCost })
		case "outputCost":
			return number(func(t *domain.DailyTotal) float64 { return t.OutputCost })
		case "totalCost":
			return number(func(t *domain.DailyTotal) float64 { return t.TotalCost })
		}
	}
	return nil
}

// countsTraces reports whether the numbers of traces of a kind of totals can be added up for a query. A trace with
// observations of several levels counts for each of them, so levels must be kept apart.
func countsTraces(by string, q *store.AggregateQuery[domain.Observation]) bool {
	isLevel := func(c *filter.Column[domain.Observation]) bool { return c.ID() == "level" }
	switch by {
	case domain.TotalsOfTraces:
		return true
	case domain.TotalsByLevel:
		return slices.ContainsFunc(q.GroupBy, isLevel) || slices.ContainsFunc(q.Where, func(c filter.Condition[domain.Observation]) bool {
			return isLevel(c.Column()) && (c.Operator() == filter.Equal || c.Operator() == filter.AnyOf && len(c.Texts()) == 1)
		})
	}
	return false
}

// addTotals adds totals to the groups of the remaining rows.
func addTotals(
	ctx context.Context, groups *store.Groups, totals []domain.DailyTotal, q *store.AggregateQuery[domain.Observation],
) (*store.Groups, error) {
	if len(totals) == 0 {
		return groups, nil
	}
	past := store.AggregateQuery[totalRow]{Bucket: q.Bucket, Calendar: q.Calendar, MaxGroups: q.MaxGroups, MaxBytes: q.MaxBytes}
	known := make([]bool, len(q.Measures)) // whether the totals have the measure
	for n := range q.Measures {
		column := totalOf(&q.Measures[n])
		if known[n] = column != nil && (q.Measures[n].Function != store.Distinct || countsTraces(totals[0].By, q)); known[n] {
			past.Measures = append(past.Measures, store.Measure[totalRow]{Function: store.Sum, Column: column})
		} else {
			past.Measures = append(past.Measures, store.Measure[totalRow]{Function: store.Count})
		}
	}
	if !slices.Contains(known, true) {
		return groups, nil
	}
	for _, c := range q.GroupBy {
		past.GroupBy = append(past.GroupBy, filter.Lift(c, func(r *totalRow) *domain.Observation { return &r.Observation }))
	}
	rows := func(yield func(*totalRow, error) bool) {
		for n := range totals {
			if r := newTotalRow(&totals[n]); filter.MatchAll(q.Where, &r.Observation) && !yield(r, nil) {
				return
			}
		}
	}
	found, err := store.GroupRows(ctx, iter.Seq2[*totalRow, error](rows), func(r *totalRow) domain.Micros { return r.StartTime }, past)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(q.Measures, func(m store.Measure[domain.Observation]) bool { return m.Function == store.Histogram }) {
		for n := range found.Rows {
			found.Rows[n].Histograms = make([][]store.Bin, len(q.Measures))
		}
	}
	return mergeGroups(groups, found, known, q.MaxGroups)
}

// nameOf returns a unique key for a group.
func nameOf(g *store.Group) string {
	name := strconv.AppendInt(nil, g.Bucket, 10)
	for n, key := range g.Keys {
		name = strconv.AppendBool(append(name, ' '), g.Nulls[n])
		name = strconv.AppendQuote(name, key)
	}
	return string(name)
}

// mergeGroups adds the known measures of more to groups.
func mergeGroups(groups, more *store.Groups, known []bool, most int) (*store.Groups, error) {
	places := make(map[string]int, len(groups.Rows))
	for n := range groups.Rows {
		places[nameOf(&groups.Rows[n])] = n
	}
	for n := range more.Rows {
		g := &more.Rows[n]
		at, there := places[nameOf(g)]
		if !there {
			for m := range g.Values {
				if !known[m] {
					g.Values[m] = domain.OptFloat{}
				}
			}
			groups.Rows = append(groups.Rows, *g)
			continue
		}
		for m := range g.Values {
			if into := &groups.Rows[at].Values[m]; known[m] && into.Set {
				into.Value += g.Values[m].Value
			}
		}
	}
	groups.Held += more.Held
	if len(groups.Rows) > most {
		return nil, store.ErrTooLarge
	}
	return groups, nil
}
