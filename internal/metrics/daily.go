package metrics

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
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
		ofUser, err := filter.NewText(filter.ObservationColumn("userId"), filter.Equal, q.UserID)
		if err != nil {
			return nil, err
		}
		query = store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{ofUser}}
	}
	days := make(map[string]*Day)
	models := make(map[modelDay]*ModelUsage)
	all := memory.NewTally(ctx)
	err := batches(ctx, e, scope, e.Store.Observations(), filter.ObservationColumn("traceId"), query, func(f *traces.Finder, ids []string, held *memory.Tally) (bool, error) {
		found, used, err := tracesWithUsage(ctx, f, ids, held)
		if err != nil {
			return false, err
		}
		dates := make(map[string]string, len(found)) // of the traces that count
		for id, t := range found {
			summary := t.Summary()
			if at := summary.Timestamp; q.From != 0 && at < q.From || q.To != 0 && at >= q.To || !filter.MatchAll(q.Where, summary) {
				continue
			}
			date := summary.Timestamp.Time().Format(time.DateOnly)
			if days[date] == nil {
				days[date] = &Day{Date: date}
			}
			days[date].Traces++
			dates[id] = date
		}
		for key, usage := range used {
			date, counts := dates[key.traceID]
			if !counts {
				continue
			}
			days[date].Observations += usage.Observations
			days[date].Cost.AddSum(usage.Cost)
			total := models[modelDay{date, usage.Model}]
			if total == nil {
				if err := all.Add(int64(2*usageBytes + len(usage.Model))); err != nil {
					return false, err
				}
				total = &ModelUsage{Model: usage.Model}
				models[modelDay{date, usage.Model}] = total
			}
			total.add(usage)
		}
		return true, nil
	})
	if err != nil {
		return nil, err
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

// traceModel is a model in a trace.
type traceModel struct{ traceID, model string }

// usageBytes is what is held for each model in a trace beside its name; about.
const usageBytes = 250

// tracesWithUsage puts traces together, with what their rows used of each model.
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
