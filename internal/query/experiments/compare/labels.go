package compare

import (
	"cmp"
	"slices"
)

// Transition counts the items that had one label in the baseline and another, or the same, in the candidate.
type Transition struct {
	From, To string
	Items    int
}

// Changes is how the labels of a category differ between two runs. Labels are never ordered or turned into numbers.
type Changes struct {
	Paired, OnlyBaseline, OnlyCandidate int
	// Mixed counts items whose repetitions disagree within a run; they do not count as paired.
	Mixed, Changed int
	Transitions    []Transition // the most frequent first
}

// Label is the label of an item in a run.
type Label struct {
	Text         string
	Known, Mixed bool
}

// Labels compares the labels of the same items in the same order.
func Labels(baseline, candidate []Label) Changes {
	var c Changes
	counts := make(map[[2]string]int)
	for n, from := range baseline {
		to := candidate[n]
		switch {
		case !from.Known && !to.Known:
		case !to.Known:
			c.OnlyBaseline++
		case !from.Known:
			c.OnlyCandidate++
		case from.Mixed || to.Mixed:
			c.Mixed++
		default:
			c.Paired++
			counts[[2]string{from.Text, to.Text}]++
			if from.Text != to.Text {
				c.Changed++
			}
		}
	}
	for pair, items := range counts {
		c.Transitions = append(c.Transitions, Transition{From: pair[0], To: pair[1], Items: items})
	}
	slices.SortFunc(c.Transitions, func(a, b Transition) int {
		return cmp.Or(cmp.Compare(b.Items, a.Items), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return c
}
