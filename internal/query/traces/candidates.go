package traces

import (
	"context"
	"errors"
	"maps"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

type rowQuery = store.Query[domain.Observation]

// candidates returns the traces that may meet the conditions, roughly newest first. Their memory is held until the
// request ends.
func (f *Finder) candidates(ctx context.Context, q *Query) ([]string, error) {
	var chosen map[string]int64
	var refused error
	tagged, err := f.tagged(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, alternatives := range q.rowQueries(tagged) {
		ids := make(map[string]int64)
		for _, query := range alternatives {
			var some map[string]int64
			if some, err = having(ctx, f, f.Store.Observations(), filter.ObservationColumn("traceId"), query); err != nil {
				break
			}
			for id, newest := range some {
				ids[id] = max(ids[id], newest)
			}
		}
		if _, tooMany := errors.AsType[*TooMany](err); tooMany {
			refused = err
			continue // another condition may match fewer
		}
		if err != nil {
			return nil, err
		}
		for id := range chosen {
			if _, both := ids[id]; !both {
				delete(chosen, id)
			}
		}
		if chosen == nil {
			chosen = ids
		}
	}
	if chosen == nil {
		return nil, refused
	}
	return newestFirst(chosen), remember(ctx, chosen)
}

// tagged returns the traces that users tagged, if a condition is on tags: the tags in their rows may differ.
func (f *Finder) tagged(ctx context.Context, q *Query) ([]string, error) {
	if f.Marks.Tags == nil || !filter.Addresses(q.Where, filter.TraceColumn("tags")) {
		return nil, nil
	}
	tags, err := f.Marks.Tags(ctx)
	return slices.Collect(maps.Keys(tags)), err
}

// remember reserves memory for traces.
func remember(ctx context.Context, ids map[string]int64) error {
	return memory.Of(ctx).Grow(ctx, int64(len(ids)*traceBytes))
}

// rowQueries translates the conditions on traces to queries for rows. A trace that meets the conditions has, for each
// of the returned lists, a row that one of the queries in the list selects; it need not be the same row for each list.
// There is at least one list. Tagged are the traces that users tagged.
func (q *Query) rowQueries(tagged []string) [][]rowQuery {
	const most = 4 // conditions used per filter
	var lists [][]rowQuery
	from, to := q.From, q.To
	for n := range q.Where {
		c := &q.Where[n]
		if c.Column() == filter.TraceColumn("timestamp") {
			from, to = narrowed(from, to, c)
			continue
		}
		list := rowQueriesOf(c)
		if len(list) > 0 && len(tagged) > 0 && c.Column() == filter.TraceColumn("tags") {
			list = append(list, rowQuery{Where: []filter.Condition[domain.Observation]{
				filter.Must(filter.NewTexts(filter.ObservationColumn("traceId"), filter.AnyOf, tagged)),
			}})
		}
		if len(list) > 0 && len(lists) < most {
			lists = append(lists, list)
		}
	}
	if from != 0 || to != 0 || len(lists) == 0 {
		lists = append(lists, []rowQuery{{From: from, To: to}})
	}
	return lists
}

// narrowed returns a time range narrowed by a condition on the timestamp: the first row of a trace is within it.
func narrowed(from, to domain.Micros, c *filter.Condition[domain.TraceSummary]) (domain.Micros, domain.Micros) {
	const milli = 1000
	// A bound of 0 would mean none.
	millis := domain.Micros(min(max(c.Millis(), -maxFilterMillis), maxFilterMillis))
	switch at := millis * milli; c.Operator() {
	case filter.Greater, filter.GreaterEqual:
		if at != 0 && (from == 0 || at > from) {
			from = at
		}
	case filter.Less, filter.LessEqual:
		if end := at + milli; end != 0 && (to == 0 || end < to) {
			to = end
		}
	}
	return from, to
}

// maxFilterMillis is beyond all times that rows have, and far from overflowing a number of microseconds.
const maxFilterMillis = 8_640_000_000_000_000

// rowQueriesOf translates a condition on traces to queries for rows. It returns nil if the condition says nothing about
// rows.
func rowQueriesOf(c *filter.Condition[domain.TraceSummary]) []rowQuery {
	var columns []string // one of these has the value in some row
	switch c.Column().ID() {
	case "id":
		columns = []string{"traceId"}
	case "userId", "sessionId", "version", "release", "environment", "tags":
		columns = []string{c.Column().ID()}
	case "name":
		columns = []string{"traceName", "name"}
	}
	var list []rowQuery
	for _, name := range columns {
		condition, ok := sameOnRows(filter.ObservationColumn(name), c)
		if !ok {
			return nil
		}
		list = append(list, rowQuery{Where: []filter.Condition[domain.Observation]{condition}})
	}
	return list
}

// sameOnRows returns the condition for rows that have the value of a trace. It returns false if there need not be such
// a row, because traces without a value also meet the condition.
func sameOnRows(
	column *filter.Column[domain.Observation], c *filter.Condition[domain.TraceSummary],
) (made filter.Condition[domain.Observation], ok bool) {
	var err error
	switch operator := c.Operator(); operator {
	case filter.Equal, filter.Contains, filter.StartsWith, filter.EndsWith:
		if c.Text() == "" {
			return made, false
		}
		made, err = filter.NewText(column, operator, c.Text())
	case filter.AnyOf:
		if slices.Contains(c.Texts(), "") {
			return made, false
		}
		made, err = filter.NewTexts(column, filter.AnyOf, c.Texts())
	case filter.AllOf:
		if len(c.Texts()) == 0 {
			return made, false
		}
		made, err = filter.NewTexts(column, filter.AnyOf, c.Texts()[:1])
	default:
		return made, false
	}
	return made, err == nil
}
