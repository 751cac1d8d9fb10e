package domain

import (
	"cmp"
	"slices"
)

// The limits of the totals of one kind that a project keeps for a day.
const (
	// maxDailyValues is the number of values, each with the totals of all its combinations with environments, types and
	// levels. Further values become OtherTotals.
	maxDailyValues = 1000
	// maxDailyTotals is the number of totals in all, and maxOtherTotals that of OtherTotals. Beyond them environments,
	// which clients choose freely, become OtherTotals.
	maxDailyTotals = 20_000
	maxOtherTotals = 100
)

// FoldTotals limits the number of totals of each kind that a day has, counting the known ones. Values that are known
// stay, then those with the highest cost; the others are summed up.
func FoldTotals(known, totals []DailyTotal) []DailyTotal {
	kept := keptValues(known, totals)
	type counts struct{ all, others int }
	there := make(map[DailyTotal]bool) // by key
	ofKind := make(map[string]*counts)
	count := func(t *DailyTotal) *counts {
		c := ofKind[t.By]
		if c == nil {
			c = &counts{}
			ofKind[t.By] = c
		}
		return c
	}
	note := func(t *DailyTotal) {
		key, c := t.Key(), count(t)
		if there[key] {
			return
		}
		there[key] = true
		if c.all++; t.Value == OtherTotals {
			c.others++
		}
	}
	for n := range known {
		note(&known[n])
	}
	at := make(map[DailyTotal]int)
	var folded []DailyTotal
	for _, t := range totals {
		if !kept[[2]string{t.By, t.Value}] {
			t.Value = OtherTotals
		}
		if c := count(&t); !there[t.Key()] && (t.Value == OtherTotals && c.others >= maxOtherTotals || c.all >= maxDailyTotals) {
			t.Environment = OtherTotals
		}
		note(&t)
		key := t.Key()
		if n, ok := at[key]; ok {
			folded[n].Add(&t)
			continue
		}
		at[key] = len(folded)
		folded = append(folded, t)
	}
	return folded
}

// keptValues returns the values that are kept, each with its kind.
func keptValues(known, totals []DailyTotal) map[[2]string]bool {
	kept, counts := make(map[[2]string]bool), make(map[string]int)
	keep := func(value [2]string) {
		if !kept[value] {
			kept[value] = true
			if value[1] != OtherTotals {
				counts[value[0]]++
			}
		}
	}
	for n := range known {
		keep([2]string{known[n].By, known[n].Value})
	}
	sums := make(map[[2]string]*DailyTotal)
	var values [][2]string
	for n := range totals {
		value := [2]string{totals[n].By, totals[n].Value}
		if sums[value] == nil {
			sums[value] = new(DailyTotal)
			values = append(values, value)
		}
		sums[value].Add(&totals[n])
	}
	slices.SortFunc(values, func(a, b [2]string) int {
		x, y := sums[a], sums[b]
		return cmp.Or(cmp.Compare(y.TotalCost, x.TotalCost), cmp.Compare(y.Observations, x.Observations), cmp.Compare(a[1], b[1]))
	})
	for _, value := range values {
		if counts[value[0]] < maxDailyValues {
			keep(value)
		}
	}
	return kept
}
