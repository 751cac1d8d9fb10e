package tables

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"almanac/internal/domain"
)

// Table describes how one kind of project-owned object is stored, one row per object.
type Table[T any] struct {
	Name    string // of the table
	Kind    string // what errors call an object
	Audited string // what the audit log calls it
	// Columns are all columns except project_id. The first is id, the last two are created_at and updated_at.
	Columns string
	Order   string // of lists
	// Fields returns the values that the columns are scanned to and stored from.
	Fields func(*T) []any
	// State returns what the audit log records about an object.
	State func(*T) map[string]any
}

// Scan reads an object from a row.
func (t *Table[T]) Scan(r Row) (T, error) { return ScanInto(t.Fields)(r) }

// Get returns the project's object with the id.
func (t *Table[T]) Get(ctx context.Context, s Session, scope domain.ProjectScope, id string) (T, error) {
	return t.GetBy(ctx, s, scope, "id", id)
}

// GetBy returns the project's object with the given value in a column.
func (t *Table[T]) GetBy(ctx context.Context, s Session, scope domain.ProjectScope, column, value string) (T, error) {
	thing, err := QueryOne(ctx, s, t.Scan, "SELECT "+t.Columns+" FROM "+t.Name+" WHERE "+column+" = ? AND project_id = ?", value, scope.ProjectID())
	return thing, Named(err, t.Kind, value)
}

// Page returns a page of the project's objects that match all conditions, and the total count.
func (t *Table[T]) Page(ctx context.Context, s Session, scope domain.ProjectScope, page Page, more ...Condition) ([]T, int, error) {
	from := Query{"FROM " + t.Name + " WHERE project_id = ?", []any{scope.ProjectID()}}
	for _, condition := range more {
		from = from.And(condition)
	}
	return QueryPage(ctx, s, t.Scan, t.Columns, from, t.Order, page)
}

// Count returns the number of objects that the project has.
func (t *Table[T]) Count(ctx context.Context, s Session, scope domain.ProjectScope) (int, error) {
	return QueryOne(ctx, s, ScanValue[int], "SELECT COUNT(*) FROM "+t.Name+" WHERE project_id = ?", scope.ProjectID())
}

// Create stores a new object of the project, records that, and returns the stored object.
func (t *Table[T]) Create(ctx context.Context, s Session, scope domain.ProjectScope, id string, n T, actor domain.Actor) (T, error) {
	if err := t.Insert(ctx, s, scope, id, n); err != nil {
		return n, err
	}
	created, err := t.Get(ctx, s, scope, id)
	if err != nil {
		return n, err
	}
	return created, s.AuditInProject(ctx, scope, actor, t.Audited, id, nil, t.StateOf(&created))
}

// Insert stores a new object of the project.
func (t *Table[T]) Insert(ctx context.Context, s Session, scope domain.ProjectScope, id string, n T) error {
	values, now := t.Fields(&n), Millis(s.Now())
	values[0], values[len(values)-2], values[len(values)-1] = id, now, now
	return s.Insert(ctx, t.Name+" (project_id, "+t.Columns+")", append([]any{scope.ProjectID()}, values...)...)
}

// Change passes the current object to edit, stores the result, records the change, and returns the stored object. The
// id and the creation time do not change. Concurrent changes of the object wait. Errors from edit are returned
// unchanged.
func (t *Table[T]) Change(
	ctx context.Context, s Session, scope domain.ProjectScope, id string, edit func(T) (T, error), actor domain.Actor,
) (after T, err error) {
	// Writing first locks the row, so that concurrent changes do not overwrite each other.
	if _, err := s.Exec(ctx, "UPDATE "+t.Name+" SET updated_at = updated_at WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
		return after, err
	}
	before, err := t.Get(ctx, s, scope, id)
	if err != nil {
		return after, err
	}
	n, err := edit(before)
	if err != nil {
		return after, err
	}
	if err := t.Replace(ctx, s, scope, id, n); err != nil {
		return after, err
	}
	if after, err = t.Get(ctx, s, scope, id); err != nil {
		return after, err
	}
	return after, s.AuditInProject(ctx, scope, actor, t.Audited, id, t.StateOf(&before), t.StateOf(&after))
}

// Replace overwrites every column except the id and the creation time, and sets the update time to now.
func (t *Table[T]) Replace(ctx context.Context, s Session, scope domain.ProjectScope, id string, n T) error {
	values := t.Fields(&n)
	values[len(values)-1] = Millis(s.Now())
	return t.overwrite(ctx, s, scope, id, values)
}

// overwrite stores the values of all columns except the id and the creation time.
func (t *Table[T]) overwrite(ctx context.Context, s Session, scope domain.ProjectScope, id string, values []any) error {
	columns := strings.Split(t.Columns, ", ")
	last := len(columns) - 2
	assignments := strings.Join(columns[1:last], " = ?, ") + " = ?, updated_at = ?"
	_, err := s.Exec(ctx, "UPDATE "+t.Name+" SET "+assignments+" WHERE id = ? AND project_id = ?",
		append(values[1:last:last], values[last+1], id, scope.ProjectID())...)
	return err
}

// Delete removes an object of the project and records that.
func (t *Table[T]) Delete(ctx context.Context, s Session, scope domain.ProjectScope, id string, actor domain.Actor) error {
	before, err := t.Get(ctx, s, scope, id)
	if err != nil {
		return err
	}
	deleted, err := s.Exec(ctx, "DELETE FROM "+t.Name+" WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	if err != nil {
		return err
	}
	if deleted == 0 { // deleted concurrently
		return Named(domain.ErrNotFound, t.Kind, id)
	}
	return s.AuditInProject(ctx, scope, actor, t.Audited, id, t.StateOf(&before), nil)
}

// StateOf returns what the audit log records about an object.
func (t *Table[T]) StateOf(thing *T) json.RawMessage { return StateOf(t.State(thing)) }

// OrderedID returns a new id that sorts by time. Ids made by one server within a millisecond keep their order.
func OrderedID() string { return uuid.Must(uuid.NewV7()).String() }
