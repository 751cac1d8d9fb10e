package experiments

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/query/experiments/compare"
)

// Aligned are runs side by side, item by item. The first run is the baseline.
type Aligned struct {
	*Measured
	Items []AlignedItem
	lower map[Measure]bool
}

// AlignedItem is an item with its attempts in each run; nil if a run does not have it.
type AlignedItem struct {
	ID    string
	Cells [][]*Attempt
}

// The measures that every run has, beside the scores.
var (
	Cost    = Measure{Name: "cost"}
	Latency = Measure{Name: "latency"}
)

// tolerance is the relative difference up to which durations and costs count as unchanged.
const tolerance = 0.05

// Align puts runs side by side. Items are in the order in which they first ran, those of the baseline first. Items that
// the baseline lacks are left out unless all are asked for. Lower names the scores of which lower values are better.
func (found *Measured) Align(all bool, lower map[Measure]bool) (*Aligned, error) {
	a := &Aligned{Measured: found, lower: lower}
	at := make(map[string]int)
	for n, run := range found.Runs {
		if err := found.held.Add(int64(len(run.Attempts) * (200 + 24*len(found.Runs)))); err != nil {
			return nil, err
		}
		order := make([]*Attempt, len(run.Attempts))
		for m := range run.Attempts {
			order[m] = &run.Attempts[m]
		}
		slices.SortFunc(order, func(x, y *Attempt) int {
			return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.ItemID, y.ItemID), cmp.Compare(x.TraceID, y.TraceID),
				cmp.Compare(x.ID, y.ID))
		})
		for _, attempt := range order {
			item, known := at[attempt.ItemID]
			if !known {
				if n > 0 && !all {
					continue
				}
				item = len(a.Items)
				at[attempt.ItemID] = item
				a.Items = append(a.Items, AlignedItem{ID: attempt.ItemID, Cells: make([][]*Attempt, len(found.Runs))})
			}
			a.Items[item].Cells[n] = append(a.Items[item].Cells[n], attempt)
		}
	}
	return a, nil
}

// Options returns how values of a measure are compared.
func (a *Aligned) Options(m Measure) compare.Options {
	switch {
	case m == Cost || m == Latency:
		return compare.Options{Direction: compare.Lower, Ratio: true, Tolerance: tolerance}
	case a.lower[m]:
		return compare.Options{Direction: compare.Lower}
	}
	return compare.Options{Direction: compare.Higher}
}

// Value returns the mean of a number over the attempts of an item in a run; NaN if there is none.
func (a *Aligned) Value(attempts []*Attempt, m Measure) float64 {
	sum, count := 0.0, 0
	add := func(value float64) {
		if !math.IsNaN(value) {
			sum, count = sum+value, count+1
		}
	}
	for _, attempt := range attempts {
		switch m {
		case Cost:
			add(attempt.Cost)
		case Latency:
			add(attempt.Latency)
		default:
			// Several scores of one attempt are one value, so that each repetition counts once.
			own, scores := 0.0, 0
			for _, s := range attempt.Scores {
				if a.Measures[s.Measure] == m {
					own, scores = own+s.Value, scores+1
				}
			}
			if scores > 0 {
				add(own / float64(scores))
			}
		}
	}
	if count == 0 {
		return math.NaN()
	}
	return sum / float64(count)
}

// Label returns the category of an item in a run.
func (a *Aligned) Label(attempts []*Attempt, m Measure) (label compare.Label) {
	for _, attempt := range attempts {
		for _, s := range attempt.Scores {
			if a.Measures[s.Measure] != m {
				continue
			}
			if label.Known && label.Text != s.Label {
				label.Mixed = true
			}
			if !label.Known {
				label = compare.Label{Text: s.Label, Known: true}
			}
		}
	}
	return label
}

// IsLabel reports whether a measure has categories, not numbers.
func (m Measure) IsLabel() bool { return m.DataType == domain.ScoreCategorical }

// Change compares a run of an item with the baseline: 1 is better, -1 is worse, 0 is the same. For categories, 1 means
// different. It is not known if one of the two has no value.
func (a *Aligned) Change(item *AlignedItem, run int, m Measure) (change int, known bool) {
	if m.IsLabel() {
		before, after := a.Label(item.Cells[0], m), a.Label(item.Cells[run], m)
		if !before.Known || !after.Known {
			return 0, false
		}
		if before != after {
			return 1, true
		}
		return 0, true
	}
	before, after := a.Value(item.Cells[0], m), a.Value(item.Cells[run], m)
	if math.IsNaN(before) || math.IsNaN(after) {
		return 0, false
	}
	return compare.Change(before, after, a.Options(m)), true
}

// Differences compares the numbers of a run with those of the baseline.
func (a *Aligned) Differences(run int, m Measure) compare.Difference {
	baseline, candidate := make([]float64, len(a.Items)), make([]float64, len(a.Items))
	for n := range a.Items {
		baseline[n], candidate[n] = a.Value(a.Items[n].Cells[0], m), a.Value(a.Items[n].Cells[run], m)
	}
	o := a.Options(m)
	seed := fnv.New64a()
	for _, id := range []string{a.Runs[0].ID, a.Runs[run].ID, m.Name, m.Source, m.DataType} {
		seed.Write(append([]byte(id), 0))
	}
	o.Seed = seed.Sum64()
	return compare.Values(baseline, candidate, o)
}

// Changes compares the categories of a run with those of the baseline.
func (a *Aligned) Changes(run int, m Measure) compare.Changes {
	baseline, candidate := make([]compare.Label, len(a.Items)), make([]compare.Label, len(a.Items))
	for n := range a.Items {
		baseline[n], candidate[n] = a.Label(a.Items[n].Cells[0], m), a.Label(a.Items[n].Cells[run], m)
	}
	return compare.Labels(baseline, candidate)
}

// Only is a choice of items.
type Only string

// The choices. Without a measure, they are about all scores.
const (
	Everything    Only = ""
	Regressions   Only = "regressions"
	Improvements  Only = "improvements"
	Disagreements Only = "disagreements" // a score differs from the baseline
	Missing       Only = "missing"       // a run does not have the item
	Errors        Only = "errors"        // an attempt failed
)

// Keep returns the items of a choice, about one measure or, if it is nil, about all scores.
func (a *Aligned) Keep(only Only, m *Measure) []AlignedItem {
	measures := a.Measures
	if m != nil {
		measures = []Measure{*m}
	}
	changes := func(item *AlignedItem, want func(change int, m Measure) bool) bool {
		for run := range a.Runs[1:] {
			for _, each := range measures {
				if change, known := a.Change(item, run+1, each); known && want(change, each) {
					return true
				}
			}
		}
		return false
	}
	keep := func(item *AlignedItem) bool {
		switch only {
		case Regressions:
			return changes(item, func(change int, _ Measure) bool { return change < 0 })
		case Improvements:
			return changes(item, func(change int, m Measure) bool { return change > 0 && !m.IsLabel() })
		case Disagreements:
			return changes(item, func(change int, _ Measure) bool { return change != 0 })
		case Missing:
			return slices.ContainsFunc(item.Cells, func(attempts []*Attempt) bool { return attempts == nil })
		case Errors:
			return slices.ContainsFunc(item.Cells, func(attempts []*Attempt) bool { return Failures(attempts) > 0 })
		}
		return true
	}
	if only == Everything {
		return a.Items
	}
	var kept []AlignedItem
	for n := range a.Items {
		if keep(&a.Items[n]) {
			kept = append(kept, a.Items[n])
		}
	}
	return kept
}

// Failures counts the attempts that failed.
func Failures(attempts []*Attempt) int {
	failed := 0
	for _, attempt := range attempts {
		if attempt.Failed {
			failed++
		}
	}
	return failed
}

// Order says how items are sorted.
type Order struct {
	Measure Measure
	// Difference sorts by how much the candidate that differs most in the direction is worse or better; otherwise the value
	// of the baseline decides.
	Difference bool
	// Run is the candidate that decides, or 0 for all of them.
	Run int
	// Descending puts the highest values, or the greatest improvements, first.
	Descending bool
}

// Sort sorts items. Those without a value are last.
func (a *Aligned) Sort(items []AlignedItem, o Order) []AlignedItem {
	type keyed struct {
		item AlignedItem
		key  float64
	}
	list := make([]keyed, len(items))
	for n := range items {
		list[n] = keyed{item: items[n], key: a.sortKey(&items[n], o)}
	}
	slices.SortStableFunc(list, func(x, y keyed) int {
		switch {
		case math.IsNaN(x.key) || math.IsNaN(y.key):
			return cmp.Compare(count(math.IsNaN(x.key)), count(math.IsNaN(y.key)))
		case o.Descending:
			return cmp.Compare(y.key, x.key)
		}
		return cmp.Compare(x.key, y.key)
	})
	sorted := make([]AlignedItem, len(list))
	for n := range list {
		sorted[n] = list[n].item
	}
	return sorted
}

func (a *Aligned) sortKey(item *AlignedItem, o Order) float64 {
	before := a.Value(item.Cells[0], o.Measure)
	if !o.Difference {
		return before
	}
	options, key := a.Options(o.Measure), math.NaN()
	for run := 1; run < len(a.Runs); run++ {
		if o.Run != 0 && o.Run != run {
			continue
		}
		after := a.Value(item.Cells[run], o.Measure)
		difference := (after - before) * float64(options.Direction)
		if options.Ratio && before > 0 && after > 0 {
			difference = math.Log(after/before) * float64(options.Direction)
		} else if options.Ratio {
			continue
		}
		if math.IsNaN(difference) {
			continue
		}
		if math.IsNaN(key) || o.Descending && difference > key || !o.Descending && difference < key {
			key = difference
		}
	}
	return key
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
