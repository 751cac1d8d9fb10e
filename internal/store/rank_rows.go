package store

import (
	"context"
	"iter"
	"math"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
)

// RankRows ranks the given rows, holding all groups in memory. It applies neither the time range nor Where.
func RankRows[R any](
	ctx context.Context, rows iter.Seq2[*R, error], timeOf func(*R) domain.Micros, q RankQuery[R],
) (*Ranking, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	const perGroup, perMeasure = 160, 40
	held := memory.NewTally(ctx)
	defer held.Release()
	groups := make(map[string]*rankSums)
	var taken int64
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		key, null := q.Key.Text(row)
		if null || key == "" {
			continue
		}
		g := groups[key]
		if g == nil {
			g = newRankSums(len(q.Measures), len(q.Tallies))
			groups[strings.Clone(key)] = g
			if err := held.Add(int64(perGroup + len(key) + perMeasure*len(q.Measures))); err != nil {
				return nil, err
			}
		}
		taken += q.addRow(g, row, timeOf(row))
		if taken >= 64<<10 {
			if err := held.Add(taken); err != nil {
				return nil, err
			}
			taken = 0
		}
	}
	q.Start()
	r := NewRanker(ctx, &q, nil)
	var totals RankTotals
	tallies := make([]Tally, len(q.Tallies))
	for key, g := range groups {
		q.totals(g, &totals)
		wanted, err := r.AddKeyed(&totals, key)
		if err != nil {
			return nil, err
		}
		for n := range g.tallied {
			for value := range g.tallied[n] {
				if wanted {
					taken += tallies[n].Count(value)
				}
			}
		}
	}
	if err := held.Add(taken); err != nil {
		return nil, err
	}
	found, err := r.Ranking()
	if err != nil {
		return nil, err
	}
	for n := range tallies {
		found.Tallies = append(found.Tallies, tallies[n].Tallied())
	}
	return found, nil
}

// Start says that groups are about to be judged.
func (q *RankQuery[R]) Start() {
	if q.Begin != nil {
		q.Begin()
	}
}

// rankSums are the flags and measures of a group while rows are added.
type rankSums struct {
	flags   uint64
	values  []rankValue
	tallied []map[string]struct{}
}

type rankValue struct {
	sum      domain.Sum
	count    int64
	min, max float64
}

// newRankSums returns the sums of no rows.
func newRankSums(measures, tallies int) *rankSums {
	s := &rankSums{values: make([]rankValue, measures), tallied: make([]map[string]struct{}, tallies)}
	for n := range s.values {
		s.values[n].min, s.values[n].max = math.Inf(1), math.Inf(-1)
	}
	return s
}

// addRow adds a row to a group. It returns about how much memory that took beyond that of the group, in bytes.
func (q *RankQuery[R]) addRow(s *rankSums, row *R, at domain.Micros) (taken int64) {
	const perValue = 64
	s.flags |= q.FlagsOf(row, at)
	for n := range q.Tallies {
		q.Tallies[n].EachTallied(row, at, func(value string) {
			if _, known := s.tallied[n][value]; known {
				return
			}
			if s.tallied[n] == nil {
				s.tallied[n] = make(map[string]struct{})
			}
			s.tallied[n][strings.Clone(value)] = struct{}{}
			taken += perValue + int64(len(value))
		})
	}
	for n := range q.Measures {
		m, v := &q.Measures[n], &s.values[n]
		if !filter.MatchAll(m.If, row) {
			continue
		}
		if m.Column == nil {
			v.count++
			continue
		}
		if value, null := m.Column.Value(row); !null && !math.IsNaN(value) {
			v.sum.Add(value)
			v.count++
			v.min, v.max = min(v.min, value), max(v.max, value)
		}
	}
	return taken
}

// FlagsOf returns the flags that a row of a time sets.
func (q *RankQuery[R]) FlagsOf(row *R, at domain.Micros) (flags uint64) {
	for n := range q.Flags {
		f := &q.Flags[n]
		if (f.From == 0 || at >= f.From) && (f.To == 0 || at < f.To) && filter.MatchAll(f.Where, row) &&
			(len(f.Not) == 0 || !filter.MatchAll(f.Not, row)) {
			flags |= 1 << n
		}
	}
	return flags
}

// totals sets what is known about a group, reusing the memory of totals.
func (q *RankQuery[R]) totals(s *rankSums, totals *RankTotals) {
	totals.Flags, totals.Values = s.flags, totals.Values[:0]
	for n := range s.values {
		totals.Values = append(totals.Values, s.values[n].result(q.Measures[n].Function))
	}
}

func (v *rankValue) result(f Function) float64 {
	switch {
	case f == Count:
		return float64(v.count)
	case f == Sum:
		return v.sum.Value()
	case v.count == 0:
		return math.NaN()
	case f == Min:
		return v.min
	}
	return v.max
}
