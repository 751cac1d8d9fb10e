package store

import (
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// MaxTallied is the maximum number of values of a column that a RankTally counts.
const MaxTallied = 200_000

// RankTally counts, for each value of a column, the wanted groups with a row that has it: those rows count that are in the
// time range and meet all conditions of If. Each element of a list is a value. Empty texts, null and NaN are no values.
type RankTally[R any] struct {
	Column   *filter.Column[R]
	From, To domain.Micros // as in Query
	If       []filter.Condition[R]
}

// Tallied is the result of a RankTally: values in the form of Group.Keys, in no particular order, and their counts, all of
// them positive.
type Tallied struct {
	Values []string
	Counts []int
	// TooMany means that nothing was counted: the column has more than MaxTallied values. Those of other groups may count.
	TooMany bool
}

// Add adds the counts of other groups.
func (t *Tallied) Add(other *Tallied) {
	switch {
	case t.TooMany || other.TooMany:
		*t = Tallied{TooMany: true}
		return
	case len(t.Values) == 0:
		*t = Tallied{Values: slices.Clone(other.Values), Counts: slices.Clone(other.Counts)}
		return
	case len(other.Values) == 0:
		return
	}
	places := make(map[string]int, len(t.Values))
	for n, value := range t.Values {
		places[value] = n
	}
	for n, value := range other.Values {
		at, known := places[value]
		if !known {
			at, places[value] = len(t.Values), len(t.Values)
			t.Values, t.Counts = append(t.Values, value), append(t.Counts, 0)
		}
		t.Counts[at] += other.Counts[n]
	}
	if len(t.Values) > MaxTallied {
		*t = Tallied{TooMany: true}
	}
}

// EachValue calls visit with the values of a row that a tally of a column counts. A value may come twice.
func EachValue[R any](column *filter.Column[R], row *R, visit func(value string)) {
	if column.Kind() == filter.List {
		for _, item := range column.List(row) {
			if item != "" {
				visit(item)
			}
		}
		return
	}
	if value, null := KeyOf(column, row); !null && value != "" {
		visit(value)
	}
}

// EachTallied calls visit with the values of a row of a time that the tally counts.
func (t *RankTally[R]) EachTallied(row *R, at domain.Micros, visit func(value string)) {
	if (t.From == 0 || at >= t.From) && (t.To == 0 || at < t.To) && filter.MatchAll(t.If, row) {
		EachValue(t.Column, row, visit)
	}
}

// Tally counts values one by one. Its zero value has none.
type Tally struct {
	places  map[string]int
	counts  []int
	tooMany bool
}

// Count counts a value once more. It returns the memory that this took, in bytes.
func (t *Tally) Count(value string) (taken int64) {
	const perValue = 64
	if t.tooMany {
		return 0
	}
	at, known := t.places[value]
	if !known {
		if len(t.counts) == MaxTallied {
			*t = Tally{tooMany: true}
			return 0
		}
		if t.places == nil {
			t.places = make(map[string]int)
		}
		at, taken = len(t.counts), perValue+int64(len(value))
		t.places[strings.Clone(value)], t.counts = at, append(t.counts, 0)
	}
	t.counts[at]++
	return taken
}

// Tallied returns the counts.
func (t *Tally) Tallied() Tallied {
	if t.tooMany {
		return Tallied{TooMany: true}
	}
	found := Tallied{Values: make([]string, 0, len(t.counts)), Counts: make([]int, 0, len(t.counts))}
	for value, at := range t.places {
		found.Values, found.Counts = append(found.Values, value), append(found.Counts, t.counts[at])
	}
	return found
}
