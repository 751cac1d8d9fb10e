package catalog

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"almanac/internal/domain"
)

// table says how one kind of thing that projects own is stored, one row for each.
type table[T any] struct {
	name    string // of the table
	kind    string // what errors call a thing
	audited string // what the audit log calls it
	// columns are all but project_id. The first is id, the last two are created_at and updated_at.
	columns string
	order   string // of lists
	// fields returns what the columns are scanned to and stored from.
	fields func(*T) []any
	// state returns what the audit log records of a thing.
	state func(*T) map[string]any
}

func (t *table[T]) scan(r row) (T, error) { return scanInto(t.fields)(r) }

// get returns the project's thing with the id.
func (t *table[T]) get(ctx context.Context, s session, scope domain.ProjectScope, id string) (T, error) {
	return t.getBy(ctx, s, scope, "id", id)
}

// getBy returns the project's thing with a value in a column.
func (t *table[T]) getBy(ctx context.Context, s session, scope domain.ProjectScope, column, value string) (T, error) {
	thing, err := queryOne(ctx, s, t.scan, "SELECT "+t.columns+" FROM "+t.name+" WHERE "+column+" = ? AND project_id = ?", value, scope.ProjectID())
	return thing, named(err, t.kind, value)
}

// page returns a page of the project's things that meet all conditions, and how many there are in all.
func (t *table[T]) page(ctx context.Context, s session, scope domain.ProjectScope, page Page, more ...condition) ([]T, int, error) {
	from := query{"FROM " + t.name + " WHERE project_id = ?", []any{scope.ProjectID()}}
	for _, condition := range more {
		from = from.and(condition)
	}
	return queryPage(ctx, s, t.scan, t.columns, from, t.order, page)
}

// count returns how many things the project has.
func (t *table[T]) count(ctx context.Context, s session, scope domain.ProjectScope) (int, error) {
	return queryOne(ctx, s, scanValue[int], "SELECT COUNT(*) FROM "+t.name+" WHERE project_id = ?", scope.ProjectID())
}

// create stores a new thing of the project, records that, and returns what was stored.
func (t *table[T]) create(ctx context.Context, s session, scope domain.ProjectScope, id string, n T, actor domain.Actor) (T, error) {
	if err := t.insert(ctx, s, scope, id, n); err != nil {
		return n, err
	}
	created, err := t.get(ctx, s, scope, id)
	if err != nil {
		return n, err
	}
	return created, s.auditInProject(ctx, scope, actor, t.audited, id, nil, t.stateOf(&created))
}

func (t *table[T]) insert(ctx context.Context, s session, scope domain.ProjectScope, id string, n T) error {
	values, now := t.fields(&n), millis(s.now())
	values[0], values[len(values)-2], values[len(values)-1] = id, now, now
	return s.insert(ctx, t.name+" (project_id, "+t.columns+")", append([]any{scope.ProjectID()}, values...)...)
}

// change passes the thing as it is to edit, stores what that returns, records the change, and returns what was stored. The id and
// the time of creation stay. Other changes of the thing wait. An error of edit is returned as it is.
func (t *table[T]) change(
	ctx context.Context, s session, scope domain.ProjectScope, id string, edit func(T) (T, error), actor domain.Actor,
) (after T, err error) {
	// Writing first locks the row, so that of two changes at once neither overwrites the other.
	if _, err := s.exec(ctx, "UPDATE "+t.name+" SET updated_at = updated_at WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
		return after, err
	}
	before, err := t.get(ctx, s, scope, id)
	if err != nil {
		return after, err
	}
	n, err := edit(before)
	if err != nil {
		return after, err
	}
	if err := t.replace(ctx, s, scope, id, n); err != nil {
		return after, err
	}
	if after, err = t.get(ctx, s, scope, id); err != nil {
		return after, err
	}
	return after, s.auditInProject(ctx, scope, actor, t.audited, id, t.stateOf(&before), t.stateOf(&after))
}

// replace overwrites every column but the id and the time of creation. It is changed now.
func (t *table[T]) replace(ctx context.Context, s session, scope domain.ProjectScope, id string, n T) error {
	values := t.fields(&n)
	values[len(values)-1] = millis(s.now())
	return t.overwrite(ctx, s, scope, id, values)
}

// overwrite stores the values of all columns but of the id and the time of creation.
func (t *table[T]) overwrite(ctx context.Context, s session, scope domain.ProjectScope, id string, values []any) error {
	columns := strings.Split(t.columns, ", ")
	last := len(columns) - 2
	assignments := strings.Join(columns[1:last], " = ?, ") + " = ?, updated_at = ?"
	_, err := s.exec(ctx, "UPDATE "+t.name+" SET "+assignments+" WHERE id = ? AND project_id = ?",
		append(values[1:last:last], values[last+1], id, scope.ProjectID())...)
	return err
}

// delete removes a thing of the project and records that.
func (t *table[T]) delete(ctx context.Context, s session, scope domain.ProjectScope, id string, actor domain.Actor) error {
	before, err := t.get(ctx, s, scope, id)
	if err != nil {
		return err
	}
	deleted, err := s.exec(ctx, "DELETE FROM "+t.name+" WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	if err != nil {
		return err
	}
	if deleted == 0 { // somebody else was faster
		return named(domain.ErrNotFound, t.kind, id)
	}
	return s.auditInProject(ctx, scope, actor, t.audited, id, t.stateOf(&before), nil)
}

func (t *table[T]) stateOf(thing *T) json.RawMessage { return stateOf(t.state(thing)) }

// orderedID returns a new id that sorts by time, so that things of one millisecond keep the order in which one server made them.
func orderedID() string { return uuid.Must(uuid.NewV7()).String() }
