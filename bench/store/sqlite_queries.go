package main

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// newestFirst is the order of the store.
const newestFirst = " ORDER BY start_ms DESC, trace_id DESC, id DESC"

// scan reads the rows of one project that meet a condition.
func (s *sqlite) scan(ctx context.Context, project string, want store.Want, rest string, args ...any) (answer, error) {
	columns := wanted(want)
	names, targets := make([]string, len(columns)), make([]any, len(columns))
	var row domain.Observation
	for i, c := range columns {
		names[i], targets[i] = c.name, sqlTarget(c.field(&row))
	}
	query := "SELECT " + strings.Join(names, ", ") + " FROM observations WHERE project_id = ?" + rest
	var a answer
	err := s.rows(ctx, query, append([]any{project}, args...), func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		a.add(&row, want)
		return nil
	})
	return a, err
}

// rows calls each for every row of a query.
func (s *sqlite) rows(ctx context.Context, query string, args []any, each func(*sql.Rows) error) error {
	statement, err := s.prepared(ctx, query) //nolint:sqlclosecheck // close does it
	if err != nil {
		return err
	}
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *sqlite) newest(ctx context.Context, project string, limit int, want store.Want) (answer, error) {
	return s.scan(ctx, project, want, newestFirst+" LIMIT ?", limit)
}

func (s *sqlite) trace(ctx context.Context, project, id string, want store.Want) (answer, error) {
	return s.scan(ctx, project, want, " AND trace_id = ?"+newestFirst, id)
}

func (s *sqlite) matching(ctx context.Context, project string, m match) (answer, error) {
	args := []any{m.from.Millis(), m.to.Millis(), int64(m.from), int64(m.to), m.aboveMillis}
	for _, value := range slices.Concat(m.types, m.models) {
		args = append(args, value)
	}
	// Tags are a JSON array of strings that need no escaping: searching for one with its quotes is exact, and faster
	// than parsing the array.
	has := make([]string, len(m.tags))
	for i, tag := range m.tags {
		has[i] = "instr(tags, ?) > 0"
		args = append(args, `"`+tag+`"`)
	}
	where := " AND start_ms BETWEEN ? AND ? AND start_time >= ? AND start_time < ? AND end_time <> 0 AND end_time / 1000 - start_ms > ?" +
		" AND type IN " + placeholders(len(m.types)) + " AND model IN " + placeholders(len(m.models)) +
		" AND (" + strings.Join(has, " OR ") + ")"
	return s.scan(ctx, project, 0, where+newestFirst+" LIMIT ?", append(args, m.limit)...)
}

func (s *sqlite) withMetadata(ctx context.Context, project, key, value string, limit int) (answer, error) {
	// Parse only the metadata of rows that contain the value anywhere.
	const where = " AND instr(metadata, ?) > 0 AND metadata ->> ? = ?"
	return s.scan(ctx, project, 0, where+newestFirst+" LIMIT ?", value, key, value, limit)
}

func (s *sqlite) withWord(ctx context.Context, project, word string, limit int) (answer, error) {
	return s.scan(ctx, project, 0, " AND instr(input, ?) > 0"+newestFirst+" LIMIT ?", word, limit)
}

func (s *sqlite) after(ctx context.Context, project string, p store.Position, limit int) (answer, error) {
	return s.scan(ctx, project, 0, " AND (start_ms, trace_id, id) < (?, ?, ?)"+newestFirst+" LIMIT ?", p.Millis, p.TraceID, p.ID, limit)
}

// costByModelAndHour groups in Go: SQLite has no quantile, and sorting everything with a window function takes longer.
func (s *sqlite) costByModelAndHour(ctx context.Context, project string) (answer, error) {
	type group struct {
		model string
		hour  int64
	}
	type values struct {
		cost    float64
		count   int
		latency []float64
	}
	groups := make(map[group]*values)
	var key group
	var end, start int64
	var cost sql.NullFloat64
	const query = "SELECT model, start_ms / 3600000, start_ms, end_time / 1000, total_cost FROM observations WHERE project_id = ?"
	err := s.rows(ctx, query, []any{project}, func(rows *sql.Rows) error {
		if err := rows.Scan(&key.model, &key.hour, &start, &end, &cost); err != nil {
			return err
		}
		g := groups[key]
		if g == nil {
			g = new(values)
			groups[key] = g
		}
		g.cost += cost.Float64
		g.count++
		if end != 0 {
			g.latency = append(g.latency, float64(end-start)/1000)
		}
		return nil
	})
	a := answer{rows: len(groups)}
	for _, g := range groups {
		a.sum += g.cost + float64(g.count) + quantile(g.latency, 0.95)
	}
	return a, err
}

// quantile returns the value at position q*(n-1) of the sorted values, interpolated between neighbours; 0 if there are
// none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	position := q * float64(len(values)-1)
	below := int(position)
	above := min(below+1, len(values)-1)
	return values[below] + (values[above]-values[below])*(position-float64(below))
}

func (s *sqlite) usersByDay(ctx context.Context, project string) (answer, error) {
	var a answer
	const query = "SELECT start_ms / 86400000, count(DISTINCT nullif(user_id, '')) FROM observations WHERE project_id = ? GROUP BY 1"
	err := s.rows(ctx, query, []any{project}, func(rows *sql.Rows) error {
		var day, users int64
		if err := rows.Scan(&day, &users); err != nil {
			return err
		}
		a.rows++
		a.sum += float64(users)
		return nil
	})
	return a, err
}

func (s *sqlite) deleteTraces(ctx context.Context, project string, ids []string) (int, error) {
	args := []any{project}
	for _, id := range ids {
		args = append(args, id)
	}
	query := "DELETE FROM observations WHERE project_id = ? AND trace_id IN " + placeholders(len(ids)) //nolint:gosec // no values in it
	result, err := s.write.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}
