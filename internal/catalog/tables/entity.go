package tables

import (
	"context"

	"almanac/internal/domain"
)

// Entity is a table in a database. Each of its methods that change something is a transaction.
type Entity[T any] struct {
	table *Table[T]
	db    *DB
	newID func() string
}

// In returns the table in a database, with the function that makes the ids of new objects.
func (t *Table[T]) In(db *DB, newID func() string) Entity[T] { return Entity[T]{t, db, newID} }

// Get returns the project's object with the id.
func (e Entity[T]) Get(ctx context.Context, scope domain.ProjectScope, id string) (T, error) {
	return e.table.Get(ctx, e.db.Reader(), scope, id)
}

// Page returns a page of the project's objects that match all conditions, and the total count.
func (e Entity[T]) Page(ctx context.Context, scope domain.ProjectScope, page Page, more ...Condition) ([]T, int, error) {
	return e.table.Page(ctx, e.db.Reader(), scope, page, more...)
}

// List returns the first limit of the project's objects that match all conditions, or all of them if it is Unlimited.
func (e Entity[T]) List(ctx context.Context, scope domain.ProjectScope, limit int, more ...Condition) ([]T, error) {
	return e.table.List(ctx, e.db.Reader(), scope, limit, more...)
}

// Create stores a new object and returns it; its id and timestamps are assigned here.
func (e Entity[T]) Create(ctx context.Context, scope domain.ProjectScope, n T, actor domain.Actor, checks ...Check[T]) (T, error) {
	created, err := Transact(ctx, e.db, func(s Session) (T, error) {
		return e.table.Create(ctx, s, scope, e.newID(), n, actor, checks...)
	})
	return created, e.table.titled(err, &n)
}

// Change passes the current object to edit, stores the result and returns it; the id and the creation time do not
// change. Concurrent changes of the object wait. Errors from edit are returned unchanged.
func (e Entity[T]) Change(
	ctx context.Context, scope domain.ProjectScope, id string, edit func(T) (T, error), actor domain.Actor, checks ...Check[T],
) (T, error) {
	var n T
	after, err := Transact(ctx, e.db, func(s Session) (T, error) {
		return e.table.Change(ctx, s, scope, id, func(before T) (T, error) {
			var err error
			n, err = edit(before)
			return n, err
		}, actor, checks...)
	})
	return after, e.table.titled(err, &n)
}

// Delete deletes one of the project's objects.
func (e Entity[T]) Delete(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return e.db.Update(ctx, func(s Session) error { return e.table.Delete(ctx, s, scope, id, actor) })
}

// titled names an object in a conflict.
func (t *Table[T]) titled(err error, n *T) error {
	if t.Title == nil {
		return err
	}
	return NamedConflict(err, t.Kind, t.Title(n))
}
