package clickhouse

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/store"
)

// Sizes implements store.Store. ClickHouse knows the size of its parts, but not which rows account for it: every row is
// assumed to have the mean size of its table. Projects with long strings are therefore underestimated and those with
// short strings overestimated; the total is right.
func (s *Store) Sizes(ctx context.Context) ([]store.DaySize, error) {
	if err := s.closed(); err != nil {
		return nil, err
	}
	ctx, stop := s.withLifetime(ctx)
	defer stop()
	list, err := s.observations.sizes(ctx, nil)
	if err == nil {
		list, err = s.scores.sizes(ctx, list)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot determine the sizes of projects in ClickHouse: %w", classify(err))
	}
	return list, nil
}

// sizes appends the sizes of the table.
func (t *table[R]) sizes(ctx context.Context, list []store.DaySize) ([]store.DaySize, error) {
	parts, err := t.parts(ctx)
	if err != nil || parts.Rows == 0 {
		return list, err
	}
	mean := float64(parts.DiskBytes) / float64(parts.Rows)
	const dayMillis = 24 * 60 * 60 * 1000
	q := &statement{settings: cancellable(), plain: true}
	q.sql = fmt.Sprintf("SELECT toUInt8(1), project_id, toInt64(floor(-place / %d)) AS day, toInt64(count()) FROM %s FINAL GROUP BY "+
		"project_id, day%s FORMAT RowBinary",
		dayMillis, t.name, readSettings)
	answer, err := t.store.client.open(ctx, q)
	if err != nil {
		return nil, err
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	for d.next() {
		size := store.DaySize{ProjectID: strings.Clone(d.text()), Day: d.int(), Rows: d.int()}
		size.Bytes = int64(mean * float64(size.Rows))
		list = append(list, size)
	}
	return list, asReadError(ctx, d.err)
}
