package clickhouse

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// rowKey identifies a row. The trace id is empty if it is not part of the key.
type rowKey struct{ project, traceID, id string }

// encodedRow is a row encoded for an insert. Its version, at the end, is set when it is inserted.
type encodedRow struct {
	rowKey
	place int64
	bytes []byte
}

// Append implements store.Table.
func (t *table[R]) Append(ctx context.Context, scope domain.ProjectScope, rows []R) error {
	project := scope.ProjectID()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.store.closed(); err != nil {
		return err
	}
	for i := range rows {
		traceID, id := t.keyOf(&rows[i])
		switch {
		case id == "":
			return fmt.Errorf("appending row %d, which has no id: %w", i, store.ErrInvalid)
		case t.hasTrace && traceID == "":
			return fmt.Errorf("appending row %d, which has no trace id: %w", i, store.ErrInvalid)
		case t.timeOf(&rows[i]) == 0:
			return fmt.Errorf("appending row %d, which has no time: %w", i, store.ErrInvalid)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	encoded := make([]encodedRow, len(rows))
	bytes := int64(0)
	for i := range rows {
		encoded[i] = t.encode(project, &rows[i])
		bytes += int64(len(encoded[i].bytes))
	}
	ctx, stop := t.store.withLifetime(ctx)
	defer stop()
	if err := t.writer.append(ctx, encoded, bytes); err != nil {
		return fmt.Errorf("appending %d %s: %w", len(rows), t.name, err)
	}
	return nil
}

// The last fields of an encoded row are whether it is a tombstone, and its version.
const (
	versionBytes = 8
	deletedAt    = versionBytes + 1 // from the end
)

// encode encodes a row. It keeps no reference to it.
func (t *table[R]) encode(project string, row *R) encodedRow {
	traceID, id := t.keyOf(row)
	place := -t.timeOf(row).Millis()
	b := appendText(make([]byte, 0, 1024), project)
	b = appendInt(b, place)
	for i := range t.columns {
		b = t.columns[i].put(b, row)
	}
	b = append(b, 0)
	b = appendInt(b, 0)
	return encodedRow{rowKey{strings.Clone(project), strings.Clone(traceID), strings.Clone(id)}, place, b}
}

func (t *table[R]) insertStatement() string {
	names := []string{"project_id", "place"}
	for i := range t.columns {
		names = append(names, t.columns[i].name)
	}
	return "INSERT INTO " + t.name + " (" + strings.Join(append(names, "deleted", "version"), ", ") + ") FORMAT RowBinary"
}

// version is the latest version of a row that ClickHouse has at a place.
type version struct {
	place   int64
	number  int64
	deleted bool
}

// commit inserts a batch: the newest version of each row and, for rows that move to a different place, a tombstone at
// the old one.
func (t *table[R]) commit(ctx context.Context, batch []*pending) error {
	first := slices.MinFunc(batch, func(a, b *pending) int { return a.deadline.Compare(b.deadline) })
	ctx, cancel := context.WithDeadline(ctx, first.deadline)
	defer cancel()
	rows := newestOf(batch)
	var found map[rowKey][]version
	err := t.retry(ctx, func() (err error) {
		found, err = t.find(ctx, rows)
		return err
	})
	if err != nil {
		// Nothing was sent yet.
		return t.unavailable(fmt.Errorf("looking for older versions of %d %s: %w", len(rows), t.name, err), true)
	}
	s := &statement{sql: t.insert, rows: t.body(rows, found), settings: t.insertSettings()}
	untouched := true
	err = t.retry(ctx, func() error {
		err := t.store.client.exec(ctx, s)
		untouched = untouched && (err == nil || nothingKept(err))
		return err
	})
	if err != nil {
		return t.unavailable(fmt.Errorf("inserting %d %s: %w", len(rows), t.name, err), untouched)
	}
	t.inserts.Add(1)
	return nil
}

// unavailable wraps a write failure with its error kind. untouched means that certainly nothing was kept.
func (t *table[R]) unavailable(err error, untouched bool) error {
	switch {
	case t.store.life.Err() != nil:
		return fmt.Errorf("%w: %w", store.ErrClosed, err)
	case hasCode(err, codeNotEnoughSpace):
		return fmt.Errorf("%w: %w", store.ErrDiskFull, err)
	case untouched && (isRetryable(err) || errors.Is(err, context.DeadlineExceeded)):
		return fmt.Errorf("%w: %w", store.ErrBusy, err)
	case isRetryable(err) || errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// retry retries until it succeeds, fails permanently, or the deadline passes.
func (t *table[R]) retry(ctx context.Context, try func() error) error {
	const longest = time.Second
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, longest) {
		err := try()
		if err == nil || !isRetryable(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// newestOf returns the last row of each key in a batch.
func newestOf(batch []*pending) []encodedRow {
	var rows []encodedRow
	at := map[rowKey]int{}
	for _, p := range batch {
		for _, row := range p.rows {
			if i, ok := at[row.rowKey]; ok {
				rows[i] = row
				continue
			}
			at[row.rowKey] = len(rows)
			rows = append(rows, row)
		}
	}
	return rows
}

// find returns the versions of rows that ClickHouse has, including tombstones. New rows, the usual case, cost only a
// lookup in the index.
func (t *table[R]) find(ctx context.Context, rows []encodedRow) (map[rowKey][]version, error) {
	s := new(statement)
	byProject := map[string][]string{}
	for i := range rows {
		byProject[rows[i].project] = append(byProject[rows[i].project], rows[i].id)
	}
	var hashes, owners []string
	for project, ids := range byProject {
		slices.Sort(ids)
		p, list := s.args.text(project), s.args.texts(slices.Compact(ids))
		hashes = append(hashes, hashesOf("i", p, list))
		owners = append(owners, "(project_id = "+p+" AND id IN ("+list+"))")
	}
	trace := "''"
	if t.hasTrace {
		trace = "trace_id"
	}
	s.sql = "SELECT toUInt8(1), project_id, " + trace + " AS key_trace, id, place, max(version), argMax(deleted, version) FROM " + t.name +
		" WHERE place IN (" + placesOf(t.name, strings.Join(hashes, " UNION ALL ")) + ")" +
		" AND (" + strings.Join(owners, " OR ") + ") GROUP BY project_id, key_trace, id, place" + readSettings + " FORMAT RowBinary"
	answer, err := t.store.client.open(ctx, s)
	if err != nil {
		return nil, err
	}
	defer answer.Close() //nolint:errcheck // only read
	found := map[rowKey][]version{}
	d := newDecoder(ctx, answer)
	defer d.release()
	for d.next() {
		key := rowKey{strings.Clone(d.text()), strings.Clone(d.text()), strings.Clone(d.text())}
		found[key] = append(found[key], version{d.int(), d.int(), d.bool()})
	}
	return found, asReadError(ctx, d.err)
}

// body returns the encoded rows to insert. Every version is newer than all known versions of the row, whatever the
// clocks of the servers that wrote them.
func (t *table[R]) body(rows []encodedRow, found map[rowKey][]version) []byte {
	size := 0
	for i := range rows {
		size += len(rows[i].bytes)
	}
	body := make([]byte, 0, size)
	for i := range rows {
		row := &rows[i]
		number := t.store.clock.next()
		live := false
		for _, v := range found[row.rowKey] {
			number = max(number, v.number+beyondAmendments)
			live = live || !v.deleted
		}
		if live {
			t.superseded.Add(1)
		}
		body = append(body, row.bytes...)
		setVersion(body, number, false)
		for _, v := range found[row.rowKey] {
			if v.place != row.place && !v.deleted {
				body = t.appendTombstone(body, row.rowKey, v.place)
				setVersion(body, number, true)
			}
		}
	}
	return body
}

// appendTombstone appends a row that hides the one at a place.
func (t *table[R]) appendTombstone(body []byte, key rowKey, place int64) []byte {
	empty := t.withKey(key.traceID, key.id)
	body = appendText(body, key.project)
	body = appendInt(body, place)
	for i := range t.columns {
		body = t.columns[i].put(body, &empty)
	}
	body = append(body, 1)
	return appendInt(body, 0)
}

// setVersion sets the version of the last row in a body.
func setVersion(body []byte, number int64, deleted bool) {
	binary.LittleEndian.PutUint64(body[len(body)-versionBytes:], uint64(number)) //nolint:gosec // not negative
	appendBool(body[:len(body)-deletedAt], deleted)
}

// insertSettings returns the settings of inserts: acknowledged once written, and deduplicated however often they are
// sent. Skip indexes are left to merges, which rebuild them anyway; parts that were not merged yet are read without
// them.
func (t *table[R]) insertSettings() map[string]string {
	settings := map[string]string{
		"async_insert": "0", "insert_deduplication_token": rand.Text(), "deduplicate_blocks_in_dependent_materialized_views": "1",
		"max_partitions_per_insert_block": "0", "max_insert_block_size": "1048576",
		"materialize_skip_indexes_on_insert": "0",
	}
	if a := t.store.client.address; a.Cluster != "" {
		settings["distributed_foreground_insert"] = "1"
		if a.Quorum != "" {
			settings["insert_quorum"] = a.Quorum
		}
	}
	return settings
}
