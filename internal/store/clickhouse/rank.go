package clickhouse

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Rank implements store.Table. ClickHouse groups the rows, unless a condition is one that only Go can check; the groups
// are judged as they arrive, and only the first are kept.
func (t *table[R]) Rank(ctx context.Context, scope domain.ProjectScope, query store.RankQuery[R]) (*store.Ranking, error) {
	project := scope.ProjectID()
	if err := query.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.store.closed(); err != nil {
		return nil, err
	}
	q := t.selection(project)
	q.between(query.From, query.To)
	q.meeting(project, query.Where)
	ranked, err := t.rank(ctx, q, &query)
	if err != nil {
		return nil, fmt.Errorf("ranking %s: %w", t.name, err)
	}
	return ranked, nil
}

func (t *table[R]) rank(ctx context.Context, q *queryBuilder[R], query *store.RankQuery[R]) (*store.Ranking, error) {
	selected, ok := q.ranked(query)
	if !ok || len(q.residual) > 0 {
		return t.rankLocally(ctx, q, query)
	}
	ctx, stop := t.store.withLifetime(ctx)
	defer stop()
	key := "toString(" + t.expressionOf(query.Key.ID()).value + ")"
	tallied, ok := t.tallied(q, query)
	if !ok {
		return t.rankLocally(ctx, q, query)
	}
	q.add(key + " != ''")
	if query.Judge == nil && query.Limit == 0 && !query.Required && len(query.Tallies) == 0 {
		q.sql = "SELECT toUInt8(1), toInt64(uniqExact(" + key + ")) FROM " + t.name + " FINAL WHERE " + strings.Join(q.where, " AND ") +
			readSettings + " FORMAT RowBinary"
		return t.countKeys(ctx, q)
	}
	having := ""
	if query.Required {
		having = " HAVING " + selected[0]
	}
	q.sql = "SELECT " + strings.Join(append([]string{"toUInt8(1)", key + " AS k"}, selected...), ", ") + " FROM " + t.name +
		" FINAL WHERE " + strings.Join(q.where, " AND ") + " GROUP BY k" + having + readSettings + " FORMAT RowBinary"
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return nil, tooLarge(classify(err))
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	query.Start()
	ranker := store.NewRanker(ctx, query, nil)
	wanted := wantedKeys{held: memory.NewTally(ctx)}
	defer wanted.held.Release()
	totals := store.RankTotals{Values: make([]float64, len(query.Measures))}
	for d.next() {
		key := d.text()
		totals.Flags = 0
		for n := range query.Flags {
			if d.bool() {
				totals.Flags |= 1 << n
			}
		}
		for n := range query.Measures {
			totals.Values[n] = d.float()
		}
		if d.err != nil {
			break
		}
		isWanted, err := ranker.AddKeyed(&totals, key)
		if err == nil && isWanted && len(query.Tallies) > 0 {
			err = wanted.add(totals.Hash)
		}
		if err != nil {
			return nil, tooLarge(err)
		}
	}
	if d.err != nil {
		return nil, tooLarge(asReadError(ctx, d.err))
	}
	found, err := ranker.Ranking()
	if err != nil {
		return nil, tooLarge(err)
	}
	for n := range query.Tallies {
		counted, err := t.tally(ctx, q, key, tallied[n], &query.Tallies[n], &wanted)
		if err != nil {
			return nil, err
		}
		found.Tallies = append(found.Tallies, counted)
	}
	return found, nil
}

// countKeys returns the number of groups if nothing else is wanted.
func (t *table[R]) countKeys(ctx context.Context, q *queryBuilder[R]) (*store.Ranking, error) {
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return nil, tooLarge(classify(err))
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	d.next()
	count := d.int()
	if d.err != nil {
		return nil, tooLarge(asReadError(ctx, d.err))
	}
	return &store.Ranking{Total: int(count)}, nil
}

// ranked returns the expressions for the flags and measures of a group. It returns false if only Go can compute one.
func (q *queryBuilder[R]) ranked(query *store.RankQuery[R]) (selected []string, ok bool) {
	all := func(conditions []filter.Condition[R]) (string, bool) {
		parts := []string{"1"}
		for n := range conditions {
			sql, ok := q.compile(&conditions[n], &q.args)
			if !ok {
				return "", false
			}
			parts = append(parts, sql)
		}
		return "(" + strings.Join(parts, " AND ") + ")", true
	}
	for n := range query.Flags {
		where, ok := all(query.Flags[n].Where)
		if !ok {
			return nil, false
		}
		if len(query.Flags[n].Not) > 0 {
			not, ok := all(query.Flags[n].Not)
			if !ok {
				return nil, false
			}
			where = "(" + where + " AND NOT " + not + ")"
		}
		if from := query.Flags[n].From; from != 0 {
			where = "(" + where + " AND " + q.time + " >= " + q.args.int(int64(from)) + ")"
		}
		if to := query.Flags[n].To; to != 0 {
			where = "(" + where + " AND " + q.time + " < " + q.args.int(int64(to)) + ")"
		}
		selected = append(selected, "toBool(countIf("+where+") > 0)")
	}
	for n := range query.Measures {
		m := &query.Measures[n]
		where, ok := all(m.If)
		if !ok {
			return nil, false
		}
		if m.Column == nil {
			selected = append(selected, "toFloat64(countIf("+where+"))")
			continue
		}
		value, set := q.valueOf(m.Column)
		set = "(" + set + " AND " + where + ")"
		switch m.Function {
		case store.Sum:
			selected = append(selected, "toFloat64("+sum(value, set)+")")
		case store.Min:
			selected = append(selected, "if(countIf("+set+") = 0, nan, minIf("+value+", "+set+"))")
		default:
			selected = append(selected, "if(countIf("+set+") = 0, nan, maxIf("+value+", "+set+"))")
		}
	}
	return selected, true
}

// rankLocally ranks rows streamed from ClickHouse, reading only the needed columns.
func (t *table[R]) rankLocally(ctx context.Context, q *queryBuilder[R], query *store.RankQuery[R]) (*store.Ranking, error) {
	needed := store.AggregateQuery[R]{GroupBy: []*filter.Column[R]{query.Key}}
	add := func(conditions []filter.Condition[R]) {
		for n := range conditions {
			needed.GroupBy = append(needed.GroupBy, conditions[n].Column())
		}
	}
	for n := range query.Flags {
		add(query.Flags[n].Where)
		add(query.Flags[n].Not)
	}
	for n := range query.Tallies {
		add(query.Tallies[n].If)
		needed.GroupBy = append(needed.GroupBy, query.Tallies[n].Column)
	}
	for n := range query.Measures {
		add(query.Measures[n].If)
		needed.Measures = append(needed.Measures, store.Measure[R]{Column: query.Measures[n].Column})
	}
	columns := q.needed(needed)
	q.ask(columns, "")
	rows := func(yield func(*R, error) bool) {
		if err := t.stream(ctx, q, columns, 0, func(row *R) bool { return yield(row, nil) }); err != nil {
			yield(nil, err)
		}
	}
	return store.RankRows(ctx, rows, t.timeOf, *query)
}
