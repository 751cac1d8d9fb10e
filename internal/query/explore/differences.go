package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Difference is a value that is more frequent in the selected rows than in the baseline.
type Difference struct {
	Column string `json:"column"`
	Value  string `json:"value"`
	// The number of selected rows that have the value, and of baseline rows.
	Count         int `json:"count"`
	BaselineCount int `json:"baselineCount"`
	// The same as fractions of all rows.
	Share         float64 `json:"share"`
	BaselineShare float64 `json:"baselineShare"`
	// Lift is Share divided by BaselineShare, or nil if no baseline row has the value.
	Lift *float64 `json:"lift"`
}

// Differences are the values that distinguish the selected rows from a baseline.
type Differences struct {
	Selected, Baseline int
	Values             []Difference
	Partial            bool
}

// DifferenceColumns are the columns that are compared.
var DifferenceColumns = []string{
	"name", "type", "level", "model", "environment", "userId", "sessionId", "tags", "traceName", "version", "release", "promptName",
	"promptVersion",
	"statusMessage", "ingestionSdkName", "ingestionSdkVersion",
}

// The number of values compared per column, and the maximum number of differences returned.
const (
	comparedValues = 100
	maxDifferences = 50
)

// Differences finds the values that are more frequent in the selected rows than in a baseline, ordered by how much of
// the difference they explain. Columns that only the selection has conditions on are left out: a caller who selects
// errors knows their level.
func (e *Explorer) Differences(ctx context.Context, s, baseline *Selection) (*Differences, error) {
	named := [2]map[*column]bool{s.columns(), baseline.columns()}
	d := &Differences{Values: []Difference{}}
	for _, one := range []**Selection{&s, &baseline} {
		rows, some, err := e.listed(ctx, *one)
		if err != nil {
			return nil, err
		}
		*one, d.Partial = rows.ofObservations(), d.Partial || some
	}
	partial, err := e.withTimeLimit(ctx, func(ctx context.Context) error {
		var err error
		if d.Selected, err = e.countAll(ctx, s); err != nil {
			return err
		}
		if d.Baseline, err = e.countAll(ctx, baseline); err != nil || d.Selected == 0 || d.Baseline == 0 {
			return err
		}
		for _, name := range DifferenceColumns {
			c, ok := FacetColumn(name)
			if !ok || named[0][c] && !named[1][c] {
				continue
			}
			if err := e.compare(ctx, d, c, s, baseline); err != nil {
				return err
			}
		}
		return nil
	})
	d.Partial = d.Partial || partial
	slices.SortFunc(d.Values, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(b.Share-b.BaselineShare, a.Share-a.BaselineShare), strings.Compare(a.Column, b.Column),
			strings.Compare(a.Value, b.Value))
	})
	d.Values = d.Values[:min(len(d.Values), maxDifferences)]
	return d, err
}

// columns returns the columns that the selection has conditions on.
func (s *Selection) columns() map[*column]bool {
	all := make(map[*column]bool)
	for _, c := range slices.Concat(s.Within, s.Where) {
		all[c.Column()] = true
	}
	for _, c := range s.clauses {
		all[c.column] = true
	}
	return all
}

func (e *Explorer) countAll(ctx context.Context, s *Selection) (int, error) {
	count, _, err := e.Count(ctx, s)
	return count, err
}

// compare adds the values of a column that are more frequent among the selected rows.
func (e *Explorer) compare(ctx context.Context, d *Differences, c *column, s, baseline *Selection) error {
	values, complete, err := e.countValues(ctx, s, c, comparedValues)
	d.Partial = d.Partial || !complete
	if err != nil || len(values) == 0 {
		return err
	}
	counts := make(map[string]int, len(values))
	for _, v := range values {
		counts[v.Value] = 0
	}
	all, err := e.eachValue(ctx, baseline, c, nil, func(v ValueCount) {
		if _, compared := counts[v.Value]; compared {
			counts[v.Value] = v.Count
		}
	})
	if err != nil {
		return err
	}
	d.Partial = d.Partial || !all
	for _, v := range values {
		one := Difference{
			Column: c.ID(), Value: v.Value, Count: v.Count, BaselineCount: counts[v.Value],
			Share: float64(v.Count) / float64(d.Selected), BaselineShare: float64(counts[v.Value]) / float64(d.Baseline),
		}
		if one.Share <= one.BaselineShare {
			continue
		}
		if one.BaselineCount > 0 {
			lift := one.Share / one.BaselineShare
			one.Lift = &lift
		}
		d.Values = append(d.Values, one)
	}
	return nil
}
