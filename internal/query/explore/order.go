package explore

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Stores return rows newest first. Other orders take two steps: aggregates determine how far the first rows reach, and
// only those are read.

// first returns the positions of the first rows in an order, after a place.
func (e *Explorer) first(ctx context.Context, s *Selection, order Order, after *Cursor, limit int) ([]store.Position, error) {
	if order.byTime() {
		return e.oldest(ctx, s, after, limit)
	}
	c := columnOf(order.Column)
	beyond := filter.Less
	if order.Ascending {
		beyond = filter.Greater
	}
	rest := *s
	var found []store.Position
	if after != nil && !after.Null {
		same, err := filter.NewNumber(c, filter.Equal, after.Value)
		if err != nil {
			return nil, err
		}
		if found, err = e.positions(ctx, s, &after.Position, limit, same); err != nil {
			return nil, err
		}
		further, err := filter.NewNumber(c, beyond, after.Value)
		if err != nil {
			return nil, err
		}
		rest.Where = append(slices.Clone(s.Where), further)
	}
	if after == nil || !after.Null {
		more, err := e.extremes(ctx, &rest, order, limit-len(found))
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if len(found) == limit {
		return found, nil
	}
	var behind *store.Position
	if after != nil && after.Null {
		behind = &after.Position
	}
	unset, err := e.positions(ctx, s, behind, limit-len(found), filter.Must(filter.NewNull(c, true)))
	return append(found, unset...), err
}

// positions returns the positions of selected rows that meet further conditions, newest first.
func (e *Explorer) positions(
	ctx context.Context, s *Selection, after *store.Position, limit int, more ...condition,
) ([]store.Position, error) {
	if limit == 0 {
		return nil, nil
	}
	var found []store.Position
	query := store.Query[row]{From: s.From, To: s.To, Where: append(s.conditions(), more...), After: after, Limit: limit}
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, query) {
		if err != nil {
			return nil, err
		}
		found = append(found, store.Position{Millis: o.StartTime.Millis(), TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)})
	}
	return found, nil
}

// extremes returns the positions of the rows with the largest numbers, or the smallest.
func (e *Explorer) extremes(ctx context.Context, s *Selection, order Order, limit int) ([]store.Position, error) {
	const few = 1000 // rows that are ranked without narrowing them down first
	if limit <= 0 {
		return nil, nil
	}
	c := columnOf(order.Column)
	set := filter.Must(filter.NewNull(c, false))
	count, err := e.measure(ctx, s, measure{Function: store.Count, Column: c})
	if err != nil || count.Value == 0 {
		return nil, err
	}
	if count.Value <= float64(limit+few) {
		return e.ranked(ctx, s, order, limit, set)
	}
	// Slightly more than needed, since interpolated values are rounded.
	place := float64(limit + 1)
	if !order.Ascending {
		place = count.Value - 1 - place
	}
	edge, err := e.measure(ctx, s, measure{Function: store.Quantile, Column: c, Quantile: place / (count.Value - 1)})
	if err != nil || !edge.Set || math.IsInf(edge.Value, 0) {
		return nil, err
	}
	value := c.Snap(edge.Value)
	operator := filter.Greater
	if order.Ascending {
		operator = filter.Less
	}
	beyond, err := filter.NewNumber(c, operator, value)
	if err != nil {
		return nil, err
	}
	found, err := e.ranked(ctx, s, order, limit, set, beyond)
	if err != nil {
		return nil, err
	}
	same, err := filter.NewNumber(c, filter.Equal, value)
	if err != nil {
		return nil, err
	}
	more, err := e.positions(ctx, s, nil, limit-len(found), same)
	return append(found, more...), err
}

// measure computes one number over all selected rows.
func (e *Explorer) measure(ctx context.Context, s *Selection, m measure) (domain.OptFloat, error) {
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{Measures: []measure{m}})
	if err != nil || len(groups.Rows) == 0 {
		return domain.OptFloat{}, err
	}
	return groups.Rows[0].Values[0], nil
}

// ranked reads all rows that meet the conditions and returns the positions of the first ones.
func (e *Explorer) ranked(ctx context.Context, s *Selection, order Order, limit int, more ...condition) ([]store.Position, error) {
	best := newRanking(limit, order.compare)
	query := store.Query[row]{From: s.From, To: s.To, Where: append(s.conditions(), more...)}
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, query) {
		if err != nil {
			return nil, err
		}
		p := order.placeOf(o)
		best.add(p, func() *Cursor {
			p.Position.TraceID, p.Position.ID = strings.Clone(p.Position.TraceID), strings.Clone(p.Position.ID)
			return p
		})
	}
	var found []store.Position
	for _, p := range best.sorted() {
		found = append(found, p.Position)
	}
	return found, nil
}

// oldest returns the positions of the oldest rows after a place.
func (e *Explorer) oldest(ctx context.Context, s *Selection, after *Cursor, limit int) ([]store.Position, error) {
	later := *s
	if after != nil {
		later.From = max(s.From, domain.Micros(after.Position.Millis*1000))
	}
	for needed := limit; ; needed *= 4 {
		end, err := e.endOfOldest(ctx, &later, needed)
		if err != nil {
			return nil, err
		}
		part := later
		if end != 0 {
			part.To = end
		}
		order := Order{Ascending: true}
		found, err := e.ranked(ctx, &part, order, needed)
		if err != nil {
			return nil, err
		}
		if after != nil { // rows of the same millisecond may come before it
			found = slices.DeleteFunc(found, func(p store.Position) bool { return order.compare(&Cursor{Position: p}, after) <= 0 })
		}
		if len(found) >= limit {
			return found[:limit], nil
		}
		if end == 0 {
			return found, nil
		}
	}
}

// endOfOldest returns a time before which there are at least needed rows, and not many more unless they share a
// millisecond; 0 if that is the end of the selection.
func (e *Explorer) endOfOldest(ctx context.Context, s *Selection, needed int) (domain.Micros, error) {
	const (
		parts = 200
		many  = 10_000 // more rows than this are worth another pass
	)
	first, last, err := e.span(ctx, &Selection{From: s.From, To: s.To})
	if err != nil || first > last {
		return 0, err
	}
	part, end := *s, domain.Micros(0)
	for {
		step := max(1, (last-first)/parts)
		groups, err := e.aggregate(ctx, &part, store.AggregateQuery[row]{Bucket: step, Measures: []measure{{Function: store.Count}}})
		if err != nil {
			return 0, err
		}
		slices.SortFunc(groups.Rows, func(a, b store.Group) int { return cmp.Compare(a.Bucket, b.Bucket) })
		count, reached := 0, int64(0)
		for n := range groups.Rows {
			if count += int(groups.Rows[n].Values[0].Value); count >= needed {
				reached = groups.Rows[n].Bucket + step
				break
			}
		}
		if count < needed {
			return end, nil
		}
		end = domain.Micros(reached * 1000)
		if s.To != 0 && end >= s.To {
			end = 0
		}
		if count <= needed+many || step == 1 {
			return end, nil
		}
		last = reached - 1
		if part.To == 0 || end != 0 {
			part.To = domain.Micros(reached * 1000)
		}
	}
}
