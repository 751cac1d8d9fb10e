package retention

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

const (
	dayMillis  = 24 * 60 * 60 * 1000
	dayMicros  = dayMillis * 1000
	hourMicros = dayMicros / 24
	// totalsYears is how far back totals are kept. Rows that claim to be older are deleted without totals, since a
	// client can send any time.
	totalsYears = 10
	// Limits of one query to the store. For a day that exceeds them, fewer details are kept: see coarser.
	maxTotalGroups = 200_000
	maxTotalBytes  = 64 << 20
)

// totalsKey is a column by which totals are grouped.
type totalsKey struct {
	column string
	set    func(*domain.DailyTotal, string)
}

var (
	keyRoot        = totalsKey{"isRootObservation", func(t *domain.DailyTotal, key string) { t.IsRoot = key == "true" }}
	keyEnvironment = totalsKey{"environment", func(t *domain.DailyTotal, key string) { t.Environment = key }}
	keyType        = totalsKey{"type", func(t *domain.DailyTotal, key string) { t.Type = key }}
	keyLevel       = totalsKey{"level", func(t *domain.DailyTotal, key string) { t.Level = key }}
)

// totalsKind is one kind of totals.
type totalsKind struct {
	by     string
	keys   []totalsKey
	value  string // the column of the values; empty if there is none
	traces bool   // distinct traces are counted
	where  []filter.Condition[domain.Observation]
}

// totalsKinds are the totals kept for each day. Package metrics decides which of them can answer a query.
var totalsKinds = []totalsKind{
	{by: domain.TotalsByModel, keys: []totalsKey{keyRoot, keyEnvironment, keyType, keyLevel}, value: "model"},
	{by: domain.TotalsByName, keys: []totalsKey{keyRoot, keyEnvironment, keyType, keyLevel}, value: "name"},
	{by: domain.TotalsByUser, keys: []totalsKey{keyRoot, keyEnvironment, keyLevel}, value: "userId"},
	{by: domain.TotalsByTrace, keys: []totalsKey{keyRoot, keyEnvironment}, value: "traceName"},
	{by: domain.TotalsByLevel, keys: []totalsKey{keyEnvironment, keyLevel}, traces: true},
	{by: domain.TotalsOfTraces, keys: []totalsKey{keyEnvironment}, traces: true},
	{by: domain.TotalsOfModels, keys: []totalsKey{keyEnvironment}, value: "model", traces: true, where: ofSource(filter.NoneOf)},
}

// ofSource selects trace records, or all others.
func ofSource(operator filter.Operator) []filter.Condition[domain.Observation] {
	return []filter.Condition[domain.Observation]{
		filter.Must(filter.NewTexts(filter.ObservationColumn("ingestionSource"), operator, []string{domain.SourceIngestionTrace})),
	}
}

// reduction is a way to keep fewer details of a day, so that it can be summed up and deleted whatever clients send. All
// values become domain.OtherTotals.
type reduction struct {
	leftOut             string // as shown in the log
	withoutEnvironments bool   // all environments become domain.OtherTotals
	byHour              bool   // a trace counts once in each hour
	withoutTraces       bool   // traces are not counted
}

// coarser are tried in order. The size of the last one does not grow with the number of rows, since types and levels
// are a fixed set.
var coarser = []reduction{
	{leftOut: "values"},
	{leftOut: "values, environments", withoutEnvironments: true},
	{leftOut: "values; traces are counted by hour", byHour: true},
	{leftOut: "values, environments; traces are counted by hour", byHour: true, withoutEnvironments: true},
	{leftOut: "values, environments, traces", byHour: true, withoutEnvironments: true, withoutTraces: true},
}

// rollUp sums up the observations of a project between two times of one day.
func (j *Job) rollUp(
	ctx context.Context, scope domain.ProjectScope, from, to domain.Micros, arrived *store.Window,
) (totals []domain.DailyTotal, err error) {
	for _, kind := range totalsKinds {
		groups, err := j.totalsOf(ctx, scope, kind, from, to, arrived)
		less := coarser
		if kind.value == "" {
			less = less[1:] // the first one would change nothing
		}
		for n := 0; n < len(less) && errors.Is(err, store.ErrTooLarge); n++ {
			if groups, err = j.coarserTotals(ctx, scope, kind, &less[n], from, to, arrived); err == nil {
				j.Log.Warn("too many groups in a day to keep all of its daily sums", "project", scope.ProjectID(), "day",
					from.Time().Format(time.DateOnly),
					"sums", kind.by, "left_out", less[n].leftOut)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("cannot sum up observations of project %s: %w", scope.ProjectID(), err)
		}
		totals = append(totals, domain.FoldTotals(nil, groups)...) // few are left
	}
	return totals, nil
}

// coarserTotals is like totalsOf with fewer details.
func (j *Job) coarserTotals(
	ctx context.Context, scope domain.ProjectScope, kind totalsKind, less *reduction, from, to domain.Micros, arrived *store.Window,
) (totals []domain.DailyTotal, err error) {
	value, part := "", to-from
	if kind.value != "" {
		kind.value, value = "", domain.OtherTotals
	}
	if less.withoutEnvironments {
		kind.keys = slices.DeleteFunc(slices.Clone(kind.keys), func(key totalsKey) bool { return key.column == keyEnvironment.column })
	}
	if less.byHour {
		part = hourMicros
	}
	kind.traces = kind.traces && !less.withoutTraces
	places := make(map[domain.DailyTotal]int)
	for ; from < to; from += part {
		groups, err := j.totalsOf(ctx, scope, kind, from, min(from+part, to), arrived)
		if err != nil {
			return nil, err
		}
		for n := range groups {
			g := &groups[n]
			g.Value = value
			if less.withoutEnvironments {
				g.Environment = domain.OtherTotals
			}
			key := g.Key()
			if at, there := places[key]; there {
				totals[at].Add(g)
				continue
			}
			if len(totals) == maxTotalGroups {
				return nil, fmt.Errorf("%w: the hours of a day have more than %d groups", store.ErrTooLarge, maxTotalGroups)
			}
			places[key] = len(totals)
			totals = append(totals, *g)
		}
	}
	return totals, nil
}

func (j *Job) totalsOf(
	ctx context.Context, scope domain.ProjectScope, kind totalsKind, from, to domain.Micros, arrived *store.Window,
) ([]domain.DailyTotal, error) {
	type row = domain.Observation
	sum := func(column string) store.Measure[row] {
		return store.Measure[row]{Function: store.Sum, Column: filter.ObservationColumn(column)}
	}
	q := store.AggregateQuery[row]{
		From: from, To: to, Arrived: arrived, Where: kind.where, MaxGroups: maxTotalGroups, MaxBytes: maxTotalBytes,
		Measures: []store.Measure[row]{
			{Function: store.Count},
			sum("inputTokens"), sum("outputTokens"), sum("totalTokens"), sum("inputCost"), sum("outputCost"),
			sum("totalCost"),
		},
	}
	keys := kind.keys
	if kind.value != "" {
		keys = append(slices.Clone(keys), totalsKey{kind.value, func(t *domain.DailyTotal, key string) { t.Value = key }})
	}
	for _, key := range keys {
		q.GroupBy = append(q.GroupBy, filter.ObservationColumn(key.column))
	}
	if kind.traces {
		q.Measures = append(q.Measures, store.Measure[row]{Function: store.Distinct, Column: filter.ObservationColumn("traceId")})
	}
	held := memory.NewTally(ctx)
	defer held.Release()
	found, err := j.Store.Observations().Aggregate(ctx, scope, q)
	if err != nil {
		return nil, err
	}
	defer memory.Of(ctx).Shrink(found.Held)
	records := make(map[string]int64)
	if kind.where == nil {
		q.Where, q.Measures = ofSource(filter.AnyOf), q.Measures[:1]
		of, err := j.Store.Observations().Aggregate(ctx, scope, q)
		if err != nil {
			return nil, err
		}
		defer memory.Of(ctx).Shrink(of.Held)
		const perRecord = 100
		if err := held.Add(int64(perRecord * len(of.Rows))); err != nil {
			return nil, tooLarge(err)
		}
		for n := range of.Rows {
			records[strings.Join(of.Rows[n].Keys, "\x00")] = int64(of.Rows[n].Values[0].Value)
		}
	}
	const perTotal = 250
	if err := held.Add(int64(perTotal * len(found.Rows))); err != nil {
		return nil, tooLarge(err)
	}
	totals := make([]domain.DailyTotal, len(found.Rows))
	for n := range found.Rows {
		g, t := &found.Rows[n], &totals[n]
		t.Day, t.By, t.TraceRecords = from.Day(), kind.by, records[strings.Join(g.Keys, "\x00")]
		for at, key := range keys {
			key.set(t, strings.Clone(g.Keys[at]))
		}
		whole := func(at int) int64 { return int64(g.Values[at].Value) }
		t.Observations, t.InputTokens, t.OutputTokens, t.TotalTokens = whole(0), whole(1), whole(2), whole(3)
		t.InputCost, t.OutputCost, t.TotalCost = g.Values[4].Value, g.Values[5].Value, g.Values[6].Value
		if kind.traces {
			t.Traces = whole(7)
		}
	}
	return totals, nil
}

// tooLarge turns a lack of memory into the error of a query that needs too much, so that fewer details are tried.
func tooLarge(err error) error {
	if errors.Is(err, memory.ErrTooLarge) {
		return fmt.Errorf("%w: %w", store.ErrTooLarge, err)
	}
	return err
}

// settled returns the number up to which all rows of the event store are visible by now. Where rows take a while to
// become visible, projects share a mark; later rows are handled the next time.
func (j *Job) settled(ctx context.Context) (int64, error) {
	settling := j.Store.VisibilityDelay()
	if settling > 0 && !j.marked.IsZero() && time.Since(j.marked) < everySize {
		return j.mark, nil
	}
	mark := j.Store.Mark().Observations
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(settling):
	}
	j.mark, j.marked = mark, time.Now()
	return mark, nil
}

// expire deletes a project's rows from before a time, day by day. The totals of a day are kept: they are stored in the
// catalog, together with a note of which rows are to be deleted, before the first row is deleted. If anything fails in
// between, these rows are deleted later without being counted again. Rows that arrive after the mark are kept until
// they are counted in a later run.
func (j *Job) expire(ctx context.Context, project string, before domain.Micros) (observations, scores int, err error) {
	scope := domain.OfProject(project)
	if observations, err = j.deletePending(ctx, scope); err != nil {
		return 0, 0, err
	}
	upTo, err := j.settled(ctx)
	if err != nil {
		return observations, 0, err
	}
	remove := func(before domain.Micros) error {
		n, err := j.deleteObservations(ctx, scope, before, upTo)
		observations += n
		return err
	}
	arrived := &store.Window{After: -1, UpTo: upTo}
	oldest := domain.MicrosOf(j.Now().AddDate(-totalsYears, 0, 0))
	days, ancient, err := j.daysBefore(ctx, scope, oldest, before, arrived)
	if err != nil {
		return observations, 0, err
	}
	if ancient {
		if err := remove(min(oldest, before)); err != nil {
			return observations, 0, err
		}
	}
	for _, day := range days {
		from, to := domain.Micros(day*dayMicros), min(domain.Micros((day+1)*dayMicros), before)
		totals, err := j.rollUp(ctx, scope, max(from, oldest), to, arrived)
		if err == nil {
			err = j.Catalog.AddDailyTotals(ctx, scope, to, upTo, totals)
		}
		if err == nil {
			err = remove(to)
		}
		if err == nil {
			err = j.Catalog.DailyTotalsDone(ctx, scope)
		}
		if err != nil {
			return observations, 0, err
		}
	}
	if scores, err = j.Store.Scores().Delete(ctx, scope, store.Selection{Before: before}); err != nil {
		return observations, 0, fmt.Errorf("cannot delete scores of project %s: %w", project, err)
	}
	return observations, scores, nil
}

// deletePending deletes rows that were counted in totals but not deleted.
func (j *Job) deletePending(ctx context.Context, scope domain.ProjectScope) (int, error) {
	state, err := j.Catalog.TotalsState(ctx, scope)
	if err != nil || state.Pending == 0 {
		return 0, err
	}
	n, err := j.deleteObservations(ctx, scope, state.Pending, state.PendingUpTo)
	if err != nil {
		return n, err
	}
	return n, j.Catalog.DailyTotalsDone(ctx, scope)
}

func (j *Job) deleteObservations(ctx context.Context, scope domain.ProjectScope, before domain.Micros, upTo int64) (int, error) {
	n, err := j.Store.Observations().Delete(ctx, scope, store.Selection{Before: before, Arrived: &store.Window{After: -1, UpTo: upTo}})
	if err != nil {
		return 0, fmt.Errorf("cannot delete observations of project %s: %w", scope.ProjectID(), err)
	}
	return n, nil
}

// daysBefore returns the days with observations between two times, oldest first, and whether there are older
// observations.
func (j *Job) daysBefore(
	ctx context.Context, scope domain.ProjectScope, oldest, before domain.Micros, arrived *store.Window,
) (days []int64, ancient bool, err error) {
	count := []store.Measure[domain.Observation]{{Function: store.Count}}
	failed := func(err error) error {
		return fmt.Errorf("cannot count observations of project %s: %w", scope.ProjectID(), err)
	}
	found, err := j.Store.Observations().Aggregate(ctx, scope, store.AggregateQuery[domain.Observation]{
		To: min(oldest, before), Arrived: arrived, Measures: count,
	})
	if err != nil {
		return nil, false, failed(err)
	}
	for n := range found.Rows {
		ancient = ancient || found.Rows[n].Values[0].Value > 0
	}
	if before <= oldest {
		return nil, ancient, nil
	}
	found, err = j.Store.Observations().Aggregate(ctx, scope, store.AggregateQuery[domain.Observation]{
		From: oldest, To: before, Arrived: arrived, Bucket: dayMillis, Measures: count,
	})
	if err != nil {
		return nil, false, failed(err)
	}
	for n := range found.Rows {
		days = append(days, found.Rows[n].Bucket/dayMillis)
	}
	slices.Sort(days)
	return days, ancient, nil
}
