package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
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

	// The rest is optional. All functions but Complete are called in the transaction of a change.

	// View is a query in parentheses that is read instead of the table, with ViewColumns in addition.
	View        string
	ViewColumns string
	ViewFields  func(*T) []any
	// Max is the maximum number of objects in a project. More are refused with domain.ErrTooMany.
	Max int
	// Title names an object in conflicts.
	Title func(*T) string
	// Lock makes concurrent changes wait for each other. By default, changes of the same object do.
	Lock func(context.Context, Session, domain.ProjectScope) error
	// Check completes or refuses an object before it is stored.
	Check Check[T]
	// Stored writes what other tables have about a stored object; before is nil if it is new.
	Stored func(ctx context.Context, s Session, scope domain.ProjectScope, before *T, n T) error
	// Deleting may refuse the deletion of an object.
	Deleting func(ctx context.Context, s Session, scope domain.ProjectScope, id string) error
	// Complete adds what the columns do not have to objects that were read, alone or in a list.
	Complete func(ctx context.Context, s Session, scope domain.ProjectScope, list bool, objects []T) error
}

// Check completes or refuses an object before it is stored; before is nil if it is new.
type Check[T any] func(ctx context.Context, s Session, scope domain.ProjectScope, before, n *T) error

// columns returns the columns to read.
func (t *Table[T]) columns() string {
	if t.View == "" {
		return t.Columns
	}
	return t.Columns + ", " + t.ViewColumns
}

// scan reads an object from a row with these columns.
func (t *Table[T]) scan(r Row) (n T, err error) {
	fields := t.Fields(&n)
	if t.View != "" {
		fields = append(fields, t.ViewFields(&n)...)
	}
	err = r.Scan(fields...)
	return n, err
}

// from selects the project's objects that match all conditions.
func (t *Table[T]) from(scope domain.ProjectScope, conditions []Condition) Query {
	q := SQL("FROM "+cmp.Or(t.View, t.Name)+" WHERE project_id = ?", scope.ProjectID())
	for _, condition := range conditions {
		q = q.And(condition)
	}
	return q
}

func (t *Table[T]) complete(ctx context.Context, s Session, scope domain.ProjectScope, list bool, objects []T) error {
	if t.Complete == nil || len(objects) == 0 {
		return nil
	}
	return t.Complete(ctx, s, scope, list, objects)
}

// Get returns the project's object with the id.
func (t *Table[T]) Get(ctx context.Context, s Session, scope domain.ProjectScope, id string) (T, error) {
	return t.GetBy(ctx, s, scope, "id", id)
}

// GetBy returns the project's object with the given value in a column.
func (t *Table[T]) GetBy(ctx context.Context, s Session, scope domain.ProjectScope, column, value string) (T, error) {
	q := t.from(scope, []Condition{SQL(column+" = ?", value)})
	found, err := QueryOne(ctx, s, t.scan, "SELECT "+t.columns()+" "+q.Text, q.Args...)
	if err != nil {
		return found, WithSubject(err, t.Kind, value)
	}
	one := []T{found}
	err = t.complete(ctx, s, scope, false, one)
	return one[0], err
}

// Page returns a page of the project's objects that match all conditions, and the total count.
func (t *Table[T]) Page(ctx context.Context, s Session, scope domain.ProjectScope, page Page, more ...Condition) ([]T, int, error) {
	found, total, err := QueryPage(ctx, s, t.scan, t.columns(), t.from(scope, more), t.Order, page)
	if err == nil {
		err = t.complete(ctx, s, scope, true, found)
	}
	return found, total, err
}

// List returns the first limit of the project's objects that match all conditions, or all of them if it is Unlimited.
func (t *Table[T]) List(ctx context.Context, s Session, scope domain.ProjectScope, limit int, more ...Condition) ([]T, error) {
	q := t.from(scope, more)
	q.Text += " ORDER BY " + t.Order
	if limit != Unlimited {
		q = SQL(q.Text+" LIMIT ?", append(slices.Clip(q.Args), limit)...)
	}
	found, err := QueryAll(ctx, s, t.scan, "SELECT "+t.columns()+" "+q.Text, q.Args...)
	if err == nil {
		err = t.complete(ctx, s, scope, true, found)
	}
	return found, err
}

// Full reports whether the project has as many objects as it may have.
func (t *Table[T]) Full(ctx context.Context, s Session, scope domain.ProjectScope) (bool, error) {
	if t.Max == 0 {
		return false, nil
	}
	q := t.from(scope, nil)
	count, err := QueryOne(ctx, s, ScanValue[int], "SELECT COUNT(*) "+q.Text, q.Args...)
	return count >= t.Max, err
}

// Create stores a new object of the project, records that, and returns the stored object.
func (t *Table[T]) Create(
	ctx context.Context, s Session, scope domain.ProjectScope, id string, n T, actor domain.Actor, checks ...Check[T],
) (T, error) {
	if t.Lock != nil {
		if err := t.Lock(ctx, s, scope); err != nil {
			return n, err
		}
	}
	full, err := t.Full(ctx, s, scope)
	if err == nil && full {
		err = fmt.Errorf("%w: project %s has %d of the kind %s", domain.ErrTooMany, scope.ProjectID(), t.Max, t.Kind)
	}
	if err != nil {
		return n, err
	}
	*t.id(&n) = id
	if err := t.check(ctx, s, scope, nil, &n, checks); err != nil {
		return n, err
	}
	if err := t.Insert(ctx, s, scope, id, n); err != nil {
		return n, err
	}
	return t.stored(ctx, s, scope, nil, n, actor)
}

// id returns the field with the id of an object.
func (t *Table[T]) id(n *T) *string {
	return t.Fields(n)[0].(*string) //nolint:forcetypeassert // ids are strings
}

func (t *Table[T]) check(ctx context.Context, s Session, scope domain.ProjectScope, before, n *T, checks []Check[T]) error {
	if t.Check != nil {
		checks = append(slices.Clip(checks), t.Check)
	}
	for _, check := range checks {
		if err := check(ctx, s, scope, before, n); err != nil {
			return err
		}
	}
	return nil
}

// stored finishes a change of an object, records it, and returns the stored object.
func (t *Table[T]) stored(ctx context.Context, s Session, scope domain.ProjectScope, before *T, n T, actor domain.Actor) (T, error) {
	if t.Stored != nil {
		if err := t.Stored(ctx, s, scope, before, n); err != nil {
			return n, err
		}
	}
	id := *t.id(&n)
	after, err := t.Get(ctx, s, scope, id)
	if err != nil {
		return n, err
	}
	return after, s.AuditInProject(ctx, scope, actor, t.Audited, id, StateIf(before, t.State), t.StateOf(&after))
}

// Insert stores a new object of the project.
func (t *Table[T]) Insert(ctx context.Context, s Session, scope domain.ProjectScope, id string, n T) error {
	values, now := t.Fields(&n), Millis(s.Now())
	values[0], values[len(values)-2], values[len(values)-1] = id, now, now
	return s.Insert(ctx, t.Name+" (project_id, "+t.Columns+")", append([]any{scope.ProjectID()}, values...)...)
}

// locked returns an object that nobody else can change until the transaction ends.
func (t *Table[T]) locked(ctx context.Context, s Session, scope domain.ProjectScope, id string) (T, error) {
	lock := t.Lock
	if lock == nil {
		// Writing first locks the row, so that concurrent changes do not overwrite each other.
		lock = func(ctx context.Context, s Session, scope domain.ProjectScope) error {
			_, err := s.Exec(ctx, "UPDATE "+t.Name+" SET updated_at = updated_at WHERE id = ? AND project_id = ?", id, scope.ProjectID())
			return err
		}
	}
	if err := lock(ctx, s, scope); err != nil {
		return *new(T), err
	}
	return t.Get(ctx, s, scope, id)
}

// Change passes the current object to edit, stores the result, records the change, and returns the stored object. The
// id and the creation time do not change. Concurrent changes of the object wait. Errors from edit are returned
// unchanged.
func (t *Table[T]) Change(
	ctx context.Context, s Session, scope domain.ProjectScope, id string, edit func(T) (T, error), actor domain.Actor, checks ...Check[T],
) (after T, err error) {
	before, err := t.locked(ctx, s, scope, id)
	if err != nil {
		return after, err
	}
	n, err := edit(before)
	if err != nil {
		return after, err
	}
	*t.id(&n) = id
	if err := t.check(ctx, s, scope, &before, &n, checks); err != nil {
		return after, err
	}
	if err := t.Replace(ctx, s, scope, id, n); err != nil {
		return after, err
	}
	return t.stored(ctx, s, scope, &before, n, actor)
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
	before, err := t.locked(ctx, s, scope, id)
	if err != nil {
		return err
	}
	if t.Deleting != nil {
		if err := t.Deleting(ctx, s, scope, id); err != nil {
			return err
		}
	}
	if _, err := s.Exec(ctx, "DELETE FROM "+t.Name+" WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
		return err
	}
	return s.AuditInProject(ctx, scope, actor, t.Audited, id, t.StateOf(&before), nil)
}

// StateOf returns what the audit log records about an object.
func (t *Table[T]) StateOf(record *T) json.RawMessage { return StateOf(t.State(record)) }

// OrderedID returns a new id that sorts by time. Ids made by one server within a millisecond keep their order.
func OrderedID() string { return uuid.Must(uuid.NewV7()).String() }
