package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog/exports"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MaxTraceMarks is the maximum number of marked traces in a project.
const MaxTraceMarks = 10_000

// ErrTooManyMarks means that a project has reached MaxTraceMarks.
var ErrTooManyMarks = errors.New("too many traces are marked")

const (
	markColumns = "trace_id, public, bookmarked, tags"
	selectMarks = "SELECT " + markColumns + " FROM trace_marks WHERE project_id = ?"
)

func markFields(m *domain.TraceMark) []any {
	return []any{&m.TraceID, &m.Public, &m.Bookmarked, tables.AsOptionalJSON(&m.Tags)}
}

func scanMark(r tables.Row) (string, domain.TraceMark, error) {
	m, err := tables.ScanInto(markFields)(r)
	return m.TraceID, m, err
}

// TraceMarks returns the marks of the given traces, by trace id. Unmarked traces are left out.
func (c *Catalog) TraceMarks(ctx context.Context, scope domain.ProjectScope, ids []string) (map[string]domain.TraceMark, error) {
	found := make(map[string]domain.TraceMark)
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return tables.Unstorable(id) })
	if len(ids) > tables.RowsPerStatement { // most projects have few marks or none
		all, err := c.AllTraceMarks(ctx, scope)
		if err != nil || len(all) == 0 {
			return found, err
		}
		for _, id := range ids {
			if m, ok := all[id]; ok {
				found[id] = m
			}
		}
		return found, nil
	}
	if len(ids) == 0 {
		return found, nil
	}
	q := tables.SQL(selectMarks, scope.ProjectID()).And(tables.In("trace_id", ids))
	return tables.QueryMap(ctx, c.db.Reader(), scanMark, q.Text, q.Args...)
}

// AllTraceMarks returns all trace marks of the project, by trace id.
func (c *Catalog) AllTraceMarks(ctx context.Context, scope domain.ProjectScope) (map[string]domain.TraceMark, error) {
	return tables.QueryMap(ctx, c.db.Reader(), scanMark, selectMarks, scope.ProjectID())
}

// TagsOfTraces returns the tags that users gave to traces of the project, by trace id. The list is empty if they
// removed all tags.
func (c *Catalog) TagsOfTraces(ctx context.Context, scope domain.ProjectScope) (map[string][]string, error) {
	marks, err := tables.QueryMap(ctx, c.db.Reader(), scanMark, selectMarks+" AND tags IS NOT NULL", scope.ProjectID())
	return domain.TagsOf(marks), err
}

// MarkTrace passes the mark of a trace to edit, stores the result and records the change. The caller must check that
// the trace exists.
func (c *Catalog) MarkTrace(
	ctx context.Context, scope domain.ProjectScope, traceID string, edit func(domain.TraceMark) domain.TraceMark, actor domain.Actor,
) (domain.TraceMark, error) {
	if tables.Unstorable(traceID) {
		return domain.TraceMark{}, tables.WithSubject(domain.ErrNotFound, "trace", traceID)
	}
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.TraceMark, err error) {
		if err := s.LockProject(ctx, scope); err != nil { // so that concurrent new marks are counted
			return after, err
		}
		project, now := scope.ProjectID(), tables.Millis(s.Now())
		// Writing first locks the row, so that concurrent changes do not overwrite each other.
		if _, err := s.Exec(ctx, `INSERT INTO trace_marks (project_id, trace_id, created_at, updated_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (project_id, trace_id) DO UPDATE SET updated_at = excluded.updated_at`, project, traceID, now, now); err != nil {
			return after, err
		}
		before, err := tables.QueryOne(ctx, s, tables.ScanInto(markFields), selectMarks+" AND trace_id = ?", project, traceID)
		if err != nil {
			return after, err
		}
		after = edit(before)
		after.TraceID = traceID
		if after.IsEmpty() {
			_, err = s.Exec(ctx, "DELETE FROM trace_marks WHERE project_id = ? AND trace_id = ?", project, traceID)
		} else {
			fields := markFields(&after)[1:]
			_, err = s.Exec(ctx, "UPDATE trace_marks SET public = ?, bookmarked = ?, tags = ? WHERE project_id = ? AND trace_id = ?",
				append(fields, project, traceID)...)
		}
		if err != nil || before.Equal(&after) {
			return after, err
		}
		count, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM trace_marks WHERE project_id = ?", project)
		if err != nil {
			return after, err
		}
		if count > MaxTraceMarks {
			return after, fmt.Errorf("project %s has %d of %d: %w", project, count, MaxTraceMarks, ErrTooManyMarks)
		}
		if err := exports.NoteMark(ctx, s, scope, traceID); err != nil {
			return after, err
		}
		return after, s.AuditInProject(ctx, scope, actor, tables.KindTrace, traceID, stateOfMark(&before), stateOfMark(&after))
	})
}

func stateOfMark(m *domain.TraceMark) json.RawMessage {
	return tables.StateOf(map[string]any{"public": m.Public, "bookmarked": m.Bookmarked, "tags": m.Tags})
}

// ForgetMarksOfTraces deletes the marks of deleted traces.
func (c *Catalog) ForgetMarksOfTraces(ctx context.Context, scope domain.ProjectScope, traceIDs []string) error {
	marks, err := c.TraceMarks(ctx, scope, traceIDs)
	if err != nil || len(marks) == 0 { // reading first avoids a write for most traces
		return err
	}
	return c.db.Update(ctx, func(s tables.Session) error {
		s.Note(tables.Change{Kind: tables.KindTrace, ProjectID: scope.ProjectID()})
		for id := range marks {
			if _, err := s.Exec(ctx, "DELETE FROM trace_marks WHERE project_id = ? AND trace_id = ?", scope.ProjectID(), id); err != nil {
				return fmt.Errorf("cannot delete the marks of %d traces: %w", len(traceIDs), err)
			}
		}
		return nil
	})
}

// ForgetOldMarks deletes marks last changed before a time, since their traces have expired.
func (c *Catalog) ForgetOldMarks(ctx context.Context, scope domain.ProjectScope, before time.Time) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		forgotten, err := s.Exec(ctx, "DELETE FROM trace_marks WHERE project_id = ? AND updated_at < ?", scope.ProjectID(),
			tables.Millis(before))
		if forgotten > 0 {
			s.Note(tables.Change{Kind: tables.KindTrace, ProjectID: scope.ProjectID()})
		}
		return err
	})
}
