package storetest

import (
	"context"
	"maps"
	"math"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Rank collects the rows of each group, computes everything that is asked of them, and sorts all groups.
func (t *modelTable[R]) Rank(ctx context.Context, scope domain.ProjectScope, q store.RankQuery[R]) (*store.Ranking, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows, err := t.rows(scope.ProjectID(), func(row *R) bool { return within(*t.time(row), q.From, q.To) && meetsAll(row, q.Where) })
	if err != nil {
		return nil, err
	}
	groups := map[string][]*R{}
	for _, row := range rows {
		if key, null := q.Key.Text(row); !null && key != "" {
			groups[key] = append(groups[key], row)
		}
	}
	found := new(store.Ranking)
	tallies := make([]map[string]int, len(q.Tallies))
	for n := range tallies {
		tallies[n] = map[string]int{}
	}
	for key, rows := range groups {
		place, verdict := store.RankPlace{Key: key}, store.Wanted
		totals := rankTotals(&q, rows, t.time)
		totals.Hash = store.TextHash(key)
		if q.Required && !totals.Has(0) {
			continue
		}
		if q.Judge != nil {
			place.RankOrder, verdict = q.Judge(totals)
		}
		switch verdict {
		case store.Unclear:
			found.Unclear = append(found.Unclear, key)
		case store.Wanted:
			found.Total++
			for n := range q.Tallies {
				for value := range valuesOf(&q.Tallies[n], rows, t.time) {
					tallies[n][value]++
				}
			}
			if q.After == nil || q.Compare(&place, q.After) > 0 {
				found.Places = append(found.Places, place)
			}
		}
	}
	slices.SortFunc(found.Places, func(a, b store.RankPlace) int { return q.Compare(&a, &b) })
	found.Places = found.Places[min(q.Skip, len(found.Places)):]
	found.Places = found.Places[:min(q.Limit, len(found.Places))]
	for _, counts := range tallies {
		var tallied store.Tallied
		for _, value := range slices.Sorted(maps.Keys(counts)) {
			tallied.Values, tallied.Counts = append(tallied.Values, value), append(tallied.Counts, counts[value])
		}
		found.Tallies = append(found.Tallies, tallied)
	}
	return found, nil
}

// valuesOf returns the values that rows have.
func valuesOf[R any](tally *store.RankTally[R], rows []*R, timeOf func(*R) *domain.Micros) map[string]bool {
	values := map[string]bool{}
	for _, row := range rows {
		if !within(*timeOf(row), tally.From, tally.To) || !meetsAll(row, tally.If) {
			continue
		}
		if tally.Column.Kind() == filter.List {
			for _, item := range tally.Column.List(row) {
				values[item] = true
			}
		} else if key, null := store.KeyOf(tally.Column, row); !null {
			values[key] = true
		}
	}
	delete(values, "")
	return values
}

// sortTallies puts the values of tallies in order, which stores need not do.
func sortTallies(tallies []store.Tallied) {
	for n := range tallies {
		t := &tallies[n]
		counts := make(map[string]int, len(t.Values))
		for i, value := range t.Values {
			counts[value] = t.Counts[i]
		}
		t.Values, t.Counts = slices.Sorted(maps.Keys(counts)), nil
		for _, value := range t.Values {
			t.Counts = append(t.Counts, counts[value])
		}
	}
}

func rankTotals[R any](q *store.RankQuery[R], rows []*R, timeOf func(*R) *domain.Micros) *store.RankTotals {
	totals := new(store.RankTotals)
	for n, f := range q.Flags {
		if slices.ContainsFunc(rows, func(row *R) bool {
			return within(*timeOf(row), f.From, f.To) && meetsAll(row, f.Where) && (len(f.Not) == 0 || !meetsAll(row, f.Not))
		}) {
			totals.Flags |= 1 << n
		}
	}
	for _, m := range q.Measures {
		var some []*R
		for _, row := range rows {
			if meetsAll(row, m.If) {
				some = append(some, row)
			}
		}
		value := compute(store.Measure[R]{Function: m.Function, Column: m.Column}, some)
		if !value.Set {
			value.Value = math.NaN()
		}
		totals.Values = append(totals.Values, value.Value)
	}
	return totals
}
