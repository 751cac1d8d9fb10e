package metrics

import (
	"cmp"
	"context"
	"slices"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
)

// DailyQuery asks what happened on each day.
type DailyQuery struct {
	// From and To bound the time of traces: From <= time < To. 0 stands for no bound.
	From, To domain.Micros
	// Where must be met by a trace.
	Where []filter.Condition[domain.TraceSummary]
	// UserID, if it is not empty, is a user that Where asks for.
	UserID string
}

// Day is what happened on a day. Observations count for the day on which their trace began.
type Day struct {
	Date         string // as in 2026-03-04, UTC
	Traces       int
	Observations int
	Cost         domain.Sum
	Usage        []ModelUsage // by model
}

// ModelUsage is what was used of a model on a day.
type ModelUsage struct {
	Model        string // "" for none
	Input        int64
	Output       int64
	Total        int64
	Cost         domain.Sum
	Observations int
	Traces       int
}

// Daily returns the days that have traces, the newest first.
func (e *Engine) Daily(ctx context.Context, scope domain.ProjectScope, q *DailyQuery) ([]Day, error) {
	query := store.Query[domain.Observation]{From: q.From, To: q.To}
	if q.UserID != "" {
		// A trace that has the user has a row that says so, which may be of any time.
		ofUser, err := filter.NewText(observationColumn("userId"), filter.Equal, q.UserID)
		if err != nil {
			return nil, err
		}
		query = store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{ofUser}}
	}
	days := make(map[string]*Day)
	models := make(map[modelDay]*ModelUsage)
	held := memory.NewTally(ctx)
	for t, err := range chunks(ctx, e, e.Store.Observations(), scope, observationColumn("traceId"), query, e.dailyTraces(ctx, scope, q)) {
		if err != nil {
			return nil, err
		}
		date := t.summary.Timestamp.Time().Format(time.DateOnly)
		day := days[date]
		if day == nil {
			day = &Day{Date: date}
			days[date] = day
		}
		day.Traces++
		for model, usage := range t.models {
			day.Observations += usage.Observations
			day.Cost.AddSum(usage.Cost)
			key := modelDay{date, model}
			if models[key] == nil {
				if err := held.Add(int64(2*usageBytes + len(model))); err != nil {
					return nil, err
				}
				models[key] = &ModelUsage{Model: model}
			}
			models[key].add(usage)
		}
	}
	for key, usage := range models {
		days[key.date].Usage = append(days[key.date].Usage, *usage)
	}
	list := make([]Day, 0, len(days))
	for _, day := range days {
		slices.SortFunc(day.Usage, func(a, b ModelUsage) int { return cmp.Compare(a.Model, b.Model) })
		list = append(list, *day)
	}
	slices.SortFunc(list, func(a, b Day) int { return cmp.Compare(b.Date, a.Date) })
	return list, nil
}

type modelDay struct{ date, model string }

func (u *ModelUsage) add(other *ModelUsage) {
	u.Input, u.Output, u.Total = u.Input+other.Input, u.Output+other.Output, u.Total+other.Total
	u.Cost.AddSum(other.Cost)
	u.Observations += other.Observations
	u.Traces += other.Traces
}

// dailyTraces yields those of some traces that are wanted.
func (e *Engine) dailyTraces(
	ctx context.Context, scope domain.ProjectScope, q *DailyQuery,
) func(ids []string, held *memory.Tally, yield func(*assembled, error) bool) (bool, error) {
	return func(ids []string, held *memory.Tally, yield func(*assembled, error) bool) (bool, error) {
		found, err := assembleTraces(ctx, e.Store, scope, ids, 0, held)
		if err != nil {
			return false, err
		}
		for _, t := range found {
			at := t.summary.Timestamp
			if q.From != 0 && at < q.From || q.To != 0 && at >= q.To || !meets(q.Where, t.summary) {
				continue
			}
			if !yield(t, nil) {
				return false, nil
			}
		}
		return true, nil
	}
}
