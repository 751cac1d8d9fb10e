package failing

import (
	"context"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Refusing is a store that refuses some deletions of observations, and some results about them. A nil function refuses
// nothing.
type Refusing struct {
	store.Store
	Deletion func(project string) error
	Answer   func(store.AggregateQuery[domain.Observation], *store.Groups) error
}

// Different returns how many distinct values a result counts in all groups, for which stores have a limit.
func Different(q store.AggregateQuery[domain.Observation], groups *store.Groups) (different int) {
	for n, m := range q.Measures {
		for _, row := range groups.Rows {
			if m.Function == store.Distinct {
				different += int(row.Values[n].Value)
			}
		}
	}
	return different
}

// Observations returns the table of observations.
func (r *Refusing) Observations() store.Table[domain.Observation] {
	return refusingTable{r.Store.Observations(), r}
}

type refusingTable struct {
	store.Table[domain.Observation]
	of *Refusing
}

// Delete removes rows.
func (t refusingTable) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	if t.of.Deletion != nil {
		if err := t.of.Deletion(scope.ProjectID()); err != nil {
			return 0, err
		}
	}
	return t.Table.Delete(ctx, scope, s)
}

// Aggregate computes over rows.
func (t refusingTable) Aggregate(
	ctx context.Context, scope domain.ProjectScope, q store.AggregateQuery[domain.Observation],
) (*store.Groups, error) {
	groups, err := t.Table.Aggregate(ctx, scope, q)
	if err == nil && t.of.Answer != nil {
		err = t.of.Answer(q, groups)
	}
	if err != nil {
		return nil, err
	}
	return groups, nil
}
