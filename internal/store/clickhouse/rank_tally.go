package clickhouse

import (
	"context"
	"strings"

	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// wantedKeys are the hashes of the keys of wanted groups.
type wantedKeys struct {
	hashes store.HashSet
	held   *memory.Tally
}

func (w *wantedKeys) add(hash uint64) error { return w.held.Add(int64(w.hashes.Add(hash))) }

// tallied returns, for each tally, the condition for the rows that count. It returns false if only Go can compute one, or
// the values of a column.
func (t *table[R]) tallied(q *queryBuilder[R], query *store.RankQuery[R]) (conditions []string, ok bool) {
	for n := range query.Tallies {
		tally := &query.Tallies[n]
		if tally.Column.Derived() {
			return nil, false
		}
		parts := []string{"1"}
		for i := range tally.If {
			sql, ok := q.compile(&tally.If[i], &q.args)
			if !ok {
				return nil, false
			}
			parts = append(parts, sql)
		}
		if tally.From != 0 {
			parts = append(parts, q.time+" >= "+q.args.int(int64(tally.From)))
		}
		if tally.To != 0 {
			parts = append(parts, q.time+" < "+q.args.int(int64(tally.To)))
		}
		conditions = append(conditions, strings.Join(parts, " AND "))
	}
	return conditions, true
}

// tally counts values. ClickHouse finds the values of each group, and those of wanted groups are counted here as they arrive.
func (t *table[R]) tally(
	ctx context.Context, q *queryBuilder[R], key, condition string, tally *store.RankTally[R], wanted *wantedKeys,
) (none store.Tallied, err error) {
	value, null := t.groupKey(tally.Column, 0)
	some := "1"
	if kind := tally.Column.Kind(); kind == filter.Text || kind == filter.List {
		some = "v != ''"
	}
	q.sql = "SELECT toUInt8(1), v, k FROM (SELECT " + value + " AS v, " + key + " AS k FROM " + t.name + " FINAL WHERE " +
		strings.Join(q.where, " AND ") + " AND " + condition + " AND NOT (" + null + ")) WHERE " + some + " GROUP BY v, k" + readSettings +
		" FORMAT RowBinary"
	answer, err := t.store.client.open(ctx, &q.statement)
	if err != nil {
		return none, tooLarge(classify(err))
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	held := memory.NewTally(ctx)
	defer held.Release()
	var counts store.Tally
	for d.next() {
		value, key := readKey(d, tally.Column.Kind()), d.text()
		if d.err != nil {
			break
		}
		if wanted.hashes.Has(store.TextHash(key)) {
			if err := held.Add(counts.Count(value)); err != nil {
				return none, tooLarge(err)
			}
		}
	}
	if d.err != nil {
		return none, tooLarge(asReadError(ctx, d.err))
	}
	return counts.Tallied(), nil
}
