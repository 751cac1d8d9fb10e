package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Delete implements store.Table. It writes a tombstone for each row, which ClickHouse creates from the rows that it
// finds. Tombstones hide the rows until merges drop them.
func (t *table[R]) Delete(ctx context.Context, scope domain.ProjectScope, s store.Selection) (int, error) {
	project := scope.ProjectID()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := t.store.closed(); err != nil {
		return 0, err
	}
	given := 0
	for _, is := range []bool{len(s.TraceIDs) > 0, len(s.IDs) > 0, s.Before != 0, s.All} {
		if is {
			given++
		}
	}
	if given != 1 {
		return 0, fmt.Errorf("deleting %s by not exactly one selection: %w", t.name, store.ErrInvalid)
	}
	ctx, stop := t.store.withLifetime(ctx)
	defer stop()
	// Deletes are serialized so that no row is counted twice.
	t.deleting.Lock()
	defer t.deleting.Unlock()
	n, err := t.remove(ctx, project, s)
	if err != nil {
		return 0, fmt.Errorf("deleting %s: %w", t.name, classify(err))
	}
	return n, nil
}

func (t *table[R]) remove(ctx context.Context, project string, s store.Selection) (int, error) {
	q := t.selection(project)
	switch {
	case len(s.TraceIDs) > 0:
		q.naming(project, "traceId", s.TraceIDs)
	case len(s.IDs) > 0:
		q.naming(project, "id", s.IDs)
	case s.Before != 0:
		q.between(0, s.Before)
	}
	q.arrived(s.Arrived)
	where := strings.Join(q.where, " AND ")
	q.sql = "SELECT toUInt8(1), toInt64(count()) FROM " + t.name + " FINAL WHERE " + where + readSettings + " FORMAT RowBinary"
	n, err := t.store.count(ctx, &q.statement)
	if err != nil || n == 0 {
		return 0, err
	}
	keys := "id"
	if t.hasTrace {
		keys = "trace_id, id"
	}
	now := q.args.int(t.store.clock.next())
	next := "greatest(version + " + strconv.Itoa(beyondAmendments) + ", toUInt64(" + now + "))"
	q.sql = "INSERT INTO " + t.name + " (project_id, place, " + keys + ", deleted, version) SELECT project_id, place, " + keys +
		", 1, " + next + " FROM " + t.name + " FINAL WHERE " + where + readSettings +
		", parallel_distributed_insert_select = 2"
	q.settings = t.insertSettings()
	delete(q.settings, "insert_deduplication_token") // it applies only to rows sent by the client
	if err := t.store.client.exec(ctx, &q.statement); err != nil {
		return 0, err
	}
	return n, nil
}

// count returns the single number that a statement selects.
func (s *Store) count(ctx context.Context, q *statement) (int, error) {
	answer, err := s.client.open(ctx, q)
	if err != nil {
		return 0, err
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	if !d.next() && d.err == nil {
		d.err = errors.New("ClickHouse returned no rows")
	}
	return int(d.int()), asReadError(ctx, d.err)
}
