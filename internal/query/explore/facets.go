package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// ValueCount is a value and how many rows have it.
type ValueCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// compareCounts orders values by descending count.
func compareCounts(a, b ValueCount) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
}

// maxFacetValues is the maximum number of distinct values counted for a column.
const maxFacetValues = 200_000

// metadataPrefix is the prefix of facets on metadata entries.
const metadataPrefix = "metadata."

// FacetColumn returns a column whose values can be counted: a text, list or boolean column, promptVersion, or an entry
// of metadata. The name isRoot stands for isRootObservation.
func FacetColumn(name string) (*column, bool) {
	if key, found := strings.CutPrefix(name, metadataPrefix); found && key != "" {
		return metadataColumn(key), true
	}
	if name == "isRoot" {
		name = "isRootObservation"
	}
	c, found := filter.Observations().Column(name)
	if !found {
		return nil, false
	}
	switch c.Kind() {
	case filter.Text, filter.List, filter.Bool:
		return c, true
	case filter.Number:
		return c, c.ID() == "promptVersion"
	}
	return nil, false
}

// metadataColumn returns a column with the value of a metadata entry.
func metadataColumn(key string) *column {
	return filter.DerivedText(metadataPrefix+key, func(o *row) (string, bool) {
		value, found := "", false
		filter.EachLeaf(o.Metadata, func(name, text string) bool {
			if name == key {
				value, found = text, true
			}
			return !found
		})
		return value, !found
	}, columnOf("metadata"))
}

// Facets are the most frequent values of columns in the selected rows.
type Facets struct {
	Values map[string][]ValueCount
	// Partial means that not everything was counted: time ran out, or a column has too many values.
	Partial bool
}

// Facets counts the values of columns and returns at most limit for each. The counts of a column ignore conditions on
// that column. On whole traces, sessions and users, those with the value are counted.
func (e *Explorer) Facets(ctx context.Context, s *Selection, names []string, limit int) (*Facets, error) {
	if s.ByTrace {
		return e.facetsOfTraces(ctx, s, names, limit)
	}
	if !s.whole() {
		var err error
		if s, err = e.Resolve(ctx, s); err != nil {
			return nil, err
		}
	}
	f := &Facets{Values: make(map[string][]ValueCount, len(names))}
	for _, name := range names {
		f.Values[name] = []ValueCount{}
	}
	of := e.listedOnce(s)
	partial, err := e.withTimeLimit(ctx, func(ctx context.Context) error {
		for _, name := range names {
			c, ok := FacetColumn(name)
			if !ok {
				continue
			}
			rows, some, err := of(ctx, s.without(c))
			if err != nil {
				return err
			}
			values, complete, err := e.countValues(ctx, rows, c, limit)
			if err != nil {
				return err
			}
			complete = complete && !some
			f.Values[name] = values
			f.Partial = f.Partial || !complete
		}
		return nil
	})
	f.Partial = f.Partial || partial
	return f, err
}

// facetsOfTraces is Facets for whole traces: these are found once for all columns that no condition is on.
func (e *Explorer) facetsOfTraces(ctx context.Context, s *Selection, names []string, limit int) (*Facets, error) {
	f := &Facets{Values: make(map[string][]ValueCount, len(names))}
	var free []*column
	var alone []*column // with conditions on them, which do not count
	known := make(map[*column][]string, len(names))
	for _, name := range names {
		f.Values[name] = []ValueCount{}
		c, ok := FacetColumn(name)
		if !ok {
			continue
		}
		if known[c] = append(known[c], name); len(known[c]) > 1 {
			continue
		}
		if s.conditionOn(c) {
			alone = append(alone, c)
		} else {
			free = append(free, c)
		}
	}
	count := func(ctx context.Context, s *Selection, columns []*column) error {
		if len(columns) == 0 {
			return nil
		}
		p, err := e.plan(ctx, s)
		if err != nil {
			return err
		}
		p, partial, err := e.known(ctx, p)
		if err != nil {
			return err
		}
		q := p.query()
		q.Tallies = columns
		q.Tallied = func(n int, counts *store.Tallied) {
			best := newRanking(limit, compareCounts)
			for at, value := range counts.Values {
				v := ValueCount{value, counts.Counts[at]}
				best.add(v, func() ValueCount { return v })
			}
			partial = partial || counts.TooMany
			for _, name := range known[columns[n]] {
				f.Values[name] = append([]ValueCount{}, best.sorted()...)
			}
		}
		_, _, err = e.Traces.Rank(ctx, q)
		f.Partial = f.Partial || partial
		return err
	}
	partial, err := e.withTimeLimit(ctx, func(ctx context.Context) error {
		if err := count(ctx, s, free); err != nil {
			return err
		}
		for _, c := range alone {
			if err := count(ctx, s.without(c), []*column{c}); err != nil {
				return err
			}
		}
		return nil
	})
	f.Partial = f.Partial || partial
	return f, err
}

// listedOnce returns listed for selections that are made from s by leaving out conditions. Most columns leave out none.
func (e *Explorer) listedOnce(s *Selection) func(context.Context, *Selection) (*Selection, bool, error) {
	var rows *Selection
	var partial bool
	return func(ctx context.Context, of *Selection) (*Selection, bool, error) {
		if !of.whole() {
			return of, false, nil
		}
		if len(of.clauses) < len(s.clauses) {
			return e.listed(ctx, of)
		}
		var err error
		if rows == nil {
			rows, partial, err = e.listed(ctx, of)
		}
		return rows, partial, err
	}
}

// countValues counts the values of a column, and returns the most frequent ones.
func (e *Explorer) countValues(
	ctx context.Context, s *Selection, c *column, limit int, more ...condition,
) (values []ValueCount, complete bool, err error) {
	best := newRanking(limit, compareCounts)
	complete, err = e.eachValue(ctx, s, c, more, func(v ValueCount) {
		best.add(v, func() ValueCount { return ValueCount{strings.Clone(v.Value), v.Count} })
	})
	return append([]ValueCount{}, best.sorted()...), complete, err
}

// countedBy is what the values of columns are counted by: traces, sessions or users if these are selected, otherwise
// observations.
func (s *Selection) countedBy() measure {
	switch {
	case s.OfTraces:
		return measure{Function: store.Distinct, Column: columnOf("traceId")}
	case s.counted != nil:
		return measure{Function: store.Distinct, Column: s.counted}
	}
	return measure{Function: store.Count}
}

// eachValue counts the values of a column and calls each with them. It returns false if there are too many.
func (e *Explorer) eachValue(
	ctx context.Context, s *Selection, c *column, more []condition, each func(ValueCount),
) (complete bool, err error) {
	groups, err := e.aggregate(ctx, s, store.AggregateQuery[row]{
		GroupBy: []*column{c}, Measures: []measure{s.countedBy()}, MaxGroups: maxFacetValues,
	}, more...)
	if tooLarge(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer memory.Of(ctx).Shrink(groups.Held)
	for n := range groups.Rows {
		g := &groups.Rows[n]
		if !g.Nulls[0] && g.Keys[0] != "" {
			each(ValueCount{g.Keys[0], int(numberOf(g.Values[0]))})
		}
	}
	return true, nil
}

// Group holds the metrics of the selected rows that share a value.
type Group struct {
	Value         string
	Count, Errors int
	P50, P95      *float64 // seconds
	TotalCost     float64
	TotalTokens   int64
}

// GroupBy groups the selected rows by a column, largest groups first. Partial means that time ran out, or that there
// are too many groups.
func (e *Explorer) GroupBy(ctx context.Context, s *Selection, c *column, limit int) (groups []Group, partial bool, err error) {
	rows, some, err := e.listed(ctx, s)
	if err != nil {
		return nil, false, err
	}
	s = rows.ofObservations() // which are counted
	complete := !some
	partial, err = e.withTimeLimit(ctx, func(ctx context.Context) error {
		var values []ValueCount
		var err error
		var all bool
		values, all, err = e.countValues(ctx, s, c, limit)
		if complete = complete && all; err != nil || len(values) == 0 {
			return err
		}
		places := make(map[string]int, len(values))
		texts := make([]string, len(values))
		for n, v := range values {
			places[v.Value], texts[n] = n, v.Value
			groups = append(groups, Group{Value: v.Value, Count: v.Count})
		}
		var more []condition
		if c.Kind() == filter.Text || c.Kind() == filter.List {
			these, err := named(c, texts)
			if err != nil {
				return err
			}
			more = append(more, these)
		}
		return e.describeGroups(ctx, s, c, groups, places, more)
	})
	return groups, partial || !complete, err
}

func (e *Explorer) describeGroups(
	ctx context.Context, s *Selection, c *column, groups []Group, places map[string]int, more []condition,
) error {
	latency := columnOf("latency")
	found, err := e.aggregate(ctx, s, store.AggregateQuery[row]{GroupBy: []*column{c}, MaxGroups: maxFacetValues, Measures: []measure{
		{Function: store.Quantile, Column: latency, Quantile: 0.5},
		{Function: store.Quantile, Column: latency, Quantile: 0.95},
		{Function: store.Sum, Column: columnOf("totalCost")},
		{Function: store.Sum, Column: columnOf("totalTokens")},
	}}, more...)
	if err != nil {
		return err
	}
	for n := range found.Rows {
		g := &found.Rows[n]
		at, ok := places[g.Keys[0]]
		if !ok || g.Nulls[0] {
			continue
		}
		to := &groups[at]
		to.P50, to.P95 = optional(g.Values[0].Set, g.Values[0].Value), optional(g.Values[1].Set, g.Values[1].Value)
		to.TotalCost, to.TotalTokens = numberOf(g.Values[2]), int64(numberOf(g.Values[3]))
	}
	memory.Of(ctx).Shrink(found.Held)
	errs, _, err := e.countValues(ctx, s, c, maxFacetValues, append(slices.Clone(more), failed())...)
	for _, v := range errs {
		if at, ok := places[v.Value]; ok {
			groups[at].Errors = v.Count
		}
	}
	return err
}

// optional returns a number, or nil if it is not set.
func optional(set bool, value float64) *float64 {
	if !set {
		return nil
	}
	return &value
}
