package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// embedded measures a store through its interface.
type embedded struct {
	inProcess

	store   store.Store
	columns map[string]*filter.Column[domain.Observation]
}

func newEmbedded(s store.Store, dir string) (*embedded, error) {
	e := &embedded{inProcess: inProcess{dir}, store: s, columns: make(map[string]*filter.Column[domain.Observation])}
	for _, name := range []string{"type", "model", "latency", "tags", "metadata", "input", "totalCost", "userId"} {
		column, ok := filter.Observations().Column(name)
		if !ok {
			return nil, fmt.Errorf("observations have no column %q", name)
		}
		e.columns[name] = column
	}
	return e, nil
}

// scope returns the scope of a project that exists only in this program.
func scope(project string) domain.ProjectScope {
	return domain.OfProject(project) //nolint:forbidigo // nobody but the operator calls, on data made for it
}

func (e *embedded) append(ctx context.Context, project string, rows []domain.Observation) error {
	return e.store.Observations().Append(ctx, scope(project), rows)
}

func (e *embedded) flush(ctx context.Context) error { return e.store.Flush(ctx) }
func (e *embedded) close() error                    { return e.store.Close() }

func (e *embedded) count(context.Context) (int64, error) {
	return e.store.Stats().Observations.Rows, nil
}

// read reads all rows.
func read(rows iter.Seq2[*domain.Observation, error], want store.Want) (answer, error) {
	var a answer
	for row, err := range rows {
		if err != nil {
			return a, err
		}
		a.add(row, want)
	}
	return a, nil
}

func (e *embedded) scan(ctx context.Context, project string, q store.Query[domain.Observation]) (answer, error) {
	return read(e.store.Observations().Scan(ctx, scope(project), q), q.Want)
}

func (e *embedded) newest(ctx context.Context, project string, limit int, want store.Want) (answer, error) {
	return e.scan(ctx, project, store.Query[domain.Observation]{Limit: limit, Want: want})
}

func (e *embedded) trace(ctx context.Context, project, id string, want store.Want) (answer, error) {
	l := store.Lookup{TraceIDs: []string{id}, Want: want}
	return read(e.store.Observations().Lookup(ctx, scope(project), l), l.Want)
}

func (e *embedded) matching(ctx context.Context, project string, m match) (answer, error) {
	types, err1 := filter.NewTexts(e.columns["type"], filter.AnyOf, m.types)
	models, err2 := filter.NewTexts(e.columns["model"], filter.AnyOf, m.models)
	latency, err3 := filter.NewNumber(e.columns["latency"], filter.Greater, float64(m.aboveMillis)/1000)
	tags, err4 := filter.NewTexts(e.columns["tags"], filter.AnyOf, m.tags)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return answer{}, err
	}
	return e.scan(ctx, project, store.Query[domain.Observation]{
		From: m.from, To: m.to, Limit: m.limit,
		Where: []filter.Condition[domain.Observation]{types, models, latency, tags},
	})
}

func (e *embedded) withMetadata(ctx context.Context, project, key, value string, limit int) (answer, error) {
	c, err := filter.NewMetadataText(e.columns["metadata"], filter.Equal, key, value)
	if err != nil {
		return answer{}, err
	}
	return e.scan(ctx, project, store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{c}, Limit: limit})
}

func (e *embedded) withWord(ctx context.Context, project, word string, limit int) (answer, error) {
	c, err := filter.NewText(e.columns["input"], filter.Matches, word)
	if err != nil {
		return answer{}, err
	}
	return e.scan(ctx, project, store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{c}, Limit: limit})
}

func (e *embedded) after(ctx context.Context, project string, p store.Position, limit int) (answer, error) {
	return e.scan(ctx, project, store.Query[domain.Observation]{After: &p, Limit: limit})
}

func (e *embedded) aggregate(ctx context.Context, project string, q store.AggregateQuery[domain.Observation]) (answer, error) {
	groups, err := e.store.Observations().Aggregate(ctx, scope(project), q)
	if err != nil {
		return answer{}, err
	}
	a := answer{rows: len(groups.Rows)}
	for i := range groups.Rows {
		for _, value := range groups.Rows[i].Values {
			a.sum += value.Value
		}
	}
	return a, nil
}

func (e *embedded) costByModelAndHour(ctx context.Context, project string) (answer, error) {
	return e.aggregate(ctx, project, store.AggregateQuery[domain.Observation]{
		GroupBy: []*filter.Column[domain.Observation]{e.columns["model"]},
		Bucket:  hourMillis,
		Measures: []store.Measure[domain.Observation]{
			{Function: store.Sum, Column: e.columns["totalCost"]},
			{Function: store.Count},
			{Function: store.Quantile, Column: e.columns["latency"], Quantile: 0.95},
		},
	})
}

func (e *embedded) usersByDay(ctx context.Context, project string) (answer, error) {
	return e.aggregate(ctx, project, store.AggregateQuery[domain.Observation]{
		Bucket:   dayMillis,
		Measures: []store.Measure[domain.Observation]{{Function: store.Distinct, Column: e.columns["userId"]}},
	})
}

func (e *embedded) deleteTraces(ctx context.Context, project string, ids []string) (int, error) {
	return e.store.Observations().Delete(ctx, scope(project), store.Selection{TraceIDs: ids})
}
