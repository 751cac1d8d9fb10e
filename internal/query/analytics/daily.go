package analytics

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// DailyQuery selects the traces for daily metrics.
type DailyQuery struct {
	// From and To bound the time of traces: From <= time < To. 0 means no bound.
	From, To domain.Micros
	// Where are the conditions that traces must meet.
	Where []filter.Condition[domain.TraceSummary]
	// UserID, if set, is a user that Where requires. It limits which rows are read.
	UserID string
}

// Day holds the metrics of a day. Observations count toward the day on which their trace began.
type Day struct {
	Date         string // as in 2026-03-04, UTC
	Traces       int
	Observations int
	Cost         domain.Sum
	Usage        []ModelUsage // by model
}

// ModelUsage is the usage of a model on a day.
type ModelUsage struct {
	Model        string // "" for none
	Input        int64
	Output       int64
	Total        int64
	Cost         domain.Sum
	Observations int
	Traces       int
}

// Daily returns the days that have traces, newest first. For days whose rows were deleted it uses the daily totals,
// unless Where has conditions on anything but the environment.
func (e *Engine) Daily(ctx context.Context, scope domain.ProjectScope, q *DailyQuery) ([]Day, error) {
	if e.History == nil || slices.ContainsFunc(q.Where, func(c filter.Condition[domain.TraceSummary]) bool {
		return c.Column().ID() != "environment"
	}) {
		sums := newDailySums(ctx)
		if err := e.addRows(ctx, scope, q, sums); err != nil {
			return nil, err
		}
		return sums.list(), nil
	}
	var sums *dailySums
	err := unchanged(ctx, e.History, scope, func(state domain.TotalsState) error {
		sums = newDailySums(ctx)
		part := *q
		if state.Version != 0 {
			if err := sums.addTotals(ctx, e.History, scope, q); err != nil {
				return err
			}
			part.From = max(q.From, state.Pending)
		}
		return e.addRows(ctx, scope, &part, sums)
	})
	if err != nil {
		return nil, err
	}
	return sums.list(), nil
}

// dailySums accumulates days.
type dailySums struct {
	days   map[string]*Day
	models map[modelDay]*ModelUsage
	held   *memory.Tally
}

func newDailySums(ctx context.Context) *dailySums {
	return &dailySums{make(map[string]*Day), make(map[modelDay]*ModelUsage), memory.NewTally(ctx)}
}

// day returns the day of a time, creating it if necessary.
func (s *dailySums) day(at domain.Micros) *Day {
	date := at.Time().Format(time.DateOnly)
	if s.days[date] == nil {
		s.days[date] = &Day{Date: date}
	}
	return s.days[date]
}

// use adds the usage of a model on a day.
func (s *dailySums) use(day *Day, usage *ModelUsage) error {
	day.Observations += usage.Observations
	day.Cost.AddSum(usage.Cost)
	key := modelDay{day.Date, usage.Model}
	if s.models[key] == nil {
		if err := s.held.Add(int64(2*usageBytes + len(usage.Model))); err != nil {
			return err
		}
		s.models[key] = &ModelUsage{Model: usage.Model}
	}
	s.models[key].add(usage)
	return nil
}

// list returns the days, newest first.
func (s *dailySums) list() []Day {
	for key, usage := range s.models {
		s.days[key.date].Usage = append(s.days[key.date].Usage, *usage)
	}
	list := make([]Day, 0, len(s.days))
	for _, day := range s.days {
		slices.SortFunc(day.Usage, func(a, b ModelUsage) int { return cmp.Compare(a.Model, b.Model) })
		list = append(list, *day)
	}
	slices.SortFunc(list, func(a, b Day) int { return cmp.Compare(b.Date, a.Date) })
	return list
}

// addTotals adds the totals of days whose rows were deleted. Here, observations count toward the day on which they
// began.
func (s *dailySums) addTotals(ctx context.Context, h History, scope domain.ProjectScope, q *DailyQuery) error {
	from, to := wholeDays(q.From, q.To)
	if q.To == 0 {
		to = math.MaxInt64
	}
	for _, by := range []string{domain.TotalsOfTraces, domain.TotalsOfModels} {
		totals, err := h.DailyTotals(ctx, scope, by, from, to, true)
		if err != nil {
			return err
		}
		for n := range totals {
			t := &totals[n]
			if !filter.MatchAll(q.Where, &domain.TraceSummary{Environment: t.Environment}) {
				continue
			}
			day := s.day(domain.Micros(t.Day * dayMicros))
			if by == domain.TotalsOfTraces {
				day.Traces += int(t.Traces)
				continue
			}
			usage := ModelUsage{
				Model: t.Value, Input: t.InputTokens, Output: t.OutputTokens, Total: t.TotalTokens, Observations: int(t.Observations),
				Traces: int(t.Traces),
			}
			usage.Cost.Add(t.TotalCost)
			if err := s.use(day, &usage); err != nil {
				return err
			}
		}
	}
	return nil
}

// addRows adds the traces that are still stored.
func (e *Engine) addRows(ctx context.Context, scope domain.ProjectScope, q *DailyQuery, sums *dailySums) error {
	query := store.Query[domain.Observation]{From: q.From, To: q.To}
	if q.UserID != "" {
		// A trace of the user has a row that names the user, at any time.
		ofUser, err := filter.NewText(filter.ObservationColumn("userId"), filter.Equal, q.UserID)
		if err != nil {
			return err
		}
		query = store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{ofUser}}
	}
	return batches(ctx, e, scope, e.Store.Observations(), filter.ObservationColumn("traceId"), query,
		func(f *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
			found, used, err := tracesWithUsage(ctx, f, ids, held)
			if err != nil {
				return false, err
			}
			days := make(map[string]*Day, len(found)) // days of the traces that count
			for id, t := range found {
				summary := t.Summary()
				if at := summary.Timestamp; q.From != 0 && at < q.From || q.To != 0 && at >= q.To || !filter.MatchAll(q.Where, summary) {
					continue
				}
				days[id] = sums.day(summary.Timestamp)
				days[id].Traces++
			}
			for key, usage := range used {
				if day := days[key.traceID]; day != nil {
					if err := sums.use(day, usage); err != nil {
						return false, err
					}
				}
			}
			return true, nil
		})
}

type modelDay struct{ date, model string }

func (u *ModelUsage) add(other *ModelUsage) {
	u.Input, u.Output, u.Total = u.Input+other.Input, u.Output+other.Output, u.Total+other.Total
	u.Cost.AddSum(other.Cost)
	u.Observations += other.Observations
	u.Traces += other.Traces
}

// traceModel is a model in a trace.
type traceModel struct{ traceID, model string }

// usageBytes is the approximate memory per model in a trace, without its name.
const usageBytes = 250

// tracesWithUsage assembles traces, with the usage of each model in their rows.
func tracesWithUsage(
	ctx context.Context, f *traces.Finder, ids []string, held *memory.Tally,
) (found map[string]*traces.Assembly, used map[traceModel]*ModelUsage, err error) {
	used = make(map[traceModel]*ModelUsage)
	found, err = f.Assemble(ctx, ids, 0, held.Add, func(_ *traces.Assembly, o *domain.Observation) error {
		if o.IsTraceRecord() {
			return nil
		}
		usage := used[traceModel{o.TraceID, o.Model}]
		if usage == nil {
			if err := held.Add(int64(usageBytes + len(o.TraceID) + len(o.Model))); err != nil {
				return err
			}
			usage = &ModelUsage{Model: strings.Clone(o.Model), Traces: 1}
			used[traceModel{strings.Clone(o.TraceID), usage.Model}] = usage
		}
		usage.Input, usage.Output, usage.Total = usage.Input+o.InputTokens, usage.Output+o.OutputTokens, usage.Total+o.TotalTokens.Value
		usage.Cost.Add(o.TotalCost.Value)
		usage.Observations++
		return nil
	})
	return found, used, err
}
